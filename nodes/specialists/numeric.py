"""rte-c, numeric: the model extracts quantities and sets up steps; every value is computed here, exactly.

A small model writes down what to calculate far better than it calculates. Its check recomputes every arithmetic step
in a candidate's text, without a model call.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from pydantic import Field

from nodes import answers, equations, structured, weekdays
from nodes.arithmetic import ArithmeticFault, evaluate, plain
from nodes.contracts import Candidate, Check, Contract, Finding, Hit, Language, Model, Request
from nodes.notation import plain_signs

_NAME = re.compile(r"[^\W\d]\w*")
_UNIT = re.compile(r"(\d)\s*[^\W\d_][^-+*/^()=%\d]*")
"""Words behind a number: 40 minutes."""
SIMPLE = 12
"""Largest denominator of a fraction that is given as a fraction."""
MOST = 40
"""Quantities and steps that are looked at."""
LONGEST_EXPRESSION = 600
"""Characters of the composed expression that are kept."""
LONGEST_TEXT = 20_000
"""Characters of a candidate that are checked; no branch writes more."""


class Quantity(Contract):
    """One quantity of the question."""

    name: str
    """What the steps call it."""
    value: str
    """The number as it stands in the question."""
    unit: str = ""
    """Its unit, or what it counts."""


class Step(Contract):
    """One step of the calculation."""

    name: str
    expression: str
    """Numbers, names of quantities and of earlier steps, + - * / ( )."""


class Plan(Contract):
    """What the model is asked for: what to calculate, no result."""

    method: str = ""
    """How to get what is asked, in words. It comes first: asked for lists at once, a small model leaves them empty."""
    quantities: tuple[Quantity, ...] = ()
    steps: tuple[Step, ...] = Field(min_length=1)
    unit: str = ""
    """Unit of what is asked."""


class Facts(Contract):
    """What the specialist found."""

    operation: Literal["arithmetic", "calendar"]
    quantities: tuple[Quantity, ...] = ()
    expression: str
    """One expression of plain numbers; for a calendar operation the day and the distance."""
    value: str
    """Exact: an integer, a decimal or a fraction; for a calendar operation the day."""
    unit: str = ""


def _record(**fields: dict[str, Any]) -> dict[str, Any]:
    """Schema of an object whose fields are all there."""
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


_TEXT = {"type": "string"}
SCHEMA = _record(
    method=_TEXT,
    quantities={"type": "array", "items": _record(name=_TEXT, value=_TEXT, unit=_TEXT)},
    steps={"type": "array", "items": _record(name=_TEXT, expression=_TEXT)},
    unit=_TEXT,
)
"""Only object, array and string: what every version of the engine's structured output holds to."""


class Numeric:
    """The numeric specialist."""

    id = "rte-c"
    name = "numeric"
    after: tuple[str, ...] = ()
    answers = True
    facts: type[Contract] = Facts

    async def answer(self, request: Request, earlier: Mapping[str, Finding], model: Model) -> Finding:  # noqa: ARG002
        """The value that is asked for. A question about the calendar is computed without a model call."""
        if day := weekdays.solve(request.question, request.language):
            facts = Facts(operation="calendar", expression=day.expression, value=day.answer)
            return Finding(
                specialist=self.name, status="ok", facts=facts.model_dump(), answer=day.answer, working=day.working
            )
        asked = await structured.ask(request, self.name, Plan, SCHEMA, model)
        spent = {"calls": asked.calls, "usage": asked.usage, "seconds": asked.seconds, "repaired": asked.repaired}
        if asked.value is None:
            return Finding(specialist=self.name, status="failed", error=asked.error, **spent)
        return _computed(asked.value, request).model_copy(update=spent)

    def check(self, request: Request, candidate: Candidate) -> list[Check]:  # noqa: ARG002
        """Recompute each arithmetic step of the candidate's text; silent where unsure."""
        text = candidate.text[:LONGEST_TEXT]
        return [
            Check(
                specialist=self.name,
                kind="arithmetic",
                outcome=claim.outcome,
                claim=text[slice(*claim.span)],
                found=plain(claim.exact),
                span=claim.span,
            )
            for claim in equations.claims(text)
        ]

    def screen(self, text: str, language: Language) -> list[Hit]:  # noqa: ARG002
        """Numbers have no policy."""
        return []


