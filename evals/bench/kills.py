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
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from evals.bench.endpoint import Running, endpoint
from evals.bench.layers import BRANCHES, Instant
from evals.bench.questions import question
from graph.checkpointer import GroupCommitSaver
from graph.record import Records
from graph.run import open_committee
from graph.settings import CHECKOUT, read
from nodes.contracts import Answer, Mode
from nodes.errors import OctavoError

ASKING, ANSWERED = "asking", "answered"
UNTRACED, EARLY = "before the first row", "it answered first"
FUNCTION = "evals.bench.questions:reply"
POINTS = (
    "before start_run 1", "after start_run 1", "before aput 1", "after aput 1", "before save_route 1",
    "after save_route 1", "after aput 3", "text 1", "text 60", "before save_call 1", "after save_call 1",
    "before save_candidate 1", "after save_call 4", "after save_candidate 4", "after aput_writes 6",
    "after save_call 8", "before save_candidate 8", "after save_candidate 8", "before save_tally 1",
    "after save_tally 1", "after aput 7", "before finish_run 1", "after finish_run 1", "after aput 8",
)  # fmt: skip
"""Where a child may kill itself: `before` or `after` the so-many-th call of a method that writes, or at a `text`."""


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


def die() -> NoReturn:
    """End this process as an out-of-memory killer would."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise SystemExit


class Fuse:
    """Kills this process when its point is reached."""

    def __init__(self, point: str) -> None:
        words = point.split()
        self._when = words[0] if len(words) == 3 else ""
        self._name, self._left = (words[-2], int(words[-1])) if words else ("", 0)

    def arm(self) -> None:
        """Wrap the method that the point names."""
        if not self._when:
            return
        owner: Any = Records if hasattr(Records, self._name) else GroupCommitSaver
        original = getattr(owner, self._name)

        async def fused(*arguments: Any, **named: Any) -> Any:
            if self._when == "before":
                self.burn(self._name)
            result = await original(*arguments, **named)
            if self._when == "after":
                self.burn(self._name)
            return result

        setattr(owner, self._name, fused)

    def burn(self, name: str) -> None:
        """One step nearer."""
        if name == self._name:
            self._left -= 1
            if self._left == 0:
                die()


async def child(about: dict[str, Any], run: str, number: int, mode: Mode, point: str) -> None:
    """Ask one question in this process, and say when. `about`: home, address and model."""
    fuse = Fuse(point)
    fuse.arm()
    async with open_committee(read(**about)) as committee:
        print(ASKING, flush=True)
        await committee.ask(question(number), mode=mode, run=run, face="bench", watch=lambda e: fuse.burn(e["event"]))
        print(ANSWERED, flush=True)


def start(home: Path, server: Running, run: str, number: int, mode: str, point: str = "") -> subprocess.Popen[str]:
    """A child that is about to ask."""
    about = {"home": str(home), "base_url": server.base_url, "model": server.model}
    order = json.dumps({"about": about, "run": run, "number": number, "mode": mode, "point": point})
    command = [sys.executable, "-m", "evals.bench.kills", "--child", order]
    process = subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    if process.stdout.readline().strip() != ASKING:
        process.wait()
        raise RuntimeError(f"the child that should ask ended with code {process.returncode}")
    return process


def kill(home: Path, server: Running, run: str, number: int, mode: str, point: str | float = "") -> bool:
    """Let a child ask and die at a point or after so many seconds; False when it answered first, or without either."""
    with start(home, server, run, number, mode, point if isinstance(point, str) else "") as process:
        if isinstance(point, float):
            time.sleep(point)
            process.kill()
        return process.wait() == -signal.SIGKILL


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


async def undisturbed(home: Path, server: Running, mode: str) -> float:
    """Seconds that a question takes when nobody kills it."""
    process = await asyncio.to_thread(start, home, server, str(uuid.uuid4()), 0, mode)
    clock = time.perf_counter()
    with process:
        assert process.stdout is not None
        assert (await asyncio.to_thread(process.stdout.readline)).strip() == ANSWERED
        return time.perf_counter() - clock


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
            seconds = await undisturbed(home, server, options.mode)
            while len(kills) < options.kills and len(others) < options.kills:
                turn = len(kills) + len(others)
                point = POINTS[turn // 2 % len(POINTS)] if turn % 2 else chance.uniform(0, seconds)
                verdict = wanted[turn] if options.mode == str(BRANCHES) else None
                found = await strike(home, server, turn + 1, options.mode, point, verdict)
                (others if found.stage in (UNTRACED, EARLY) else kills).append(found)
                print(f"{len(kills):3} {found.stage:24} {found.point:22} {', '.join(found.faults)}", file=sys.stderr)
    faults = [f"{one.run} ({one.point}): {fault}" for one in (*kills, *others) for fault in one.faults]
    return {
        "mode": options.mode,
        "seconds": round(seconds, 3),
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
    """Command line; `--child` is for its own child processes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--mode", default="8")
    parser.add_argument("--chunks", type=int, default=30)
    parser.add_argument("--latency", type=float, default=0.02, help="seconds for each chunk")
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--child", type=json.loads, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.child:
        asyncio.run(child(**chosen.child))
        return 0
    report = asyncio.run(run(chosen))
    print(json.dumps(report, indent=2))
    return 1 if report["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
