"""kill -9 at many points: another process finishes the run, and no committed reply is paid for twice.

`evals.bench.kills` does so at fifty moments drawn at random; here every point is an event, nothing waits for time.
"""

from __future__ import annotations

import asyncio
import json
import random
import uuid
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from evals.bench import kills
from evals.bench.endpoint import Running, endpoint
from evals.bench.kills import Kill, asked_again, command, committed, resume, resume_here, rows, strike, unsound
from evals.bench.victim import kill
from graph.claims import claim
from graph.run import open_committee
from graph.settings import read
from nodes.errors import InputError
from tests.scripted import Say, ScriptedModel

CHUNKS = 12
SOMEWHERE = f"text {random.Random(20261130).randint(2, 8 * CHUNKS)}"
POINTS = {
    "after start_run 1": "intake",
    SOMEWHERE: "router and first tokens",
    "after save_call 1": "branches",
    "before save_candidate 8": "branches",
    "before save_tally 1": "branches",
    "before finish_run 1": "judge",
    "after finish_run 1": "finish",
}
"""Where the child dies, and how far its rows have come by then."""


@pytest.fixture
async def server() -> AsyncIterator[Running]:
    async with endpoint(chunks=CHUNKS, latency=0.002, function=kills.FUNCTION) as running:
        yield running


async def test_a_killed_run_is_finished_and_pays_for_no_committed_reply_again(tmp_path: Path, server: Running) -> None:
    """All of them in one home, two at a time."""
    gate = asyncio.Semaphore(2)

    async def one(number: int, point: str) -> Kill:
        async with gate:
            return await strike(tmp_path, server, number, "8", point, finish=resume_here)

    found = await asyncio.gather(*(one(number, point) for number, point in enumerate(POINTS)))
    assert [one.faults for one in found] == [()] * len(POINTS)
    assert {one.point: one.stage for one in found} == POINTS
    assert sum(one.committed for one in found) >= 1 + 7 + 8 + 8 + 8
    assert len(rows(tmp_path, "SELECT 1 FROM runs WHERE status = 'answered'")) == len(POINTS)


async def test_the_experiment_would_notice_a_reply_that_is_paid_twice(tmp_path: Path, server: Running) -> None:
    run = str(uuid.uuid4())
    assert await asyncio.to_thread(kill, tmp_path, server, run, 1, "8", "after save_call 4")
    before = committed(tmp_path, run)
    assert len(before) >= 4
    assert asked_again(before, (await server.counts())["requests"]) == {}
    assert not await asyncio.to_thread(kill, tmp_path, server, str(uuid.uuid4()), 1, "8")
    assert asked_again(before, (await server.counts())["requests"]) == dict.fromkeys(before, 1)


async def test_the_command_line_lists_a_killed_run_and_refuses_unknown_and_busy_ones(
    tmp_path: Path, server: Running
) -> None:
    run = str(uuid.uuid4())
    assert await asyncio.to_thread(kill, tmp_path, server, run, 1, "8", "after save_call 2")
    listed = await asyncio.to_thread(command, tmp_path, server, "runs", "--status", "running", "--json")
    assert [(one["id"], one["status"]) for one in json.loads(listed.stdout)] == [(run, "running")]
    code, said = await asyncio.to_thread(resume, tmp_path, server, "no-such-run")
    assert (code, said["error"]["code"]) == (2, "unknown_run")
    assert run in said["error"]["message"]
    with claim(tmp_path, run):  # as a process does that works on it
        code, said = await asyncio.to_thread(resume, tmp_path, server, run)
        assert (code, said["error"]["code"]) == (2, "run_in_progress")
    code, said = await asyncio.to_thread(resume, tmp_path, server, run[:8])
    assert (code, said["run"], said["status"]) == (0, run, "answered")


async def test_two_processes_that_resume_a_run_pay_once(tmp_path: Path, server: Running) -> None:
    """One of them works; the other is refused, or finds the run finished and answers from the records."""
    run = str(uuid.uuid4())
    assert await asyncio.to_thread(kill, tmp_path, server, run, 1, "8", "after save_call 2")
    paid = (await server.counts())["total"]["started"]
    known = len(set(committed(tmp_path, run)))
    both = await asyncio.gather(*(asyncio.to_thread(resume, tmp_path, server, run) for _ in range(2)))
    assert {code for code, _ in both} in ({0}, {0, 2})
    assert all(said["answer"] if code == 0 else said["error"]["code"] == "run_in_progress" for code, said in both)
    assert (await server.counts())["total"]["started"] - paid == 8 - known
    assert unsound(tmp_path) == []


QUESTION = "Who looks after the cupboard, and who looks after the shelves?"


async def test_a_run_whose_thread_went_on_starts_again_with_its_recorded_replies(tmp_path: Path) -> None:
    held, never, run = asyncio.Event(), asyncio.Event(), str(uuid.uuid4())
    ended = asyncio.Event()
    script = {
        "branch:0": ["ANSWER: Ann", "ANSWER: Bob"],
        "branch:1": [Say("ANSWER: Ann", hold=never, held=held), "ANSWER: Bob", "ANSWER: Ann"],
    }

    def watch(event: Mapping[str, Any]) -> None:
        if event["event"] == "candidate":
            ended.set()

    with ScriptedModel(script) as model:
        async with open_committee(read(home=tmp_path), model=model) as octavo:
            first = asyncio.ensure_future(octavo.ask(QUESTION, mode="2", thread="t", run=run, watch=watch))
            await held.wait()
            await ended.wait()
            first.cancel()
            with pytest.raises(asyncio.CancelledError):
                await first
            other = await octavo.ask(f"{QUESTION} Today.", mode="2", thread="t")
            assert (other.answer, len(model.calls)) == ("Bob", 4)
            resumed = await octavo.resume(run)
            assert (resumed.run, resumed.answer, len(model.calls)) == (run, "Ann", 5)
            assert (await octavo.resume(other.run)) == other


async def test_a_run_is_refused_while_it_is_asked(tmp_path: Path) -> None:
    held, go, run = asyncio.Event(), asyncio.Event(), str(uuid.uuid4())
    with ScriptedModel({"branch:0": Say("ANSWER: Ann", hold=go, held=held)}) as model:
        async with open_committee(read(home=tmp_path), model=model) as octavo:
            asked = asyncio.ensure_future(octavo.ask(QUESTION, mode="1", run=run))
            await held.wait()
            with pytest.raises(InputError, match="is being worked on"):
                await octavo.resume(run)
            go.set()
            assert (await asked) == await octavo.resume(run)
