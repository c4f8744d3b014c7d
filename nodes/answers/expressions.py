"""Read one mathematical expression, LaTeX or plain, and give its value, without a computer algebra system.

A constant expression becomes an exact Fraction where it is rational and a complex number otherwise. An expression with
letters is evaluated at three fixed points; two expressions that agree there are taken as the same polynomial or
function (Schwartz 1980, Zippel 1979). That needs no simplification, so it cannot hang, and it works in any thread.
Length, depth, exponents and factorials are bounded; whatever lies outside is `Unreadable`.
"""

from __future__ import annotations

import cmath
import math
import re
import zlib
from collections.abc import Callable
from fractions import Fraction

from nodes.answers import exact, folding
from nodes.answers.exact import Number, Unreadable

LENGTH = 400
DEPTH = 40
POINTS = 3

_TOKEN = re.compile(
    r"(?P<number>\d{1,3}(?:(?:,|\{,\})\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?|\.\d+)"
    r"|(?P<macro>\\[A-Za-z]+)"
    r"|(?P<word>(?:arc)?(?:sin|cos|tan)h?|sqrt|exp|log|ln|lg|pi)(?![a-z])"
    r"|(?P<letter>[A-Za-zα-ωΑ-Ω](?:_(?:\{[^{}]{1,12}\}|\w))?'*)"
    r"|(?P<sign>\*\*|[-+*/^!%°(){}\[\]|√])"
    r"|(?P<space>\s+)"
)
_MACRO_SIGNS = {"\\cdot": "*", "\\times": "*", "\\div": "/", "\\lbrace": "{", "\\rbrace": "}", "\\vert": "|",
                "\\lvert": "|", "\\rvert": "|", "\\mid": "|"}  # fmt: skip
_FRACTIONS = ("\\frac", "\\dfrac", "\\tfrac", "\\cfrac")
_CONSTANTS: dict[str, Number] = {"\\pi": complex(math.pi), "pi": complex(math.pi), "e": complex(math.e), "i": 1j}
_FUNCTIONS: dict[str, Callable[[complex], complex]] = {
    "sin": cmath.sin, "cos": cmath.cos, "tan": cmath.tan, "exp": cmath.exp, "ln": cmath.log, "log": cmath.log,
    "lg": cmath.log10, "arcsin": cmath.asin, "arccos": cmath.acos, "arctan": cmath.atan, "sinh": cmath.sinh,
    "cosh": cmath.cosh, "tanh": cmath.tanh, "cot": lambda z: 1 / cmath.tan(z), "sec": lambda z: 1 / cmath.cos(z),
    "csc": lambda z: 1 / cmath.sin(z),
}  # fmt: skip
_GREEK = frozenset(
    ("alpha", "beta", "gamma", "delta", "epsilon", "theta", "lambda", "mu", "nu", "rho", "sigma", "tau", "phi",
     "varphi", "omega", "psi", "xi", "eta")
)  # fmt: skip


def evaluate(text: str) -> tuple[tuple[Number, ...], frozenset[str]]:
    """Values at each point (one value when constant) and the free letters. Raises Unreadable."""
    if len(text) > LENGTH:
        raise Unreadable("too long")
    tokens = _tokens(folding.tidy(text))
    first = _Reader(tokens, 0)
    try:
        values = [first.whole()]
        if first.letters:
            values += [_Reader(tokens, salt).whole() for salt in range(1, POINTS)]
    except (ArithmeticError, ValueError, RecursionError) as error:
        raise Unreadable(str(error)) from error
    return tuple(map(_settle, values)), frozenset(first.letters)


def evaluate_at(text: str, value: Fraction) -> Number:
    """Value of an expression in one letter at that point. Raises Unreadable."""
    if len(text) > LENGTH:
        raise Unreadable("too long")
    reader = _Reader(_tokens(folding.tidy(text)), 0, value)
    try:
        found = _settle(reader.whole())
    except (ArithmeticError, ValueError, RecursionError) as error:
        raise Unreadable(str(error)) from error
    if len(reader.letters) != 1:
        raise Unreadable(f"{len(reader.letters)} letters")
    return found


def rounded(value: Number) -> complex:
    """Ten significant digits of each part, so that equal results of different routes meet."""
    plain = complex(value)
    scale = abs(plain)
    parts = (part if abs(part) > 1e-12 * scale else 0.0 for part in (plain.real, plain.imag))
    real, imaginary = (float(f"{part:.10g}") for part in parts)
    return complex(real, imaginary) + 0


def _settle(value: Number) -> Number:
    if isinstance(value, Fraction):
        return value
    if not cmath.isfinite(value):
        raise Unreadable("not finite")
    return value


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise Unreadable(f"sign {text[at]!r}")
        at = match.end()
        if match.lastgroup == "space":
            if tokens and tokens[-1] != " ":
                tokens.append(" ")
        elif match.lastgroup == "number":
            tokens.append(match[0].replace("{,}", "").replace(",", ""))
        else:
            tokens.append(_MACRO_SIGNS.get(match[0], "^" if match[0] == "**" else match[0]))
    return tokens


