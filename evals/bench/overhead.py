"""What Octavo itself costs: one question with eight branches against an endpoint that answers at once.

    python -m evals.bench.overhead                  # everything, some minutes
    python -m evals.bench.overhead --rounds 1 --questions 20 --memory 0 --json

The endpoint runs in a process of its own, both databases are on disk. Every figure is the median of `--rounds` rounds,
in which the layers (`evals.bench.layers`) take turns, so that a busy machine is unfair to all of them alike. CPU time
is that of this process, all its threads; the endpoint's own is not in it. Stop the engine first: it spins.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from typing import Any

from evals.bench.endpoint import Running, endpoint
from evals.bench.layers import Ask, layers, whole

Figures = dict[str, float]
TARGETS = {"alone_1": 60.0, "alone_100": 160.0, "rate_1": 25.0}
"""Milliseconds a question alone at 1 and 100 chunks, questions a second at 64 concurrent."""
CHUNKS = (1, 100)
STEP = 200
"""Questions between two looks at the memory."""
SETTLED = 400
"""Questions after which caches are full; the slope of the memory counts from here."""
FUNCTION = "evals.bench.questions:reply"


async def alone(ask: Ask, numbers: Sequence[int]) -> Figures:
    """Median wall and mean CPU milliseconds of questions asked one after the other."""
    walls, cpu = [], time.process_time()
    for number in numbers:
        clock = time.perf_counter()
        await ask(number)
        walls.append(time.perf_counter() - clock)
    return {"wall": 1e3 * statistics.median(walls), "cpu": 1e3 * (time.process_time() - cpu) / len(numbers)}


async def together(ask: Ask, numbers: Sequence[int], concurrent: int) -> Figures:
    """Questions a second and CPU milliseconds a question, `concurrent` at once."""
    waiting = iter(numbers)

    async def lane() -> None:
        for number in waiting:
            await ask(number)

    clock, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(lane() for _ in range(concurrent)))
    clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
    return {"rate": len(numbers) / clock, "cpu": 1e3 * cpu / len(numbers)}


def medians(rounds: Sequence[Figures]) -> Figures:
    """Each figure's median over the rounds."""
    return {name: statistics.median(one[name] for one in rounds) for name in rounds[0]}


async def compare(server: Running, folder: Path, chunks: int, options: argparse.Namespace) -> dict[str, Any]:
    """All layers alone, and the whole committee beside the bare fan-out with many questions at once."""
    await server.reset(chunks=chunks, function=FUNCTION)
    numbers, single, many = count(), defaultdict(list), defaultdict(list)
    async with AsyncExitStack() as stack:
        found = layers(folder / str(chunks), server, chunks)
        asks = {name: await stack.enter_async_context(layer) for name, layer in found.items()}
        for ask in asks.values():
            await alone(ask, [next(numbers) for _ in range(3)])
        for _ in range(options.rounds):
            for name, ask in asks.items():
                single[name].append(await alone(ask, [next(numbers) for _ in range(options.questions)]))
            for name in ("bare", "whole"):
                batch = [next(numbers) for _ in range(options.many)]
                many[name].append(await together(asks[name], batch, options.concurrent))
    return {
        "alone": {name: medians(rounds) for name, rounds in single.items()},
        "together": {name: medians(rounds) for name, rounds in many.items()},
    }


