"""Finds the arithmetic that a text claims, and recomputes it. Precision first: silent wherever it may mean otherwise.

A claim is two neighbouring sides of an equality that are both plain numbers and signs (`nodes.sides`). Algebra (a
letter as a factor, `100 - 10 = 9x`), code, dates, clock times, ratios, remainders, questions and conversions of units
are left alone. A stated number is right when it is the exact value, rounded or cut at its own last place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from nodes.arithmetic import ArithmeticFault, evaluate
from nodes.notation import plain_signs
from nodes.sides import Side, Token, left_side, lines, right_side

Outcome = Literal["pass", "fail", "unsure"]
_CONVERSIONS = frozenset(
    Fraction(number) for number in (7, 10, 12, 16, 24, 28, 30, 31, 52, 60, 100, 365, 1_000, 3_600, 10_000, 1_000_000)
)
"""Ratios of units that texts convert between without a word."""
_NOISE = Fraction(1, 10**12)
"""Relative error of binary floating point that models copy: 6.0000000000000005."""
_NEAR, _FAR = Fraction(5, 100), Fraction(30, 100)
"""Relative distance up to which `≈` is right, and from which it is wrong."""
_DATE = re.compile(r"\d{1,4}([-/])\d{1,2}\1\d{1,4}$")
_FIRST_NUMBER = re.compile(r"\(*(\d+(?:\.\d+)?)")


@dataclass(frozen=True)
class Claim:
    """One recomputed equality, with its place in the original text and the value of its left side."""

    span: tuple[int, int]
    exact: Fraction
    outcome: Outcome


def claims(text: str) -> list[Claim]:
    """Every arithmetic equality in `text` that can be recomputed, in order."""
    traced = plain_signs(text)
    return [
        Claim(traced.span(left.first.start, right.last.end), left.value, judge(left, right, sign))
        for line in lines(traced.text)
        for left, right, sign in _pairs(line)
    ]


def _pairs(line: list[Token]) -> Iterator[tuple[Side, Side, str]]:
    """Neighbouring sides that are both arithmetic, the first of them with an operator; a line of code has none."""
    if any(token.text == "==" for token in line):
        return
    signs = [place for place, token in enumerate(line) if token.kind == "eq"]
    bounds = [-1, *signs, len(line)]
    for before, sign, end in zip(bounds, signs, bounds[2:], strict=False):
        left = left_side(line, before + 1, sign)
        if not left or not left.operators:
            continue
        right = right_side(line, sign + 1, end)
        if right and _evaluated(left) and _evaluated(right):
            yield left, right, line[sign].text


def _evaluated(side: Side) -> bool:
    if _DATE.match(side.expression):
        return False
    try:
        side.value = _value(side.expression)
    except ArithmeticFault:
        return False
    return True


@lru_cache(maxsize=4096)
def _value(expression: str) -> Fraction:
    """Branches repeat the sums of the question and each other's. Raises ArithmeticFault."""
    return evaluate(expression)


def judge(left: Side, right: Side, sign: str) -> Outcome:
    """Is the stated right side what the left side gives? `unsure` where another reading makes it right."""
    exact, stated = left.value, right.value
    if any(_rounds(value, right) for value in _readings(left, right)):
        return "pass"
    if sign == "≈":
        distance = abs(exact - stated)
        return "pass" if distance <= abs(exact) * _NEAR else "fail" if distance > abs(exact) * _FAR else "unsure"
    return "unsure" if _doubtful(left, right) else "fail"


def _readings(left: Side, right: Side) -> list[Fraction]:
    """Values that the left side may stand for, in the terms of the right side's number."""
    values = [left.value]
    if left.percent or right.percent:
        values += [left.value * 100, left.value / 100]
    first = _FIRST_NUMBER.match(left.expression)
    if left.bullet and first and not left.expression.startswith("("):
        values.append(left.value - 2 * Fraction(first[1]))  # the list's dash was a minus sign
    return values


def _rounds(exact: Fraction, right: Side) -> bool:
    """True when the right side is `exact`, or one number that is `exact` rounded or cut at its own last place."""
    if abs(exact - right.value) <= abs(exact) * _NOISE:
        return True
    if right.operators:
        return False
    step = Fraction(1, 10**right.places)
    scaled = right.value * 100 if right.percent else right.value
    for value in (exact, exact * 100) if right.percent else (exact,):
        if (value / step).denominator != 1 and abs(value - scaled) < step:
            return True
    return False


def _doubtful(left: Side, right: Side) -> bool:
    """True when a mismatch may be a habit of writing and no error."""
    exact, stated = left.value, right.value
    first = _FIRST_NUMBER.match(right.expression)
    if right.operators and first and Fraction(first[1]) == exact:
        return True  # a run-on chain: 5 + 3 = 8 + 2 = 10
    if right.operators and abs(exact - stated) <= abs(exact) / 50:
        return True  # both sides were rounded
    if "-" in left.expression and stated in (-exact, -exact + 1):
        return True  # a difference without its sign, or a range of pages
    if "/" in left.expression and exact * stated == 1:
        return True  # the division the other way round
    return _units_differ(left, right)


def _units_differ(left: Side, right: Side) -> bool:
    """True when a conversion of units may stand between the sides, or unlike things are added."""
    adds = re.search(r"[-+]", left.expression) is not None
    units = {unit.lower().rstrip("s") for unit in left.units}
    if adds and (left.percent or len(units) > 1):
        return True
    if not (left.units or right.units) or not left.value or not right.value:
        return False
    ratio = abs(left.value / right.value)
    return ratio in _CONVERSIONS or 1 / ratio in _CONVERSIONS
