"""Who was seen where and when: in which of the offered spans was there time? All times of one day."""

from __future__ import annotations

import re

from nodes.contracts import Language
from nodes.logic.solved import Solved, lettered

_TIME = r"(\d{1,2})(?::(\d{2}))?\s*([ap])\.?m\.?"
_SPAN = re.compile(rf"\b(?:from|between)?\s*{_TIME}\s*(?:to|and|until|till|-|–)\s*{_TIME}", re.IGNORECASE)
_BOUND = (
    (
        re.compile(
            rf"(?:woke up|got up|wakes up|arrived in town|started (?:the|his|her) day) at {_TIME}", re.IGNORECASE
        ),
        "open",
    ),
    (
        re.compile(
            rf"(?:was|is) (?:not open|closed) before {_TIME}|opens? at {_TIME}|opened at {_TIME}", re.IGNORECASE
        ),
        "open",
    ),
    (
        re.compile(
            rf"(?:was|is) closed after {_TIME}|clos(?:es|ed) at {_TIME}|went to (?:bed|sleep) at {_TIME}", re.IGNORECASE
        ),
        "close",
    ),
)
_SEEN = re.compile(r"\b(?:saw|noticed|met|watched|spotted|was|were|worked|had)\b", re.IGNORECASE)
_ASKED = re.compile(r"between what times could|when could|during which (?:time|period) could", re.IGNORECASE)
_OPTIONS = re.compile(r"\n\s*Options\s*:", re.IGNORECASE)
DAY = 24 * 60


def solve(question: str, language: Language) -> Solved | None:  # noqa: ARG001  (only English wording is regular)
    """The one offered span that no sighting and no closing hour covers."""
    if len(question) > 6_000 or not _ASKED.search(question):
        return None
    body, *_ = _OPTIONS.split(question, maxsplit=1)
    lines = [line.strip() for part in body.split("\n") for line in re.split(r"(?<=[a-z])\.\s+(?=[A-Z])", part)]
    busy: list[tuple[int, int]] = []
    for line in filter(None, lines):
        read = _read(line)
        if read is None:
            return None
        busy += read
    if not busy:
        return None
    answer = lettered(question, lambda option: _free(option, busy))
    spans = "; ".join(f"{_clock(a)}-{_clock(b)}" for a, b in sorted(busy))
    if answer is None:
        return None
    return Solved(
        reader="schedule", answer=answer, status="entailed", premises=tuple(lines)[:40], working=f"Taken: {spans}"
    )


def _read(line: str) -> list[tuple[int, int]] | None:
    """The minutes that a line takes away; none for a line without a time; None when it is not understood."""
    if _ASKED.search(line) or not re.search(r"\d\s*(?:[ap]\.?m)|\d:\d", line, re.IGNORECASE):
        return []
    times = len(re.findall(_TIME, line, re.IGNORECASE))
    for pattern, side in _BOUND:
        match = pattern.search(line)
        if match and times == 1:
            at = _minutes(*[one for one in match.groups() if one][-2:], groups=match.groups())
            return [(0, at)] if side == "open" else [(at, DAY)]
    span = _SPAN.search(line)
    if span is None or times != 2 or not _SEEN.search(line):
        return None
    start, end = _pair(span)
    return [(start, end)] if start < end else None


def _minutes(*_: str, groups: tuple[str | None, ...]) -> int:
    """Minutes since midnight of the one time among the groups (hour, minutes, a or p)."""
    for at in range(0, len(groups), 3):
        hour, minute, half = groups[at : at + 3]
        if hour and half:
            return int(hour) % 12 * 60 + int(minute or 0) + (720 if half.lower() == "p" else 0)
    raise AssertionError("a bound holds a time")


def _pair(span: re.Match[str]) -> tuple[int, int]:
    start, end = _minutes(groups=span.groups()[:3]), _minutes(groups=span.groups()[3:])
    return start, end or DAY


def _free(option: str, busy: list[tuple[int, int]]) -> bool | None:
    span = _SPAN.fullmatch(option.strip().rstrip("."))
    if span is None:
        return None
    start, end = _pair(span)
    return start < end and not any(start < b and a < end for a, b in busy)


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
