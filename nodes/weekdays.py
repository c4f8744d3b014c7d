"""Questions about the calendar that need no model: the weekday, or the date, so many days from a given day."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

from nodes.contracts import Language

EN = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
ZH = ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日")
FARTHEST = 3_000_000
"""Days; what `date` can hold is checked as well."""
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATES = (
    re.compile(r"(?P<y>\d{4})\s*[-/.年]\s*(?P<m>\d{1,2})\s*[-/.月]\s*(?P<d>\d{1,2})(?!\d)"),
    re.compile(rf"(?P<n>{_MONTH})\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})", re.IGNORECASE),
    re.compile(rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<n>{_MONTH}),?\s+(?P<y>\d{{4}})", re.IGNORECASE),
)
_WEEKDAY = re.compile(r"\b(" + "|".join(EN) + r")\b|(?:星期|周|礼拜)([一二三四五六日天])(?!几)", re.IGNORECASE)
_ASKED = re.compile(
    r"(?:what|which) (?:day of the week|weekday)|what day (?:is|was|will)|on (?:what|which) day of the week"
    r"|(?:星期|周|礼拜)几",
    re.IGNORECASE,
)
_SPAN = r"(?P<n>\d{1,7}|a|one)\s*(?P<u>days?|weeks?|天|日|周|个星期)"
_AFTER = (
    re.compile(_SPAN + r"\s*(?:after|from (?:now|today|that|then|\w+day)|later|hence)\b", re.IGNORECASE),
    re.compile(r"\b(?:in|after)\s+" + _SPAN + r"\b", re.IGNORECASE),
    re.compile(r"(?:再过|过了?)\s*" + _SPAN),
    re.compile(_SPAN + r"(?:以后|之后|后)"),
    re.compile(r"(?:以后|之后|后)的?\s*" + _SPAN),
)
_BEFORE = (
    re.compile(_SPAN + r"\s*(?:before|ago|earlier)\b", re.IGNORECASE),
    re.compile(_SPAN + r"(?:以前|之前|前)"),
)
_DIRECTION = re.compile(
    r"\b(?:after|before|later|ago|earlier|from|since|until|in)\b|后|前|再过|第\s*\d|到", re.IGNORECASE
)
_OTHER_RULES = re.compile(
    r"if .*(?:leap|calendar)|工作日|working day|business day|options?:|\([A-F]\)|^[A-F][.、)]", re.IGNORECASE | re.M
)


@dataclass(frozen=True)
class Day:
    """The day that is asked for."""

    answer: str
    """Name of the weekday, in the language of the request."""
    expression: str
    """For example `2024-01-15 + 100 days`."""
    working: str


def solve(question: str, language: Language) -> Day | None:
    """The weekday that a short, unambiguous question asks for; None for every other question."""
    if len(question) > 300 or not _ASKED.search(question) or _OTHER_RULES.search(question):
        return None
    start = _given_date(question)
    rest = _without_dates(question)
    days = _shift(rest)
    known = _WEEKDAY.findall(rest)
    if days is None or len(known) > 1:
        return None
    names = ZH if language == "zh" else EN
    if start is None:
        return _from_weekday(known[0], days, names) if known and days and len(rest) == len(question) else None
    if known and start.weekday() != _number(known[0]):
        return None
    try:
        end = start + timedelta(days=days)
    except OverflowError:
        return None
    answer = names[end.weekday()]
    return Day(answer, f"{start} {days:+d} days", f"{start} {days:+d} days: {end}, {answer}")


def _number(known: tuple[str, str]) -> int:
    """Monday = 0, from the English or the Chinese name."""
    english, chinese = known
    return (
        [name.lower() for name in EN].index(english.lower())
        if english
        else "一二三四五六日".index(chinese.replace("天", "日"))
    )


def _from_weekday(known: tuple[str, str], days: int, names: tuple[str, ...]) -> Day:
    first = _number(known)
    answer = names[(first + days) % 7]
    return Day(
        answer, f"{names[first]} {days:+d} days", f"{days:+d} days: {abs(days) % 7} days beyond whole weeks, {answer}"
    )


def _without_dates(question: str) -> str:
    for pattern in _DATES:
        question = pattern.sub(" ", question)
    return question


def _shift(text: str) -> int | None:
    """Days from the given day to the one that is asked for; None when the text says it in no way, or in several."""
    found = {(match.start("n"), match["n"], match["u"]): 1 for pattern in _AFTER for match in pattern.finditer(text)}
    found |= {(match.start("n"), match["n"], match["u"]): -1 for pattern in _BEFORE for match in pattern.finditer(text)}
    if not found and not _DIRECTION.search(text):
        return 0
    if len(found) != 1:
        return None
    ((_, number, unit), sign) = next(iter(found.items()))
    count = int(number) if number.isdigit() else 1
    days = sign * count * (7 if unit.lower().startswith(("week", "周", "个")) else 1)
    return days if abs(days) <= FARTHEST else None


def _given_date(question: str) -> date | None:
    """The one full date of the question; None when there is none, several, or an impossible one."""
    found = [match for pattern in _DATES for match in pattern.finditer(question)]
    if len(found) != 1:
        return None
    parts = found[0].groupdict()
    month = int(parts["m"]) if parts.get("m") else _MONTHS.index(parts["n"][:3].lower()) + 1
    try:
        return date(int(parts["y"]), month, int(parts["d"]))
    except ValueError:
        return None
