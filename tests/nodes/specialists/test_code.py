"""The code specialist: observed answers need no model, the model's trace is schema-checked, checks never invent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.contracts import Candidate, Check, Finding, Language, Request
from nodes.errors import EngineFault, ModelCallOff
from nodes.sandbox import Limits
from nodes.source.solving import alike
from nodes.specialists import Unasked, consult
from nodes.specialists.code import SCHEMA, Code, Facts, Plan, described, specialist
from tests.scripted import Say, ScriptedModel, Step

CASES = [json.loads(line) for line in Path("evals/requests/code.jsonl").read_text(encoding="utf-8").splitlines()]
PATIENT = Limits(seconds=30)
CALLED = "What does f(3) return?\n```python\ndef f(n):\n    return [n] * n\n```"
OPEN = "Why so?\n```python\ndef f(a=[]):\n    assert a\n    return g(a)\n\ndef g(a):\n    raise ValueError(a)\n```"
CLASSY = "What does this print?\n```python\nclass A:\n    x = 4\nprint(A().x)\n```"


def request(question: str, language: Language = "en") -> Request:
    return Request(run="r", question=question, language=language)


def candidate(text: str, answer: str = "", source: str = "branch:0") -> Candidate:
    return Candidate(source=source, status="answered" if answer else "unreadable", answer=answer, text=text)


def plan(answer: str, defect: str = "", trace: str = "") -> str:
    return json.dumps({"trace": trace, "defect": defect, "answer": answer}, ensure_ascii=False)


async def found(*script: Step, question: str = OPEN, language: Language = "en") -> Finding:
    with ScriptedModel(list(script)) as model:
        return await specialist.answer(request(question, language), {}, model)


async def test_what_a_program_decides_takes_no_call() -> None:
    finding = await found(question=CALLED)
    assert (finding.status, finding.answer, finding.calls) == ("ok", "[3, 3, 3]", ())
    assert finding.working == "returns: f(3) -> [3, 3, 3]"
    facts = Facts.model_validate(finding.facts)
    assert (facts.language, facts.asked, facts.by) == ("python", "returns", "evaluation")


async def test_what_is_beyond_evaluation_is_run_only_when_allowed() -> None:
    refused = await Code().answer(request(CLASSY), {}, Unasked())
    assert (refused.status, refused.answer, Facts.model_validate(refused.facts).by) == ("ok", None, "nothing")
    allowed = await Code(PATIENT).answer(request(CLASSY), {}, Unasked())
    assert (allowed.answer, Facts.model_validate(allowed.facts).by) == ("4", "run")


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
async def test_no_observed_answer_is_wrong(case: dict[str, Any]) -> None:
    """Its own requests, with running allowed: right or silent."""
    finding = await Code(PATIENT).answer(request(case["text"], case["lang"]), {}, Unasked())
    assert finding.status == "ok"
    assert finding.answer is None or alike(case["gold"], finding.answer)
    assert (finding.answer is None) == (case["proof"]["kind"] == "mended")


async def test_the_model_traces_and_the_facts_are_read_off() -> None:
    finding = await found(plan("the default is shared", "line 1: mutable default", "f is called once."))
    assert (finding.answer, finding.working, len(finding.calls)) == ("the default is shared", "f is called once.", 1)
    facts = Facts.model_validate(finding.facts)
    assert facts.by == "model"
    assert facts.calls == ("f -> g",)
    assert facts.raises == ("2: AssertionError", "6: ValueError")
    assert [(one.line, one.kind) for one in facts.defects] == [(1, "mutable default"), (0, "traced")]
    assert "function f: parameter a" in facts.scopes


async def test_without_the_model_the_facts_alone_are_a_finding() -> None:
    finding = await consult(specialist, request(OPEN), {}, Unasked())
    assert (finding.status, finding.answer, finding.calls) == ("ok", None, ())
    assert Facts.model_validate(finding.facts).calls == ("f -> g",)


async def test_without_model_and_without_code_it_abstains() -> None:
    with pytest.raises(ModelCallOff):
        await specialist.answer(request("How do I sort a list in Python?"), {}, Unasked())
    assert (await consult(specialist, request("排序用什么算法好？", "zh"), {}, Unasked())).status == "abstained"


async def test_repaired_once_then_failed() -> None:
    mended = await found("no", plan("3"))
    assert (mended.answer, mended.repaired, len(mended.calls)) == ("3", True, 2)
    twice = await found("no", Say(plan("3"), finish="length"))
    assert (twice.status, twice.answer) == ("failed", None)
    assert twice.error.startswith("parse_error")


async def test_engine_errors_and_empty_answers_are_findings() -> None:
    dead = await found(EngineFault("died"))
    assert (dead.status, dead.error) == ("failed", "engine_fault: died")
    assert (await found(plan("  "))).status == "abstained"


def test_the_schema_is_strings_and_the_contract_s_fields() -> None:
    assert {one["type"] for one in SCHEMA["properties"].values()} == {"string"}
    assert set(SCHEMA["properties"]) == set(SCHEMA["required"]) == set(Plan.model_fields)


@pytest.mark.parametrize(
    ("question", "language"),
    [("", ""), ("x", ""), ("```rust\nfn main() {}\n```", "rust"), ("```py\nx = (\n```", "python"), (CALLED, "python")],
)
def test_the_language_of_a_question(question: str, language: str) -> None:
    assert described(question).language == language


# ---- checks


def outcomes(found: list[Check]) -> list[tuple[str, str, str, str]]:
    return [(one.kind, one.outcome, one.claim, one.found) for one in found]


def check(text: str, answer: str = "", question: str = "How much is it?") -> list[tuple[str, str, str, str]]:
    found = specialist.check(request(question), candidate(text, answer))
    for one in found:
        assert one.specialist == "code"
        assert one.span is None or one.claim.splitlines()[0] in text[slice(*one.span)]
    return outcomes(found)


PROGRAM = "So:\n```python\nprice = 12 * 2\nprint(price)\n```\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PROGRAM + "```output\n24\n```", [("output", "pass", "24", "24")]),
        (PROGRAM + "```output\n25\n```", [("output", "fail", "25", "24")]),
        (PROGRAM + "The output is:\n```\n25\n```", [("output", "fail", "25", "24")]),
        (PROGRAM + "Output: 25", [("output", "fail", "25", "24")]),
        (PROGRAM + "输出：25", [("output", "fail", "25", "24")]),
        (PROGRAM + "程序的输出结果为：24\n", [("output", "pass", "24", "24")]),
        (PROGRAM + "That is 25 dollars.", []),
        (PROGRAM + "```python\nx = 25\n```", []),
        (PROGRAM + "```output\n25", []),
        ("```python\nprint(10 / 3)\n```\n```output\n3.33\n```", [("output", "pass", "3.33", "3.3333333333333335")]),
        ("```python\nprint(10 / 3)\n```\n```output\n3.4\n```", [("output", "fail", "3.4", "3.3333333333333335")]),
        ("```python\nprint(1 / 0)\n```\n```output\n0\n```", [("output", "fail", "0", "ZeroDivisionError")]),
        ("```python\nprint(1 / 0)\n```\n```output\nZeroDivisionError\n```", []),
        ("```python\nimport os\nprint(os.getcwd())\n```\n```output\n/\n```", []),
        ("```python\nprint({str(n) for n in range(9)})\n```\n```output\n{}\n```", []),
    ],
)
def test_stated_output_against_the_real_one(text: str, expected: list[tuple[str, str, str, str]]) -> None:
    assert check(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```python\nif x = 1:\n    pass\n```", [("syntax", "fail", "if x = 1:", "line 1: invalid syntax")]),
        ("```python\nprint(total)\n```", [("names", "fail", "print(total)", "nothing binds 'total'")]),
        ("```python\ntotal = 1\n```\n```python\nprint(total)\n```", []),
        ("```python\nfrom x import *\nprint(total)\n```", []),
        ("```python\ny = total + 1\n```", []),
        ("```python\nprint(np.mean([1]), math.pi)\n```", []),
        ("```python\n>>> print(total)\n```", []),
        ("```python\nprint 'total'\n```", []),
        ("```python\ndef f():\n    ...\n```", []),
        ("```python\nif x = 1", []),
        ("```js\nif (x = 1) {\n```", []),
        ("```\nif x = 1:\n```", []),
    ],
)
def test_syntax_and_names(text: str, expected: list[tuple[str, str, str, str]]) -> None:
    found = check(text)
    assert [one[:3] for one in found] == [one[:3] for one in expected]
    assert [one[3].split(".")[0] for one in found] == [one[3] for one in expected]


def test_names_of_the_question_are_known() -> None:
    assert check("```python\nprint(total)\n```", question="Print `total`, please") == []


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("[3, 3, 3]", "pass"),
        ("`[3,3,3]`", "pass"),
        ("[3, 3]", "fail"),
        ("(3, 3, 3)", "fail"),
        ("it depends " * 60, None),
        ("", None),
    ],
)
def test_an_answer_against_the_program_of_the_question(answer: str, expected: str | None) -> None:
    found = check(f"I think\nANSWER: {answer}", answer, CALLED)
    assert [one[:2] for one in found] == ([("result", expected)] if expected else [])


def test_it_does_not_test_itself() -> None:
    own = candidate("returns: f(3) -> [3, 3, 3]", "[3, 3, 3]", "specialist:code")
    assert specialist.check(request(CALLED), own) == []


@given(st.text(max_size=400), st.text(max_size=200), st.text(max_size=40))
def test_any_text_is_checked_without_an_exception(question: str, text: str, answer: str) -> None:
    for one in specialist.check(request(question), candidate(text, answer)):
        assert one.outcome in {"pass", "fail"}


@pytest.mark.parametrize(
    "text",
    [
        "```python\n" * 9_000,
        "```python\n" + "(" * 90_000 + "\n```",
        "`" * 100_000,
        "```python\nprint(1)\n```\nOutput:" + " " * 90_000,
        "```python\n" + "x = [[[[0]]]]\n" * 6_000 + "```",
        "f(" * 40_000,
        "`x = 1:" * 12_000,
        "def f():\n" * 10_000,
        "什么异常" * 25_000,
    ],
    ids=lambda text: repr(text[:20]),
)
def test_a_hundred_kilobytes_are_no_trouble(text: str) -> None:
    specialist.check(request(text), candidate(text, text[:9]))
    described(text)


def test_nothing_to_screen() -> None:
    assert specialist.screen("rm -rf /", "en") == []
