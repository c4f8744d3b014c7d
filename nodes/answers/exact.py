"""Arithmetic that stays exact where it can and bounded where it cannot: Fractions, and complex numbers for the rest."""

from __future__ import annotations

import math
from fractions import Fraction

Number = Fraction | complex
BITS = 20_000
"""Bits of numerator and denominator together beyond which nothing is computed."""


class Unreadable(Exception):
    """The text is not an expression that is known here, or its value is out of bounds."""


def bounded(value: Number) -> Number:
    """The value itself. Raises Unreadable when it has too many bits."""
    if isinstance(value, Fraction) and value.numerator.bit_length() + value.denominator.bit_length() > BITS:
        raise Unreadable("too large")
    return value


def divide(above: Number, below: Number) -> Number:
    """Quotient. Raises ZeroDivisionError, Unreadable."""
    return bounded(above / below)


def raise_to(base: Number, exponent: Number) -> Number:
    """Exact where both are rational and the result is; bounded in size."""
    if isinstance(base, Fraction) and isinstance(exponent, Fraction):
        if exponent.denominator == 1:
            bits = (base.numerator.bit_length() + base.denominator.bit_length()) * abs(exponent.numerator)
            if bits > BITS:
                raise Unreadable("too large")
            return base**exponent.numerator
        return raise_to(root(base, Fraction(exponent.denominator)), Fraction(exponent.numerator))
    return complex(base) ** complex(exponent)


def root(value: Number, degree: Number) -> Number:
    """Real root where there is one (odd roots of negatives too), exact for perfect powers."""
    if isinstance(value, Fraction) and isinstance(degree, Fraction) and degree.denominator == 1 and 1 < degree < 100:
        n = int(degree)
        sign = -1 if value < 0 and n % 2 else 1
        exact = [_integer_root(abs(part), n) for part in (value.numerator, value.denominator)]
        if value >= 0 or sign < 0:
            if exact[0] is not None and exact[1]:
                return sign * Fraction(exact[0], exact[1])
            return complex(sign * float(abs(value)) ** (1 / n))
    return complex(value) ** (1 / complex(degree))


def _integer_root(value: int, n: int) -> int | None:
    if n == 2:
        guess = math.isqrt(value)
    elif value.bit_length() > 1000:
        return None
    else:
        guess = round(value ** (1 / n))
    return guess if guess**n == value else None


def factorial(value: Number) -> Fraction:
    """n! of a whole number up to 200."""
    if not isinstance(value, Fraction) or value.denominator != 1 or not 0 <= value <= 200:
        raise Unreadable("factorial")
    return Fraction(math.factorial(int(value)))


def binomial(n: Number, k: Number) -> Fraction:
    """n over k of whole numbers up to 1000."""
    if not (isinstance(n, Fraction) and isinstance(k, Fraction)) or n.denominator != 1 or k.denominator != 1:
        raise Unreadable("binomial")
    if not 0 <= k <= n <= 1000:
        raise Unreadable("binomial")
    return Fraction(math.comb(int(n), int(k)))
