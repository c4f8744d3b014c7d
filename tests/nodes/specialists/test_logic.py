"""The logic specialist: readers answer without a call, an unstable translation abstains, checks "
"are silent when unsure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes import logic
from nodes.answers import Context, equal, parse
from nodes.contracts import Candidate, Finding, Language, Request
from nodes.errors import EngineFault
from nodes.logic.translation import Translation
from nodes.specialists import consult
from nodes.specialists.logic import SCHEMA, Facts, specialist
from tests.scripted import Say, ScriptedModel, Step

MEETING = "只有张三或李四去开会，王五才会去。如果王五去了，那么谁一定在？"
GARDEN = "Mia waters the garden whenever the soil is dry and nobody is home. The soil is dry. Will Mia water it?"
CASES = [json.loads(line) for line in Path("evals/requests/logic.jsonl").read_text(encoding="utf-8").splitlines()]


def translation(premises: str = "dry and home -> waters; dry", claim: str = "waters", verdict: str = "unknown") -> str:
    return json.dumps({"premises": premises, "claim": claim, "verdict": verdict}, ensure_ascii=False)


async def found(*script: Step, question: str = GARDEN, language: Language = "en") -> Finding:
    with ScriptedModel(list(script)) as model:
        return await specialist.answer(Request(run="r", question=question, language=language), {}, model)


def checked(question: str, answer: str, language: Language = "en", **more: Any) -> list[str]:
    fields = {
        "source": "branch:0",
        "status": "answered",
        "answer": answer,
        "text": f"So the answer is {answer}.",
    } | more
    return [
        one.outcome
        for one in specialist.check(Request(run="r", question=question, language=language), Candidate(**fields))
    ]


async def test_a_regular_wording_takes_no_call() -> None:
    finding = await found(question=MEETING, language="zh")
    assert (finding.status, finding.calls) == ("ok", ())
    assert finding.answer == "张三和李四中至少有一人，但不能确定是哪一个"
    facts = Facts.model_validate(finding.facts)
    assert (facts.reader, facts.status) == ("statements", "unknown")
    assert facts.premises == ("去开会(王五) -> (去开会(张三) or 去开会(李四))", "去开会(王五)")


@pytest.mark.parametrize(
    ("more", "answer"),
    [
        ("", "Tom"),
        (" Answer with the name only.", "Tom"),
        (" Explain your reasoning.", None),
        (' Reply as JSON: {"answer": ...}', None),
    ],
)
async def test_who_wants_more_than_a_short_answer_gets_the_finding_as_evidence(more: str, answer: str | None) -> None:
    question = "Tom is taller than Sam. Sam is taller than Kim. Who is the tallest?"
    finding = await found(question=question + more)
    assert (finding.status, finding.answer) == ("ok", answer)
    assert finding.facts["status"] == "entailed"


async def test_a_stable_translation_is_decided() -> None:
    finding = await found(translation())
    assert (finding.status, finding.answer, len(finding.calls)) == ("ok", "Cannot be determined", 1)
    assert Facts.model_validate(finding.facts).reader == "model"


async def test_an_unstable_translation_abstains() -> None:
    finding = await found(translation(verdict="yes"))
    assert (finding.status, finding.answer) == ("abstained", None)
    assert finding.error == "unsure: the model answers 'yes', its translation says unknown"
    assert len(finding.calls) == 1


async def test_a_broken_object_is_repaired_once_then_failed() -> None:
    mended = await found("no", translation())
    assert (mended.status, mended.repaired, len(mended.calls)) == ("ok", True, 2)
    broken = await found("no", Say(translation(), finish="length"))
    assert (broken.status, broken.answer) == ("failed", None)


async def test_an_engine_error_is_a_failed_finding() -> None:
    finding = await found(EngineFault("died"))
    assert (finding.status, finding.error) == ("failed", "engine_fault: died")


async def test_by_default_the_model_is_not_asked() -> None:
    with ScriptedModel([]) as model:
        request = Request(run="r", question=GARDEN)
        assert (await consult(specialist, request, {}, model)).status == "abstained"
        known = Request(run="r", question=MEETING, language="zh")
        assert (await consult(specialist, known, {}, model)).status == "ok"


def test_the_schema_is_that_of_the_translation() -> None:
    assert set(SCHEMA["properties"]) == set(Translation.model_fields)
    assert {one["type"] for one in SCHEMA["properties"].values()} == {"string"}


def test_checks_on_a_candidate() -> None:
    question = "Tom is taller than Sam. Sam is taller than Kim. Who is the tallest?"
    assert checked(question, "Tom") == ["pass"]
    assert checked(question, "Kim") == ["fail"]
    assert checked(question, "Kim", status="unreadable") == []
    assert checked(question, "Kim", source="specialist:logic") == []
    assert checked(GARDEN, "yes") == []
    (check,) = specialist.check(
        Request(run="r", question=question),
        Candidate(source="branch:0", status="answered", answer="Kim", text="It is Kim"),
    )
    assert (check.specialist, check.kind, check.claim, check.found, check.span) == (
        "logic",
        "entailment",
        "Kim",
        "Tom",
        (6, 9),
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_what_the_readers_say_of_our_requests_is_the_gold(case: dict[str, Any]) -> None:
    solved = logic.solve(case["text"], case["lang"])
    if solved is not None:
        context = Context.of(case["text"])
        assert equal(parse(solved.answer, context), parse(case["gold"], context))


def test_the_readers_cover_the_requests_they_were_made_with() -> None:
    """Those of the closing half were not looked at; see the report for both."""
    covered = [case["id"] for case in CASES if case["half"] == "dev" and logic.solve(case["text"], case["lang"])]
    assert len(covered) == 24


WORDS = (
    "if then only unless all some no not every either or and neither nor is are Tom Ann the red book left right of "
    "than taller says lies truth ? . , \n (A) (B) 如果 只有 才 除非 否则 张三 李四 或 和 去 吗 ？ 。 ， 比 高 最 谁 "
    "所有 都 是 不 “ ”"
)
PIECES = st.sampled_from(WORDS.split(" "))


@given(
    st.lists(PIECES, max_size=40).map(" ".join) | st.lists(PIECES, max_size=40).map("".join),
    st.sampled_from(["en", "zh"]),
)
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_or_not(question: str, language: Language) -> None:
    solved = logic.solve(question, language)
    assert solved is None or solved.answer


@pytest.mark.parametrize(
    "question",
    [
        "",
        "?",
        "？",
        "\x00",
        "😀" * 500,
        "(" * 6_000,
        "not " * 1_500,
        "if " * 2_000,
        "如果" * 3_000,
        "或" * 6_000,
        "Tom is taller than Sam. " * 240,
        "所有人都是人。" * 800,
        "A" * 100_000,
        "and or " * 800,
        ", and a " * 700,
        "张三或李四" * 1_000,
        "只有张三才" * 1_000,
        "Take 1 step. " * 450 + "Do you return to the starting point?",
        "Ann says Ben lies. " * 300 + "Does Ann tell the truth?",
        "(A) " * 1_400,
        "“" * 5_000,
        "all x " * 900 + "?",
    ],
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_huge_and_hostile_questions_end_in_silence(question: str, language: Language) -> None:
    assert logic.solve(question, language) is None or "step" in question
    assert checked(question, "yes", language, text="yes" * 30_000) in ([], ["fail"])