def _computed(plan: Plan, request: Request) -> Finding:
    """The finding of a plan that can be computed; otherwise it abstains and says why."""
    try:
        lines, value, expression = compute(plan)
    except ArithmeticFault as fault:
        return Finding(specialist=Numeric.name, status="abstained", error=f"no value: {fault}")
    unit = plan.unit.strip()[:40]
    facts = Facts(
        operation="arithmetic", quantities=plan.quantities, expression=expression, value=plain(value), unit=unit
    )
    return Finding(
        specialist=Numeric.name,
        status="ok",
        facts=facts.model_dump(mode="json"),
        answer=rendered(value, unit, request),
        working="\n".join(lines),
    )


def compute(plan: Plan) -> tuple[list[str], Fraction, str]:
    """Lines of working, the value of the last step, and that step with its names replaced by what they stand for.

    Raises ArithmeticFault.
    """
    given = ((quantity.name, _given(quantity)) for quantity in plan.quantities[:MOST])
    values = {_name(name): value for name, value in given if value is not None}
    written = {name: decimal(value) for name, value in values.items()}
    lines, value = [], Fraction(0)
    for step in plan.steps[:MOST]:
        expression, value = _computed_side(_spelled(step.expression, plan), values)
        numbers = _named(expression, {name: decimal(known) for name, known in values.items()})
        lines.append(f"{step.name} = {numbers} = {decimal(value)}")
        whole = f"({_named(expression, written)})"
        written[_name(step.name)] = whole if len(whole) <= LONGEST_EXPRESSION else decimal(value)
        values[_name(step.name)] = value
    return lines, value, written[_name(step.name)].removeprefix("(").removesuffix(")")


def _computed_side(expression: str, values: Mapping[str, Fraction]) -> tuple[str, Fraction]:
    """The first side that can be computed of `name = expression = result`; a result that the model wrote is ignored."""
    fault = ArithmeticFault(f"{expression!r} is empty")
    for side in expression.split("="):
        for spelling in (side.strip(), _UNIT.sub(r"\1", side).strip()):
            try:
                return spelling, evaluate(spelling, values)
            except ArithmeticFault as error:
                fault = error
    raise fault


def _name(text: str) -> str:
    """A name as one word: `pay per hour` becomes `pay_per_hour`."""
    return re.sub(r"\W+", "_", text.strip())


def _spelled(expression: str, plan: Plan) -> str:
    """An expression in ASCII signs, with every name of the plan as one word."""
    spoken = {one.name.strip() for one in plan.quantities} | {one.name.strip() for one in plan.steps}
    for name in sorted(spoken - {_name(name) for name in spoken}, key=len, reverse=True):
        expression = expression.replace(name, _name(name)) if name else expression
    return " ".join(plain_signs(expression).text.split())


def _given(quantity: Quantity) -> Fraction | None:
    """The number of a quantity; None where it is none (`several`), which matters only if a step uses it."""
    text = " ".join(plain_signs(quantity.value).text.split())
    try:
        return evaluate(text)
    except ArithmeticFault:
        number = answers.parse(quantity.value).number
        return number if isinstance(number, Fraction) else None


def _named(expression: str, known: Mapping[str, str]) -> str:
    """The expression with names replaced by what is known of them."""
    return _NAME.sub(lambda match: known.get(match[0], match[0]), expression)


def rendered(value: Fraction, unit: str, request: Request) -> str:
    """The value as a plain answer; with its unit where the question's own words use that unit."""
    number = decimal(value)
    if unit and unit.lower() in request.question.lower() and not any(sign.isdigit() for sign in unit):
        return f"{number}{unit}" if unit[0] in "%％" or not unit.isascii() else f"{number} {unit}"
    return number


def decimal(value: Fraction) -> str:
    """Exact where the decimals end; a simple fraction as it is; else rounded to four significant places."""
    text = plain(value)
    if "/" not in text or value.denominator <= SIMPLE:
        return text
    return f"{float(value):.4g}" if abs(value) < 1_000 else f"{float(value):.2f}"


specialist = Numeric()
