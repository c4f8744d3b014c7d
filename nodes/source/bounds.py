"""How much an evaluated program may use; whatever wants more is beyond what is evaluated here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

STEPS = 60_000
"""Expressions, statements and elements of containers that one program may touch: a tenth of a second or so."""
LONGEST = 20_000
"""Elements of a container, or characters of a string."""
LARGEST_BITS = 12_000
"""Bits of an integer; all its digits can still be printed."""
WRITTEN = 20_000
"""Characters that it may print."""
CONTAINERS = (list, tuple, dict, set, frozenset)
_WIDE = {
    ":": re.compile(r"\d{4}"),
    "{": re.compile(r":[^{}]*\d{4}"),
    "%": re.compile(r"%(?:\(\w*\))?[-+ #0.\d]*(?:\d{4}|\*)"),
}
"""A width of four digits, or one that is a value; by the kind of format."""


class Beyond(Exception):
    """The program is not wrong, but it uses something that is not evaluated here, or too much of it."""


class Fuel:
    """What is left of the steps."""

    def __init__(self, steps: int = STEPS) -> None:
        self.left = steps

    def burn(self, steps: int = 1) -> None:
        """Take steps. Raises Beyond when there are none left."""
        self.left -= steps
        if self.left < 0:
            raise Beyond("it takes too many steps")

    def touch(self, *values: Any) -> None:
        """Pay for work that grows with the size of values, whatever hides in them: `[a, a]` again and again doubles."""
        waiting = list(values)
        while waiting:
            value = waiting.pop()
            if isinstance(value, str):
                self.burn(1 + len(value) // 64)
            elif isinstance(value, CONTAINERS):
                self.burn(1 + len(value))
                inner: Iterable[Any] = value.values() if isinstance(value, dict) else value
                waiting += [one for one in inner if isinstance(one, (*CONTAINERS, str))]

    def items(self, iterable: Iterable[Any]) -> list[Any]:
        """All elements of anything that can be iterated over, each paid for."""
        found: list[Any] = []
        for one in iterable:
            self.burn()
            if len(found) >= LONGEST:
                raise Beyond("a container grows too long")
            found.append(one)
        return found


class Unsaid:
    """The words of an exception that Python would word otherwise: showing them is beyond."""


def fits(length: int) -> None:
    """Raises Beyond for a container or string of that length."""
    if length > LONGEST:
        raise Beyond("a container grows too long")


def fits_bits(bits: float) -> None:
    """Raises Beyond for an integer of that many bits."""
    if bits > LARGEST_BITS:
        raise Beyond("a number grows too large")


def narrow(template: str, kind: str) -> None:
    """Raises Beyond for a format whose width is large. `kind`: `:` a specification, `{` of `format`, `%` of `%`."""
    fits(len(template))
    if _WIDE[kind].search(template):
        raise Beyond("a format with a large width")


def ordered(value: Any) -> None:
    """Raises Beyond for a set whose order differs from one start of Python to the next."""
    if (
        isinstance(value, (set, frozenset))
        and len(value) > 1
        and not all(isinstance(one, (int, float)) for one in value)
    ):
        raise Beyond("the order of a set")


def shown(value: Any, fuel: Fuel) -> None:
    """Pay for `repr`, and refuse what has no certain one: sets without order, anything that shows its address."""
    fuel.touch(value)
    waiting = [value]
    while waiting:
        one = waiting.pop()
        ordered(one)
        if isinstance(one, Mapping):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, CONTAINERS):
            waiting += one
        elif isinstance(one, BaseException):
            waiting += one.args
        elif not isinstance(one, (str, int, float, bool, range, type(None))):
            raise Beyond(f"how a {type(one).__name__} is shown")
        fuel.burn()
