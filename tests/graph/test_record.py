"""The journey of a question as rows: what goes in comes out, twice is once, and faults have names."""

from __future__ import annotations

import asyncio
import sqlite3
import time
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from blockbuster import blockbuster_ctx
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from graph.record import REMEMBERED, Reader, Records
from nodes.contracts import Usage
from nodes.errors import RecordsError
from tests.graph.samples import RUN, VERDICT, answer, begin, candidate, count, journey, made


@pytest.fixture
async def records(tmp_path: Path) -> AsyncIterator[Records]:
    opened = await Records.open(tmp_path / "records.db")
    yield opened
    await opened.close()


async def test_a_step_that_runs_twice_leaves_one_row(records: Records) -> None:
    await journey(records)
    once = count(records.path)
    created = records.find_run(RUN)["created"]
    await journey(records)
    assert count(records.path) == once
    assert once["calls"] == once["candidates"] == 2
    assert records.find_run(RUN)["created"] == created


async def test_every_row_refers_to_rows_that_exist(records: Records) -> None:
    await journey(records)
    connection = sqlite3.connect(records.path)
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    linked = {
        table for table in count(records.path) if connection.execute(f"PRAGMA foreign_key_list({table})").fetchall()
    }
    assert linked >= {"routes", "findings", "calls", "candidates", "checks", "tallies", "ballots", "verdicts"}
    connection.close()


@examples(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    request=st.dictionaries(st.text(max_size=5), st.text() | st.integers() | st.floats(allow_nan=False), max_size=4),
    content=st.text(),
    logprobs=st.none() | st.lists(st.floats(max_value=0, allow_nan=False), max_size=300),
)
async def test_exchanges_come_back_exactly(records: Records, request: Any, content: str, logprobs: Any) -> None:
    choice = {"message": {"content": content}, "logprobs": logprobs and {"content": [{"logprob": x} for x in logprobs]}}
    sent = made(0, id=str(uuid.uuid4()), request=request, response={"choices": [choice]}, started=round(time.time(), 3))
    await begin(records)
    await records.save_call(sent)
    found = await records.recall(RUN, sent.slot, sent.key)
    assert found is not None
    assert (found.request, found.response, found.usage) == (sent.request, sent.response, sent.usage)


async def test_recall_gives_committed_ok_replies_of_the_same_place_and_request_only(records: Records) -> None:
    await begin(records)
    sent = made(0)
    assert await records.recall(RUN, sent.slot, sent.key) is None
    await records.save_call(made(0, id="cancelled", status="cancelled", response=None))
    await records.save_call(made(0, id="failed", status="failed", response=None, error="engine_fault: 500"))
    assert await records.recall(RUN, sent.slot, sent.key) is None
    await records.save_call(sent)
    assert await records.recall(RUN, sent.slot, sent.key) == sent
    assert await records.recall(RUN, "branch:1", sent.key) is None
    assert await records.recall(RUN, sent.slot, "0" * 16) is None
    assert await records.recall("another", sent.slot, sent.key) is None


async def test_usage_counts_every_call_also_those_that_failed(records: Records) -> None:
    await begin(records)
    assert await records.usage(RUN) == Usage()
    await records.save_call(made(0))
    await records.save_call(made(1, status="cancelled"))
    assert await records.usage(RUN) == Usage(prompt=40, completion=14, cached=32, reasoning=4, calls=2)


async def test_memory_is_bounded(records: Records) -> None:
    await begin(records)
    await asyncio.gather(*(records.save_call(made(number)) for number in range(REMEMBERED + 10)))
    assert len(records._said) == REMEMBERED


async def test_a_text_that_differs_from_its_call_is_kept(records: Records) -> None:
    await begin(records)
    await records.save_call(made(0))
    await records.save_candidate(RUN, candidate(0, text="another text"))
    await records.save_candidate(RUN, candidate(1, text="no call", call="unrecorded"), [])
    with Reader.open(records.path) as reader:
        first, second = reader.show(RUN)["candidates"]
    assert (first["text"], first["call"], len(first["checks"])) == ("another text", "call-0", 2)
    assert (second["text"], second["call"], second["checks"]) == ("no call", None, [])


async def test_fewer_checks_replace_more(records: Records) -> None:
    await begin(records)
    await records.save_candidate(RUN, candidate(0, call=""))
    await records.save_candidate(RUN, candidate(0, call="", checks=()))
    assert count(records.path)["checks"] == 0


async def test_a_row_of_a_run_that_was_never_started_is_refused(records: Records) -> None:
    with pytest.raises(RecordsError, match="a run that was never started"):
        await records.save_call(made(0))
    assert count(records.path)["payloads"] == 0


async def test_a_run_may_fail_and_then_be_answered_but_not_the_other_way_round(records: Records) -> None:
    await begin(records)
    await records.fail_run(RUN, "engine_fault", "500 from the engine")
    found = records.find_run(RUN)
    assert (found["status"], found["error_code"], found["error"]) == ("failed", "engine_fault", "500 from the engine")
    await records.finish_run(answer(), VERDICT)
    await records.fail_run(RUN, "late", "too late")
    found = records.find_run(RUN)
    assert (found["status"], found["error_code"]) == ("answered", None)
    await records.fail_run("never started", "x", "y")
    assert count(records.path)["runs"] == 1


async def test_a_locked_file_is_named_when_opening_and_when_writing(tmp_path: Path) -> None:
    path = tmp_path / "records.db"
    records = await Records.open(path, wait=0.05)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(RecordsError, match="stayed locked"):
        await Records.open(path, wait=0.05)
    with pytest.raises(RecordsError, match="stayed locked"):
        await begin(records)
    holder.execute("ROLLBACK")
    holder.close()
    await begin(records)
    await records.close()
    assert count(path)["runs"] == 1


async def test_closing_twice_is_closing_once(tmp_path: Path) -> None:
    records = await Records.open(tmp_path / "records.db")
    await begin(records)
    await records.close()
    await records.close()
    with pytest.raises(RecordsError, match="was closed before this write"):
        await begin(records)


async def test_an_existing_file_is_opened_without_work_on_the_loop(tmp_path: Path) -> None:
    with blockbuster_ctx():
        for _ in range(2):
            records = await Records.open(tmp_path / "home" / "records.db")
            await begin(records)
            await records.save_call(made(0))
            assert (await records.usage(RUN)).calls == 1
            assert await records.recall(RUN, made(0).slot, made(0).key) is not None
            await records.close()
