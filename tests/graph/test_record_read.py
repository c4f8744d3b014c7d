"""Reading: everything of a run comes back, searches find, and unknown ids are answered with the closest ones."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from graph.record import Reader, Records
from nodes.errors import InputError
from tests.graph.samples import QUESTION, RUN, VERDICT, answer, begin, candidate, journey, made


@pytest.fixture
async def records(tmp_path: Path) -> AsyncIterator[Records]:
    opened = await Records.open(tmp_path / "records.db")
    yield opened
    await opened.close()


async def test_everything_of_a_run_is_shown(records: Records) -> None:
    await journey(records)
    with Reader.open(records.path) as reader:
        shown = reader.show(RUN[:6])
    head = shown["run"]
    assert (head["id"], head["status"], head["answer"], head["question"]) == (RUN, "answered", "10 美元", QUESTION)
    assert (head["model"], head["engine"]) == ("default", "vllm 0.32")
    assert shown["config"] == {"prompts": "p1", "settings": "s1"}
    assert head["notices"] == ["mind the gap"]
    assert shown["route"]["scores"] == {"numeric": 0.9, "other": 0.1}
    assert shown["route"]["block"]["notice"] == "注意"
    assert shown["findings"][0]["facts"] == {"value": "10"}
    assert [call["request"] for call in shown["calls"]] == [made(0).request, made(1).request]
    assert [call["response"] for call in shown["calls"]] == [made(0).response, made(1).response]
    assert [call["request_digest"] for call in shown["calls"]] == [made(0).request_digest, made(1).request_digest]
    assert shown["calls"][0]["started"] == made().started
    assert [one["text"] for one in shown["candidates"]] == ["text 0\nANSWER: 10", "text 1\nANSWER: 10"]
    assert [check["outcome"] for check in shown["candidates"][0]["checks"]] == ["fail", "unsure"]
    assert (shown["candidates"][0]["mean_probability"], shown["candidates"][0]["flags"]) == (0.75, ["no_steps"])
    assert [(tally["next"], tally["votes"]) for tally in shown["tallies"]] == [("verify", 2), ("finish", 2)]
    assert shown["ballots"][0]["choices"] == ["first", "second"]
    assert shown["verdict"]["camps"][0]["sources"] == ["branch:0", "branch:1"]
    assert shown["verdict"]["counts"] == {"answered": 2}


async def test_plain_sqlite_shows_the_exact_exchange(records: Records) -> None:
    await begin(records)
    long = made(1, request={"messages": [{"role": "user", "content": QUESTION * 200}]})
    await asyncio.gather(records.save_call(made(0)), records.save_call(long))
    tool = shutil.which("sqlite3")
    assert tool, "the Debian package `sqlite3` is needed: apt-get install sqlite3"
    query = "SELECT request, response FROM exchanges ORDER BY id"
    command = [tool, "-separator", "\n", records.path, query]
    found = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=True)
    with Reader.open(records.path) as reader:
        expected = [text for number in (0, 1) for text in reader.exchange_texts(f"call-{number}")]
    assert found.stdout.splitlines() == expected


async def test_hostile_text_is_stored_as_it_is(records: Records) -> None:
    hostile = "'); DROP TABLE runs; -- \x00 \ud800 ${x} {{slot}} \u202e 😀"
    await begin(records, question=hostile)
    await records.save_call(made(0, request={"content": hostile}, error=hostile))
    await records.save_candidate(RUN, candidate(0, answer=hostile, text=hostile, error=hostile))
    with Reader.open(records.path) as reader:
        shown = reader.show(RUN)
    escaped = hostile.replace("\ud800", "\\ud800")
    assert shown["run"]["question"] == shown["candidates"][0]["answer"] == escaped
    assert shown["calls"][0]["request"] == {"content": hostile}


async def test_runs_are_listed_searched_and_filtered(records: Records) -> None:
    for number, question in enumerate(["机器学习是什么", "How many apples?", "线性代数 50%", "?!"]):
        await begin(records, run=f"run-{number}", question=question)
    await records.finish_run(answer("run-1", answer="八个苹果"), VERDICT)
    with Reader.open(records.path) as reader:
        assert [row["id"] for row in reader.runs()] == ["run-3", "run-2", "run-1", "run-0"]
        assert [row["id"] for row in reader.runs(2)] == ["run-3", "run-2"]
        for search, expected in [
            ("学习", ["run-0"]),
            ("苹果", ["run-1"]),
            ("APPLES many", ["run-1"]),
            ("?!", ["run-3"]),
        ]:
            assert [row["id"] for row in reader.runs(search=search)] == expected, search
        assert reader.runs(search="学习", status="answered") == []
        assert [row["id"] for row in reader.runs(status="answered")] == ["run-1"]
        with pytest.raises(InputError, match="status 'done' is none of running, answered, no_verdict, failed"):
            reader.runs(status="done")
        with pytest.raises(InputError, match="limit 0 is below 1"):
            reader.runs(0)


async def test_search_follows_changes_of_the_row(records: Records) -> None:
    await begin(records)
    await records.finish_run(answer(answer="first answer"), VERDICT)
    await records.finish_run(answer(answer="第二个"), VERDICT)
    with Reader.open(records.path) as reader:
        assert reader.runs(search="first") == []
        assert len(reader.runs(search="第二")) == len(reader.runs(search="dollars")) == 1
    connection = sqlite3.connect(records.path)
    connection.execute("INSERT INTO runs_fts (runs_fts, rank) VALUES ('integrity-check', 1)")
    connection.close()


async def test_unknown_and_ambiguous_ids_name_the_closest(records: Records) -> None:
    with Reader.open(records.path) as reader, pytest.raises(InputError, match="there are no runs yet"):
        reader.show("x")
    for run in ("aaaa-1", "aaaa-2", "bbbb-1"):
        await begin(records, run=run)
    with Reader.open(records.path) as reader:
        assert reader.find_run("b")["id"] == "bbbb-1"
        assert reader.find_run("aaaa-1")["id"] == "aaaa-1"
        with pytest.raises(InputError, match="run 'aaaa' is ambiguous: aaaa-1, aaaa-2") as ambiguous:
            reader.show("aaaa")
        with pytest.raises(InputError, match="there is no run 'aaab-1': the closest are aaaa-1") as unknown:
            reader.show("aaab-1")
        for odd in ("", "  ", "%", "_", "\ud800", "'"):
            with pytest.raises(InputError, match="there is no run"):
                reader.show(odd)
        with pytest.raises(InputError, match="there is no call 'c'"):
            reader.exchange_texts("c")
    assert (ambiguous.value.code, unknown.value.code) == ("ambiguous_run", "unknown_run")


async def test_reading_does_not_wait_for_a_writer(records: Records) -> None:
    await journey(records)
    holder = sqlite3.connect(records.path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with Reader.open(records.path, wait=0) as reader:
        assert reader.show(RUN)["run"]["id"] == RUN
    assert (await records.usage(RUN)).calls == 2
    holder.execute("ROLLBACK")
    holder.close()
