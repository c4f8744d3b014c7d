"""The style specialist: one call rewrites, code puts the glossary in and looks for what must survive."""

from __future__ import annotations

import pytest

from nodes.contracts import Candidate, Finding, Request
from nodes.errors import EngineFault
from nodes.specialists.style import Facts, Style, specialist
from tests.scripted import Say, ScriptedModel, Step

POLITE = "Make this sound more polite:\nSend `a.txt` to Nadia by 5 pm, see https://a.example now."
GOOD = "Could you please send `a.txt` to Nadia by 5 pm? See https://a.example for details."


async def found(*script: Step, style: Style = specialist, question: str = POLITE) -> Finding:
    with ScriptedModel(list(script)) as model:
        return await style.answer(Request(run="r", question=question), {}, model)


def checked(question: str, answer: str, style: Style = specialist) -> dict[str, str]:
    candidate = Candidate(source="branch:0", status="answered", answer=answer, text=answer)
    return {one.kind: one.outcome for one in style.check(Request(run="r", question=question), candidate)}


async def test_what_survives_is_told() -> None:
    finding = await found(GOOD)
    facts = Facts.model_validate(finding.facts)
    assert (finding.status, finding.answer, len(finding.calls)) == ("ok", GOOD, 1)
    assert (facts.tone, facts.lost) == ("polite", ())
    assert set(facts.preserved) == {"a.txt", "https://a.example", "5", "Nadia"}
    assert Facts.model_validate((await found("Please send it.")).facts).lost == (
        *("a.txt", "https://a.example", "5", "Nadia"),
    )


async def test_the_glossary_is_put_in_by_code() -> None:
    finding = await found(
        "Please log in.", style=Style({"log in": "sign in"}), question="Rewrite this: log in there now"
    )
    assert finding.answer == "Please sign in."
    assert Facts.model_validate(finding.facts).glossary == {"log in": "sign in"}


async def test_trouble_is_a_failed_finding() -> None:
    assert (await found(Say("Could", finish="length"))).error.startswith("parse_error")
    assert (await found(Say(" "))).status == "failed"
    assert (await found(EngineFault("died"))).error == "engine_fault: died"


def test_all_kept() -> None:
    kinds = ("code", "url", "numbers", "names", "language", "length")
    assert checked(POLITE, GOOD) == dict.fromkeys(kinds, "pass")


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("code", GOOD.replace("a.txt", "b.txt")),
        ("url", GOOD.replace("https://a.example", "the site")),
        ("numbers", GOOD.replace("5", "6")),
        ("names", GOOD.replace("Nadia", "her")),
        ("language", "请在 5 点前把 `a.txt` 发给 Nadia，详见网站 https://a.example 上面的说明，谢谢您。"),
        ("length", GOOD * 9),
    ],
)
def test_what_is_lost_fails(kind: str, answer: str) -> None:
    assert [name for name, outcome in checked(POLITE, answer).items() if outcome == "fail"] == [kind]


def test_a_translation_and_a_summary_are_judged_mildly() -> None:
    assert checked("Translate into Chinese: Nadia has 3 cats.", "娜迪亚有三只猫。") == {"language": "pass"}
    shorter = checked("Shorten this: Nadia Holt of Leeds has, as it were, 3 cats.", "She has 3 cats.")
    assert shorter == {"numbers": "pass", "language": "pass", "length": "pass"}
    assert checked("Shorten this: 春天来了，花开了。", "春天来了，花儿都开了。")["length"] == "fail"


@pytest.mark.parametrize(
    "question",
    ["What is 3 + 4?", "小明有3个苹果，吃了1个，还剩几个？", "Simplify: $\\frac{2}{4}$", "Write a poem.", ""],
)
def test_silent_on_what_is_not_its_own(question: str) -> None:
    assert checked(question, "7") == {}
    assert specialist.screen("7", "en") == []


def test_terms_of_the_glossary_may_go() -> None:
    question = "Rewrite this formally: we use the Gizmo daily"
    assert checked(question, "The Apparatus is used every day.")["names"] == "fail"
    assert "names" not in checked(question, "The Apparatus is used every day.", Style({"Gizmo": "Apparatus"}))
