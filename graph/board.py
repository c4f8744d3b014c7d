"""What running branches need to know of each other in one process: has the wave been decided, must the run stop?

A `Board` collects the votes of one wave and raises its flag when the branches still running cannot be worth their
tokens. A `Halt` stops a whole run: its deadline is over or the user pressed Ctrl-C. Neither is stored: after a crash
a resumed wave starts with an empty board, which is merely cautious, and the deadline counts anew.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal, TypeAlias, TypeVar

from nodes.contracts import Candidate

Reason = Literal["deadline", "interrupted"]
Result = TypeVar("Result")
Flag: TypeAlias = "asyncio.Future[None]"
"""Up when it is done. A future and not an `asyncio.Event`, for which every waiter needs a task of its own."""
_LIMIT = 4096


class Halt:
    """Stops one run."""

    def __init__(self) -> None:
        self.event: Flag = asyncio.get_running_loop().create_future()
        self.reason: Reason | None = None

    def stop(self, reason: Reason) -> None:
        """Stop the run; the first reason stays."""
        self.reason = self.reason or reason
        _raise(self.event)


class Halts:
    """The halts of this process by run, created on first use; the deadline counts from there."""

    def __init__(self) -> None:
        self._halts: OrderedDict[str, Halt] = OrderedDict()

    def of(self, run: str, deadline: float | None = None) -> Halt:
        """The halt of `run`; `deadline` (seconds) starts its clock when the halt is new."""
        halt = self._halts.get(run)
        if halt is None:
            halt = self._halts[run] = Halt()
            if deadline is not None:
                asyncio.get_running_loop().call_later(deadline, halt.stop, "deadline")
            while len(self._halts) > _LIMIT:
                self._halts.popitem(last=False)
        return halt

    def __len__(self) -> int:
        return len(self._halts)

    def forget(self, run: str) -> None:
        """Drop the halt of a finished run."""
        self._halts.pop(run, None)


class Board:
    """Votes of one wave; `over` is set once `decided(all candidates so far)` says so."""

    def __init__(self, earlier: Sequence[Candidate], decided: Callable[[Sequence[Candidate]], bool]) -> None:
        self._candidates = list(earlier)
        self._decided = decided
        self.over: Flag = asyncio.get_running_loop().create_future()

    def post(self, candidate: Candidate) -> None:
        """Add a candidate that has ended."""
        self._candidates.append(candidate)
        if self._decided(self._candidates):
            _raise(self.over)


class Boards:
    """The boards of this process by (thread, run, wave)."""

    def __init__(self) -> None:
        self._boards: OrderedDict[tuple[str, str, int], Board] = OrderedDict()

    def open(self, key: tuple[str, str, int], board: Board) -> None:
        """Put a fresh board up, in place of one of an earlier pass."""
        self._boards[key] = board
        while len(self._boards) > _LIMIT:
            self._boards.popitem(last=False)

    def __len__(self) -> int:
        return len(self._boards)

    def close(self, key: tuple[str, str, int]) -> None:
        """Take the board of a wave down: its branches have ended, and it holds all their texts."""
        self._boards.pop(key, None)

    def find(self, key: tuple[str, str, int]) -> Board | None:
        """The board of a wave that this process opened."""
        return self._boards.get(key)


def _raise(flag: Flag) -> None:
    if not flag.done():
        flag.set_result(None)


async def unless(work: Awaitable[Result], *flags: Flag) -> Result | None:
    """Do `work` unless one of `flags` is up first: then cancel it, wait until its stream is closed, return None."""
    task = asyncio.ensure_future(work)
    task.add_done_callback(_look)
    waits: list[asyncio.Future[Any]] = [task, *flags]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task})
    # Work that was whole when it was cancelled counts, and a fault on the way out is a fault.
    return None if task.cancelled() else task.result()


def _look(task: asyncio.Future[Any]) -> None:
    """See the fault of a task that may be left behind: when several branches meet a full disk, only one is raised."""
    if not task.cancelled():
        task.exception()
