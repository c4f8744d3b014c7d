"""Recording: the committee's own calls, every pair once, failures kept as such, nothing lost to a stop."""

from __future__ import annotations

import asyncio

import pytest

import prompts
from evals.contracts import GREEDY, Sample
from evals.recording import PATIENCE, Plan, jobs, missing, record
from graph.call import request_body
from nodes.branch import STANCES, branch_call
from nodes.contracts import Form, Language, Request
from nodes.errors import EngineFault, EngineTimeout, EngineUnreachable, InputError
from tests.evals.lines import case
from tests.scripted import Say, ScriptedModel


async def recorded(model: ScriptedModel, cases: list[object], plan: Plan, concurrency: int = 4) -> list[Sample]:
    kept: list[Sample] = []
    await record(list(jobs(cases, plan)), model, concurrency, kept.append)  # type: ignore[arg-type]
    return kept


def test_branches_are_asked_as_the_committee_asks() -> None:
    one = case(3)
    request = Request(run=one.id, question=one.text, language="en")
    made = list(jobs([one], Plan(branches=9, greedy=True)))
    assert [job.branch for job in made] == [GREEDY, *range(9)]
    for index, job in enumerate(made[1:]):
        usual = branch_call(request, "closed", index)
        assert request_body(job.call, "m") == request_body(usual, "m")
        assert job.call.prompt == usual.prompt
        assert job.call.sampling.timeout == max(900, usual.sampling.timeout)
    assert [job.stance for job in made] == ["", *STANCES, STANCES[0]]


