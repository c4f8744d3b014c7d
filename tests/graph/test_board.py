"""Flags that stop work, and boards that are taken down when their wave is over."""

from __future__ import annotations

import asyncio

import pytest

from graph.board import Board, Boards, Halt, Halts, unless
from graph.run import open_committee
from graph.settings import read
from nodes.contracts import Candidate
from tests.scripted import ScriptedModel


async def test_work_that_ends_first_gives_its_result_or_its_error() -> None:
    async def works() -> int:
        return 7

    async def fails() -> int:
        raise ValueError("no")

    halt = Halt()
    assert await unless(works(), halt.event) == 7
    with pytest.raises(ValueError, match="no"):
        await unless(fails(), halt.event)
    assert not halt.event.done()  # whoever else waits for it still does


@pytest.mark.parametrize("early", [True, False])
async def test_a_raised_flag_ends_the_work_after_it_has_put_itself_away(early: bool) -> None:
    begun, away, halt, other = asyncio.Event(), asyncio.Event(), Halt(), Halt()

    async def work() -> int:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            away.set()
        return 7

    if early:
        halt.stop("deadline")
    task = asyncio.ensure_future(unless(work(), other.event, halt.event))
    await begun.wait()
    halt.stop("interrupted")
    assert await task is None
    assert away.is_set()
    assert halt.reason == ("deadline" if early else "interrupted")


async def test_cancelling_the_caller_cancels_the_work() -> None:
    begun, away = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            away.set()

    task = asyncio.ensure_future(unless(work(), Halt().event))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert away.is_set()


async def test_a_halt_is_shared_until_it_is_forgotten() -> None:
    halts = Halts()
    halts.of("a").stop("deadline")
    assert halts.of("a").reason == "deadline"
    halts.forget("a")
    assert halts.of("a").reason is None


async def test_a_board_raises_its_flag_once_and_for_good() -> None:
    board = Board([], lambda found: len(found) == 2)
    one = Candidate(source="branch:0", status="answered")
    board.post(one)
    assert not board.over.done()
    board.post(one)
    assert board.over.done()
    board.post(one)


async def test_nothing_of_a_finished_run_is_kept_in_memory(tmp_path) -> None:
    with ScriptedModel({f"branch:{index}": "ANSWER: Ann" for index in range(4)}) as model:
        async with open_committee(read(home=tmp_path), model=model) as octavo:
            answer = await octavo.ask("Who looks after the shelves?", mode="4")
            assert (answer.branches, len(octavo.parts.boards), len(octavo.parts.halts)) == (4, 0, 0)


async def test_boards_are_replaced_and_closed() -> None:
    boards, key = Boards(), ("thread", "run", 0)
    first, second = Board([], bool), Board([], bool)
    boards.open(key, first)
    boards.open(key, second)
    assert boards.find(key) is second
    boards.close(key)
    boards.close(key)
    assert (boards.find(key), len(boards)) == (None, 0)
