"""Opening a SQLite file, and what to tell people when it cannot be used.

Both databases are opened here: write-ahead log, a long wait for other people's locks, nothing written before the file
has proved to be ours. SQLite's result codes become a RecordsError that names the file, the reason and the way out.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from nodes.errors import RecordsError

BUSY_SECONDS = 30.0
"""How long a connection waits for another process's lock."""
HEADER_BYTES = 100
"""Bytes of the header that every database file begins with."""
WAL_BYTES = 64 * 1024 * 1024
"""Size to which the write-ahead log is cut back after a burst."""

Prepare = Callable[[sqlite3.Connection], object]

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


def is_of_the_file(error: Exception) -> bool:
    """Whether the file is at fault and not a row."""
    return primary_code(error) in _WAYS_OUT


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
        found = explain(error, path, wait)
        if found is error:
            raise
        raise found from error


def connect(
    path: Path, *, check: Prepare | None = None, prepare: Prepare | None = None, wait: float = BUSY_SECONDS
) -> sqlite3.Connection:
    """Open a database for writing: WAL, synchronous NORMAL, foreign keys, made if it is missing; it blocks.

    `check` may refuse the file before anything is written, `prepare` brings the schema up to date. Raises RecordsError
    when the file cannot be used; a file that is not a SQLite database is not touched.
    """
    with explained(path, wait):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # questions are private
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        connection = sqlite3.connect(
            path, timeout=wait, isolation_level=None, check_same_thread=False, cached_statements=256
        )
        try:
            _read_header(connection, path)
            if check:
                check(connection)
            _switch_to_wal(connection, path, wait)
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute("PRAGMA foreign_keys=ON")
            connection.execute(f"PRAGMA journal_size_limit={WAL_BYTES}")
            _try_writing(connection)
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
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=wait, isolation_level=None, check_same_thread=False
        )
        try:
            _read_header(connection, path)
        except BaseException:
            connection.close()
            raise
        return connection


def _read_header(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a foreign file before anything is written to it.

    By SQLite itself and never with `open`: when a process closes any file handle of a database, POSIX drops the locks
    of all its connections to it. The next process to leave would then take itself for the last one and delete the
    write-ahead log that this one still writes to (sqlite.org/howtocorrupt.html, 2.2).
    """
    connection.execute("PRAGMA schema_version").fetchone()
    if 0 < path.stat().st_size < HEADER_BYTES:  # SQLite would take a few bytes for an empty database
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


def _try_writing(connection: sqlite3.Connection) -> None:
    """A read-only file opens without complaint, and even begins a transaction; it fails at the first change."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute("PRAGMA user_version = 1")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
