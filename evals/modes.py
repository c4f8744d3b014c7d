"""Ways of answering, each on the same recorded branches: a mode turns one question into one outcome. No model call.

    greedy          the plain reply at temperature 0
    single@8        one branch: the mean over the first eight
    vote@8          plain vote of the first eight: the judge's own reading of answers, ties to the first seen
    longest@8       the same, ties to the longest reasoning; shortest@8 to the shortest
    confidence@8    the one branch with the surest answer span (REQUIREMENTS C2)
    clusters@8      camps weighed by the confidence of their members (A8)
    judge@8         the whole decision of nodes.judge; no second round
    recomputed@8    the vote of the answers that each branch's own steps give when they are computed (`recomputing`)
    waves:2,2,2,2:0.8   nodes.judge with branches opened in waves up to that posterior, in recorded order
    auto, deep, light   a whole run of that mode: router, specialists that compute, waves, judge; no second round
    oracle@8        right when any of the eight is: what no selection can beat

`vote`, `waves` and `oracle` take a final `~`: the mean over random orders instead of the recorded one. A question that
lacks some of the branches that a mode needs is left out of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import cast

from evals import answering, routed
from evals.answering import THRESHOLD, WAVES, Outcome, Select
from evals.judging import Question
from nodes.errors import InputError

WIDTH = 8
ORDERS = 40
PLAIN = ("greedy", "single@8", "vote@8", "confidence@8", "clusters@8", "judge@8", "waves", "oracle@8")
"""Modes that are shown when none is asked for."""
CURVE = (
    *(f"{kind}@{width}~" for kind in ("vote", "oracle") for width in (1, 2, 4, 8, 16)),
    *(
        f"waves:{sizes}:{threshold}~"
        for sizes in ("2,2,2,2", "3,5", "2,2,4", "4,4", "3,2,3")
        for threshold in (0.7, 0.8, 0.9, 0.95)
    ),
)
"""Width (REQUIREMENTS A5), and wave sizes by posterior."""
MENU = (
    "greedy, auto, deep, light; single, vote, longest, shortest, confidence, clusters, recomputed, judge, oracle,"
    " each with @N; waves:SIZES:P"
)
_NAME = re.compile(r"([a-z]+)(?:@(\d{1,3}))?(?::(\d{1,3}(?:,\d{1,3}){0,63})(?::([01](?:\.\d{1,6})?))?)?(~?)")


Answer = Callable[[Question], Outcome]


@dataclass(frozen=True)
class Mode:
    """One way of answering."""

    name: str
    width: int
    """Branches that a question must have; 0 = the greedy reply."""
    answer: Answer
    checks: bool = False
    """The specialists' tests matter to it."""

    def fits(self, question: Question) -> bool:
        """Whether the question has what the mode needs, and a gold."""
        held = len(question.branches) >= self.width if self.width else question.greedy is not None
        return held and bool(question.gold)

    def run(self, questions: Iterable[Question]) -> list[Outcome]:
        """Outcomes of every question that fits."""
        return [self.answer(question) for question in questions if self.fits(question)]


def mode(name: str, orders: int = ORDERS) -> Mode:
    """A mode by its name. Raises InputError for one that does not exist."""
    found = _NAME.fullmatch(name)
    if name == "greedy":
        return Mode(name, 0, answering.greedy)
    if name in ("auto", "deep", "light"):
        return Mode(name, WIDTH, partial(answering.run, decides=cast(routed.Decides, name)), checks=True)
    if not found or found[1] not in (*_WHOLE, *_SELECT, "waves"):
        raise InputError(f"there is no mode {name!r}: {MENU}", "unknown_mode")
    kind, width, mean = found[1], int(found[2] or WIDTH), bool(found[5])
    if kind == "waves" and not found[2]:
        return _waves(name, found[3], found[4], orders if mean else 0)
    if found[2] == "0" or found[3] or kind == "waves" or (mean and kind not in ("vote", "oracle")):
        raise InputError(f"there is no mode {name!r}: {MENU}", "unknown_mode")
    if mean:
        plain = partial(answering.mean_of_orders, sizes=(width,), threshold=1.0, orders=orders, breaks_ties=False)
        return Mode(name, width, partial(answering.oracle_on_average, width=width) if kind == "oracle" else plain)
    whole = _WHOLE.get(kind) or partial(answering.selected, select=_SELECT[kind])
    return Mode(name, width, partial(whole, width=width), checks=kind in ("judge", "recomputed"))


def _waves(name: str, sizes_: str | None, threshold_: str | None, orders: int) -> Mode:
    """Waves of given sizes; `orders` 0 = the recorded one."""
    sizes = tuple(map(int, sizes_.split(","))) if sizes_ else WAVES
    threshold = float(threshold_) if threshold_ else THRESHOLD
    if not all(sizes) or not 0 < threshold <= 1:
        raise InputError(f"mode {name!r}: wave sizes from 1, a posterior above 0 and up to 1", "unknown_mode")
    if orders:
        return Mode(
            name,
            sum(sizes),
            partial(answering.mean_of_orders, sizes=sizes, threshold=threshold, orders=orders),
            checks=True,
        )
    return Mode(name, sum(sizes), partial(answering.waves, sizes=sizes, threshold=threshold), checks=True)


_WHOLE: dict[str, Callable[..., Outcome]] = {
    "single": answering.single,
    "vote": answering.vote,
    "recomputed": answering.recomputed,
    "judge": answering.judged,
    "oracle": answering.oracle,
}
_SELECT: dict[str, Select] = {
    "confidence": answering.most_confident,
    "clusters": answering.weighed,
    "longest": partial(answering.by_length, sign=1),
    "shortest": partial(answering.by_length, sign=-1),
}
