"""Group commit: order, isolation of bad rows, durability, faults of the file."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from graph.writer import Statement, Writer
from nodes.errors import RecordsError

TABLE = "CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, body TEXT NOT NULL)"
INSERT = "INSERT INTO notes (id, body) VALUES (?, ?)"


@pytest.fixture
async def writer(tmp_path: Path) -> AsyncIterator[Writer]:
    opened = await Writer.open(tmp_path / "notes.db", prepare=lambda connection: connection.execute(TABLE), wait=0.1)
    yield opened
    await opened.close()


def stored(path: Path) -> list[tuple[int, str]]:
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT id, body FROM notes ORDER BY id").fetchall()
    connection.close()
    return rows


def note(number: int, body: object = "x") -> Statement:
    return Statement(INSERT, [(number, body)])


async def test_a_write_is_in_the_file_when_it_returns(writer: Writer) -> None:
    await writer.write(note(1, "机器"), note(2))
    assert stored(writer.path) == [(1, "机器"), (2, "x")]


async def test_writes_of_one_turn_share_a_commit(writer: Writer) -> None:
    before = writer.commits
    await asyncio.gather(*(writer.write(note(number)) for number in range(200)))
    assert writer.commits == before + 1
    assert len(stored(writer.path)) == 200


async def test_units_are_committed_in_the_order_of_submission(writer: Writer) -> None:
    update = "UPDATE notes SET body = ?"
    futures = [writer.submit([note(1, "first")]), *(writer.submit([Statement(update, [(str(n),)])]) for n in range(50))]
    await asyncio.gather(*futures)
    assert stored(writer.path) == [(1, "49")]


async def test_a_unit_is_all_or_nothing(writer: Writer) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        await writer.write(note(1), note(1))
    assert stored(writer.path) == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [(None, sqlite3.IntegrityError), (1 << 70, OverflowError), ("\ud800", UnicodeEncodeError), ({}, sqlite3.Error)],
)
async def test_a_bad_row_fails_only_its_own_unit(writer: Writer, body: object, expected: type[Exception]) -> None:
    units = [writer.write(note(n, body if n == 3 else "fine"), note(100 + n)) for n in range(6)]
    outcomes = await asyncio.gather(*units, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes if outcome is not None] != []
    assert isinstance(outcomes[3], expected)
    assert [outcome for n, outcome in enumerate(outcomes) if n != 3] == [None] * 5
    assert {number for number, _ in stored(writer.path)} == {n + more for n in range(6) if n != 3 for more in (0, 100)}


async def test_a_cancelled_caller_keeps_its_rows_and_hurts_nobody(writer: Writer) -> None:
    impatient = asyncio.ensure_future(writer.write(note(1)))
    patient = asyncio.ensure_future(writer.write(note(2)))
    await asyncio.sleep(0)
    impatient.cancel()
    await patient
    with pytest.raises(asyncio.CancelledError):
        await impatient
    assert [number for number, _ in stored(writer.path)] == [1, 2]


async def test_a_lock_longer_than_the_wait_is_an_error_and_the_next_write_works(writer: Writer) -> None:
    holder = sqlite3.connect(writer.path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    writes = [asyncio.ensure_future(writer.write(note(n))) for n in range(3)]
    for write in writes:
        with pytest.raises(RecordsError, match="stayed locked by another program"):
            await write
    holder.execute("ROLLBACK")
    holder.close()
    await writer.write(note(9))
    assert [number for number, _ in stored(writer.path)] == [9]


async def test_a_full_disk_is_an_error_and_leaves_nothing_half_written(writer: Writer) -> None:
    await writer.write(note(1))
    pages = writer._connection.execute("PRAGMA page_count").fetchone()[0]
    writer._connection.execute(f"PRAGMA max_page_count = {pages}")
    full = "does not fit on the disk: free some space"
    with pytest.raises(RecordsError, match=full):
        await writer.write(note(2, "small"), note(3, "y" * 100_000))
    assert [number for number, _ in stored(writer.path)] == [1]
    writer._connection.execute("PRAGMA max_page_count = 1000000")
    await writer.write(note(3, "y" * 100_000))
    assert [number for number, _ in stored(writer.path)] == [1, 3]


async def test_closing_commits_what_waits_and_refuses_what_comes_later(tmp_path: Path) -> None:
    writer = await Writer.open(tmp_path / "notes.db", prepare=lambda connection: connection.execute(TABLE))
    waiting = [writer.submit([note(n)]) for n in range(20)]
    await writer.close()
    assert all(future.done() and not future.exception() for future in waiting)
    assert len(stored(writer.path)) == 20
    assert not writer.path.with_name("notes.db-wal").exists()
    with pytest.raises(RecordsError, match="was closed before this write"):
        await writer.write(note(99))
