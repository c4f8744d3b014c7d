"""Group commit: one thread, one transaction for everything that waits, callers resume after the COMMIT.

Many questions write at once, and SQLite allows one writer. Whatever was submitted while the last transaction ran forms
the next one, so the price of a commit is shared. The promise is that of a private commit: once `write` returns, a crash
of the process loses nothing. One caller's bad row never fails its neighbours: a batch that breaks is repeated piece by
piece. Both databases use this module; it knows SQLite and nothing of what the rows mean.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from nodes.errors import RecordsError

BUSY_SECONDS = 30.0
"""How long a connection waits for another process's lock."""
WAL_BYTES = 64 * 1024 * 1024
"""Size to which the write-ahead log is cut back after a burst."""
MAGIC = b"SQLite format 3\x00"
ROW_FAULTS = (sqlite3.Error, sqlite3.Warning, ArithmeticError, ValueError, TypeError)
"""What a row can raise: a broken constraint, a number over 64 bits, a lone surrogate, a type unknown to SQLite."""

Row = Sequence[Any]
Prepare = Callable[[sqlite3.Connection], object]


class Statement(NamedTuple):
    """One SQL statement and the rows it is run for."""

    sql: str
    rows: Sequence[Row]


class _Job(NamedTuple):
    """The statements of one caller, who waits for `done`."""

    statements: Sequence[Statement]
    done: asyncio.Future[None]


_ELSEWHERE = "set OCTAVO_HOME to another folder"
_FOREIGN = f"is not a SQLite database: move it away, or {_ELSEWHERE}"
_LOCKED = "stayed locked by another program for {wait:g} s: close that program and ask again"
_FORBIDDEN = f"may not be written: make the file and its folder writable, or {_ELSEWHERE}"
_WAYS_OUT = {
    sqlite3.SQLITE_NOTADB: _FOREIGN,
    sqlite3.SQLITE_CORRUPT: "is damaged: restore a copy, or salvage it with `sqlite3 FILE .recover`",
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_READONLY: _FORBIDDEN,
    sqlite3.SQLITE_PERM: _FORBIDDEN,
    sqlite3.SQLITE_AUTH: _FORBIDDEN,
    sqlite3.SQLITE_CANTOPEN: f"cannot be opened: its folder must exist and be writable, or {_ELSEWHERE}",
    sqlite3.SQLITE_FULL: f"does not fit on the disk: free some space, or {_ELSEWHERE}",
    sqlite3.SQLITE_IOERR: f"cannot be read or written (is the disk full?): free some space, or {_ELSEWHERE}",
    sqlite3.SQLITE_NOLFS: f"is too large for this file system: {_ELSEWHERE}",
}


def explain(error: Exception, path: Path, wait: float = BUSY_SECONDS) -> Exception:
    """A RecordsError with the way out where the file is at fault, else the error itself."""
    if isinstance(error, OSError):
        return RecordsError(f"database {str(path)!r} cannot be opened: {error.strerror}; {_ELSEWHERE}")
    way_out = _WAYS_OUT.get(primary_code(error))
    if way_out is None:
        return error
    return RecordsError(f"database {str(path)!r} {way_out.format(wait=wait)} ({error})")


def primary_code(error: Exception) -> int:
    """SQLite's primary result code behind an exception; 0 when there is none."""
    code: int = getattr(error, "sqlite_errorcode", None) or 0
    return code & 0xFF


