"""The relation specialist: evidence exists and holds both ends, or there is no triple; cells are looked up."""

from __future__ import annotations

import json

import pytest

from nodes.contracts import Candidate, Check, Finding, Language, Request
from nodes.errors import EngineFault
from nodes.mentions import find
from nodes.specialists import load
from nodes.specialists.entity import Facts as Mentions
from nodes.specialists.relation import SCHEMA, Facts, Plan, specialist
from tests.scripted import ScriptedModel, Step

TEXT = "Omar Said runs the Oslo branch of Tessel GmbH. Said's wife works at Crane Inc. as a clerk. Who works there?"
TABLE = "| name | team | city |\n|---|---|---|\n| Ito | red | Oslo |\n| Kaya | blue | Bonn |\n\nIn which city is Kaya?"
STAFF = "employee,manager\nRoth,Fox\nFox,Mori\nKhan,Fox\n\nWho is the manager of Roth's manager?"


def plan(evidence: str, subject: str, relation: str, target: str, answer: str) -> str:
    values = (evidence, subject, relation, target, answer)
    return json.dumps(dict(zip(Plan.model_fields, values, strict=True)), ensure_ascii=False)


def entities(question: str) -> dict[str, Finding]:
    facts = Mentions(mentions=find(question)).model_dump(mode="json")
    return {"entity": Finding(specialist="entity", status="ok", facts=facts)}


async def found(*script: Step, question: str = TEXT, language: Language = "en") -> Finding:
    with ScriptedModel(list(script)) as model:
        request = Request(run="r", question=question, language=language)
        return await specialist.answer(request, entities(question), model)


def checks(question: str, answer: str, text: str = "", source: str = "branch:0") -> list[Check]:
    candidate = Candidate(source=source, status="answered", answer=answer, text=text or f"So:\n{answer}")
    found = specialist.check(Request(run="r", question=question), candidate)
    assert all(one.span is None or candidate.text[slice(*one.span)] == one.claim for one in found)
    return found


async def test_a_cell_is_looked_up_without_a_call() -> None:
    finding = await found(question=TABLE)
    assert (finding.status, finding.answer, finding.calls) == ("ok", "Bonn", ())
    facts = Facts.model_validate(finding.facts)
    assert (facts.operation, facts.raw, facts.triples[0].evidence) == ("lookup", "Bonn", "table:1,row:3,col:3")
    assert (facts.triples[0].subject, facts.triples[0].relation) == ("Kaya", "city")


async def test_a_triple_is_tied_to_its_evidence_and_takes_canonical_ends() -> None:
    finding = await found(
        plan("Said's wife works at Crane Inc.", "Said", "husband of an employee of", "Crane Inc", "his wife")
    )
    assert (finding.status, finding.answer) == ("ok", "his wife")
    facts = Facts.model_validate(finding.facts)
    (one,) = facts.triples
    assert (one.subject, one.object) == ("Omar Said", "Crane Inc")
    start, end = map(int, one.evidence.removeprefix("chars:").split("-"))
    assert TEXT[start:end] == facts.raw == "Said's wife works at Crane Inc."


async def test_a_coordinate_is_resolved_by_code() -> None:
    finding = await found(plan("table:1,row:2,col:2", "Roth", "manager", "Fox", "Mori"), question=STAFF)
    facts = Facts.model_validate(finding.facts)
    assert (finding.answer, facts.raw) == ("Mori", "employee\tmanager\tRoth\tFox")


@pytest.mark.parametrize(
    "said",
    [
        plan("Omar works at Crane Inc.", "Omar", "works at", "Crane Inc.", "Omar"),
        plan("Said's wife works at Crane Inc.", "Napoleon", "works at", "Crane Inc.", "Napoleon"),
        plan("table:1,row:9,col:9", "Said", "works at", "Crane Inc.", "Said"),
        plan("", "Said", "works at", "Crane Inc.", "Said"),
        plan("Said's wife works at Crane Inc.", "", "works at", "Crane Inc.", "Said"),
    ],
)
async def test_without_evidence_it_abstains(said: str) -> None:
    finding = await found(said)
    assert (finding.status, finding.answer) == ("abstained", None)
    assert "evidence" in finding.error


@pytest.mark.parametrize("script", [("no", "no"), (EngineFault("dead"),)])
async def test_trouble_is_a_failed_finding(script: tuple[Step, ...]) -> None:
    assert (await found(*script)).status == "failed"


async def test_a_failed_entity_finding_is_no_harm() -> None:
    with ScriptedModel(
        [plan("Omar Said runs the Oslo branch", "Omar Said", "runs", "Oslo branch", "Omar Said")]
    ) as model:
        earlier = {"entity": Finding(specialist="entity", status="failed", error="dead")}
        finding = await specialist.answer(Request(run="r", question=TEXT), earlier, model)
    assert finding.answer == "Omar Said"


def test_answers_are_held_against_the_cell() -> None:
    (good,) = checks(TABLE, "Bonn")
    (wrong,) = checks(TABLE, "Oslo")
    assert (good.outcome, wrong.outcome, wrong.kind) == ("pass", "fail", "lookup")
    assert wrong.found == "Bonn (table:1,row:3,col:3)"
    assert [one.outcome for one in checks(TABLE, "Kaya is in Bonn.")] == ["pass"]


def test_cited_coordinates_are_resolved() -> None:
    here, gone = checks(STAFF, "Mori", "By table:1,row:3,col:2 it is Mori, not table:1,row:9,col:1. Mori")
    assert (here.outcome, here.found, gone.outcome) == ("pass", "Mori", "fail")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is 12 * 3?", "36"),
        (TEXT, "his wife"),
        (STAFF, "Fox"),
        (TABLE, ""),
        (TABLE, "It depends on what is meant by a city, " * 5),
        ("Given x | y\n1 | 2, what is x + y?", "3"),
    ],
)
def test_silent_on_anything_else(question: str, answer: str) -> None:
    assert checks(question, answer) == []


def test_its_own_candidate_is_not_checked() -> None:
    assert checks(TABLE, "Oslo", source="specialist:relation") == []
    assert specialist.screen("x", "zh") == []


def test_it_runs_after_entity() -> None:
    order = list(load())
    assert order.index("entity") < order.index("relation")
    assert set(SCHEMA["properties"]) == set(Plan.model_fields)
    assert (specialist.answers, specialist.asks) == (False, False)
