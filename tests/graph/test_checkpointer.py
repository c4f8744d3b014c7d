"""The saver keeps LangGraph's contract, shares commits, and never blocks or suspends where that would hurt."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import sqlite3
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path
from typing import Annotated, Any

import pytest
from blockbuster import blockbuster_ctx
from langgraph.checkpoint.base import BaseCheckpointSaver, empty_checkpoint
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send
from typing_extensions import TypedDict

from graph.checkpointer import GroupCommitSaver, checkpointer, open_saver
from graph.settings import CHECKOUT, settings
from nodes.contracts import Usage
from nodes.errors import RecordsError


@pytest.fixture
async def saver(tmp_path: Path) -> AsyncIterator[GroupCommitSaver]:
    async with open_saver(tmp_path / "checkpoints.db", wait=0.1) as opened:
        yield opened


def place(thread: str, **more: str) -> Any:
    return {"configurable": {"thread_id": thread, "checkpoint_ns": "", **more}}


async def put(saver: BaseCheckpointSaver[Any], thread: str, **about: Any) -> Any:
    return await saver.aput(place(thread), empty_checkpoint(), about, {})  # type: ignore[typeddict-item]


async def ids(saver: BaseCheckpointSaver[Any], thread: str) -> list[str]:
    return [item.config["configurable"]["checkpoint_id"] async for item in saver.alist(place(thread))]


async def test_conformance(tmp_path: Path) -> None:
    opened = 0

    @checkpointer_test(name="GroupCommitSaver")
    async def registered() -> AsyncGenerator[BaseCheckpointSaver[Any], None]:
        nonlocal opened
        opened += 1
        async with open_saver(tmp_path / f"{opened}.db") as saver:
            yield saver

    report = await validate(registered)
    failures = [failure for result in report.results.values() for failure in result.failures or ()]
    assert failures == []
    assert report.passed_all()
    assert all(result.detected and result.passed for result in report.results.values())
    assert len(report.results) == 8
    assert sum(result.tests_passed for result in report.results.values()) > 60


def joined(old: dict[str, int], new: dict[str, int]) -> dict[str, int]:
    return {**old, **new}


class State(TypedDict, total=False):
    found: Annotated[dict[str, int], joined]


def fan_out(_state: State) -> list[Send]:
    return [Send("branch", {"index": index}) for index in range(8)]


def graph_of(saver: BaseCheckpointSaver[Any], paid: list[int], broken: set[int]) -> Any:
    """Eight branches of one super-step; the broken ones fail when the others are through."""
    others = asyncio.Event()

    async def branch(task: dict[str, int]) -> dict[str, Any]:
        paid.append(task["index"])
        if task["index"] in broken:
            await others.wait()
            raise ConnectionError("engine gone")
        if len(paid) == 8:
            others.set()
        return {"found": {str(task["index"]): task["index"]}}

    builder = StateGraph(State)
    builder.add_node("branch", branch)
    builder.add_node("judge", lambda state: {"found": {"sum": sum(state["found"].values())}})
    builder.add_conditional_edges(START, fan_out, ["branch"])
    builder.add_edge("branch", "judge")
    builder.add_edge("judge", END)
    return builder.compile(checkpointer=saver)


async def test_a_graph_resumes_with_only_the_missing_branches(tmp_path: Path) -> None:
    paid: list[int] = []
    async with open_saver(tmp_path / "c.db") as saver:
        with pytest.raises(ConnectionError):
            await graph_of(saver, paid, {2, 5}).ainvoke({"found": {}}, place("t"), durability="async")
    assert sorted(paid) == list(range(8))
    paid.clear()
    async with open_saver(tmp_path / "c.db") as saver:
        found = await graph_of(saver, paid, set()).ainvoke(None, place("t"), durability="async")
    assert sorted(paid) == [2, 5]
    assert found["found"]["sum"] == sum(range(8))


async def test_many_runs_share_commits(saver: GroupCommitSaver, monkeypatch: pytest.MonkeyPatch) -> None:
    submitted, submit = [], saver.writer.submit
    monkeypatch.setattr(saver.writer, "submit", lambda statements: submitted.append(1) or submit(statements))
    compiled = graph_of(saver, [], set())
    await asyncio.gather(*(compiled.ainvoke({"found": {}}, place(f"t{n}"), durability="sync") for n in range(40)))
    assert saver.writer.commits < len(submitted) / 2
    kept = [len(await ids(saver, f"t{n}")) for n in range(40)]
    assert kept == kept[:1] * 40


async def test_what_returned_is_in_the_file(saver: GroupCommitSaver) -> None:
    stored = await put(saver, "t", step=1)
    await saver.aput_writes(stored, [("channel", {"value": "机器"})], "task")
    other = sqlite3.connect(saver.writer.path)
    assert other.execute("SELECT count(*) FROM checkpoints").fetchone() == (1,)
    assert other.execute("SELECT count(*) FROM writes").fetchone() == (1,)
    assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    other.close()


async def test_no_graph_can_add_types_to_what_is_rebuilt(saver: GroupCommitSaver) -> None:
    assert saver.with_allowlist([("some.module", "Thing")]) is saver


async def test_a_database_of_another_version_or_program_is_refused_untouched(tmp_path: Path) -> None:
    for change, words in {
        "PRAGMA user_version = 99": "newer Octavo",
        "ALTER TABLE checkpoints RENAME COLUMN checkpoint TO state": "another version of LangGraph",
        "DROP TABLE writes; DROP TABLE checkpoints; CREATE TABLE songs (name)": "belongs to another program",
    }.items():
        path = tmp_path / f"{words}.db"
        async with open_saver(path):
            pass
        connection = sqlite3.connect(path)
        connection.executescript(change)
        connection.close()
        before = path.read_bytes()
        with pytest.raises(RecordsError, match=words):
            async with open_saver(path):
                pass
        assert path.read_bytes() == before


async def test_deleting_a_thread_never_suspends(saver: GroupCommitSaver) -> None:
    await put(saver, "t")
    with pytest.raises(StopIteration):
        saver.adelete_thread("t").send(None)  # one step of the coroutine is all of it
    assert await ids(saver, "t") == []


async def test_a_deletion_that_fails_is_logged(saver: GroupCommitSaver, caplog: pytest.LogCaptureFixture) -> None:
    holder = sqlite3.connect(saver.writer.path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    await saver.adelete_thread("t")
    await ids(saver, "t")
    holder.execute("ROLLBACK")
    holder.close()
    assert "a thread was not deleted: database" in caplog.text


async def test_the_saver_may_be_used_while_its_list_is_read(saver: GroupCommitSaver) -> None:
    for step in range(3):
        await put(saver, "t", step=step)
    seen = []
    async for item in saver.alist(place("t")):
        assert await saver.aget_tuple(item.config) is not None
        await saver.aput_writes(item.config, [("note", 1)], "task")
        seen.append(item.metadata["step"])
    assert seen == [2, 1, 0]


async def test_reading_does_not_wait_for_a_writer_that_is_never_idle(saver: GroupCommitSaver) -> None:
    await put(saver, "t")
    over = asyncio.Event()

    async def keep_busy() -> None:
        while not over.is_set():
            await put(saver, "busy")

    busy = [asyncio.create_task(keep_busy()) for _ in range(4)]
    assert len(await ids(saver, "t")) == 1
    assert await saver.aget_tuple(place("t")) is not None
    over.set()
    await asyncio.gather(*busy)


async def test_a_copy_knows_its_own_thread(saver: GroupCommitSaver) -> None:
    stored = await put(saver, "source", step=1, thread_id="source", note="kept")
    await saver.aput_writes(stored, [("channel", 7)], "task")
    await saver.acopy_thread("source", "target")
    copy = await saver.aget_tuple(place("target"))
    assert copy is not None
    assert (copy.metadata["thread_id"], copy.metadata["note"]) == ("target", "kept")  # type: ignore[typeddict-item]
    assert [(channel, value) for _, channel, value in copy.pending_writes or ()] == [("channel", 7)]
    original = await saver.aget_tuple(place("source"))
    assert original is not None
    assert original.metadata["thread_id"] == "source"  # type: ignore[typeddict-item]


async def test_pruning_keeps_the_newest_or_nothing(saver: GroupCommitSaver) -> None:
    for step in range(3):
        await put(saver, "t", step=step)
    newest = (await ids(saver, "t"))[0]
    with pytest.raises(ValueError, match="strategy 'all' is none of keep_latest, delete, delete_all"):
        await saver.aprune(["t"], strategy="all")
    await saver.aprune(["t"])
    assert await ids(saver, "t") == [newest]
    await saver.aprune(["t"], strategy="delete_all")
    assert await ids(saver, "t") == []


async def test_only_plain_json_is_rebuilt(saver: GroupCommitSaver) -> None:
    assert isinstance(saver.serde, JsonPlusSerializer)
    checkpoint = empty_checkpoint() | {"channel_values": {"usage": Usage(prompt=1), "plain": {"a": [1, "机"]}}}
    await saver.aput(place("t"), checkpoint, {}, {})  # type: ignore[arg-type]
    found = await saver.aget_tuple(place("t"))
    assert found is not None
    assert found.checkpoint["channel_values"]["plain"] == {"a": [1, "机"]}
    assert not isinstance(found.checkpoint["channel_values"]["usage"], Usage)


async def test_a_locked_or_foreign_file_has_a_named_error(saver: GroupCommitSaver, tmp_path: Path) -> None:
    holder = sqlite3.connect(saver.writer.path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(RecordsError, match=r"checkpoints\.db' stayed locked by another program"):
        await put(saver, "t")
    holder.execute("ROLLBACK")
    holder.close()
    await put(saver, "t")
    (tmp_path / "text.db").write_text("not a database")
    with pytest.raises(RecordsError, match=r"text\.db' is not a SQLite database"):
        async with open_saver(tmp_path / "text.db"):
            pass


async def test_the_servers_entry_opens_this_home_without_blocking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OCTAVO_HOME", str(tmp_path / "home"))
    settings.cache_clear()
    with blockbuster_ctx():
        async with checkpointer() as saver:
            stored = await put(saver, "t", step=1)
            await saver.aput_writes(stored, [("channel", 1)], "task")
            assert await saver.aget_tuple(stored) is not None
            await saver.adelete_thread("t")
            assert await ids(saver, "t") == []
    assert (tmp_path / "home" / "checkpoints.db").is_file()


async def test_the_file_form_of_langgraph_json_works() -> None:
    """The server loads the path as a module of another name; its saver is a saver all the same."""
    found = importlib.util.spec_from_file_location("__graph__checkpointer", CHECKOUT / "graph" / "checkpointer.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    async with module.checkpointer() as saver:
        assert isinstance(saver, BaseCheckpointSaver)
        assert json.loads(json.dumps(await put(saver, "t")))["configurable"]["thread_id"] == "t"
