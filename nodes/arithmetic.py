"""Exact arithmetic on text: an own small parser to `Fraction`, no `eval`, every size bounded.

    sum     := product (("+" | "-") product)*
    product := power (("*" | "/" | "//" | "%") power | group)*      a group beside a number multiplies: 2(3 + 4)
    power   := ("-" | "+")* atom ("%" | "^" power)*                  `%` is per cent unless a number follows
    atom    := number | name | group | function "(" sum ("," sum)* ")"
    group   := "(" sum ")"

Signs are ASCII here; `nodes.equations` and the numeric specialist translate what people write. What cannot be computed
exactly (an irrational root, a number too large) is an ArithmeticFault.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction

LONGEST = 600
"""Characters of an expression."""
DEEPEST = 40
"""Nested groups."""
LARGEST_BITS = 4_096
"""Bits of a numerator or denominator."""
LARGEST_POWER = 256
"""Absolute value of an exponent."""
_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?|\.\d+)|([^\W\d]\w*)|(\*\*|//|[-+*/^%(),]))")


class ArithmeticFault(ValueError):
    """The text is no arithmetic, or its value is not an exact number of reasonable size."""


def evaluate(expression: str, names: Mapping[str, Fraction] | None = None) -> Fraction:
    """Exact value of an arithmetic expression; `names` may stand for numbers in it. Raises ArithmeticFault."""
    if len(expression) > LONGEST:
        raise ArithmeticFault(f"the expression has {len(expression)} characters, more than {LONGEST}")
    parser = _Parser(tokens(expression), names or {})
    value = parser.sum()
    if parser.peek():
        raise ArithmeticFault(f"{parser.peek()!r} does not belong in {expression!r}")
    return value


def tokens(expression: str) -> list[str]:
    """Numbers, names and signs in order. Raises ArithmeticFault at anything else."""
    found, place, text = [], 0, expression.rstrip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if not match:
            raise ArithmeticFault(f"{text[place:].lstrip()[:1]!r} is no part of arithmetic in {expression!r}")
        found.append("^" if match[0].strip() == "**" else match[0].strip())
        place = match.end()
    return found


class _Parser:
    """Recursive descent over one list of tokens."""

    def __init__(self, found: list[str], names: Mapping[str, Fraction]) -> None:
        self.tokens = found
        self.names = names
        self.place = 0
        self.depth = 0

    def peek(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        token = self.peek()
        if not token or (wanted and token != wanted):
            raise ArithmeticFault(f"expected {wanted or 'a number'!r}, found {token or 'the end'!r}")
        self.place += 1
        return token

    def operand_follows(self) -> bool:
        following = self.tokens[self.place + 1 : self.place + 2]
        return bool(following) and (following[0] == "(" or following[0][0].isalnum() or following[0][0] in "._")

    def sum(self) -> Fraction:
        value = self.product()
        while self.peek() in ("+", "-"):
            sign = 1 if self.take() == "+" else -1
            value = _bounded(value + sign * self.product())
        return value

    def product(self) -> Fraction:
        value = self.signed()
        while self.peek() in ("*", "/", "//", "%", "("):
            sign = "*" if self.peek() == "(" else self.take()
            value = _bounded(_combined(value, sign, self.signed()))
        return value

    def signed(self) -> Fraction:
        sign = 1
        while self.peek() in ("-", "+"):
            sign *= -1 if self.take() == "-" else 1
        return sign * self.power()

    def power(self) -> Fraction:
        """A power binds tighter than the sign before it (-2^2 = -4) and from the right (2^3^2 = 512)."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise ArithmeticFault(f"more than {DEEPEST} nested groups")
        value = self.atom()
        while self.peek() == "%" and not self.operand_follows():
            self.take()
            value = value / 100
        if self.peek() == "^":
            self.take()
            value = _raise(value, self.signed())
        self.depth -= 1
        return value

    def atom(self) -> Fraction:
        here = self.take()
        if here == "(":
            value = self.sum()
            self.take(")")
            return value
        if here in self.names:
            return self.names[here]
        if here.isidentifier():
            return self.call(here)
        if not here[0].isdecimal() and here[0] != ".":
            raise ArithmeticFault(f"expected a number, found {here!r}")
        return _bounded(Fraction(here))

    def call(self, name: str) -> Fraction:
        if name not in FUNCTIONS:
            raise ArithmeticFault(f"{name!r} is no number, no name given here and none of {', '.join(FUNCTIONS)}")
        self.take("(")
        arguments = [self.sum()]
        while self.peek() == ",":
            self.take()
            arguments.append(self.sum())
        self.take(")")
        try:
            return _bounded(FUNCTIONS[name](*arguments))
        except TypeError as error:
            raise ArithmeticFault(f"{name} cannot take {len(arguments)} numbers") from error


def _combined(value: Fraction, sign: str, other: Fraction) -> Fraction:
    if sign == "*":
        return value * other
    if other == 0:
        raise ArithmeticFault("division by zero")
    if sign == "/":
        return value / other
    whole = Fraction(math.floor(value / other))
    return whole if sign == "//" else value - other * whole


def _bounded(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > LARGEST_BITS:
        raise ArithmeticFault(f"a number of more than {LARGEST_BITS} bits")
    return value


def _raise(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent == Fraction(1, 2):
        return square_root(base)
    if exponent.denominator != 1 or abs(exponent) > LARGEST_POWER or (base == 0 and exponent < 0):
        raise ArithmeticFault(f"the power {exponent} of {base} is not computed")
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if size * abs(int(exponent)) > LARGEST_BITS:
        raise ArithmeticFault(f"a number of more than {LARGEST_BITS} bits")
    return Fraction(base ** int(exponent))


def square_root(value: Fraction) -> Fraction:
    """Exact square root. Raises ArithmeticFault where it is irrational."""
    if value >= 0:
        top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
        if top * top == value.numerator and bottom * bottom == value.denominator:
            return Fraction(top, bottom)
    raise ArithmeticFault(f"the square root of {value} is not a fraction")


def _half_up(value: Fraction, places: Fraction = Fraction(0)) -> Fraction:
    if places.denominator != 1 or not 0 <= places <= 12:
        raise ArithmeticFault(f"no number is rounded to {places} places")
    scale = 10 ** int(places)
    return Fraction(math.floor(abs(value) * scale + Fraction(1, 2)), scale) * (1 if value >= 0 else -1)


FUNCTIONS: dict[str, Callable[..., Fraction]] = {
    "abs": abs,
    "ceil": lambda value: Fraction(math.ceil(value)),
    "float": lambda value: value,
    "floor": lambda value: Fraction(math.floor(value)),
    "int": lambda value: Fraction(math.trunc(value)),
    "max": max,
    "min": min,
    "round": _half_up,
    "sqrt": square_root,
}
"""What an expression may call."""


def plain(value: Fraction, digits: int = 6) -> str:
    """A value as people write it: 10, 10.5, else the fraction where decimals do not end, for example 1/3."""
    if value.denominator == 1:
        return str(value.numerator)
    for places in range(1, digits + 1):
        if (value * 10**places).denominator == 1:
            scaled = abs(int(value * 10**places))
            whole, rest = divmod(scaled, 10**places)
            return f"{'-' if value < 0 else ''}{whole}.{rest:0{places}d}"
    return f"{value.numerator}/{value.denominator}"
