"""rte-b, relation: who stands in what relation to whom, with the evidence that says so.

A question that one cell of a table answers is looked up, without a model call. Else one structured call names subject,
relation and object with its evidence, a quotation or a coordinate; code finds the quotation or resolves the
coordinate, and a triple whose ends are not in its evidence is dropped. Runs after entity, whose canonical forms its
ends take. Its check looks cited coordinates and looked-up cells up again, in every candidate.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from nodes import answers, coordinates, extraction, lookups, structured
from nodes.answers import Context
from nodes.contracts import Candidate, Check, Contract, Finding, Hit, Language, Model, Request
from nodes.documents import tables
from nodes.documents.tables import Table
from nodes.errors import InputError
from nodes.mentions import Mention

LONGEST_TEXT = 20_000
"""Characters of a candidate's text that are checked."""


class Triple(Contract):
    """One relation and where it is said."""

    subject: str
    relation: str
    object: str
    evidence: str
    """Coordinate of a cell or a span of the request."""


class Plan(Contract):
    """What the model is asked for."""

    evidence: str = ""
    """The words that say it, copied, or a coordinate. It comes first: the ends are read off it."""
    subject: str = ""
    relation: str = ""
    object: str = ""
    answer: str = ""


class Facts(Contract):
    """What the specialist found."""

    operation: Literal["lookup", "relation"]
    triples: tuple[Triple, ...] = ()
    raw: str = ""
    """What stands at the evidence, resolved by code."""


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("evidence", "subject", "relation", "object", "answer")},
    "required": ["evidence", "subject", "relation", "object", "answer"],
    "additionalProperties": False,
}
"""Strings only: a small model that may leave an array empty does so."""


class Relation:
    """The relation specialist."""

    id = "rte-b"
    name = "relation"
    after: tuple[str, ...] = ("entity",)
    answers = False
    """Not yet measured to help on the default model."""
    asks = False
    """The same; look-ups and checks stay on."""
    facts: type[Contract] = Facts

    async def answer(self, request: Request, earlier: Mapping[str, Finding], model: Model) -> Finding:
        """The cell that is asked for; else the model's triple, tied to its evidence."""
        if cell := lookups.look_up(request.question):
            triple = Triple(subject=cell.row, relation=cell.column, object=cell.value, evidence=cell.place)
            return _finding(Facts(operation="lookup", triples=(triple,), raw=cell.value), cell.value, cell.place)
        asked = await structured.ask(request, self.name, Plan, SCHEMA, model)
        spent = {"calls": asked.calls, "usage": asked.usage, "seconds": asked.seconds, "repaired": asked.repaired}
        if asked.value is None:
            return Finding(specialist=self.name, status="failed", error=asked.error, **spent)
        return _tied(asked.value, request.question, known(earlier)).model_copy(update=spent)

    def check(self, request: Request, candidate: Candidate) -> list[Check]:
        """Cited coordinates, and the answer to a question that one cell answers; silent on anything else."""
        if candidate.status != "answered" or candidate.source == f"specialist:{self.name}":
            return []
        found = tables.find(request.question)
        if not found:
            return []
        return [*_cited(request.question, candidate, found), *_looked_up(request.question, candidate)]

    def screen(self, text: str, language: Language) -> list[Hit]:  # noqa: ARG002
        """Relations have no policy."""
        return []


def known(earlier: Mapping[str, Finding]) -> dict[str, str]:
    """Canonical form of every mention that the entity specialist found, by its words."""
    finding = earlier.get("entity")
    listed = finding.facts.get("mentions", ()) if finding and finding.status == "ok" else ()
    mentions = [Mention.model_validate(one) for one in listed]
    return {one.text: one.canonical for one in mentions}


