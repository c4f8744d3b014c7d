"""Kill a question at any moment, resume it in a fresh process, and count what was paid for.

    python -m evals.bench.kills --kills 50

A child process asks with eight branches against the scripted endpoint and dies of SIGKILL: at a moment drawn evenly
from the time that an undisturbed question takes, or, every other time, at a named point (before or after one of the
writes, in the middle of a reply). Then `octavo resume RUN` finishes the run. Required of every kill: a verdict, the one
of an undisturbed run; both databases sound; each branch and each reply once; and by the endpoint's own count, which
knows requests by their digest, no reply that was committed before the kill is asked for again.

A run that dies before its first row is written cannot be known to anybody: these are counted apart and asked again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evals.bench.endpoint import Running, endpoint
from evals.bench.layers import BRANCHES, Instant
from evals.bench.questions import question
from evals.bench.victim import POINTS, kill, seconds
from graph.run import open_committee
from graph.settings import CHECKOUT, read
from nodes.contracts import Answer
from nodes.errors import OctavoError

UNTRACED, EARLY = "before the first row", "it answered first"
FUNCTION = "evals.bench.questions:reply"
Finish = Callable[[Path, Running, str], Awaitable[tuple[int, dict[str, Any]]]]
"""Resumes a run: exit code and the answer, or the error."""


class Kill(NamedTuple):
    """One kill and what became of it."""

    run: str
    point: str
    """Name of the point, or the second of a random kill."""
    stage: str
    committed: int
    """Replies committed before the kill."""
    again: int
    """Requests sent a second time, all of them for replies that were not committed."""
    faults: tuple[str, ...]


def command(home: Path, server: Running, *words: str) -> subprocess.CompletedProcess[str]:
    """`octavo` with some words, in a fresh process."""
    names = (f"OCTAVO_HOME={home}", f"OCTAVO_BASE_URL={server.base_url}", f"OCTAVO_MODEL={server.model}")
    octavo = ("env", *names, sys.executable, "-m", "graph.cli", *words)
    return subprocess.run(octavo, cwd=CHECKOUT, capture_output=True, text=True, check=False)


def resume(home: Path, server: Running, run: str) -> tuple[int, dict[str, Any]]:
    """`octavo resume RUN --json` in a fresh process: exit code and what it printed."""
    done = command(home, server, "resume", run, "--json")
    try:
        return done.returncode, json.loads(done.stdout)
    except ValueError:
        return done.returncode, {"error": {"code": "crash", "message": done.stderr[-500:]}}


def rows(home: Path, sql: str, *values: str) -> list[tuple[Any, ...]]:
    """Rows of the records; none while they have no tables, which a process killed early leaves behind."""
    connection = sqlite3.connect(home / "records.db", timeout=60)
    try:
        return connection.execute(sql, values).fetchall()
    except sqlite3.OperationalError as error:
        if "no such table" in str(error):
            return []
        raise
    finally:
        connection.close()


def committed(home: Path, run: str) -> list[str]:
    """Digests of the requests whose replies are in the records."""
    return [digest for (digest,) in rows(home, "SELECT request FROM calls WHERE run = ? AND status = 'ok'", run)]


def stage(home: Path, run: str) -> str:
    """How far a killed run had come, by its rows."""
    for table, key, found in (
        ("runs", "id", UNTRACED),
        ("routes", "run", "intake"),
        ("calls", "run", "router and first tokens"),
        ("tallies", "run", "branches"),
        ("verdicts", "run", "judge"),
    ):
        if not rows(home, f"SELECT 1 FROM {table} WHERE {key} = ? LIMIT 1", run):
            return found
    return "finish"


def unsound(home: Path) -> list[str]:
    """Faults that SQLite itself finds in the two files."""
    faults = []
    for name in ("records.db", "checkpoints.db"):
        connection = sqlite3.connect(home / name)
        state = connection.execute("PRAGMA integrity_check").fetchone()[0]
        faults += [] if state == "ok" else [f"{name}: {state}"]
        faults += [f"{name}: row without its parent {row}" for row in connection.execute("PRAGMA foreign_key_check")]
        connection.close()
    return faults


def repeated(home: Path, run: str) -> list[str]:
    """Branches or replies that are there more or less than once."""
    sources = Counter(source for (source,) in rows(home, "SELECT source FROM candidates WHERE run = ?", run))
    replies = Counter(rows(home, "SELECT slot, request FROM calls WHERE run = ? AND status = 'ok'", run))
    faults = [f"{count} rows of {key}" for key, count in (sources + replies).items() if count > 1]
    verdicts = rows(home, "SELECT v.status, r.status FROM verdicts v JOIN runs r ON r.id = v.run WHERE r.id = ?", run)
    return faults if verdicts == [("answered", "answered")] else [*faults, f"verdicts {verdicts}"]


def asked_again(digests: Sequence[str], counts: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    """How often the endpoint got requests beyond the first time."""
    return {digest: counts[digest]["started"] - 1 for digest in digests if counts[digest]["started"] > 1}


async def resume_here(home: Path, server: Running, run: str) -> tuple[int, dict[str, Any]]:
    """As `resume`, by this process, which has not seen the run before."""
    try:
        async with open_committee(read(home=home, base_url=server.base_url, model=server.model)) as committee:
            return 0, (await committee.resume(run)).model_dump(mode="json")
    except OctavoError as error:
        return error.exit_code, {"error": {"code": error.code, "message": str(error)}}


async def resume_afresh(home: Path, server: Running, run: str) -> tuple[int, dict[str, Any]]:
    """`resume`, awaited."""
    return await asyncio.to_thread(resume, home, server, run)


async def strike(
    home: Path,
    server: Running,
    number: int,
    mode: str,
    point: str | float,
    verdict: str | None = None,
    finish: Finish = resume_afresh,
) -> Kill:
    """One kill and its resumption; question `number` is asked nowhere else, so its requests are its own.

    `verdict` is the answer of an undisturbed run, None = any.
    """
    run = str(uuid.uuid4())
    died = await asyncio.to_thread(kill, home, server, run, number, mode, point)
    where, before = stage(home, run) if died else EARLY, committed(home, run)
    code, said = await finish(home, server, run)
    if where == UNTRACED:
        faults = [] if (code, said["error"]["code"]) == (2, "unknown_run") else [f"resume said {code} {said}"]
        faults += (
            ["asked again, it died again"] if await asyncio.to_thread(kill, home, server, run, number, mode) else []
        )
        return Kill(run, str(point), where, 0, 0, (*faults, *repeated(home, run)))
    after, counts = committed(home, run), (await server.counts())["requests"]
    twice = [f"request {digest} was committed and paid again" for digest in asked_again(before, counts)]
    faults = [*twice, *repeated(home, run), *unsound(home)]
    if code != 0 or said.get("run") != run or verdict not in (None, said.get("answer")):
        faults.append(f"resume ended with {code} and said {said}, wanted {verdict!r}")
    if mode == str(BRANCHES) and len(set(after)) != BRANCHES:
        faults.append(f"{len(after)} replies of {BRANCHES}")
    return Kill(run, str(point), where, len(before), sum(asked_again(after, counts).values()), tuple(faults))


async def verdicts(folder: Path, numbers: Sequence[int]) -> list[str]:
    """The answers of undisturbed runs, from an instant model that says what the endpoint says."""
    async with open_committee(read(home=folder), model=Instant(1)) as committee:
        found: list[Answer] = [await committee.ask(question(number), mode="8") for number in numbers]
    return [answer.answer for answer in found]


async def run(options: argparse.Namespace) -> dict[str, Any]:
    """So many kills of runs that had begun and not ended; others are counted apart."""
    chance = random.Random(options.seed)
    script = {"chunks": options.chunks, "latency": options.latency, "function": FUNCTION}
    with tempfile.TemporaryDirectory() as folder:
        wanted = await verdicts(Path(folder) / "undisturbed", range(1, 2 * options.kills + 1))
        async with endpoint(**script) as server:
            home, kills, others = Path(folder) / "home", list[Kill](), list[Kill]()
            quickest = min([await asyncio.to_thread(seconds, home, server, str(uuid.uuid4()), 0, options.mode)
                            for _ in range(3)])  # fmt: skip
            while len(kills) < options.kills and len(others) < options.kills:
                turn = len(kills) + len(others)
                point = POINTS[turn // 2 % len(POINTS)] if turn % 2 else chance.uniform(0, quickest)
                verdict = wanted[turn] if options.mode == str(BRANCHES) else None
                found = await strike(home, server, turn + 1, options.mode, point, verdict)
                (others if found.stage in (UNTRACED, EARLY) else kills).append(found)
                print(f"{len(kills):3} {found.stage:24} {found.point:22} {', '.join(found.faults)}", file=sys.stderr)
    faults = [f"{one.run} ({one.point}): {fault}" for one in (*kills, *others) for fault in one.faults]
    return {
        "mode": options.mode,
        "seconds": round(quickest, 3),
        "kills": len(kills),
        "verdicts": sum(not one.faults for one in kills),
        "by_stage": dict(Counter(one.stage for one in kills)),
        "not_counted": dict(Counter(one.stage for one in others)),
        "committed_before_the_kill": sum(one.committed for one in kills),
        "committed_and_paid_again": sum("paid again" in fault for fault in faults),
        "not_committed_and_paid_again": sum(one.again for one in kills),
        "faults": faults,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--mode", default="8")
    parser.add_argument("--chunks", type=int, default=30)
    parser.add_argument("--latency", type=float, default=0.02, help="seconds for each chunk")
    parser.add_argument("--seed", type=int, default=20261130)
    chosen = parser.parse_args(arguments)
    report = asyncio.run(run(chosen))
    print(json.dumps(report, indent=2))
    return 1 if report["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