def resident() -> float:
    """Memory of this process, MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 1e6


def slope(points: Sequence[tuple[int, float]]) -> float:
    """Least-squares growth, kB a question."""
    settled = [point for point in points if point[0] >= SETTLED] or list(points)
    return 1e3 * statistics.linear_regression(*zip(*settled, strict=True)).slope if len(settled) > 1 else 0.0


def size(file: Path) -> int:
    """Bytes of a closed database that hold something."""
    connection = sqlite3.connect(file)
    pages, free, page = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in
                         ("page_count", "freelist_count", "page_size"))  # fmt: skip
    connection.close()
    return int((pages - free) * page)


async def memory(server: Running, folder: Path, chunks: int, options: argparse.Namespace) -> dict[str, Any]:
    """Memory at every 200 questions, its slope, and bytes a question in both databases."""
    await server.reset(chunks=chunks, function="evals.bench.questions:own_reply")
    points = []
    async with whole(folder, server) as ask:
        for start in range(0, options.memory, STEP):
            await together(ask, range(start, start + STEP), options.lanes)
            points.append((start + STEP, resident()))
    asked = points[-1][0]
    bytes_ = {name: size(folder / f"{name}.db") / asked for name in ("records", "checkpoints")}
    return {"chunks": chunks, "rss": points, "kb_a_question": slope(points), "bytes_a_question": bytes_}


def show(report: dict[str, Any]) -> None:
    """Tables on stdout."""
    for chunks, found in report["chunks"].items():
        print(f"\n{chunks} chunks a reply, one question at a time        ms wall    ms CPU   wall / bare")
        base = found["alone"]["bare"]["wall"]
        for name, one in found["alone"].items():
            print(f"  {name:44} {one['wall']:9.1f} {one['cpu']:9.1f} {one['wall'] / base:9.2f}")
        print(
            f"{chunks} chunks a reply, {report['concurrent']} questions at a time   questions/s    ms CPU   rate / bare"
        )
        base = found["together"]["bare"]["rate"]
        for name, one in found["together"].items():
            print(f"  {name:44} {one['rate']:9.1f} {one['cpu']:9.1f} {one['rate'] / base:9.2f}")
    for found in report["memory"]:
        print(f"\n{found['chunks']} chunks a reply, memory of the process, MB")
        print("  " + "  ".join(f"{asked}: {megabytes:.1f}" for asked, megabytes in found["rss"]))
        print(f"  slope from question {SETTLED} on: {found['kb_a_question']:.2f} kB a question")
        print("  bytes a question: " + ", ".join(f"{k} {v:,.0f}" for k, v in found["bytes_a_question"].items()))
    print("\ntargets: " + ", ".join(f"{k} {v['is']:.1f} (of {v['target']:g})" for k, v in report["targets"].items()))


def targets(chunks: dict[str, Any]) -> dict[str, Figures]:
    """The figures that have a target, beside it."""
    found = {
        "alone_1": chunks["1"]["alone"]["whole"]["wall"],
        "alone_100": chunks["100"]["alone"]["whole"]["wall"],
        "rate_1": chunks["1"]["together"]["whole"]["rate"],
    }
    return {name: {"is": value, "target": TARGETS[name]} for name, value in found.items()}


async def run(options: argparse.Namespace) -> dict[str, Any]:
    """The whole benchmark."""
    with tempfile.TemporaryDirectory() as folder:
        async with endpoint() as server:
            chunks = {str(size): await compare(server, Path(folder), size, options) for size in CHUNKS}
            sizes = CHUNKS if options.memory else ()
            kept = [await memory(server, Path(folder) / f"memory{size}", size, options) for size in sizes]
    about = {name: value for name, value in vars(options).items() if name not in ("json", "memory")}
    load = os.getloadavg()[0]
    return {**about, "load": load, "chunks": chunks, "memory": kept, "targets": targets(chunks)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--questions", type=int, default=30, help="one at a time, for each layer and round")
    parser.add_argument("--many", type=int, default=256, help="questions of a round with many at once")
    parser.add_argument("--concurrent", type=int, default=64)
    parser.add_argument("--memory", type=int, default=2000, help="questions of the memory test; 0 = leave it out")
    parser.add_argument("--lanes", type=int, default=16, help="questions at once in the memory test")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    chosen = parser.parse_args(arguments)
    report = asyncio.run(run(chosen))
    print(json.dumps(report)) if chosen.json else show(report)
    return 0


if __name__ == "__main__":
    sys.exit(main())