@pytest.mark.parametrize("form", ["closed", "open"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_plain_prompt_is_the_branch_prompt_without_a_stance(form: Form, language: Language) -> None:
    greedy, branch = jobs([case(3, lang=language)], Plan(branches=1, greedy=True, form=form))
    assert greedy.call.sampling.temperature == 0
    words = branch.call.messages[-1].content
    lines = greedy.call.messages[-1].content.splitlines()
    assert [line for line in words.splitlines() if line in lines] == lines
    assert len(words.splitlines()) == len(lines) + 1
    assert "{{" not in words
    assert prompts.load("stances/direct").render(language) in words
    same = list(jobs([case(3, lang=language)], Plan(branches=3, stances="same", form=form)))
    assert len({job.call.messages for job in same}) == 1
    assert {job.call.sampling.temperature for job in same} == {branch.call.sampling.temperature}
    assert len({job.call.prompt for job in (greedy, branch, same[0])}) == 3


def test_the_language_is_that_of_the_case_or_of_its_text() -> None:
    cases = [case(1, text="一加一等于几？"), case(2, text="一加一等于几？", lang="en"), case(3)]
    assert [job.request.language for job in jobs(cases, Plan(branches=1))] == ["zh", "en", "en"]


def test_changed_parameters_change_call_and_digest() -> None:
    (usual,) = jobs([case(1)], Plan(branches=1))
    (hot,) = jobs([case(1)], Plan(branches=1, temperature=1.2))
    (long,) = jobs([case(1)], Plan(branches=1, max_tokens=4000))
    assert hot.call.sampling.temperature == 1.2
    assert (long.call.sampling.max_tokens, long.call.sampling.temperature) == (4000, usual.call.sampling.temperature)
    (slow,) = jobs([case(1)], Plan(branches=1, timeout=4000))
    assert (slow.call.sampling.timeout, slow.call.prompt) == (4000, usual.call.prompt)
    assert len({job.call.prompt for job in (usual, hot, long)}) == 3


async def test_a_sample_holds_what_the_reply_said() -> None:
    one = case(1, group="g", accepted=("two",), lang="en")
    with ScriptedModel(
        {"branch:0": Say("1 + 1\nANSWER: 2", logprobs={"2": -0.5}, prompt_tokens=50, cached=32)}
    ) as model:
        (found,) = await recorded(model, [one], Plan(branches=1))
    assert (found.id, found.branch, found.group, found.gold, found.accepted) == ("q1", 0, "g", "2", ("two",))
    assert (found.text, found.finish_reason, found.error) == ("1 + 1\nANSWER: 2", "stop", "")
    assert "".join(token for token, _ in found.tokens) == found.text
    assert found.tokens[-1] == (" 2", -0.5)
    assert len(found.margins) == len(found.tokens)
    assert (found.prompt_tokens, found.cached_tokens, found.completion_tokens) == (50, 32, len(found.tokens))
    assert (found.stance, found.lang, found.form, found.model) == ("direct", "en", "closed", "scripted")
    assert found.temperature == model.calls[0].sampling.temperature


async def test_what_fails_is_a_sample_and_the_others_go_on() -> None:
    script = {
        "branch:0": EngineTimeout("too slow"),
        "branch:1": "ANSWER: 2",
        "branch:2": Say("half", finish="abort"),
        "branch:3": Say("to the brim", finish="length"),
    }
    with ScriptedModel(script) as model:
        kept = await recorded(model, [case(1)], Plan(branches=4), concurrency=1)
    assert [one.error.partition(":")[0] for one in kept] == ["engine_timeout", "", "engine_fault", ""]
    assert [one.finish_reason for one in kept] == ["", "stop", "abort", "length"]


async def test_a_question_too_long_for_the_engine_is_asked_nothing() -> None:
    with ScriptedModel([], limit=300) as model:
        kept = await recorded(model, [case(1)] * (PATIENCE + 2), Plan(branches=1), concurrency=1)
    assert {one.error.partition(":")[0] for one in kept} == {"context_length_exceeded"}
    assert len(kept) == PATIENCE + 2, "the engine is not to blame, so the recording goes on"


async def test_a_question_that_nobody_can_ask_is_an_error_of_its_own() -> None:
    with ScriptedModel(["ANSWER: 2"]) as model:
        kept = await recorded(model, [case(1, text="one\0two"), case(2)], Plan(branches=1), concurrency=1)
    assert [one.error.partition(":")[0] for one in kept] == ["nul_byte", ""]


async def test_when_nobody_serves_the_recording_ends_and_calls_in_flight_are_cancelled() -> None:
    held, never = asyncio.Event(), asyncio.Event()

    class Dying(ScriptedModel):
        async def complete(self, call, on_text=None):  # type: ignore[no-untyped-def]
            if call.slot == "branch:1":
                await held.wait()
            return await super().complete(call, on_text)

    script = {"branch:0": Say("ANSWER: 2", hold=never, held=held), "branch:1": EngineUnreachable("gone")}
    with Dying(script) as model:
        kept: list[Sample] = []
        with pytest.raises(EngineUnreachable, match="gone"):
            await record(list(jobs([case(1)], Plan(branches=4))), model, 2, kept.append)
    assert kept == []
    assert sorted(e.status for e in model.exchanges) == ["cancelled", "failed"]


async def test_an_engine_that_only_fails_is_not_asked_for_ever() -> None:
    with ScriptedModel(lambda call: EngineFault("broken")) as model:
        kept: list[Sample] = []
        with pytest.raises(EngineFault, match="the last 6 calls have failed"):
            await record(list(jobs([case(n) for n in range(50)], Plan())), model, 2, kept.append)
    assert len(kept) == PATIENCE * 2


async def test_branches_of_a_question_go_out_together_and_no_more_than_allowed() -> None:
    flying = most = 0

    class Counting(ScriptedModel):
        async def complete(self, call, on_text=None):  # type: ignore[no-untyped-def]
            nonlocal flying, most
            flying += 1
            most = max(most, flying)
            await asyncio.sleep(0)
            flying -= 1
            return await super().complete(call, on_text)

    with Counting(lambda call: "ANSWER: 2") as model:
        kept = await recorded(model, [case(1), case(2)], Plan(branches=4, greedy=True), concurrency=3)
    assert [call.run for call in model.calls] == ["q1"] * 5 + ["q2"] * 5
    assert most == 3
    assert len({(one.id, one.branch) for one in kept}) == 10


async def test_only_what_is_missing_is_asked() -> None:
    wanted = list(jobs([case(1), case(2)], Plan(branches=2)))
    with ScriptedModel(["ANSWER: 2", EngineFault("x"), "ANSWER: 3"]) as model:
        kept: list[Sample] = []
        await record(wanted[:3], model, 1, kept.append)
    assert missing(wanted, kept) == [wanted[1], wanted[3]]
    assert missing(wanted, kept, retry_errors=False) == [wanted[3]]
    wider = list(jobs([case(1)], Plan(branches=3)))
    assert missing(wider, kept, retry_errors=False) == [wider[2]]


async def test_another_recording_is_not_continued() -> None:
    with ScriptedModel(["ANSWER: 2"]) as model:
        kept = await recorded(model, [case(1)], Plan(branches=1))
    with pytest.raises(InputError, match="was recorded with prompt"):
        missing(list(jobs([case(1)], Plan(branches=1, temperature=0.2))), kept)
    with pytest.raises(InputError, match="is of another question"):
        missing(list(jobs([case(1, text="Another?")], Plan(branches=1))), kept)
