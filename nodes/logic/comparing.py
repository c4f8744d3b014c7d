"""Whether a candidate's answer is the decided one: pass, fail, or None where the words leave it open.

A wrong "fail" costs more than silence, so only two kinds of answers fail: those that equal or name one of the other
answers that the question allows, and, on a menu, another letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from nodes.answers import Context, equal, folding, parse
from nodes.logic.solved import Solved, asks_what_follows

Outcome = Literal["pass", "fail"]
LONGEST = 120
"""Characters of an answer that is compared by the names in it."""
_YES = (
    "yes true correct entailed valid 能 是 是的 会 对 对的 正确 真 一定 可以 成立 必然 有效 在",
    "no false incorrect contradicted invalid 不能 否 不是 不会 不对 错误 错 假 不可以 不成立 无效 不在 不必然",
)
_OPEN_WORDS = (
    "unknown/uncertain/undetermined/cannot be determined/cannot be known/can't tell/neither/not enough information"
    "/无法确定/不能确定/不确定/无法判断/不能判断/无法断定/不能断定/未知/不一定/不知道"
)
_GROUPS = (
    *(frozenset(words.split()) for words in _YES),
    frozenset(_OPEN_WORDS.split("/")),
)
"""Yes, no, open."""
_OPEN = re.compile(
    r"unknown|uncertain|not (?:certain|known|determined|possible to)|cannot|can't|at least one|either|\bor\b"
    r"|或|至少|无法|不能|不确定|不一定",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:not|no|neither|nor|never|cannot|or|either)\b|n't|不|没|非|或", re.IGNORECASE)


def outcome(answer: str, solved: Solved, question: str) -> Outcome | None:
    """Pass, fail, or None."""
    if not answer.strip() or len(answer) > 2_000:
        return None
    context = Context.of(question)
    said, right = parse(answer, context), parse(solved.answer, context)
    if context.offered:
        return None if said.kind != "choice" or right.kind != "choice" else "pass" if equal(said, right) else "fail"
    if solved.open_among:
        return _open(answer, solved.open_among)
    group = _group(solved.answer)
    if group is not None:
        own = _group(answer)
        if solved.status == "unknown" and {own, group} == {1, 2}:
            return "pass" if asks_what_follows(question) else None
        return None if own is None else "pass" if own == group else "fail"
    return "pass" if equal(said, right) else _by_names(answer, solved)


def _group(answer: str) -> int | None:
    """0 yes, 1 no, 2 open; None for other words."""
    words = folding.unwrap(answer).strip().strip(".。!！\"'“”‘’").strip().lower()
    lead = re.match(r"(yes|no|true|false|是的?|否|不是|不能|能|不会|会)(?=[,.，。;；:： ])", words)
    for at, group in enumerate(_GROUPS):
        if words in group:
            return at
    return next((at for at, group in enumerate(_GROUPS) if lead and lead[1] in group), None)


def _open(answer: str, names: tuple[str, ...]) -> Outcome | None:
    """The right answer leaves open which; one certain name, or all of them, is wrong."""
    if len(answer) > LONGEST:
        return None
    named = [name for name in names if name in answer]
    if _OPEN.search(answer):
        return "pass" if len(named) == len(names) else None
    return "fail" if named and _bare(answer, named) else None


def _bare(answer: str, named: Iterable[str]) -> bool:
    """Nothing but names, and words that join them."""
    rest = answer
    for name in named:
        rest = rest.replace(name, "")
    return not re.sub(
        r"\b(?:and|both|must|is|are|be|there|certainly)\b|[和与及、都一定在去]|\W", "", rest, flags=re.IGNORECASE
    )


def _by_names(answer: str, solved: Solved) -> Outcome | None:
    """By the names in a short answer, where it denies nothing."""
    if len(answer) > LONGEST or _NEGATED.search(answer):
        return None
    low = f" {folding.words(answer)} "
    wrong = [one for one in solved.rivals if _inside(one, low)]
    if _inside(solved.answer, low):
        return None if wrong else "pass"
    return "fail" if len(wrong) == 1 else None


def _inside(name: str, low: str) -> bool:
    words = folding.words(name)
    return bool(words) and (f" {words} " in low if words.isascii() else words in low)