def _tied(plan: Plan, question: str, canonical: Mapping[str, str]) -> Finding:
    """The finding of a plan whose evidence exists and holds both ends; otherwise it abstains and says why."""
    place = evidence(plan.evidence, question)
    if place is None:
        return _unsure(f"the evidence does not stand in the request: {plan.evidence[:100]!r}")
    raw = around(place, question)
    ends = [end.strip() for end in (plan.subject, plan.object)]
    if missing := [end for end in ends if not end or not (extraction.locate(end, raw) or _alias(end, raw, canonical))]:
        return _unsure(f"the evidence {raw[:100]!r} does not hold {missing[0][:60]!r}")
    subject, target = (canonical.get(end, end) for end in ends)
    triple = Triple(subject=subject, relation=plan.relation.strip(), object=target, evidence=place)
    return _finding(Facts(operation="relation", triples=(triple,), raw=raw), plan.answer.strip() or None, place)


def _alias(end: str, raw: str, canonical: Mapping[str, str]) -> bool:
    """True when another mention of the same thing stands in the evidence."""
    return any(full == canonical.get(end, end) and extraction.locate(words, raw) for words, full in canonical.items())


def evidence(said: str, question: str) -> str | None:
    """Coordinate of the evidence that a model names: one of its own that exists, or the span of what it quotes."""
    said = said.strip().strip('"“”「」')
    if cited := coordinates.cited(said):
        try:
            tables.resolve(cited[0][0], question, tables.find(question))
        except InputError:
            return None
        return cited[0][0]
    span = extraction.locate(said, question) if len(said) > 1 else None
    return f"chars:{span[0]}-{span[1]}" if span else None


def around(place: str, question: str) -> str:
    """What the evidence says: of a cell its row and heading, of a span the span itself."""
    found = tables.find(question)
    at = coordinates.parse(place)
    if at.table is None or at.row is None:
        return tables.resolve(at, question, found)
    table = found[at.table - 1]
    return "\t".join((*table.rows[0], *table.row(at.row)))


def _cited(question: str, candidate: Candidate, found: Sequence[Table]) -> list[Check]:
    """Whether each coordinate of the text exists, and holds the answer when it is the last one."""
    checks = []
    for cited, span in coordinates.cited(candidate.text[:LONGEST_TEXT])[:20]:
        try:
            raw = tables.resolve(cited, question, found)
        except InputError as fault:
            checks.append(_check("evidence", "fail", cited, str(fault), span))
        else:
            checks.append(_check("evidence", "pass", cited, raw[:200], span))
    return checks


def _looked_up(question: str, candidate: Candidate) -> list[Check]:
    """Whether the answer is the cell that the question asks for."""
    cell = lookups.look_up(question)
    said = re.sub(r"^\W*\w+\W+(?:is|是)\W+", "", candidate.answer.strip())
    if cell is None or not said or len(said) > 4 * len(cell.value) + 40:
        return []
    context = Context.of(question)
    right = any(
        answers.equal(answers.parse(one, context), answers.parse(cell.value, context))
        for one in (candidate.answer, said)
    )
    holds = right or extraction.locate(cell.value, candidate.answer) is not None
    at = candidate.text.rfind(candidate.answer)
    span = (at, at + len(candidate.answer)) if at >= 0 else None
    return [_check("lookup", "pass" if holds else "fail", candidate.answer, f"{cell.value} ({cell.place})", span)]


def _check(kind: str, outcome: Literal["pass", "fail"], claim: str, found: str, span: tuple[int, int] | None) -> Check:
    return Check(specialist=Relation.name, kind=kind, outcome=outcome, claim=claim, found=found, span=span)


def _finding(facts: Facts, answer: str | None, place: str) -> Finding:
    one = facts.triples[0]
    working = f"{one.subject} | {one.relation} | {one.object} ({place})"
    return Finding(
        specialist=Relation.name, status="ok", facts=facts.model_dump(mode="json"), answer=answer, working=working
    )


def _unsure(why: str) -> Finding:
    return Finding(specialist=Relation.name, status="abstained", error=why)


specialist = Relation()
