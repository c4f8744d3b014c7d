"""Progress of long work on stderr: a bar with the time left on a terminal, else a plain line now and then."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

QUIET = 30.0
"""Seconds between two plain lines."""


class Meter:
    """`with Meter("samples", 800) as meter: meter.step("3 errors")`. The time left comes from the pace so far."""

    def __init__(
        self,
        noun: str,
        total: int,
        *,
        console: Console | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`noun` says what is counted; nothing is shown before `with`."""
        self.noun = noun
        self.total = total
        self.done = 0
        self._console = console or Console(stderr=True, highlight=False, markup=False)
        self._clock = clock
        self._started = self._told = clock()
        self._bar: Progress | None = None
        if self._console.is_terminal:
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            self._bar = Progress(*columns, TextColumn("{task.fields[note]}", markup=False), console=self._console)
            self._task = self._bar.add_task(noun, total=total, note="")

    def __enter__(self) -> Self:
        self._started = self._told = self._clock()
        if self._bar:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar:
            self._bar.stop()

    def step(self, note: str = "") -> None:
        """One more is done."""
        self.done += 1
        words = ", ".join(filter(None, (f"{span(self.left())} left", note)))
        if self._bar:
            self._bar.update(self._task, completed=self.done, note=words)
        elif self.done == self.total or self._clock() - self._told >= QUIET:
            self._told = self._clock()
            self._console.print(f"{self.done}/{self.total} {self.noun}, {words}", soft_wrap=True)

    def left(self) -> float:
        """Seconds until everything is done, at the pace so far."""
        return (self._clock() - self._started) / max(self.done, 1) * (self.total - self.done)


def span(seconds: float) -> str:
    """A time span for people: `45 s`, `12 min`, `3 h 05 min`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02d} min"
