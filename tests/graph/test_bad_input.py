"""Bad input ends with a named error before any model call, and leaves both databases as they were.

The cases are those of `evals/bench/bad_input.py`, which prints them as a table of real command lines. Here most of them
run in this process; arguments that are not UTF-8, and homes with a mount of their own, need a child.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from evals.bench import bad_input
from evals.bench.bad_input import CASES, NO_MOUNT, Case, Result, child, faults, make_template, rows, try_case
from evals.bench.endpoint import Running
from graph import checkpointer
from graph.record import Records
from tests.graph.programs import OCTAVO, ROOT, Octavo, scripted

WAIT = 0.2
"""Seconds to wait for a lock, instead of thirty."""
FILLING = """
mount -t tmpfs -o size=6m tmpfs "$OCTAVO_HOME" || exit 77
{octavo} ask --mode 1 "{question}" >/dev/null
free=$(df -k --output=avail "$OCTAVO_HOME" | tail -1)
dd if=/dev/zero of="$OCTAVO_HOME/filler" bs=1k count=$((free - {left})) status=none
{octavo} ask --mode 8 "{question} Once more." >&2; code=$?
rm "$OCTAVO_HOME/filler"
{octavo} runs --json --limit 1 >"$OCTAVO_HOME.run"
{octavo} resume --json "$(grep -o '[0-9a-f]\\{{8\\}}-[0-9a-f-]*' "$OCTAVO_HOME.run" | head -1)" >"$OCTAVO_HOME.out"
cp "$OCTAVO_HOME"/*.db* "$OCTAVO_HOME.after"
exit $code
"""
"""The second question is asked with `left` kB of disk: enough to begin, not to end."""


@pytest.fixture(scope="module")
def guarded_server() -> Iterator[Running]:
    """A scripted endpoint that asks for a key."""
    with scripted(key=bad_input.KEY) as server:
        yield server


@pytest.fixture(scope="module")
def template(guarded_server: Running, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with one answered question."""
    home = tmp_path_factory.mktemp("template") / "home"
    make_template(guarded_server, home)
    assert rows(home)["records.db:runs"] == 1
    return home


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both databases wait for a lock for a moment only."""
    for function in (Records.open.__func__, checkpointer.open_saver.__wrapped__):  # type: ignore[attr-defined]
        assert function.__kwdefaults__["wait"] == 30
        monkeypatch.setitem(function.__kwdefaults__, "wait", WAIT)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.usefixtures("impatient")
def test_bad_input(case: Case, octavo: Octavo, guarded_server: Running, template: Path, tmp_path: Path) -> None:
    def here(words: Sequence[str | bytes], stdin: bytes, variables: Mapping[str, str]) -> tuple[int, str, str]:
        octavo.set(**variables)
        return octavo(*map(os.fsdecode, words[len(OCTAVO) :]), stdin=stdin)

    result = try_case(case, guarded_server, template, tmp_path / "case", child if case.mount else here)
    if result.exit_code == NO_MOUNT:
        pytest.skip(result.message)
    assert faults(case, result) == []


def test_an_argument_that_is_not_utf_8_reaches_a_real_command_line(octavo: Octavo) -> None:
    found = octavo.child("ask", "--json", b"ab \xff")
    assert (found.code, found.error["code"]) == (2, "lone_surrogate")
    assert not octavo.home.exists()


def test_the_judgement_of_a_case_can_fail() -> None:
    case = Case("x", "nul_byte", ("remove",))
    assert faults(case, Result(2, "nul_byte", "remove it", {}, 0)) == []
    for bad in (
        Result(1, "nul_byte", "remove it", {}, 0),
        Result(2, "other", "remove it", {}, 0),
        Result(2, "nul_byte", "oops", {}, 0),
        Result(2, "nul_byte", "remove it", {"records.db:runs": 1}, 0),
        Result(2, "nul_byte", "remove it", {}, 1),
    ):
        assert len(faults(case, bad)) == 1


def test_a_file_of_bad_lines_touches_nothing(octavo: Octavo) -> None:
    assert octavo("route", "--file", "/dev/null", "--json").code in (0, 2)
    assert not octavo.home.exists()


def test_a_disk_that_fills_up_in_mid_run_ends_the_run_by_name_and_it_can_be_resumed(octavo: Octavo) -> None:
    octavo.home.mkdir()
    after = octavo.home.with_name("home.after")
    after.mkdir()
    script = FILLING.format(
        octavo=" ".join(OCTAVO), question="A box holds 9 pens and another one 8. How many pens are there?", left=300
    )
    command = (*bad_input.PRIVATE, "sh", "-c", script)
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode == NO_MOUNT or done.stderr.startswith("unshare:"):
        pytest.skip(f"no private mounts here: {done.stderr.strip()}")
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("error (records_error): database"), done.stderr
    assert "free some space" in done.stderr
    assert json.loads(octavo.home.with_name("home.run").read_text())[0]["status"] in ("running", "failed")
    assert json.loads(octavo.home.with_name("home.out").read_text())["answer"] == "17"
    for name in bad_input.DATABASES:
        with closing(sqlite3.connect(after / name)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
