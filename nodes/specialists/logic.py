"""rte-d, logic: what follows from the premises is decided by z3, not felt.

A question in a regular wording (conditionals, syllogisms, orders, truth-tellers, boolean expressions, swaps, walks,
schedules) is read and decided without a model call; so is its check on a candidate. Any other is translated into the
typed form by one model call; a translation that is not tied to the text, or that contradicts the model's own answer, is
unstable and abstains.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from nodes import logic, structured
from nodes.contracts import Candidate, Check, Contract, Finding, Hit, Language, Model, Request
from nodes.logic.comparing import outcome
from nodes.logic.translation import Translation, Unstable, decided


class Facts(Contract):
    """What the specialist found."""

    reader: str
    """The kind of wording that was read without a model; `model` for a translation by the model."""
    premises: tuple[str, ...] = ()
    """In the typed form, or as they stand in the text."""
    quantifiers: tuple[str, ...] = ()
    negations: tuple[str, ...] = ()
    """What stands under a negation: its scope."""
    hidden: str = ""
    """The unstated premise, where one is asked for."""
    conclusion: str = ""
    status: Literal["entailed", "contradicted", "unknown"]
    """Of the conclusion."""


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("premises", "claim", "verdict")},
    "required": ["premises", "claim", "verdict"],
    "additionalProperties": False,
}


class Logic:
    """The logic specialist."""

    id = "rte-d"
    name = "logic"
    after: tuple[str, ...] = ()
    answers = True
    asks = False
    """The readers answer without a model; the translation by the model has not been measured to help yet."""
    facts: type[Contract] = Facts

    async def answer(self, request: Request, earlier: Mapping[str, Finding], model: Model) -> Finding:  # noqa: ARG002
        """What the readers decide; else what a stable translation by the model decides; else it abstains."""
        if solved := logic.solve(request.question, request.language):
            read = _finding(solved)
            # Whoever wants reasons, or another task besides, is not served by the bare answer: it stays evidence.
            return read.model_copy(update={"answer": None}) if logic.asks_more(request.question) else read
        asked = await structured.ask(request, self.name, Translation, SCHEMA, model)
        spent = {"calls": asked.calls, "usage": asked.usage, "seconds": asked.seconds, "repaired": asked.repaired}
        if asked.value is None:
            return Finding(specialist=self.name, status="failed", error=asked.error, **spent)
        try:
            found = decided(asked.value, request.question, request.language)
        except Unstable as fault:
            return Finding(specialist=self.name, status="abstained", error=f"unsure: {fault}"[:500], **spent)
        return _finding(found).model_copy(update=spent)

    def reads(self, request: Request) -> bool:
        """True when the readers decide the question, and nothing else is asked."""
        return bool(logic.solve(request.question, request.language)) and not logic.asks_more(request.question)

    def check(self, request: Request, candidate: Candidate) -> list[Check]:
        """Whether the candidate's answer is what the readers decide; silent where they or the comparison are unsure."""
        if candidate.status != "answered" or candidate.source == f"specialist:{self.name}":
            return []
        solved = logic.solve(request.question, request.language)
        verdict = outcome(candidate.answer, solved, request.question) if solved else None
        if solved is None or verdict is None:
            return []
        at = candidate.text.rfind(candidate.answer) if candidate.answer else -1
        span = (at, at + len(candidate.answer)) if at >= 0 else None
        return [
            Check(
                specialist=self.name,
                kind="entailment",
                outcome=verdict,
                claim=candidate.answer,
                found=solved.answer,
                span=span,
            )
        ]

    def screen(self, text: str, language: Language) -> list[Hit]:  # noqa: ARG002
        """Logic has no policy."""
        return []


def _finding(solved: logic.Solved) -> Finding:
    facts = Facts.model_validate({name: getattr(solved, name) for name in Facts.model_fields})
    return Finding(
        specialist=Logic.name,
        status="ok",
        facts=facts.model_dump(mode="json"),
        answer=solved.answer,
        working=solved.working,
    )


specialist = Logic()
