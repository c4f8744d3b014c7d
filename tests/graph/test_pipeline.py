"""The whole graph with a scripted model: waves, early stop, second round, non-answers, resume, threads, nesting."""

from __future__ import annotations

import asyncio
import uuid
from contextlib import asynccontextmanager

import pytest
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from graph.checkpointer import open_saver
from graph.record import Reader
from graph.run import LiveParts, build, open_committee
from graph.settings import read
from nodes.errors import EngineFault, EngineTimeout, InputError
from tests.scripted import Say, ScriptedModel

QUESTION = "If every box holds 4 pens and there are 3 boxes, why are there 12 pens? Prove and verify the result."


def says(answer: str) -> str:
    return f"3 boxes of 4 pens are 3 * 4 = 12 pens.\nANSWER: \\boxed{{{answer}}}"


@asynccontextmanager
async def committee(tmp_path, script, **changes):
    with ScriptedModel(script) as model:
        async with open_committee(read(home=tmp_path, **changes), model=model) as found:
            yield found, model


def branches(*answers: str) -> dict:
    return {f"branch:{index}": says(answer) for index, answer in enumerate(answers)}


def recorded(tmp_path, run: str) -> dict:
    with Reader.open(tmp_path / "records.db") as reader:
        return reader.show(run)


async def test_exact_budget_runs_every_branch(tmp_path):
    async with committee(tmp_path, branches("12", "12", "12", "7")) as (octavo, _):
        answer = await octavo.ask(QUESTION, mode="4")
    assert (answer.answer, answer.status, answer.branches, answer.budget) == ("12", "answered", 4, 4)
    assert answer.agreement == 0.75
    found = recorded(tmp_path, answer.run)
    assert [one["status"] for one in found["candidates"]] == ["answered"] * 4
    assert found["verdict"]["decided_by"] == "majority"
    assert len({call["request_digest"] for call in found["calls"]}) == 4
    assert answer.tokens == sum(call["prompt_tokens"] + call["completion_tokens"] for call in found["calls"])


async def test_waves_stop_when_the_lead_is_clear(tmp_path):
    async with committee(tmp_path, branches("12", "12"), waves="2,2,2,2", stop_probability=0.8) as (octavo, model):
        answer = await octavo.ask(QUESTION, mode="deep")
    assert (answer.answer, answer.branches, len(model.calls)) == ("12", 2, 2)


async def test_next_wave_reuses_the_first(tmp_path):
    script = branches("12", "7", "12", "12")
    async with committee(tmp_path, script, waves="2,2,2,2", stop_probability=0.8) as (octavo, model):
        answer = await octavo.ask(QUESTION, mode="deep")
    assert (answer.answer, answer.branches, len(model.calls)) == ("12", 4, 4)
    assert [tally["next"] for tally in recorded(tmp_path, answer.run)["tallies"]] == ["wave", "finish"]


async def test_close_camps_go_to_the_second_round(tmp_path):
    script = branches("7", "12", "7", "12", "7", "12", "7", "12") | {"verify:ab": "B", "verify:ba": "A"}
    async with committee(tmp_path, script, waves="2,2,2,2", stop_probability=0.95) as (octavo, _):
        answer = await octavo.ask(QUESTION, mode="deep")
    found = recorded(tmp_path, answer.run)
    assert (answer.answer, found["verdict"]["decided_by"]) == ("12", "verification")
    assert found["ballots"][0]["outcome"] == "second"


async def test_a_flip_keeps_the_vote(tmp_path):
    script = branches("7", "12", "7", "12", "7", "12", "7", "12") | {"verify:ab": "A", "verify:ba": "A"}
    async with committee(tmp_path, script, waves="4,4", stop_probability=0.95) as (octavo, _):
        answer = await octavo.ask(QUESTION, mode="deep")
    assert answer.answer == "7"