class _Reader:
    """Recursive descent over the tokens; evaluates while it reads."""

    def __init__(self, tokens: list[str], salt: int, point: Fraction | None = None) -> None:
        self.tokens = list(tokens)
        self.point = point
        self.salt = salt
        self.at = 0
        self.depth = 0
        self.letters: set[str] = set()

    def peek(self) -> str:
        while self.at < len(self.tokens) and self.tokens[self.at] == " ":
            self.at += 1
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        sign = self.peek()
        if not sign or (wanted and sign != wanted):
            raise Unreadable(f"expected {wanted or 'more'!r}, found {sign!r}")
        self.at += 1
        return sign

    def whole(self) -> Number:
        value = self.sum()
        if self.peek():
            raise Unreadable(f"left over {self.peek()!r}")
        return value

    def sum(self) -> Number:
        self.depth += 1
        if self.depth > DEPTH:
            raise Unreadable("too deep")
        value = self.product()
        while self.peek() in ("+", "-"):
            value = value + self.product() if self.take() == "+" else value - self.product()
        self.depth -= 1
        return value

    def product(self) -> Number:
        value = self.signed()
        while sign := self.peek():
            if sign in ("*", "/"):
                self.take()
                other = self.signed()
                value = value * other if sign == "*" else exact.divide(value, other)
            elif sign in (")", "]", "}", "|", "+", "-", ","):
                break
            else:
                if sign[0].isdigit() or sign[0] == ".":
                    raise Unreadable("two numbers side by side")
                value = value * self.power()
        return exact.bounded(value)

    def signed(self) -> Number:
        sign = self.peek()
        if sign in ("+", "-"):
            self.take()
            return -self.signed() if sign == "-" else self.signed()
        return self.power()

    def power(self) -> Number:
        start = self.peek()
        value = self.atom()
        if start.isdigit():
            value = self.mixed(value)
        while (sign := self.peek()) in ("^", "!", "%", "°"):
            self.take()
            if sign == "^":
                value = exact.raise_to(value, self.exponent())
            elif sign == "!":
                value = exact.factorial(value)
            elif sign == "%":
                value = value / 100
        return value

    def exponent(self) -> Number:
        sign = self.peek()
        if sign == "-":
            self.take()
            return -self.exponent()
        return self.atom() if sign != "\\frac" else self.power()

    def mixed(self, whole: Number) -> Number:
        """`3\\frac{1}{2}` and `3 1/2` are sums, as everybody writes them."""
        rest = [sign for sign in self.tokens[self.at : self.at + 12] if sign != " "]
        if rest and rest[0] in _FRACTIONS:
            here = self.at
            part = self.atom()
            if isinstance(part, Fraction) and 0 < part < 1:
                return whole + part
            self.at = here
        elif len(rest) >= 3 and rest[1] == "/" and rest[0].isdigit() and rest[2].isdigit():
            for _ in range(3):
                self.take()
            if 0 < int(rest[0]) < int(rest[2]) or int(rest[2]):
                return whole + Fraction(int(rest[0]), int(rest[2]))
        return whole

    def braced(self, opening: str = "{", closing: str = "}") -> Number:
        self.take(opening)
        value = self.sum()
        self.take(closing)
        return value

    def argument(self) -> Number:
        """`{...}` or, as in `\\frac43`, one digit."""
        sign = self.peek()
        if sign == "{":
            return self.braced()
        if sign.isdigit() and len(sign) > 1:
            self.tokens[self.at : self.at + 1] = [sign[0], sign[1:]]
        return self.atom()

    def atom(self) -> Number:
        sign = self.take()
        if sign[0].isdigit() or sign[0] == ".":
            if len(sign) > 60:
                raise Unreadable("number too long")
            return Fraction(sign)
        if sign in ("(", "{", "["):
            value = self.sum()
            self.take({"(": ")", "{": "}", "[": "]"}[sign])
            return value
        if sign == "|":
            value = self.sum()
            self.take("|")
            return abs(value) if isinstance(value, Fraction) else complex(abs(value))
        if sign in _FRACTIONS:
            above = self.argument()
            return exact.divide(above, self.argument())
        if sign in ("\\sqrt", "sqrt", "√"):
            return self.root()
        if sign in ("\\binom", "\\dbinom", "\\tbinom"):
            return exact.binomial(self.argument(), self.argument())
        return self.named(sign)

    def root(self) -> Number:
        degree: Number = Fraction(2)
        if self.peek() == "[":
            degree = self.braced("[", "]")
        return exact.root(self.argument(), degree)

    def named(self, sign: str) -> Number:
        name = sign.lstrip("\\")
        if sign in _CONSTANTS:
            return _CONSTANTS[sign]
        if name in _FUNCTIONS:
            return self.function(name)
        if sign.startswith("\\") and name not in _GREEK:
            raise Unreadable(f"command {sign!r}")
        if not name or not name[0].isalpha():
            raise Unreadable(f"sign {sign!r}")
        self.letters.add(name)
        return _sample(name, self.salt) if self.point is None else self.point

    def function(self, name: str) -> Number:
        exponent: Number | None = None
        if self.peek() == "^":
            self.take()
            exponent = self.exponent()
        value = self.signed() if self.peek() != "(" else self.atom()
        while self.peek() == "°":
            self.take()
            value = complex(value) * math.pi / 180
        result = _FUNCTIONS[name](complex(value))
        return result if exponent is None else exact.raise_to(result, exponent)


def _sample(name: str, salt: int) -> Fraction:
    """A fixed rational between 1/2 and 5/2 for each letter and point."""
    return Fraction(1, 2) + Fraction(zlib.crc32(f"{salt}:{name}".encode()) % 1999, 1000)
