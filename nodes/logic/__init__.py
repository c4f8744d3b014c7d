"""Logic without a model: readers that bring a regular wording to the typed form, and z3 that decides it.

    solve(question, language) -> Solved | None     None: a sentence was not understood, so nothing is said
    parse(text) -> Formula                         the compact syntax that a model writes
    Theorist(theory).status(claim)                 entailed, contradicted, unknown, inconsistent, undecided

The readers are silent unless they understand every sentence that matters; none of them knows an item of a data set.
May import nodes.answers, nodes.contracts and nodes.errors only.
"""

from __future__ import annotations

import re
from functools import lru_cache

from nodes.contracts import Language
from nodes.logic import booleans, chinese, english, lies, orders, schedules, swaps, walks
from nodes.logic.deciding import Theorist, decide
from nodes.logic.form import Formula, Status, Theory
from nodes.logic.solved import Solved, Wording, asks_more, wording
from nodes.logic.syntax import parse

__all__ = [
    "Formula",
    "Solved",
    "Status",
    "Theorist",
    "Theory",
    "Wording",
    "asks_more",
    "decide",
    "parse",
    "solve",
    "wording",
]

READERS = (
    booleans.solve,
    walks.solve,
    swaps.solve,
    schedules.solve,
    lies.solve,
    orders.solve,
    english.solve,
    chinese.solve,
)
LONGEST = 6_000
"""Characters of a question that are read."""


_FRAME = re.compile(
    r"^\s*(?:(?:task description|任务描述|instructions?|说明)\s*[:：][^\n]*\n\s*)?"
    r"(?:(?:q|question|问题|题目|问)\s*[:：]\s*)?",
    re.IGNORECASE,
)
_TAIL = re.compile(r"\s*\n\s*(?:a|answer|答案|答|回答)\s*[:：]\s*$", re.IGNORECASE)


@lru_cache(maxsize=512)
def solve(question: str, language: Language) -> Solved | None:
    """What the first reader that understands the whole question says."""
    if len(question) > LONGEST:
        return None
    core = _TAIL.sub("", _FRAME.sub("", question, count=1))
    return next((found for reader in READERS if (found := reader(core, language)) is not None), None)