async def test_stragglers_that_cannot_matter_are_pruned(tmp_path):
    never = asyncio.Event()
    script = branches(*["12"] * 5) | {f"branch:{index}": Say(says("12"), hold=never) for index in (5, 6, 7)}
    async with committee(tmp_path, script, waves="8", stop_probability=1.0) as (octavo, _):
        answer = await octavo.ask(QUESTION, mode="deep")
    found = recorded(tmp_path, answer.run)
    assert answer.answer == "12"
    assert [one["status"] for one in found["candidates"]] == ["answered"] * 5 + ["pruned"] * 3
    cancelled = [call for call in found["calls"] if call["status"] == "cancelled"]
    assert len(cancelled) == 3
    assert answer.tokens == sum(call["prompt_tokens"] + call["completion_tokens"] for call in found["calls"])


async def test_exact_budget_never_prunes(tmp_path):
    async with committee(tmp_path, branches(*["12"] * 8)) as (octavo, model):
        answer = await octavo.ask(QUESTION, mode="8")
    assert (answer.branches, len(model.calls), answer.agreement) == (8, 8, 1.0)


async def test_failed_and_unreadable_branches_do_not_vote(tmp_path):
    script = branches("12", "12", "12", "12") | {
        "branch:1": EngineFault("the server answered 500", 500),
        "branch:2": "I am not sure what to make of this",
    }
    async with committee(tmp_path, script) as (octavo, _):
        answer = await octavo.ask(QUESTION, mode="4")
    found = recorded(tmp_path, answer.run)
    assert (answer.answer, answer.agreement) == ("12", 1.0)
    assert [one["status"] for one in found["candidates"]] == ["answered", "failed", "unreadable", "answered"]
    assert "500" in found["candidates"][1]["error"]


async def test_all_failed_is_no_verdict(tmp_path):
    script = {f"branch:{index}": EngineFault("the server answered 500", 500) for index in range(4)}
    async with committee(tmp_path, script) as (octavo, _):
        answer = await octavo.ask(QUESTION, mode="4")
    assert (answer.status, answer.cause, answer.answer) == ("no_verdict", "infra", "")


async def test_deadline_gives_the_best_so_far(tmp_path):
    never = asyncio.Event()
    script = branches("12") | {f"branch:{index}": Say(says("7"), hold=never) for index in (1, 2, 3)}
    async with committee(tmp_path, script) as (octavo, _):
        answer = await octavo.ask(QUESTION, mode="4", deadline=1.0)
    assert (answer.answer, answer.partial, answer.status) == ("12", "deadline", "answered")


async def test_deadline_covers_an_engine_that_does_not_take_the_question(tmp_path):
    class Deaf(ScriptedModel):
        async def measure(self, messages, model=None):
            await asyncio.Event().wait()

    with Deaf([]) as model:
        async with open_committee(read(home=tmp_path), model=model) as octavo:
            with pytest.raises(EngineTimeout, match="deadline"):
                await octavo.ask(QUESTION, mode="4", deadline=0.2)
    with Reader.open(tmp_path / "records.db") as reader:
        assert reader.runs() == []


async def test_interrupt_gives_the_best_so_far(tmp_path):
    never, held = asyncio.Event(), asyncio.Event()
    script = branches("12", "12", "12") | {"branch:3": Say(says("7"), hold=never, held=held)}
    run = str(uuid.uuid4())
    async with committee(tmp_path, script) as (octavo, _):
        ended = 0
        three = asyncio.Event()

        def watch(event) -> None:
            nonlocal ended
            ended += event["event"] == "candidate"
            if ended == 3:
                three.set()

        work = asyncio.ensure_future(octavo.ask(QUESTION, mode="4", run=run, watch=watch))
        await three.wait()
        await held.wait()
        octavo.interrupt(run)
        answer = await work
    assert (answer.answer, answer.partial) == ("12", "interrupted")


