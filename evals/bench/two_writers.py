"""Two processes write both databases while a third holds an exclusive lock: nothing is lost, nobody gives up.

    python -m evals.bench.two_writers --seconds 300 --lock 20

Each writer counts what was acknowledged to it: calls in records.db, checkpoints in checkpoints.db. After the last
second the files are read again and must hold exactly these rows; both must pass SQLite's integrity check. The third
process, this one, takes the write lock of both files a third of the way through, for `--lock` seconds. All the while
guests come and go, one after the other: short-lived writers that open both files, write and leave, because a process
that closes a file may take locks or the write-ahead log with it. Their rows count as well; `--no-guests` keeps them
away. Exit code 1 on any loss.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import empty_checkpoint

from graph.checkpointer import GroupCommitSaver, open_saver
from graph.exchange import Exchange
from graph.record import Records
from graph.settings import CHECKOUT
from nodes.contracts import Request, Usage

FILES = ("records.db", "checkpoints.db")
READY = "ready"
WRITERS = 2
VISIT = 0.5
"""Seconds that a guest writes."""
LANES = 8
"""Questions at once in each writer."""
PAUSE = 0.02
"""Seconds between two writes of a lane, so that the disk, not the processor, is what they meet at."""


def exchange(run: str, number: int) -> Exchange:
    """A small call."""
    messages = [{"role": "user", "content": f"question {run} {number}"}]
    return Exchange(
        id=f"{run}:{number}",
        run=run,
        slot=f"branch:{number}",
        prompt="p",
        endpoint="http://127.0.0.1",
        model="default",
        request={"messages": messages},
        response={"choices": [{"message": {"content": f"ANSWER: {number}"}}]},
        status="ok",
        usage=Usage(prompt=10, completion=5, calls=1),
        started=time.time(),
    )


async def lane(records: Records, saver: GroupCommitSaver, until: float, gaps: list[float]) -> tuple[str, int]:
    """One run that writes until the time is over; returns its id and how many rows were acknowledged in each file."""
    run, number = str(uuid.uuid4()), 0
    place: Any = {"configurable": {"thread_id": run, "checkpoint_ns": ""}}
    await records.start_run(Request(run=run, question="q"), thread=run, source="bench", model="m", config={})
    while time.time() < until:
        begun = time.perf_counter()
        call = records.save_call(exchange(run, number))
        await asyncio.gather(call, saver.aput(place, empty_checkpoint(), {"step": number}, {}))
        gaps.append(time.perf_counter() - begun)
        number += 1
        await asyncio.sleep(PAUSE)
    return run, number


async def write(folder: Path, seconds: float) -> dict[str, Any]:
    """A writer process: acknowledged rows by run, the slowest write, commits."""
    records, gaps = await Records.open(folder / "records.db"), list[float]()
    async with open_saver(folder / "checkpoints.db") as saver:
        print(READY, flush=True)
        until = time.time() + seconds
        lanes = await asyncio.gather(*(lane(records, saver, until, gaps) for _ in range(LANES)))
        commits = records.writer.commits + saver.writer.commits
    await records.close()
    return {"acknowledged": dict(lanes), "slowest": max(gaps, default=0.0), "commits": commits}


def hold(folder: Path, seconds: float) -> None:
    """Both write locks for some seconds, taken the way any other program would."""
    held = [sqlite3.connect(folder / name, timeout=60, isolation_level=None) for name in FILES]
    for connection in held:
        connection.execute("BEGIN EXCLUSIVE")
    time.sleep(seconds)
    for connection in held:
        connection.execute("COMMIT")
        connection.close()


def missing(folder: Path, acknowledged: dict[str, int]) -> list[str]:
    """Runs whose rows are not exactly those that were acknowledged, and files that are damaged."""
    faults = []
    for name, table, column in (("records.db", "calls", "run"), ("checkpoints.db", "checkpoints", "thread_id")):
        connection = sqlite3.connect(folder / name)
        found = dict(connection.execute(f"SELECT {column}, count(*) FROM {table} GROUP BY {column}"))
        faults += [f"{name} {run}: {count} acknowledged, {found.get(run, 0)} there"
                   for run, count in acknowledged.items() if found.get(run, 0) != count]  # fmt: skip
        state = connection.execute("PRAGMA integrity_check").fetchone()[0]
        faults += [] if state == "ok" else [f"{name}: {state}"]
        connection.close()
    return faults


def start(folder: Path, seconds: float) -> subprocess.Popen[str]:
    """A writer process, ready to write."""
    command = [sys.executable, "-m", "evals.bench.two_writers", "--writer", str(folder), "--seconds", str(seconds)]
    process = subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()  # READY, or the end of a process that failed
    return process


def ended(process: subprocess.Popen[str]) -> tuple[dict[str, Any], list[str]]:
    """What a writer reports at its end, and its fault when it failed."""
    out, err = process.communicate()
    if process.returncode:
        return {}, [(err.strip().splitlines() or [f"exit code {process.returncode}"])[-1]]
    return json.loads(out), []


def receive(folder: Path, over: threading.Event, seen: list[tuple[dict[str, Any], list[str]]]) -> None:
    """One guest after the other until it is over; what each reports goes to `seen`."""
    while not over.is_set():
        seen.append(ended(start(folder, VISIT)))


def run(folder: Path, seconds: float, lock: float, guests: bool = True) -> dict[str, Any]:
    """The whole experiment: figures, and `faults`, which must be empty."""
    writers = [start(folder, seconds) for _ in range(WRITERS)]
    over, visits = threading.Event(), list[tuple[dict[str, Any], list[str]]]()
    host = threading.Thread(target=receive, args=(folder, over, visits))
    if guests:
        host.start()
    time.sleep(seconds / 3)
    hold(folder, lock)
    ends = [ended(process) for process in writers]
    over.set()
    if guests:
        host.join()
    reports = [report for report, _ in (*ends, *visits)]
    faults = [fault for _, found in (*ends, *visits) for fault in found]
    acknowledged = {key: count for report in reports for key, count in report.get("acknowledged", {}).items()}
    return {
        "seconds": seconds,
        "lock": lock,
        "guests": len(visits),
        "rows": 2 * sum(acknowledged.values()),
        "commits": sum(report.get("commits", 0) for report in reports),
        "slowest_write": round(max(report.get("slowest", 0.0) for report in reports), 2),
        "faults": faults + missing(folder, acknowledged),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; `--writer` is for its own child processes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--lock", type=float, default=20)
    parser.add_argument("--guests", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--writer", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.writer:
        print(json.dumps(asyncio.run(write(chosen.writer, chosen.seconds))))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        report = run(Path(folder), chosen.seconds, chosen.lock, chosen.guests)
    print(json.dumps(report, indent=2))
    return 1 if report["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
