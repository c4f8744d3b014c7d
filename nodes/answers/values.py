"""What an answer is worth: a normal form, and when two of them are equal.

Rules that are choices, not facts:

* **Units are optional, never wrong.** `10`, `$10` and `10 dollars` are equal, `10 kg` and `10 g` or `$10` and `€10` are
  not, `1 km` equals `1000 m` and a bare `1000` equals `1000 m` but not `1 km`.
* **Percent is a factor.** 50 % = 0.5. A bare 50 equals 50 % only when the question asks for a percentage
  (`Context.percent`). Percentage points are a unit of their own.
* **Rounding.** Two numbers are equal when they differ by at most one part in 10^9 and one is irrational or has at least
  ten significant digits (floating-point noise), or when one is written as a decimal with at least five significant
  digits and is the correct rounding of the other: 1/3 = 0.33333, but 1/3 != 0.333 and pi != 3.14. An amount of money
  with two decimals may be a rounding to cents.
* **Order** counts in tuples and lists, not in sets; a bare enumeration of numbers is a set unless the question asks for
  an order (`Context.ordered`), one of words is ordered.
* **Quoted text** (a Python or JSON string) is compared exactly; plain text casefolded, without articles and
  punctuation.

Because a bare number equals several mutually unequal quantities, `equal` is not transitive; `nodes.voting` lets such a
`vague` value join one camp and never merge two.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from nodes.answers.units import MONEY, Unit

Kind = Literal[
    "number",
    "boolean",
    "choice",
    "string",
    "text",
    "date",
    "time",
    "weekday",
    "sequence",
    "mapping",
    "relation",
    "symbolic",
]
NOISE = 1e-9
SIGNIFICANT = 5
LONG = 10
"""Digits from which a decimal may carry floating-point noise."""


@dataclass(frozen=True, slots=True)
class Value:
    """Normal form of one answer; two values of one kind with equal keys are equal."""

    kind: Kind
    key: Hashable
    text: str
    """The cleaned surface, for exact comparison with quoted strings."""
    number: Fraction | float | None = None
    """Magnitude as written, before any unit is applied."""
    unit: Unit | None = None
    step: Fraction | None = None
    """Place value of the last digit of a written decimal: 0.01 for 3.14; None = not a decimal."""
    digits: int = 0
    """Significant digits of a written decimal."""
    items: tuple[Value, ...] = ()
    shape: str = ""
    """Brackets of a sequence: `()`, `[]`, `{}`, `[)`, `(]`, `-` for a range, empty for a bare enumeration."""
    ordered: bool = True
    other: Value | None = None
    """A second way to read the same words: 7:30 as a ratio, ¥ as yen, pounds as money."""

    @property
    def vague(self) -> bool:
        """True when it may equal several values that are not equal to each other."""
        return (self.kind == "number" and self.unit is None) or (self.kind == "sequence" and not self.shape)


def quantity(
    number: Fraction | float,
    text: str,
    unit: Unit | None = None,
    step: Fraction | None = None,
    digits: int = 0,
    other: Unit | None = None,
) -> Value:
    """A number with or without a unit; `other` is a second unit that the same word may mean (pounds)."""
    if unit is not None and not unit.dimension:
        unit = None
    base = number if unit is None else _base(number, unit)
    key: Hashable = base if isinstance(base, Fraction) else _rounded(base)
    second = quantity(number, text, other, step, digits) if other is not None else None
    return Value("number", (unit.dimension if unit else "", key), text, number, unit, step, digits, other=second)


def _base(number: Fraction | float, unit: Unit) -> Fraction | float:
    if isinstance(number, Fraction):
        return number * unit.factor + unit.offset
    return number * float(unit.factor) + float(unit.offset)


def _rounded(number: float) -> float:
    return float(f"{number:.12g}")


def sequence(items: Sequence[Value], shape: str, text: str, ordered: bool = True) -> Value:
    """A list, tuple, set, interval, range or bare enumeration."""
    keys = tuple((item.kind, item.key) for item in items)
    unordered = shape == "{}" or not ordered
    key: Hashable = (shape, frozenset(keys)) if unordered else (shape, keys)
    return Value("sequence", key, text, items=tuple(items), shape=shape, ordered=not unordered)


def equal(a: Value, b: Value) -> bool:
    """True when both answers say the same thing. Symmetric and reflexive, not transitive (see the module)."""
    if a.kind == b.kind and a.key == b.key:
        return True
    if a.other is not None and b.other is None and equal(a.other, b):
        return True
    if b.other is not None and a.other is None and equal(a, b.other):
        return True
    if "string" in (a.kind, b.kind):
        return a.text == b.text
    if a.kind != b.kind:
        return False
    if a.kind == "number":
        return _same_quantity(a, b)
    if a.kind == "sequence":
        return _same_sequence(a, b)
    return a.kind == "mapping" and _same_mapping(a, b)


def _same_quantity(a: Value, b: Value) -> bool:
    if a.number is None or b.number is None:
        return False
    if a.unit is None or b.unit is None or a.unit == b.unit:
        return _close(a.number, a, b.number, b, Fraction(1), Fraction(1))
    if a.unit.dimension != b.unit.dimension:
        return False
    return _close(_base(a.number, a.unit), a, _base(b.number, b.unit), b, a.unit.factor, b.unit.factor)


def _close(x: Fraction | float, a: Value, y: Fraction | float, b: Value, scale_a: Fraction, scale_b: Fraction) -> bool:
    if x == y:
        return True
    gap = _gap(x, y)
    if gap is None:
        return False
    if gap <= NOISE * max(abs(float(x)), abs(float(y))) and (isinstance(gap, float) or max(a.digits, b.digits) >= LONG):
        return True
    return _rounds(a, gap, b, y, scale_a, scale_b) or _rounds(b, gap, a, x, scale_b, scale_a)


def _gap(x: Fraction | float, y: Fraction | float) -> Fraction | float | None:
    try:
        gap = abs(x - y) if isinstance(x, Fraction) and isinstance(y, Fraction) else abs(float(x) - float(y))
        return None if math.isinf(max(abs(float(x)), abs(float(y)))) else gap
    except OverflowError:
        return None


def _rounds(
    coarse: Value, gap: Fraction | float, fine: Value, exact: Fraction | float, scale: Fraction, fine_scale: Fraction
) -> bool:
    """`coarse` is a decimal with enough digits, `fine` lies within half of its last place and is written finer."""
    if coarse.step is None or gap > coarse.step * scale / 2:
        return False
    if fine.step is not None and fine.step * fine_scale >= coarse.step * scale:
        return False
    if fine.step is None and isinstance(exact, Fraction) and exact.denominator == 1:
        return False
    cents = coarse.step == Fraction(1, 100) and coarse.unit is not None and coarse.unit.dimension in MONEY
    return cents or coarse.digits >= SIGNIFICANT


def _same_sequence(a: Value, b: Value) -> bool:
    if a.shape != b.shape and a.shape and b.shape:
        return False
    unordered = not (a.ordered and b.ordered) if "" == a.shape == b.shape else "{}" in (a.shape, b.shape)
    if not unordered:
        return len(a.items) == len(b.items) and all(equal(x, y) for x, y in zip(a.items, b.items, strict=True))
    return _covers(a.items, b.items) and _covers(b.items, a.items)


def _covers(these: Sequence[Value], those: Sequence[Value]) -> bool:
    return all(any(equal(x, y) for y in those) for x in these)


def _same_mapping(a: Value, b: Value) -> bool:
    return len(a.items) == len(b.items) and _covers(a.items, b.items) and _covers(b.items, a.items)


def own_keys(value: Value) -> tuple[Hashable, ...]:
    """Hash keys under which a value is filed; see `probe_keys`."""
    found: list[Hashable] = [(value.kind, value.key), ("surface", value.text)]
    if value.other is not None:
        found += own_keys(value.other)
    if value.kind in ("sequence", "mapping"):
        found.append(_signature(value))
    for dimension, number, step, digits in _magnitudes(value):
        found.append(("near", dimension, f"{number:.8e}"))
        if step is not None and digits >= SIGNIFICANT:
            found.append(("rounded", dimension, f"{number:.{digits - 1}e}"))
        if step is not None and dimension in MONEY:
            found.append(("cents", round(number * 100)))
    return tuple(found)


def probe_keys(value: Value) -> tuple[Hashable, ...]:
    """Hash keys under which an equal value may be filed.

    For any two equal values one's `own_keys` meet the other's `own_keys` or `probe_keys`; unequal ones seldom meet.
    """
    found: list[Hashable] = list(probe_keys(value.other)) if value.other is not None else []
    for dimension, number, _, _ in _magnitudes(value):
        around = (number * (1 - 2 * NOISE), number * (1 + 2 * NOISE))
        found += [("near", dimension, f"{x:.8e}") for x in around]
        if number.is_integer():
            continue
        for digits in range(SIGNIFICANT, 17):
            around = (number * (1 - 1e-14), number * (1 + 1e-14))
            found += [("rounded", dimension, f"{x:.{digits - 1}e}") for x in around]
        if abs(number) < 1e12:
            found += [("cents", cents(number * 100)) for cents in (math.floor, math.ceil)]
    return tuple(found)


def _magnitudes(value: Value) -> list[tuple[str, float, Fraction | None, int]]:
    """The number as written and, with a unit, in base units: dimension, value, step, digits."""
    if value.kind != "number" or value.number is None:
        return []
    try:
        found = [("", float(value.number), value.step, value.digits)]
        if value.unit is not None:
            found.append((value.unit.dimension, float(_base(value.number, value.unit)), value.step, value.digits))
    except OverflowError:
        return []
    return [entry for entry in found if math.isfinite(entry[1])]


def _signature(value: Value) -> Hashable:
    """What equal collections have in common whatever their brackets: their definite items and whether others exist."""
    definite = {item.key for item in value.items if item.kind != "number" and item.kind != "sequence"}
    definite |= {
        item.key
        for item in value.items
        if isinstance(item.number, Fraction) and item.number.denominator == 1 and not item.unit
    }
    return value.kind, frozenset(definite)