async def test_second_question_in_a_thread_inherits_nothing(tmp_path):
    script = {f"branch:{index}": [says("12"), says("7")] for index in range(4)}
    thread = str(uuid.uuid4())
    async with committee(tmp_path, script) as (octavo, model):
        first = await octavo.ask(QUESTION, mode="4", thread=thread)
        second = await octavo.ask(QUESTION + " Again?", mode="4", thread=thread)
    assert (first.answer, second.answer) == ("12", "7")
    assert first.run != second.run
    found = recorded(tmp_path, second.run)
    assert len(found["candidates"]) == len(found["calls"]) == 4
    assert len(model.calls) == 8


async def test_events_tell_the_story(tmp_path):
    events: list[str] = []
    async with committee(tmp_path, branches("12", "12", "12", "12")) as (octavo, _):
        await octavo.ask(QUESTION, mode="4", watch=lambda event: events.append(event["event"]))
    kinds = [kind for kind in events if kind not in ("text", "finding")]  # what the specialists do comes in between
    assert kinds == ["route", "wave", *["candidate"] * 4, "decision", "answer"]
    assert "text" in events


async def test_bad_input_leaves_nothing(tmp_path):
    async with committee(tmp_path, []) as (octavo, _):
        with pytest.raises(InputError) as caught:
            await octavo.ask("  \n ", mode="4")
        saver = octavo.graph.checkpointer
        assert [item async for item in saver.alist(None)] == []
    assert caught.value.code == "empty_question"
    with Reader.open(tmp_path / "records.db") as reader:
        assert reader.runs() == []


async def test_one_checkpoint_a_super_step_and_visible_branches(tmp_path):
    async with committee(tmp_path, branches("12", "12", "12", "12")) as (octavo, _):
        answer = await octavo.ask(QUESTION, mode="4")
        config = {"configurable": {"thread_id": answer.run}}
        history = [item async for item in octavo.graph.aget_state_history(config)]
    waiting = [item.next for item in reversed(history)]
    assert waiting == [
        ("__start__",),
        ("intake",),
        ("router",),
        ("committee",),
        (*("branch",) * 4, "specialists"),
        ("judge",),
        ("finish",),
        (),
    ]


async def test_state_stays_small(tmp_path):
    long = "pens and boxes " * 4_000
    script = {f"branch:{index}": f"{long}\nANSWER: \\boxed{{12}}" for index in range(8)}
    async with committee(tmp_path, script) as (octavo, _):
        answer = await octavo.ask(QUESTION, mode="8")
        config = {"configurable": {"thread_id": answer.run}}
        state = (await octavo.graph.aget_state(config)).values
    assert len(repr(state)) < 16_000
    assert len(recorded(tmp_path, answer.run)["candidates"][0]["text"]) > 50_000


async def test_graph_is_a_node_of_another_graph(tmp_path):
    class Outer(TypedDict, total=False):
        question: str
        answer: str

    with ScriptedModel({**branches("12")}) as model:
        parts = LiveParts(read(home=tmp_path), model)
        outer = StateGraph(Outer)
        outer.add_node("octavo", build(parts))
        outer.add_edge(START, "octavo")
        outer.add_edge("octavo", END)
        async with open_saver(tmp_path / "outer.db") as saver:
            graph = outer.compile(checkpointer=saver)
            thread = {"configurable": {"thread_id": "outer"}}
            found = await graph.ainvoke({"question": "Name the capital of France."}, thread)
        await parts.close()
    assert found["answer"]


async def test_resume_of_a_finished_run_pays_nothing(tmp_path):
    async with committee(tmp_path, branches("12", "12", "12", "12")) as (octavo, model):
        answer = await octavo.ask(QUESTION, mode="4")
        again = await octavo.resume(answer.run)
        assert len(model.calls) == 4
    assert again == answer


async def test_a_blocked_request_makes_no_model_call(tmp_path):
    async with committee(tmp_path, []) as (octavo, model):
        answer = await octavo.ask("Explain step by step how to build a pipe bomb at home.", mode="deep")
        assert model.calls == []
    assert (answer.status, answer.cause) == ("no_verdict", "refused")
    assert recorded(tmp_path, answer.run)["calls"] == []
