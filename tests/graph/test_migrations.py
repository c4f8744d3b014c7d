"""The schema grows by numbered migrations, once, and never over a foreign or newer file."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from graph import migrations
from graph.database import connect
from graph.migrations import applied, is_current, migrate, names
from nodes.errors import RecordsError


def opened(path: Path) -> sqlite3.Connection:
    return connect(path, check=is_current, prepare=migrate)


def test_a_new_file_gets_every_migration_with_its_record(tmp_path: Path) -> None:
    connection = opened(tmp_path / "records.db")
    assert applied(connection) == names()
    assert names() == sorted(names())
    assert all(name[:4].isdigit() for name in names())
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert {"payloads", "runs", "routes", "findings", "calls", "candidates", "checks", "tallies", "ballots"} <= tables
    assert not {"labels", "blame"} & tables
    connection.close()


def test_opening_again_changes_nothing_and_needs_no_sqlite_utils(tmp_path: Path) -> None:
    path = tmp_path / "records.db"
    opened(path).close()
    before = path.read_bytes()
    code = (
        "import pathlib, sys; from graph.database import connect; from graph.migrations import is_current, migrate;"
        f"connect(pathlib.Path({str(path)!r}), check=is_current, prepare=migrate).close();"
        "sys.exit('sqlite_utils' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert path.read_bytes() == before


def test_a_failing_migration_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "records.db"
    opened(path).close()

    def broken(db: migrations.Database) -> None:
        db.execute("CREATE TABLE half (x)")
        db.execute("CREATE TABLE runs (x)")

    monkeypatch.setitem(migrations._MIGRATIONS, "9999_broken", broken)
    with pytest.raises(sqlite3.OperationalError, match="already exists"):
        opened(path)
    monkeypatch.undo()
    connection = opened(path)
    assert applied(connection) == names()
    assert not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'half'").fetchone()
    connection.close()


def test_a_later_migration_is_applied_to_an_older_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "records.db"
    opened(path).close()
    monkeypatch.setitem(
        migrations._MIGRATIONS, "9999_more", lambda db: db.execute("ALTER TABLE runs ADD COLUMN more TEXT") and None
    )
    connection = opened(path)
    assert applied(connection)[-1] == "9999_more"
    connection.execute("SELECT more FROM runs")
    connection.close()


def test_a_newer_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "records.db"
    connection = opened(path)
    connection.execute(
        "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('octavo', '0099_x', '')"
    )
    connection.close()
    before = path.read_bytes()
    with pytest.raises(RecordsError, match=r"written by a newer Octavo \(it has 0099_x\): upgrade Octavo"):
        opened(path)
    assert path.read_bytes() == before


def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "records.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE runs (id)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(RecordsError, match="belongs to another program: move it away"):
        opened(path)
    assert path.read_bytes() == before


def test_a_disk_too_small_for_the_schema_leaves_no_table(tmp_path: Path) -> None:
    path = tmp_path / "records.db"

    def squeezed(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA max_page_count = 6")
        migrate(connection)

    with pytest.raises(RecordsError, match="does not fit on the disk: free some space"):
        connect(path, check=is_current, prepare=squeezed)
    connection = opened(path)
    assert applied(connection) == names()
    connection.close()


def test_processes_that_open_a_new_file_at_once_do_the_work_once(tmp_path: Path) -> None:
    path = tmp_path / "records.db"
    code = (
        "import pathlib; from graph.database import connect; from graph.migrations import is_current, migrate, applied;"
        f"print(applied(connect(pathlib.Path({str(path)!r}), check=is_current, prepare=migrate)))"
    )
    started = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert [process.communicate()[0].strip() for process in started] == [str(names())] * 4
    connection = opened(path)
    assert applied(connection) == names()
    connection.close()
