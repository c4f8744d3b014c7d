"""Numbers, comparisons, repetitions and quoted words of English demands: what their patterns are made of."""

from __future__ import annotations

import re
from collections.abc import Mapping

from nodes.formats.constraints import Constraint, Kind, Scope

_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
NUMBERS = {word: value for value, word in enumerate(_WORDS)}
NUMBERS |= {"single": 1, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "a": 1, "an": 1}
COUNT = r"(?P<n>\d{1,3}(?:,\d{3})+|\d{1,5}|" + "|".join(word for word in NUMBERS if len(word) > 2) + r")"
OPERATOR = (
    r"(?P<op>at least|at most|no (?:more|longer|less|fewer) than|not (?:more|less|fewer) than|more than|less than|"
    r"fewer than|under|below|over|within|up to|a (?:maximum|minimum) of|(?:maximum|minimum) of|"
    r"exactly|precisely|only|"
    r"not exceed(?:ing)?|exceed(?:ing)?|limited to|limit of)"
)


IN_QUOTES = re.compile(r"[\"“”']([^\"“”\n]{1,60}?)[\"”“](?!\w)|(?<!\w)'([^'\n]{1,60})'(?!\w)|(?<!\w)‘([^’\n]{1,60})’")
TIMES = (
    r"(?:(?P<op>at least|at most|less than|more than|fewer than|no more than|exactly)\s+)?(?:(?P<n>\d{1,"
    r"3}|one|two|three|four|five|six|seven|eight|nine|ten)\s+times?|(?P<few>once|twice))"
)


def number(word: str) -> int:
    """Value of digits or of a number word."""
    return NUMBERS[word.lower()] if word.lower() in NUMBERS else int(word.replace(",", ""))


def bounds(op: str, value: int, tail: str = "") -> dict[str, int]:
    """Bounds of an operator; without one, exactly."""
    op, tail = op.lower(), tail.lower()
    if "or more" in tail or "+" in tail:
        return {"low": value}
    if re.search(r"or (?:less|fewer)", tail):
        return {"high": value}
    if re.search(r"at least|no (?:less|fewer)|not (?:less|fewer)|minimum", op):
        return {"low": value}
    if re.search(r"more than|over", op) and "no" not in op:
        return {"low": value + 1}
    if re.search(r"less than|fewer than|under|below", op):
        return {"high": max(value - 1, 0)}
    if op in ("", "exactly", "precisely", "only"):
        return {"low": value, "high": value}
    return {"high": value}


def demand(
    kind: Kind, claim: str, words: tuple[str, ...] = (), each: Scope = "", found: Mapping[str, int] | None = None
) -> Constraint:
    """A constraint with the bounds `low` and `high` that were found."""
    low, high = (found or {}).get("low"), (found or {}).get("high")
    return Constraint(kind=kind, words=words, each=each, claim=claim.strip()[:200], low=low, high=high)


def in_quotes(text: str) -> tuple[str, ...]:
    """What stands in quotation marks, ends of sentences taken off."""
    return tuple(next(filter(None, groups)).strip(" ,.") for groups in IN_QUOTES.findall(text) if any(groups))


def times(match: re.Match[str]) -> dict[str, int]:
    """Bounds of a match of `TIMES`; at least once where it is silent."""
    few = (match["few"] or "").lower()
    value = {"once": 1, "twice": 2}.get(few) or (number(match["n"]) if match["n"] else 1)
    return bounds(match["op"], value) if match["op"] else {"low": value}


def listed(text: str) -> tuple[str, ...]:
    """Words of a list: quoted, in brackets, or behind a colon."""
    if quoted := in_quotes(text.split(" in the ")[0]):
        return quoted[:20]
    if match := re.match(r"\s*:\s*(?P<words>[\w ,'-]{2,200})", text):
        return tuple(word.strip() for word in re.split(r",|\band\b", match["words"]) if word.strip())[:20]
    return ()
