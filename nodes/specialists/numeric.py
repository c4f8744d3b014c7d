"""rte-c, numeric: the model reasons and sets up one expression; its value is computed here, exactly.

Asked for lists of quantities and named steps, the default model set up 3 of 24 GSM8K questions right, for a program at
once 0 of 6: so it reasons in words and numbers first, in the same reply. Its check recomputes every arithmetic step in
a candidate's text, without a model call.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from itertools import islice
from typing import Any, Literal

from nodes import equations, programs, recomputing, structured, sums, weekdays
from nodes.arithmetic import ArithmeticFault, plain
from nodes.contracts import Candidate, Check, Contract, Finding, Hit, Language, Model, Request

_QUANTITY = re.compile(
    r"(?P<currency>[$€£¥￥])?\s?(?<![A-Za-z0-9.,])(?P<value>\d+(?:,\d{3})*(?:\.\d+)?(?:/\d+)?)"
    r"(?:\s?(?P<unit>[%％°]|[A-Za-z]+(?:(?:/| per )[A-Za-z]+)?|[\u4e00-\u9fff]{1,2}))?"
)
MOST = 40
"""Quantities that are kept."""
SIMPLE = 12
"""Largest denominator of a fraction that is given as a fraction."""
LONGEST_TEXT = 20_000
"""Characters of a candidate that are checked; no branch writes more."""


class Quantity(Contract):
    """One quantity of the question."""

    value: str
    """The number as it stands in the question."""
    unit: str = ""
    """Its unit, or what it counts."""


class Plan(Contract):
    """What the model is asked for."""

    reasoning: str = ""
    """The calculation in words and numbers. It comes first: without it a small model guesses the expression."""
    expression: str
    """One arithmetic expression for what is asked, without its result."""
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


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("reasoning", "expression", "unit")},
    "required": ["reasoning", "expression", "unit"],
    "additionalProperties": False,
}
"""Strings only: a small model that may leave an array empty does so."""


class Numeric:
    """The numeric specialist."""

    id = "rte-c"
    name = "numeric"
    after: tuple[str, ...] = ()
    answers = True
    asks = False
    """One branch answers 26 of 40 word problems, this model call 18 (10 each of gsm8k, svamp, cmath, mgsm-zh)."""
    facts: type[Contract] = Facts

    async def answer(self, request: Request, earlier: Mapping[str, Finding], model: Model) -> Finding:  # noqa: ARG002
        """The value that is asked for. Questions of a regular form are computed without a model call."""
        if known := _known(request):
            return known
        asked = await structured.ask(request, self.name, Plan, SCHEMA, model)
        spent = {"calls": asked.calls, "usage": asked.usage, "seconds": asked.seconds, "repaired": asked.repaired}
        if asked.value is None:
            return Finding(specialist=self.name, status="failed", error=asked.error, **spent)
        return _computed(asked.value, request).model_copy(update=spent)

    def reads(self, request: Request) -> bool:
        """True when the question is computed without a model call."""
        return _known(request) is not None

    def check(self, request: Request, candidate: Candidate) -> list[Check]:
        """Recompute each arithmetic step of the text, and the answer that the steps lead to; silent where unsure."""
        text = candidate.text[:LONGEST_TEXT]
        steps = [
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
        tested = candidate.model_copy(update={"text": text, "checks": tuple(steps)})
        carried = recomputing.answer_check(tested, request.question)
        return [*steps, carried] if carried else steps

    def screen(self, text: str, language: Language) -> list[Hit]:  # noqa: ARG002
        """Numbers have no policy."""
        return []


def _computed(plan: Plan, request: Request) -> Finding:
    """The finding of a plan whose expression can be computed; otherwise it abstains and says why."""
    try:
        lines = programs.run(plan.expression)
    except ArithmeticFault as fault:
        return Finding(
            specialist=Numeric.name, status="abstained", working=plan.reasoning.strip(), error=f"no value: {fault}"
        )
    asked, unit = programs.result(lines), plan.unit.strip()[:40]
    facts = Facts(
        operation="arithmetic",
        quantities=quantities(request.question),
        expression=asked.whole,
        value=plain(asked.value),
        unit=unit,
    )
    return Finding(
        specialist=Numeric.name,
        status="ok",
        facts=facts.model_dump(mode="json"),
        answer=rendered(asked.value, unit, request),
        working=f"{plan.reasoning.strip()}\n{asked.whole} = {decimal(asked.value)}".strip(),
    )


def _known(request: Request) -> Finding | None:
    """The finding of a question of a regular form, computed without a model call; None for every other one."""
    if day := weekdays.solve(request.question, request.language):
        facts = Facts(operation="calendar", expression=day.expression, value=day.answer)
        return Finding(
            specialist=Numeric.name, status="ok", facts=facts.model_dump(), answer=day.answer, working=day.working
        )
    found = sums.solve(request.question, request.language)
    return _summed(found, request) if found else None


def _summed(found: sums.Sum, request: Request) -> Finding:
    """The finding of a question that is arithmetic itself."""
    facts = Facts(
        operation="arithmetic",
        quantities=quantities(request.question),
        expression=found.expression,
        value=plain(found.value),
        unit=found.unit,
    )
    return Finding(
        specialist=Numeric.name,
        status="ok",
        facts=facts.model_dump(mode="json"),
        answer=found.answer,
        working=f"{found.expression} = {decimal(found.value)}",
    )


def quantities(question: str) -> tuple[Quantity, ...]:
    """The numbers of the question with the word behind them, or the currency before them."""
    found = (
        Quantity(value=match["value"], unit=(match["currency"] or match["unit"] or "").strip())
        for match in _QUANTITY.finditer(question)
    )
    return tuple(islice(found, MOST))


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
