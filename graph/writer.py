"""Group commit: one thread, one transaction for everything that waits, callers resume after the COMMIT.

Many questions write at once, and SQLite allows one writer. Whatever was submitted while the last transaction ran forms
the next one, so the price of a commit is shared. The promise is that of a private commit: once `write` returns, a crash
of the process loses nothing. One caller's bad row never fails its neighbours: a batch that breaks is repeated piece by
piece. Both databases use this module; it knows SQLite and nothing of what the rows mean.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from graph.database import BUSY_SECONDS, Prepare, connect, explain, is_of_the_file
from nodes.errors import RecordsError

ROW_FAULTS = (sqlite3.Error, sqlite3.Warning, ArithmeticError, ValueError, TypeError)
"""What a row can raise: a broken constraint, a number over 64 bits, a lone surrogate, a type unknown to SQLite."""

Row = Sequence[Any]


class Statement(NamedTuple):
    """One SQL statement and the rows it is run for."""

    sql: str
    rows: Sequence[Row]


class _Job(NamedTuple):
    """The statements of one caller, who waits for `done`."""

    statements: Sequence[Statement]
    done: asyncio.Future[None]


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
        """Commit what waits, then close the file; closing twice is closing once."""
        first, self._closed = not self._closed, True
        await self._idle.wait()
        if not first:
            return
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
            self._loop.call_soon(self._start)  # after the callers that were just woken
        else:
            self._running = False
            self._idle.set()

    def _commit(self, batch: list[_Job]) -> list[Exception | None]:
        """One transaction for the batch; when a row breaks it, one for each unit. Runs in the thread."""
        try:
            self._transact([statement for job in batch for statement in job.statements])
        except ROW_FAULTS as error:
            if len(batch) == 1 or is_of_the_file(error):
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
