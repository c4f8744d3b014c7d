"""A process that asks one question and is killed while it works; `evals.bench.kills` resumes what it leaves behind.

It dies at a moment that the parent chooses, or kills itself at a named point, which no other process could hit.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

from evals.bench.endpoint import Running
from evals.bench.questions import question
from graph.checkpointer import GroupCommitSaver
from graph.record import Records
from graph.run import open_committee
from graph.settings import CHECKOUT, read
from nodes.contracts import Mode

ASKING, ANSWERED = "asking", "answered"
POINTS = (
    "before start_run 1", "after start_run 1", "before aput 1", "after aput 1", "before save_route 1",
    "after save_route 1", "after aput 3", "text 1", "text 60", "before save_call 1", "after save_call 1",
    "before save_candidate 1", "after save_call 4", "after save_candidate 4", "after aput_writes 6",
    "after save_call 8", "before save_candidate 8", "after save_candidate 8", "before save_tally 1",
    "after save_tally 1", "after aput 7", "before finish_run 1", "after finish_run 1", "after aput 8",
)  # fmt: skip
"""Where a child may kill itself: `before` or `after` the so-many-th call of a method that writes, or at a `text`."""


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


async def ask(about: dict[str, Any], run: str, number: int, mode: Mode, point: str) -> None:
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
    command = [sys.executable, "-m", "evals.bench.victim", order]
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


def seconds(home: Path, server: Running, run: str, number: int, mode: str) -> float:
    """Seconds that a question takes when nobody kills it."""
    with start(home, server, run, number, mode) as process:
        clock = time.perf_counter()
        assert process.stdout is not None
        assert process.stdout.readline().strip() == ANSWERED
        return time.perf_counter() - clock


if __name__ == "__main__":
    asyncio.run(ask(**json.loads(sys.argv[1])))
