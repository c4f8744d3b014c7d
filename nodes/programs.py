"""Runs a short program of plain assignments exactly, without executing code: `name = expression  # unit`, line by line.

A small model that was trained on code sets up a calculation best as a program. Only arithmetic is understood
(`nodes.arithmetic`): no calls but a few, no loops, nothing that could touch the machine. The value of `answer`, else of
the last line, is the result.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from nodes.arithmetic import ArithmeticFault, evaluate, plain
from nodes.notation import plain_signs

MOST = 60
"""Lines that are looked at."""
LONGEST = 600
"""Characters of a composed expression; a longer one is cut off by putting a value in the place of a name."""
RESULT = "answer"
_FENCE = re.compile(r"```\w*\n(.*?)(?:```|\Z)", re.DOTALL)
_NOTHING = re.compile(r"(?:print|import|from|assert|return|def|\"\"\"|''')\b.*|\"\"\".*|'''.*")
_ASSIGNED = re.compile(r"([^\W\d]\w*)\s*(?::\s*\w+\s*)?=(?!=)\s*(.+)")
_NAME = re.compile(r"[^\W\d]\w*")
_PREFIX = re.compile(r"\bmath\.|(?<=\d)_(?=\d)")
_UNIT = re.compile(r"(?<=\d)\s+[^\W\d_][^-+*/^()=%\d]*")


@dataclass(frozen=True)
class Line:
    """One assignment that was computed."""

    name: str
    expression: str
    """Numbers and names, in ASCII signs."""
    numbers: str
    """The same with the values of the names in their place."""
    whole: str
    """The same with everything that the names stand for in their place."""
    value: Fraction
    note: str = ""
    """The comment behind it, usually a unit."""

    @property
    def given(self) -> bool:
        """True for a plain number: a quantity of the question."""
        return re.fullmatch(r"-?\d+(?:\.\d+)?%?", self.expression) is not None


def run(program: str) -> list[Line]:
    """Every line that computes something, in order. Raises ArithmeticFault at one that cannot be computed."""
    fenced = _FENCE.findall(program)
    lines: list[Line] = []
    for raw in (fenced[-1] if fenced else program).replace(";", "\n").splitlines()[:MOST]:
        code, _, note = raw.partition("#")
        if code.strip() and not _NOTHING.match(code.strip()):
            lines.append(_computed(code.strip(), note.strip(), lines))
    if not lines:
        raise ArithmeticFault("there is no line to compute")
    return lines


def result(lines: list[Line]) -> Line:
    """The last line that assigns `answer`, else the last line."""
    return next((line for line in reversed(lines) if line.name.lower() == RESULT), lines[-1])


def _computed(code: str, note: str, before: list[Line]) -> Line:
    assigned = _ASSIGNED.fullmatch(code)
    name, expression = (assigned[1], assigned[2]) if assigned else (RESULT, code.partition("=")[0])
    values = {line.name: line.value for line in before}
    expression, value = _value(expression, values)
    numbers = _replaced(expression, {known: _number(number) for known, number in values.items()})
    whole = _replaced(expression, {line.name: _in_brackets(line) for line in before})
    return Line(name, expression, numbers, whole if len(whole) <= LONGEST else _number(value), value, note)


def _in_brackets(line: Line) -> str:
    return line.whole if line.given else f"({line.whole})"


def _number(value: Fraction) -> str:
    """A value as part of an expression; a fraction in brackets."""
    text = plain(value)
    return f"({text})" if "/" in text else text


def _value(text: str, values: Mapping[str, Fraction]) -> tuple[str, Fraction]:
    """The first side that can be computed of `expression = result`: a result that the model wrote is ignored."""
    fault = ArithmeticFault(f"{text!r} is empty")
    for side in _PREFIX.sub("", text).split("="):
        for spelling in (side, _UNIT.sub("", side)):
            try:
                expression = " ".join(plain_signs(spelling).text.split())
                return expression, evaluate(expression, values)
            except ArithmeticFault as error:
                fault = error
    raise fault


def _replaced(expression: str, known: Mapping[str, str]) -> str:
    return _NAME.sub(lambda match: known.get(match[0], match[0]), expression)
