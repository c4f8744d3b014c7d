"""The entity specialist: spans are found by code, what the text does not hold is sent back once and then dropped."""

from __future__ import annotations

import json
from typing import Any

import pytest

from nodes.contracts import Candidate, Check, Finding, Language, Request
from nodes.errors import EngineFault
from nodes.specialists import consult
from nodes.specialists.entity import SCHEMA, Facts, Plan, specialist
from tests.scripted import ScriptedModel, Step

TEXT = "Dr Hanna Vogt met Luis Ferrer at the Calder Institute on 3 May 2024; Vogt wrote to hv@example.org."
PEOPLE = f"List the people in the text.\n{TEXT}"


def plan(mentions: str, answer: str) -> str:
    return json.dumps({"mentions": mentions, "answer": answer}, ensure_ascii=False)


async def found(*script: Step, question: str = PEOPLE, language: Language = "en") -> Finding:
    with ScriptedModel(list(script)) as model:
        return await specialist.answer(Request(run="r", question=question, language=language), {}, model)


def checks(question: str, answer: str, source: str = "branch:0") -> list[Check]:
    candidate = Candidate(source=source, status="answered", answer=answer, text=f"I found:\n{answer}")
    found = specialist.check(Request(run="r", question=question), candidate)
    assert all(one.span is None or candidate.text[slice(*one.span)] == one.claim for one in found)
    return found


async def test_mentions_get_spans_kinds_and_canonical_forms() -> None:
    finding = await found(
        plan("person: Hanna Vogt; Luis Ferrer; person: Vogt; place: Calder Institute", "Hanna Vogt; Luis Ferrer")
    )
    assert (finding.status, finding.answer) == ("ok", "Hanna Vogt; Luis Ferrer")
    facts = Facts.model_validate(finding.facts)
    assert all(PEOPLE[one.start : one.end] == one.text for one in facts.mentions)
    by_text = {(one.text, one.kind, one.by): one.canonical for one in facts.mentions}
    assert by_text["3 May 2024", "date", "rule"] == "2024-05-03"
    assert by_text["Luis Ferrer", "person", "model"] == "Luis Ferrer"
    assert facts.dropped == ()


async def test_what_the_text_does_not_hold_is_repaired_once() -> None:
    finding = await found(plan("person: Hanna Voigt", "Hanna Voigt"), plan("person: Hanna Vogt", "Hanna Vogt"))
    assert (finding.answer, finding.repaired, len(finding.calls)) == ("Hanna Vogt", True, 2)


async def test_and_then_dropped() -> None:
    lie = plan("person: Hanna Vogt; person: Napoleon", "Hanna Vogt; Napoleon")
    finding = await found(lie, lie)
    assert (finding.status, finding.answer, len(finding.calls)) == ("ok", "Hanna Vogt", 2)
    facts = Facts.model_validate(finding.facts)
    assert "Napoleon" in facts.dropped
    assert "Napoleon" not in {one.text for one in facts.mentions}


async def test_a_repeated_mention_gets_the_next_place() -> None:
    question = "List the people in the text.\nAnn saw Ann, and Ann laughed at the mirror."
    finding = await found(plan("person: Ann; person: Ann", "Ann"), question=question)
    starts = [one.start for one in Facts.model_validate(finding.facts).mentions if one.by == "model"]
    assert starts == [question.index("Ann"), question.index("Ann", question.index("Ann") + 1)]


@pytest.mark.parametrize(
    ("question", "language", "answer"),
    [
        (f"Find all dates in the text.\n{TEXT}", "en", "3 May 2024"),
        (f"Extract all e-mail addresses in this message.\n{TEXT}", "en", "hv@example.org"),
        ("列出文中的日期。\n合同2019年3月5日签订，2021年4月1日续签，房间2022。", "zh", "2019年3月5日；2021年4月1日"),
    ],
)
async def test_what_has_a_form_of_its_own_takes_no_call(question: str, language: Language, answer: str) -> None:
    finding = await found(question=question, language=language)
    assert (finding.status, finding.answer, finding.calls) == ("ok", answer, ())


async def test_without_the_model_the_rules_stay() -> None:
    with ScriptedModel([]) as model:
        finding = await consult(specialist, Request(run="r", question=PEOPLE), {}, model)
        nothing = await consult(specialist, Request(run="r", question="no names here"), {}, model)
    assert (finding.status, finding.answer) == ("ok", None)
    assert "Hanna Vogt" in {one["canonical"] for one in finding.facts["mentions"]}
    assert nothing.status == "abstained"


@pytest.mark.parametrize("script", [("no", "no"), (EngineFault("dead"),), ('{"mentions": 5}', "[]")])
async def test_trouble_is_a_failed_finding(script: tuple[Step, ...]) -> None:
    finding = await found(*script)
    assert (finding.status, finding.answer) == ("failed", None)
    assert finding.error


def test_items_are_looked_up() -> None:
    passed, failed = checks(PEOPLE, "- Hanna Vogt\n- Napoleon Bonaparte")
    assert (passed.outcome, passed.found) == ("pass", f"chars:{PEOPLE.index('Hanna')}-{PEOPLE.index('Hanna') + 10}")
    assert (failed.outcome, failed.claim, failed.kind) == ("fail", "Napoleon Bonaparte", "mention")
    zh = "找出下面这段话里的人名。\n王海涛在苏州见到了李文静，赵敏没有到场，大家都很失望。"
    assert [one.outcome for one in checks(zh, "王海涛、李文静、诸葛亮")] == ["pass", "pass", "fail"]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is 12 * 3?", "Napoleon; 36"),
        ("Tom has 3 apples and eats 1. How many are left?", "2"),
        ("List five people of the French Revolution.", "Napoleon; Danton"),
        (PEOPLE, "None"),
        (PEOPLE, "Hanna Ferrer"),
        (PEOPLE, "汉娜；路易斯"),
        (PEOPLE, "The people in this text are a doctor, whose name is given, and a second person who meets her there."),
        (f"List the people in the text, in upper case.\n{TEXT}", "NAPOLEON BONAPARTE"),
        (PEOPLE, ""),
    ],
)
def test_silent_where_it_is_not_sure(question: str, answer: str) -> None:
    assert checks(question, answer) == []


def test_its_own_candidate_and_unread_ones_are_not_checked() -> None:
    assert checks(PEOPLE, "Napoleon Bonaparte", "specialist:entity") == []
    unread = Candidate(source="branch:0", status="unreadable", text="Napoleon Bonaparte")
    assert specialist.check(Request(run="r", question=PEOPLE), unread) == []
    assert specialist.screen("Hanna", "en") == []


def test_the_schema_is_that_of_the_plan() -> None:
    kinds: dict[str, Any] = SCHEMA["properties"]
    assert set(kinds) == set(Plan.model_fields)
    assert (specialist.answers, specialist.asks, specialist.after) == (False, False, ())