@contextmanager
def explained(path: Path, wait: float = BUSY_SECONDS) -> Iterator[None]:
    """Turn faults of the file into RecordsError."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise explain(error, path, wait) from error


def connect(
    path: Path, *, check: Prepare | None = None, prepare: Prepare | None = None, wait: float = BUSY_SECONDS
) -> sqlite3.Connection:
    """Open a database for writing: WAL, synchronous NORMAL, foreign keys, made if it is missing; it blocks.

    `check` may refuse the file before anything is written, `prepare` brings the schema up to date. Raises RecordsError
    when the file cannot be used; a file that is not a SQLite database is not touched.
    """
    with explained(path, wait):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # questions are private
        _check_magic(path)
        connection = sqlite3.connect(
            path, timeout=wait, isolation_level=None, check_same_thread=False, cached_statements=256
        )
        try:
            if check:
                check(connection)
            _switch_to_wal(connection, path, wait)
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute("PRAGMA foreign_keys=ON")
            connection.execute(f"PRAGMA journal_size_limit={WAL_BYTES}")
            connection.execute("BEGIN IMMEDIATE")  # a read-only file opens without complaint and fails only here
            connection.execute("ROLLBACK")
            if prepare:
                prepare(connection)
        except BaseException:
            connection.close()
            raise
    return connection


def connect_read_only(path: Path, *, wait: float = BUSY_SECONDS) -> sqlite3.Connection:
    """Open an existing database for reading; it blocks. Raises RecordsError when the file is missing or unusable."""
    with explained(path, wait):
        if not path.exists():
            raise RecordsError(f"there is no database {str(path)!r} yet: ask a question first, or set OCTAVO_HOME")
        _check_magic(path)
        return sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=wait, isolation_level=None, check_same_thread=False
        )


def _check_magic(path: Path) -> None:
    """Refuse a foreign file before SQLite touches it."""
    if not path.exists():
        return
    with path.open("rb") as file:
        head = file.read(len(MAGIC))
    if head and head != MAGIC:
        raise RecordsError(f"database {str(path)!r} {_FOREIGN}")


def _switch_to_wal(connection: sqlite3.Connection, path: Path, wait: float) -> None:
    """WAL mode; two processes that make the same file at once meet here, where SQLite itself does not wait."""
    give_up = time.monotonic() + wait
    while True:
        try:
            mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
            if mode != "wal":
                mode = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        except sqlite3.OperationalError as error:
            if primary_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > give_up:
                raise
            time.sleep(0.02)
            continue
        if mode == "wal":
            return
        raise RecordsError(f"database {str(path)!r} cannot use a write-ahead log: set OCTAVO_HOME to a local disk")


class Writer:
    """The only writing connection of one process to one database. It belongs to the event loop that opened it."""

    def __init__(self, connection: sqlite3.Connection, path: Path, wait: float = BUSY_SECONDS) -> None:
        self.path = path
        self.commits = 0
        self._connection = connection
        self._wait = wait
        self._loop = asyncio.get_running_loop()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="octavo-writer")
        self._waiting: list[_Job] = []
        self._running = False
        self._idle = asyncio.Event()
        self._idle.set()
        self._closed = False

    @classmethod
    async def open(
        cls, path: Path, *, check: Prepare | None = None, prepare: Prepare | None = None, wait: float = BUSY_SECONDS
    ) -> Writer:
        """`connect` in a thread. Raises RecordsError."""
        connection = await asyncio.to_thread(connect, path, check=check, prepare=prepare, wait=wait)
        return cls(connection, path, wait)

    def submit(self, statements: Sequence[Statement]) -> asyncio.Future[None]:
        """Queue statements as one unit and return at once; the future is done when they are committed.

        Units are committed in the order in which they were submitted. Errors as in `write`.
        """
        if self._closed:
            raise RecordsError(f"database {str(self.path)!r} was closed before this write")
        job = _Job(statements, self._loop.create_future())
        self._waiting.append(job)
        if not self._running:
            self._running = True
            self._idle.clear()
            self._loop.call_soon(self._start)  # everything that runs in this turn of the loop joins the batch
        return job.done

    async def write(self, *statements: Statement) -> None:
        """Run statements as one unit, all or nothing; returns after the COMMIT.

        Raises RecordsError when the file is locked, full, read-only or damaged, and sqlite3.Error for a bad row.
        """
        await self.submit(statements)

    async def close(self) -> None:
        """Commit what waits, then close the file."""
        self._closed = True
        await self._idle.wait()
        await self._loop.run_in_executor(self._pool, self._connection.close)
        self._pool.shutdown(wait=False)

    def _start(self) -> None:
        batch, self._waiting = self._waiting, []
        commit = self._loop.run_in_executor(self._pool, self._commit, batch)
        commit.add_done_callback(lambda done: self._finish(batch, done))

    def _finish(self, batch: list[_Job], commit: asyncio.Future[list[Exception | None]]) -> None:
        outcomes: Sequence[BaseException | None] = [asyncio.CancelledError()] * len(batch)
        if not commit.cancelled():
            outcomes = [commit.exception()] * len(batch) if commit.exception() else commit.result()
        for job, error in zip(batch, outcomes, strict=True):
            if job.done.done():
                continue  # its caller was cancelled; the rows are kept all the same
            if error is None:
                job.done.set_result(None)
            elif isinstance(error, Exception):
                job.done.set_exception(explain(error, self.path, self._wait))
            else:
                job.done.cancel()
        if self._waiting:
            self._start()
        else:
            self._running = False
            self._idle.set()

    def _commit(self, batch: list[_Job]) -> list[Exception | None]:
        """One transaction for the batch; when a row breaks it, one for each unit. Runs in the thread."""
        try:
            self._transact([statement for job in batch for statement in job.statements])
        except ROW_FAULTS as error:
            if len(batch) == 1 or primary_code(error) in _WAYS_OUT:
                return [error] * len(batch)
            return [outcome for job in batch for outcome in self._commit([job])]
        return [None] * len(batch)

    def _transact(self, statements: Sequence[Statement]) -> None:
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            for sql, rows in statements:
                connection.executemany(sql, rows)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # SQLite itself rolls back after some faults, a full disk for example
                connection.execute("ROLLBACK")
            raise
        self.commits += 1
