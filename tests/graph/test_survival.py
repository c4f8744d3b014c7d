"""What was acknowledged is there: after kill -9 at random moments, and between processes that fight for the lock."""

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

from evals.bench import two_writers
from graph.database import connect
from graph.migrations import applied, is_current, migrate, names
from graph.settings import CHECKOUT

KILLED = """
import asyncio, pathlib, sys, uuid
from graph.checkpointer import open_saver
from graph.record import Records
from langgraph.checkpoint.base import empty_checkpoint
from tests.graph.samples import begin, candidate, made

async def lane(records, saver, number):
    run = str(uuid.uuid4())
    await begin(records, run=run)
    for step in range(10_000):
        call = made(step, run=run, id=f"{run}:{step}")
        await records.save_call(call)
        print("call", call.id, flush=True)
        await records.save_candidate(run, candidate(step, call=call.id))
        place = {"configurable": {"thread_id": run, "checkpoint_ns": ""}}
        checkpoint = empty_checkpoint()
        await saver.aput(place, checkpoint, {"step": step}, {})
        print("checkpoint", checkpoint["id"], flush=True)

async def main(folder):
    records = await Records.open(folder / "records.db")
    async with open_saver(folder / "checkpoints.db") as saver:
        await asyncio.gather(*(lane(records, saver, number) for number in range(8)))

asyncio.run(main(pathlib.Path(sys.argv[1])))
"""


def test_what_was_acknowledged_survives_kill_9(tmp_path: Path) -> None:
    rng = random.Random(20261130)
    acknowledged: dict[str, set[str]] = {"call": set(), "checkpoint": set()}
    for _ in range(4):
        command = [sys.executable, "-c", KILLED, str(tmp_path)]
        with subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(rng.randint(1, 400))]
            process.kill()
            lines += process.stdout.readlines()
        for line in lines:
            kind, _, name = line.rstrip("\n").partition(" ")
            if line.endswith("\n"):
                acknowledged[kind].add(name)
    for file, table, column, kind in (
        ("records.db", "calls", "id", "call"),
        ("checkpoints.db", "checkpoints", "checkpoint_id", "checkpoint"),
    ):
        connection = sqlite3.connect(tmp_path / file)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        found = {name for (name,) in connection.execute(f"SELECT {column} FROM {table}")}
        connection.close()
        assert len(acknowledged[kind]) > 50
        assert acknowledged[kind] <= found


def test_two_writing_processes_lose_nothing_to_a_third_that_holds_the_lock(tmp_path: Path) -> None:
    report = two_writers.run(tmp_path, seconds=3, lock=1.5)
    assert report["faults"] == []
    assert report["rows"] > 100
    assert report["guests"] > 0
    assert report["slowest_write"] > 0.5  # the lock was felt


def test_a_lost_row_would_be_noticed(tmp_path: Path) -> None:
    report = asyncio.run(two_writers.write(tmp_path, 0.05))
    acknowledged = report["acknowledged"]
    assert two_writers.missing(tmp_path, acknowledged) == []
    run, rows = next(iter(acknowledged.items()))
    faults = two_writers.missing(tmp_path, acknowledged | {run: rows + 1})
    assert faults == [f"{file} {run}: {rows + 1} acknowledged, {rows} there" for file in two_writers.FILES]


MADE = """
import os, pathlib, signal, sys
from graph.database import connect
from graph.migrations import is_current, migrate

def prepare(connection):
    left = int(sys.argv[2])
    def count(_statement):
        nonlocal left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
    connection.set_trace_callback(count)
    migrate(connection)

connect(pathlib.Path(sys.argv[1]), check=is_current, prepare=prepare)
"""


def test_a_kill_while_the_file_is_made_leaves_one_that_opens(tmp_path: Path) -> None:
    path = tmp_path / "records.db"
    for statement in (3, 9, 27, 60):
        command = [sys.executable, "-c", MADE, str(path), str(statement)]
        assert subprocess.run(command, cwd=CHECKOUT, check=False).returncode == -signal.SIGKILL
    connection = connect(path, check=is_current, prepare=migrate)
    assert applied(connection) == names()
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
