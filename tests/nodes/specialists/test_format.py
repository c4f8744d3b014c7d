"""The format specialist: by code where that is possible, one call otherwise, and checks that are silent in doubt."""

from __future__ import annotations

import json

import pytest

from nodes.contracts import Candidate, Finding, Request
from nodes.errors import EngineFault, ModelCallOff
from nodes.specialists import Unasked
from nodes.specialists.format import Facts, specialist
from tests.scripted import Say, ScriptedModel, Step

SCHEMA = '{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}'
BY_SCHEMA = f"Write JSON for this schema.\n```json\n{SCHEMA}\n```"


async def found(question: str, *script: Step) -> Finding:
    with ScriptedModel(list(script)) as model:
        return await specialist.answer(Request(run="r", question=question), {}, model)


def checked(question: str, answer: str, text: str | None = None, reading: str = "whole") -> list[tuple[str, str]]:
    candidate = Candidate(source="branch:0", status="answered", answer=answer, text=text or answer, reading=reading)
    return [(one.kind, one.outcome) for one in specialist.check(Request(run="r", question=question), candidate)]


async def test_a_repair_takes_no_call() -> None:
    finding = await found("Fix this JSON:\n{'a': 1,}")
    assert (finding.status, finding.answer, finding.calls) == ("ok", '{"a": 1}', ())
    facts = Facts.model_validate(finding.facts)
    assert (facts.how, facts.conforms, facts.repairs) == ("repaired", True, ("quotes", "comma"))


async def test_a_call_is_held_to_the_schema_of_the_user() -> None:
    with ScriptedModel(['{"a": 1}']) as model:
        finding = await specialist.answer(Request(run="r", question=BY_SCHEMA), {}, model)
        (call,) = model.calls
    assert call.json_schema == json.loads(SCHEMA)
    assert "- schema" in call.messages[-1].content
    assert Facts.model_validate(finding.facts).conforms


@pytest.mark.parametrize(
    ("question", "reply", "output", "unmet"),
    [
        ("Answer in exactly two sentences.", "One. Two.", "One. Two.", ()),
        ("Answer in exactly two sentences.", "One.", "One.", ("sentences",)),
        ("Give me JSON format.", "{'a': 1,}", '{"a": 1}', ()),
        ("Give me JSON format.", 'Sure:\n```json\n{"a": 1}\n```\nDone.', '{"a": 1}', ()),
        ("Give me JSON format.", "I cannot.", "I cannot.", ("json",)),
    ],
)
async def test_a_reply_is_mended_and_tested(question: str, reply: str, output: str, unmet: tuple[str, ...]) -> None:
    finding = await found(question, reply)
    facts = Facts.model_validate(finding.facts)
    assert (finding.answer, facts.unmet, facts.conforms) == (output, unmet, not unmet)
    assert len(finding.calls) == 1


async def test_nothing_that_can_be_tested_is_abstained() -> None:
    assert (await found("Tell me about the moon.")).status == "abstained"


async def test_trouble_is_a_failed_finding() -> None:
    assert (await found("Give me JSON format.", Say('{"a": ', finish="length"))).error.startswith("parse_error")
    assert (await found("Give me JSON format.", EngineFault("died"))).error == "engine_fault: died"


async def test_without_a_model_only_repairs_answer() -> None:
    assert (
        await specialist.answer(Request(run="r", question="Fix this JSON:\n{'a': 1}"), {}, Unasked())
    ).status == "ok"
    with pytest.raises(ModelCallOff):
        await specialist.answer(Request(run="r", question="Give me JSON format."), {}, Unasked())


def test_a_candidate_is_tested_against_each_demand() -> None:
    question = "Answer with at most 3 words. Do not use any commas."
    assert checked(question, "one two three") == [("words", "pass"), ("no_comma", "pass")]
    assert checked(question, "one, two, three, four") == [("words", "fail"), ("no_comma", "fail")]
    candidate = Candidate(source="branch:0", status="answered", answer="a, b", text="a, b", reading="whole")
    one = specialist.check(Request(run="r", question=question), candidate)[1]
    assert (one.claim, one.found, one.span) == ("a, b", "Do not use any commas.: 1 commas", (0, 4))


def test_a_part_of_a_text_is_not_counted() -> None:
    question = "Use at least 50 words. Answer in JSON format."
    assert checked(question, '{"a": 1}', 'First I think.\nANSWER: {"a": 1}', "answer_line") == [("json", "pass")]


@pytest.mark.parametrize(
    ("question", "status", "answer"),
    [
        ("What is 3 + 4?", "answered", "7"),
        ("小明有3个苹果，吃了1个，还剩几个？", "answered", "2"),
        ("Give me JSON format.", "failed", ""),
        ("Give me JSON format.", "answered", "  "),
    ],
)
def test_silent_on_what_is_not_its_own(question: str, status: str, answer: str) -> None:
    candidate = Candidate.model_validate({"source": "branch:0", "status": status, "answer": answer, "text": answer})
    assert specialist.check(Request(run="r", question=question), candidate) == []


def test_mend_and_screen() -> None:
    request = Request(run="r", question="Give me JSON format.")
    assert specialist.mend(request, "{'a': 1}") == ('{"a": 1}', ("json:quotes",))
    assert specialist.screen("{", "en") == []
