"""The numeric specialist: the model sets up, the value is computed; trouble is a finding that says so."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from nodes.contracts import Candidate, Finding, Language, Request
from nodes.errors import EngineFault
from nodes.specialists.numeric import SCHEMA, Facts, Plan, decimal, quantities, specialist
from tests.scripted import Say, ScriptedModel, Step

PAY = "Weng earns 12 dollars an hour. Yesterday she did 50 minutes. How much did she earn?"


def plan(expression: str, unit: str = "dollars", reasoning: str = "") -> str:
    return json.dumps({"reasoning": reasoning, "expression": expression, "unit": unit}, ensure_ascii=False)


async def found(*script: Step, question: str = PAY, language: Language = "en") -> Finding:
    with ScriptedModel(list(script)) as model:
        return await specialist.answer(Request(run="r", question=question, language=language), {}, model)


async def test_the_value_is_computed_from_the_expression() -> None:
    finding = await found(plan("12 * (50 / 60)", reasoning="50 minutes are 50 / 60 hours, at 12 dollars an hour."))
    assert (finding.status, finding.answer) == ("ok", "10 dollars")
    facts = Facts.model_validate(finding.facts)
    assert (facts.operation, facts.value, facts.expression) == ("arithmetic", "10", "12 * (50 / 60)")
    assert [(one.value, one.unit) for one in facts.quantities] == [("12", "dollars"), ("50", "minutes")]
    assert finding.working.endswith("an hour.\n12 * (50 / 60) = 10")
    assert len(finding.calls) == 1


@pytest.mark.parametrize(
    ("expression", "unit", "answer"),
    [
        ("21 / 2", "", "10.5"),
        ("2 * 5", "euros", "10"),
        ("2 × 5 = 12", "", "10"),
        ("answer = 2 * 5 = 12", "", "10"),
        ("\\frac{20}{2}", "", "10"),
        ("1 / 3", "", "1/3"),
        ("200 / 7", "", "200/7"),
        ("200 / 13", "", "15.38"),
        ("a = 12 * 2\nb = a / 4\nanswer = a + b", "", "30"),
    ],
)
async def test_how_answers_are_written(expression: str, unit: str, answer: str) -> None:
    assert (await found(plan(expression, unit))).answer == answer


async def test_chinese_unit() -> None:
    assert (await found(plan("3 × 5", "元"), question="一本书3元，5本书多少元？", language="zh")).answer == "15元"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("It costs $1,200 or 3.5 euros per day, 20% off.", [("1,200", "$"), ("3.5", "euros per day"), ("20", "%")]),
        ("每小时12元，做了50分钟", [("12", "元"), ("50", "分钟")]),
        ("None at all.", []),
    ],
)
def test_quantities_of_a_question(question: str, expected: list[tuple[str, str]]) -> None:
    assert [(one.value, one.unit) for one in quantities(question)] == expected


async def test_the_calendar_takes_no_call() -> None:
    finding = await found(question="What day of the week is it 100 days after January 15, 2024?")
    assert (finding.status, finding.answer, finding.calls) == ("ok", "Wednesday", ())
    assert Facts.model_validate(finding.facts).operation == "calendar"


@pytest.mark.parametrize("line", ["x + 1", "1 / 0", "", "9^9^9", "__import__('os')"])
async def test_what_cannot_be_computed_is_abstained(line: str) -> None:
    finding = await found(plan(line))
    assert (finding.status, finding.answer) == ("abstained", None)
    assert finding.error.startswith("no value: ")
    assert len(finding.calls) == 1


async def test_a_broken_object_is_repaired_once() -> None:
    finding = await found("no", plan("1 + 1", ""))
    assert (finding.status, finding.answer, finding.repaired, len(finding.calls)) == ("ok", "2", True, 2)


async def test_twice_broken_is_failed() -> None:
    finding = await found("no", Say(plan("1"), finish="length"))
    assert (finding.status, finding.answer) == ("failed", None)
    assert finding.error.startswith("parse_error")


async def test_an_engine_error_is_a_failed_finding() -> None:
    finding = await found(EngineFault("died"))
    assert (finding.status, finding.error) == ("failed", "engine_fault: died")


def test_the_schema_uses_the_safe_part_of_json_schema_only() -> None:
    def kinds(schema: dict[str, Any]) -> set[str]:
        inner = [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]
        return {schema["type"]}.union(*(kinds(one) for one in inner))

    assert kinds(SCHEMA) <= {"object", "array", "string"}
    assert set(SCHEMA["properties"]) == set(Plan.model_fields)


def test_checks_are_claims_of_the_text() -> None:
    text = "First 14 + 18 = 32.\nThen 32 + 36 = 78."
    candidate = Candidate(source="branch:0", status="answered", answer="78", text=text)
    good, bad, _ = specialist.check(Request(run="r", question="?"), candidate)
    assert (good.outcome, bad.outcome, bad.claim, bad.found) == ("pass", "fail", "32 + 36 = 78", "68")
    assert (bad.specialist, bad.kind) == ("numeric", "arithmetic")
    assert bad.span is not None
    assert text[slice(*bad.span)] == bad.claim


def test_nothing_to_check_and_nothing_to_screen() -> None:
    assert specialist.check(Request(run="r", question="?"), Candidate(source="branch:0", status="failed")) == []
    assert specialist.screen("12 + 12 = 25", "en") == []


def test_decimal() -> None:
    assert [decimal(Fraction(text)) for text in ("10", "2/3", "1/13", "100000/7", "20000/13")] == [
        "10",
        "2/3",
        "0.07692",
        "100000/7",
        "1538.46",
    ]


def test_the_answer_that_follows_from_a_slip_is_named() -> None:
    request = Request(run="r", question="How many pens are there?")
    text = "There are 3 * 12 = 38 pens in boxes.\n38 + 4 = 42 in all.\nANSWER: 42"
    candidate = Candidate(source="branch:0", status="answered", answer="42", text=text)
    *steps, carried = specialist.check(request, candidate)
    assert [step.outcome for step in steps] == ["fail", "pass"]
    assert (carried.kind, carried.outcome, carried.claim, carried.found) == ("answer", "fail", "42", "40")
    sound = candidate.model_copy(update={"text": text.replace("38", "36").replace("42", "40"), "answer": "40"})
    assert {step.kind for step in specialist.check(request, sound)} == {"arithmetic"}


def test_a_whole_reply_is_not_replaced_by_a_number() -> None:
    request = Request(run="r", question="How many pens are there?")
    prose = Candidate(source="branch:0", status="answered", answer="3 * 12 = 38", text="3 * 12 = 38", reading="whole")
    assert [step.kind for step in specialist.check(request, prose)] == ["arithmetic"]
