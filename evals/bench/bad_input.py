"""What Octavo says to bad input: one row a case, with exit code, error code, message, rows gained and calls paid.

    python -m evals.bench.bad_input            every case as a real command line, as a table
    python -m evals.bench.bad_input nul full   cases whose name has one of these words

A case passes when its error is the named one, its exit code is right, no completion was asked for and neither database
has a row more than before. Read-only files and full disks need a mount of their own: `unshare` (util-linux) makes one
in a private namespace, without root where the kernel allows that. `tests/graph/test_bad_input.py` runs the same cases.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from evals.bench.endpoint import Running, endpoint
from graph.engine.process import inherited

OCTAVO = (sys.executable, "-m", "graph.cli")
ROOT = Path(__file__).resolve().parent.parent.parent
DATABASES = ("records.db", "checkpoints.db")
QUESTION = "A box holds 9 pens and another one 8. How many pens are there?"
KEY = "the right key"
PRIVATE = ("unshare", "--user", "--map-root-user", "--mount")
"""A namespace in which this user may mount."""
NO_MOUNT = 77
"""Exit code of a case that cannot be tried here."""
IN_MOUNT = """
home=$1 after=$2; shift 2
({mount}) >&2 || exit {no}
"$@"; code=$?
rm -f "$home/filler"; cp "$home"/*.db* "$after"
exit $code
"""
READ_ONLY = 'mount --bind "$home" "$home" && mount -o remount,bind,ro "$home"'
FULL = """
cp "$home"/*.db "$after" && mount -t tmpfs -o size=4m tmpfs "$home" && mv "$after"/*.db "$home"
cat /dev/zero >"$home/filler" 2>/dev/null; test -s "$home/filler"
"""


@dataclass(frozen=True)
class Case:
    """One bad input."""

    name: str
    code: str
    """Code of the error."""
    words: tuple[str, ...]
    """Patterns that the message must match: what is wrong, and the way out."""
    exit_code: int = 2
    question: str | bytes = QUESTION
    stdin: bytes = b""
    options: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    spoil: Callable[[Path], sqlite3.Connection | None] | None = None
    """Spoils a home; a connection that it returns stays open while the case runs."""
    mount: str = ""
    """Shell words that spoil `$home` in a mount namespace of its own."""


class Result(NamedTuple):
    """What became of a case."""

    exit_code: int
    code: str
    message: str
    gained: dict[str, int]
    """Tables whose number of rows changed, with the difference."""
    paid: int
    """Completions that the endpoint was asked for."""


Run = Callable[[Sequence[str | bytes], bytes, Mapping[str, str]], tuple[int, str, str]]
"""Runs a command (words, stdin, variables): exit code, stdout, stderr."""


def _foreign(path: Path) -> None:
    path.write_text("this is not a database\n" * 100, encoding="utf-8")


def _damaged(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100] + bytes(range(256)) * 64)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _other_program(path: Path) -> None:
    path.unlink()
    _execute(path, "CREATE TABLE songs (name)")


def _newer(path: Path) -> None:
    if path.name == "records.db":
        _execute(
            path,
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('octavo', '9999_future', '2030')",
        )
    else:
        _execute(path, "PRAGMA user_version = 99")


def _locked(path: Path) -> sqlite3.Connection:
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    return holder


def _execute(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(statement)


def _at(name: str, spoil: Callable[[Path], sqlite3.Connection | None]) -> Callable[[Path], sqlite3.Connection | None]:
    return lambda home: spoil(home / name)


def _home_is_a_file(home: Path) -> None:
    shutil.rmtree(home)
    home.write_text("a file", encoding="utf-8")


TEXTS = (
    Case("empty question", "empty_question", ("empty",), question=""),
    Case("blank question", "empty_question", ("blank",), question=" \t\u3000\u200b\n"),
    Case("empty stdin", "empty_question", ("empty",), question="-"),
    Case("NUL byte", "nul_byte", ("character 1", "remove"), question="-", stdin=b"a\0b"),
    Case("1 MB of text", "question_too_long", ("1000000", "OCTAVO_MAX_TEXT"), question="-", stdin=b"x" * 1_000_000),
    Case("invalid UTF-8 as argument", "lone_surrogate", ("character 3", "UTF-8"), question=b"ab \xff"),
    Case("invalid UTF-8 in stdin", "not_utf8", ("byte 3", "0xff"), question="-", stdin=b"ab \xff"),
    Case("lone surrogate in stdin", "not_utf8", ("byte 0", "0xed"), question="-", stdin=b"\xed\xa0\x80"),
    Case(
        "over the context window",
        "context_length_exceeded",
        (r"\b[1-9]\d* tokens over", "shorten"),
        question="-",
        stdin=b"why " * 45_000,
    ),
    Case("unknown mode", "unknown_mode", ("'sideways'", "auto, light, deep"), options=("--mode", "sideways")),
    Case("deadline in the past", "bad_deadline", ("-1", "more than 0"), options=("--deadline", "-1")),
    Case("deadline that is none", "bad_deadline", ("nan", "number of seconds"), options=("--deadline", "nan")),
    Case("thread with a line end", "bad_thread", ("printable",), options=("--thread", "a\nb")),
    Case("unknown option", "usage", ("--sideways",), options=("--sideways",)),
    Case("bad setting", "setup_error", ("OCTAVO_CONCURRENCY", "integer"), env={"OCTAVO_CONCURRENCY": "many"}),
)
ENGINES = (
    Case(
        "engine down",
        "engine_unreachable",
        ("127.0.0.1:1/", "see: octavo doctor"),
        3,
        env={"OCTAVO_BASE_URL": "http://127.0.0.1:1/v1"},
    ),
    Case("no address", "setup_error", ("OCTAVO_BASE_URL", "http://"), 2, env={"OCTAVO_BASE_URL": "nonsense"}),
    Case("wrong key", "engine_denied", ("401", "OCTAVO_API_KEY"), 3, env={"OCTAVO_API_KEY": "the wrong key"}),
    Case(
        "model not served",
        "model_not_served",
        ("'nobody'", "default", "OCTAVO_MODEL"),
        3,
        env={"OCTAVO_MODEL": "nobody"},
    ),
)
FILES = [
    case
    for name in DATABASES
    for case in (
        Case(f"{name} is not SQLite", "records_error", (name, "not a SQLite", "move it"), spoil=_at(name, _foreign)),
        Case(f"{name} is damaged", "records_error", (name, "damaged|malformed", "restore"), spoil=_at(name, _damaged)),
        Case(
            f"{name} is a folder", "records_error", (name, "director|folder", "OCTAVO_HOME"), spoil=_at(name, _folder)
        ),
        Case(f"{name} of another program", "records_error", (name, "another program"), spoil=_at(name, _other_program)),
        Case(f"{name} of a newer version", "records_error", (name, "newer", "upgrade"), spoil=_at(name, _newer)),
        Case(f"{name} is locked", "records_error", (name, "locked", "close that program"), spoil=_at(name, _locked)),
    )
]
HOMES = (
    Case("home is a file", "records_error", ("exists|directory", "OCTAVO_HOME"), spoil=_home_is_a_file),
    Case("home is read-only", "records_error", ("records.db", "may not be written", "OCTAVO_HOME"), mount=READ_ONLY),
    Case("disk is full", "records_error", ("records.db", "disk", "OCTAVO_HOME"), mount=FULL),
)
CASES = (*TEXTS, *ENGINES, *FILES, *HOMES)


def child(words: Sequence[str | bytes], stdin: bytes, variables: Mapping[str, str]) -> tuple[int, str, str]:
    """Run a command as a child."""
    env = {**inherited(), **variables}
    done = subprocess.run(words, input=stdin, capture_output=True, cwd=ROOT, env=env, timeout=180, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def mounted(case: Case, home: Path, after: Path) -> tuple[str, ...]:
    """The words before a command that give it a spoiled `home`; both databases are copied to `after` at the end."""
    script = IN_MOUNT.format(mount=case.mount, no=NO_MOUNT)
    return (*PRIVATE, "sh", "-c", script, "sh", str(home), str(after)) if case.mount else ()


def try_case(case: Case, server: Running, template: Path, folder: Path, run: Run = child) -> Result:
    """Run one case in a copy of the home `template`, below `folder`; `run` may run the command in another way.

    It blocks, and runs event loops of its own.
    """
    home, after = folder / "home", folder / "after"
    shutil.copytree(template, home)
    after.mkdir()
    held = case.spoil(home) if case.spoil else None
    before, paid = rows(home), _paid(server)
    variables = {"OCTAVO_HOME": str(home), "OCTAVO_BASE_URL": server.base_url, "OCTAVO_API_KEY": KEY, **case.env}
    words = (*mounted(case, home, after), *OCTAVO, "ask", "--json", *case.options, case.question)
    try:
        exit_code, out, err = run(words, case.stdin, variables)
    finally:
        if held is not None:
            held.close()
    if case.mount and (exit_code == NO_MOUNT or err.startswith("unshare:")):
        return Result(NO_MOUNT, "", f"cannot be tried here: {err.strip()}", {}, 0)
    left = rows(after if case.mount else home)
    gained = {table: left.get(table, 0) - count for table, count in before.items() if left.get(table, 0) != count}
    error = (json.loads(out) if out.startswith("{") else {}).get("error", {})
    message = " ".join(filter(None, (error.get("message", out + err), error.get("hint"))))
    return Result(exit_code, error.get("code", ""), message, gained, _paid(server) - paid)


def faults(case: Case, result: Result) -> list[str]:
    """What is wrong with a result; empty when the case passes."""
    found = [f"the message lacks {words!r}" for words in case.words if not re.search(words, result.message)]
    if result.exit_code != case.exit_code:
        found.append(f"exit code {result.exit_code}, not {case.exit_code}")
    if result.code != case.code:
        found.append(f"code {result.code!r}, not {case.code!r}")
    if result.gained:
        found.append(f"rows changed: {result.gained}")
    return [*found, f"{result.paid} completions"] if result.paid else found


def rows(home: Path) -> dict[str, int]:
    """Rows of every table of both databases; a file that is missing or cannot be read has none."""
    found: dict[str, int] = {}
    for name in DATABASES:
        try:
            with closing(sqlite3.connect(f"{(home / name).absolute().as_uri()}?mode=ro", uri=True)) as connection:
                tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
                for (table,) in tables:
                    found[f"{name}:{table}"] = connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]
        except sqlite3.Error:
            continue
    return found


def _paid(server: Running) -> int:
    return int(asyncio.run(server.counts())["total"].get("started", 0))


def make_template(server: Running, home: Path) -> None:
    """A home with one answered question."""
    variables = {"OCTAVO_HOME": str(home), "OCTAVO_BASE_URL": server.base_url, "OCTAVO_API_KEY": KEY}
    code, out, err = child((*OCTAVO, "ask", "--mode", "2", QUESTION), b"", variables)
    if code:
        raise RuntimeError(f"the good question failed with exit code {code}: {out}{err}")


async def table(words: Sequence[str]) -> int:
    """Try the cases and print them; the number of failed ones."""
    failed = 0
    chosen = [case for case in CASES if not words or any(word in case.name for word in words)]
    async with endpoint(key=KEY) as server:
        with tempfile.TemporaryDirectory() as base:
            await asyncio.to_thread(make_template, server, Path(base) / "template")
            print(f"{'case':<34} exit  rows  calls  code and message")
            for number, case in enumerate(chosen):
                result = await asyncio.to_thread(
                    try_case, case, server, Path(base) / "template", Path(base) / str(number)
                )
                wrong = [] if result.exit_code == NO_MOUNT else faults(case, result)
                failed += bool(wrong)
                figures = f"{result.exit_code:>4}  {sum(result.gained.values()):>+4}  {result.paid:>5}"
                print(f"{case.name:<34} {figures}  {result.code}: {result.message[:240]}")
                for fault in wrong:
                    print(f"{'':<34} WRONG: {fault}")
    print(f"{len(chosen)} cases, {failed} wrong")
    return failed


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m evals.bench.bad_input", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("words", nargs="*", help="only cases whose name has one of these")
    sys.exit(1 if asyncio.run(table(parser.parse_args().words)) else 0)


if __name__ == "__main__":
    main()
