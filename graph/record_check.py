"""What `octavo doctor` says about the two databases: usable, not there yet, or why not and what mends it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from graph.database import Prepare, connect, primary_code
from graph.engine.contracts import Diagnosis
from graph.migrations import is_current
from graph.settings import Settings
from nodes.errors import RecordsError

WAIT = 2.0
"""Seconds to wait for another program's lock."""
MENDS = {
    sqlite3.SQLITE_BUSY: "fuser -v {path}",
    sqlite3.SQLITE_READONLY: "chmod u+w {path} {folder}",
    sqlite3.SQLITE_CANTOPEN: "ls -ld {path} {folder}",
    sqlite3.SQLITE_FULL: "df -h {folder}",
    sqlite3.SQLITE_IOERR: "df -h {folder}",
}
"""Command by SQLite's result code; a file that is not ours, damaged or newer is moved away."""


def diagnose_databases(settings: Settings) -> Iterator[Diagnosis]:
    """Records, then checkpoints."""
    from graph.checkpointer import check_file  # LangGraph takes a second to import

    yield diagnose_database("records", settings.records, is_current)
    yield diagnose_database("checkpoints", settings.checkpoints, check_file)


def diagnose_database(name: str, path: Path, check: Prepare) -> Diagnosis:
    """One file: it opens for writing and `check` knows it."""
    if not path.exists():
        return Diagnosis(check=name, ok=True, detail=f"{str(path)!r} is made by the first question")
    try:
        connect(path, check=check, wait=WAIT).close()
    except RecordsError as error:
        cause = error.__cause__
        way = MENDS.get(primary_code(cause), "mv {path} {path}.old") if isinstance(cause, sqlite3.Error) else ""
        mend = (way or "mv {path} {path}.old").format(path=quote(str(path)), folder=quote(str(path.parent)))
        return Diagnosis(check=name, ok=False, detail=str(error), mend=mend)
    return Diagnosis(check=name, ok=True, detail=f"{str(path)!r}, {path.stat().st_size / 1e6:.1f} MB")
