"""Answers with a relation sign: assignments, equations, inequalities, membership, ratios, plus-or-minus.

`x = 5`, `f(x) = 5` and `(p, q) = (3, 2)` are worth their right side. An inequality in one letter becomes the interval
it describes, so that `x >= 5`, `5 <= x` and `[5, infinity)` meet. Any other equation is compared as left minus right,
up to a factor.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from nodes.answers import expressions, folding
from nodes.answers.exact import Unreadable
from nodes.answers.quantities import NUMBER
from nodes.answers.values import Value, quantity, sequence

Parse = Callable[[str], Value]

_ORDER_MACROS = re.compile(r"\\(leqslant|geqslant|leq|geq|le|ge|lt|gt)(?![A-Za-z])")
_NOT_EQUAL = re.compile(r"\\neq?(?![A-Za-z])|!=|≠")
_SIGNS = {"leq": "<=", "le": "<=", "leqslant": "<=", "lt": "<", "geq": ">=", "ge": ">=", "geqslant": ">=", "gt": ">"}
_COMPARE = re.compile(r"(<=|>=|<|>)")
_EQUALS = re.compile(r"(?<![<>!=])={1,2}(?![=])")
_MEMBER = re.compile(r"^\s*\\?[A-Za-z]{1,8}\s*(?:\\in(?![A-Za-z])|∈)\s*(.+)$")
_RATIO = re.compile(rf"(?:{NUMBER})(?:\s*(?::|比)\s*(?:{NUMBER}))+")
_NAME = re.compile(r"(?:[A-Za-z一-鿿\\|:(,\s]|_(?:\{[^{}]*\}|\w)|(?<=[A-Za-z])\([^()=]{0,20}\)|\)|(?<=[A-Za-z])')+")
_EITHER = re.compile(r"\\pm(?![A-Za-z])\s*")
_FLIP = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
INFINITY = float("inf")


def read(text: str, parse: Parse) -> Value | None:
    """The value of a text with a relation sign, or None when there is none."""
    if len(text) > expressions.LENGTH:
        return None
    text = _ORDER_MACROS.sub(lambda macro: _SIGNS[macro[1]], text)
    ratio = proportion(text)
    if ratio is not None:
        return ratio
    member = _MEMBER.match(text)
    if member:
        return parse(member[1])
    if _EITHER.search(text):
        return _either(text, parse)
    if _NOT_EQUAL.search(text):
        sides = _NOT_EQUAL.split(text)
        other = parse(sides[-1])
        return (
            Value("relation", ("not", other.key), text, items=(other,))
            if len(sides) == 2 and _NAME.fullmatch(sides[0])
            else None
        )
    if _COMPARE.search(text):
        return _interval(text)
    return _equation(text, parse)


def proportion(text: str) -> Value | None:
    """`3:4`, `3比4`, `1:2:3`, in lowest terms."""
    if not _RATIO.fullmatch(text):
        return None
    terms = [Fraction(term.replace(",", "").replace(" ", "")) for term in re.split(r"\s*(?::|比)\s*", text)]
    if not terms[0]:
        return None
    return Value("relation", ("ratio", tuple(term / terms[0] for term in terms)), text)


def _either(text: str, parse: Parse) -> Value | None:
    """`1 \\pm \\sqrt{2}` is two values."""
    if len(_EITHER.findall(text)) > 1:
        return None
    sides = [parse(_EITHER.sub(sign, text)) for sign in ("+", "-")]
    if any(side.kind == "text" for side in sides):
        return None
    return sequence(sides, "", text, ordered=False)


def _equation(text: str, parse: Parse) -> Value | None:
    sides = _EQUALS.split(text)
    if len(sides) < 2 or not all(side.strip() for side in sides):
        return None
    left, right = sides[-2].strip(), sides[-1].strip()
    if _NAME.fullmatch(left) and re.search("[A-Za-z一-鿿]", left):
        return parse(right)
    try:
        (above, names), (below, others) = expressions.evaluate(left), expressions.evaluate(right)
    except Unreadable:
        return None
    if not names and not others:
        return parse(right)
    if names == others:
        gaps = [complex(a) - complex(b) for a, b in zip(above, below, strict=True)]
    else:
        try:
            gaps = [complex(gap) for gap in expressions.evaluate(f"({left})-({right})")[0]]
        except Unreadable:
            return None
    scale = next((gap for gap in gaps if abs(gap) > 1e-12), 1)
    return Value("relation", ("equation", tuple(expressions.rounded(gap / scale) for gap in gaps)), text)


def _interval(text: str) -> Value | None:
    """One letter (or name) between bounds, or a linear inequality in one letter."""
    parts = _COMPARE.split(text)
    sides, signs = [side.strip() for side in parts[::2]], parts[1::2]
    if not all(sides) or len(signs) > 2:
        return None
    if len(signs) == 2:
        if signs[0][0] != signs[1][0] or not _named(sides[1]):
            return None
        bounds = _constant(sides[0]), _constant(sides[2])
        if None in bounds:
            return None
        return _between(*((bounds, signs) if signs[0][0] == "<" else (bounds[::-1], signs[::-1])), text=text)
    sign = signs[0]
    if _named(sides[0]) and (bound := _constant(sides[1])) is not None:
        return _half(bound, sign, text)
    if _named(sides[1]) and (bound := _constant(sides[0])) is not None:
        return _half(bound, _FLIP[sign], text)
    return _linear(sides, sign, text)


def _named(side: str) -> bool:
    return bool(_NAME.fullmatch(side)) and bool(re.search("[A-Za-z]", side))


def _constant(side: str) -> Fraction | float | None:
    bare = folding.tidy(side).replace(" ", "")
    if bare.lstrip("+-") == "\\infty":
        return -INFINITY if bare.startswith("-") else INFINITY
    try:
        found, letters = expressions.evaluate(side)
    except Unreadable:
        return None
    if letters:
        return None
    return found[0] if isinstance(found[0], Fraction) else found[0].real


def _linear(sides: list[str], sign: str, text: str) -> Value | None:
    difference = f"({sides[0]})-({sides[1]})"
    try:
        values = [expressions.evaluate_at(difference, Fraction(point)) for point in (0, 1, 2)]
    except Unreadable:
        return None
    if not all(isinstance(value, Fraction) for value in values):
        return None
    start, one, two = (Fraction(value) for value in values if isinstance(value, Fraction))
    slope = one - start
    if not slope or two - one != slope:
        return None
    return _half(-start / slope, sign if slope > 0 else _FLIP[sign], text)


def _half(bound: Fraction | float, sign: str, text: str) -> Value:
    if sign[0] == "<":
        return _between((-INFINITY, bound), ("<", sign), text=text)
    return _between((bound, INFINITY), (sign.replace(">", "<"), "<"), text=text)


def _between(bounds: tuple[Fraction | float | None, ...], signs: tuple[str, ...] | list[str], text: str) -> Value:
    low, high = (quantity(bound, str(bound)) for bound in bounds if bound is not None)
    shape = ("[" if "=" in signs[0] else "(") + ("]" if "=" in signs[1] else ")")
    return sequence((low, high), shape, text)
