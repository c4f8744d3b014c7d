"""Every way in which a file refuses to be a database, and what people are told."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from graph.database import connect, connect_read_only, explain, explained
from graph.record import Reader, Records
from nodes.contracts import Request
from nodes.errors import RecordsError


@contextmanager
def nobody() -> Iterator[None]:
    """Root may write everything; as nobody, permissions count."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that nobody may reach and write."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        yield folder


def test_a_new_file_gets_its_folder_and_a_write_ahead_log(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "home" / "records.db"
    connection = connect(path)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (1,)  # NORMAL
    assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
    assert connection.execute("PRAGMA busy_timeout").fetchone()[0] >= 30_000
    assert path.parent.stat().st_mode & 0o077 == 0
    connection.close()


@pytest.mark.parametrize("content", [b"x", b"not a database", b"PK\x03\x04" + bytes(5000), "记录".encode() * 400])
def test_a_file_that_is_not_sqlite_is_named_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "records.db"
    path.write_bytes(content)
    for opening in (connect, connect_read_only):
        with pytest.raises(
            RecordsError, match=r"records\.db' is not a SQLite database: move it away, or set OCTAVO_HOME"
        ):
            opening(path)
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "records.db"
    path.write_bytes(b"SQLite format 3\x00" + b"\xff" * 8000)
    with pytest.raises(RecordsError, match=r"is not a SQLite database|is damaged"):
        connect(path)


def test_an_empty_file_is_a_new_database(tmp_path: Path) -> None:
    path = tmp_path / "records.db"
    path.touch()
    connect(path).close()
    assert path.read_bytes().startswith(b"SQLite format 3")


def test_a_folder_in_the_place_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "records.db").mkdir()
    with pytest.raises(RecordsError, match="cannot be opened: Is a directory"):
        connect(tmp_path / "records.db")


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    with pytest.raises(RecordsError, match="cannot be opened"):
        connect(tmp_path / "home" / "records.db")


def test_a_read_only_file(open_folder: Path) -> None:
    path = open_folder / "records.db"
    connect(path).close()
    path.chmod(0o444)
    with nobody(), pytest.raises(RecordsError, match="may not be written: make the file and its folder writable"):
        connect(path)


def test_an_unreadable_file(open_folder: Path) -> None:
    path = open_folder / "records.db"
    connect(path).close()
    path.chmod(0o000)
    with nobody(), pytest.raises(RecordsError, match="cannot be opened"):
        connect(path)


def test_a_read_only_folder(open_folder: Path) -> None:
    path = open_folder / "records.db"
    connect(path).close()
    path.chmod(0o666)
    open_folder.chmod(0o555)
    with nobody(), pytest.raises(RecordsError, match="writable, or set OCTAVO_HOME to another folder"):
        connect(path)
    with nobody(), pytest.raises(RecordsError, match="writable, or set OCTAVO_HOME to another folder"):
        connect(open_folder / "new.db")
    open_folder.chmod(0o777)


def test_a_lock_that_outlasts_the_wait(tmp_path: Path) -> None:
    path = tmp_path / "records.db"
    holder = connect(path)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(RecordsError, match=r"stayed locked by another program for 0\.05 s: close that program"):
        connect(path, wait=0.05)
    holder.execute("ROLLBACK")
    connect(path, wait=0.05).close()
    holder.close()


def test_no_database_yet(tmp_path: Path) -> None:
    with pytest.raises(RecordsError, match=r"there is no database .* yet: ask a question first"):
        connect_read_only(tmp_path / "records.db")
    assert not list(tmp_path.iterdir())


def test_a_check_refuses_before_anything_is_written(tmp_path: Path) -> None:
    path = tmp_path / "records.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE notes (body)")
    other.close()
    before = path.read_bytes()

    def refuse(_connection: sqlite3.Connection) -> None:
        raise RecordsError("not ours")

    with pytest.raises(RecordsError, match="not ours"):
        connect(path, check=refuse)
    assert path.read_bytes() == before


def test_many_threads_make_the_same_file_at_once(tmp_path: Path) -> None:
    path, faults = tmp_path / "records.db", []
    together = threading.Barrier(8)

    def make() -> None:
        together.wait()
        try:
            connect(path, prepare=lambda found: found.execute("CREATE TABLE IF NOT EXISTS t (x)")).close()
        except RecordsError as error:
            faults.append(error)

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []


def test_faults_of_rows_are_not_blamed_on_the_file(tmp_path: Path) -> None:
    error = sqlite3.IntegrityError("UNIQUE constraint failed")
    assert explain(error, tmp_path) is error
    with pytest.raises(sqlite3.OperationalError, match="syntax error") as caught, explained(tmp_path):
        sqlite3.connect(":memory:").execute("SELEC 1")
    assert caught.value.__cause__ is None


async def test_another_process_that_leaves_takes_no_rows_with_it(tmp_path: Path) -> None:
    """A lock lost here let the other process delete the write-ahead log under an open connection."""
    path = tmp_path / "records.db"
    visit = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); print(c.execute(sys.argv[2]).fetchone()[0]); c.close()"
    )

    def ask(sql: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", visit, str(path), sql], capture_output=True, text=True, check=True
        ).stdout.strip()

    records = await Records.open(path)
    for number in range(3):
        with Reader.open(path) as reader:  # opened and closed beside the writer, as `find_run` does
            assert len(reader.runs()) == number
        assert ask("SELECT count(*) FROM runs") == str(number)
        request = Request(run=str(uuid.uuid4()), question="How many?")
        await records.start_run(request, thread="t", source="test", model="m", config={})
        assert ask("SELECT count(*) FROM runs") == str(number + 1)
    await records.close()
    assert ask("SELECT count(*) FROM runs") == "3"


GUEST = """
import asyncio, pathlib, sys
from graph.record import Records
from nodes.contracts import Request
async def visit():
    records = await Records.open(pathlib.Path(sys.argv[1]))
    await records.start_run(Request(run=sys.argv[2], question="q"), thread="t", source="guest", model="m", config={})
    await records.close()
asyncio.run(visit())
"""


async def test_a_writing_process_that_leaves_and_one_that_stays_lose_nothing(tmp_path: Path) -> None:
    path, written = tmp_path / "records.db", set()
    records = await Records.open(path)
    for _ in range(3):
        mine, theirs = str(uuid.uuid4()), str(uuid.uuid4())
        visitor = await asyncio.create_subprocess_exec(sys.executable, "-c", GUEST, str(path), theirs)
        await records.start_run(Request(run=mine, question="q"), thread="t", source="stay", model="m", config={})
        assert await visitor.wait() == 0
        written |= {mine, theirs}
        with Reader.open(path) as reader:
            assert {row["id"] for row in reader.runs()} == written
    await records.close()
    connection = sqlite3.connect(path)
    assert {run for (run,) in connection.execute("SELECT id FROM runs")} == written
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
