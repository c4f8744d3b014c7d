"""`state.json`: written by the watcher alone, read by everybody else."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

from graph.engine import process
from graph.engine.contracts import Order, Phase, Progress, State
from graph.engine.layout import Layout, write
from nodes.errors import OctavoError

INTERVAL = 0.2
"""Seconds between two writes for mere progress."""


def read_state(layout: Layout) -> State | None:
    """The watcher's last word; None when there is none, or when it is of another version."""
    try:
        return State(**json.loads(layout.state.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def living(layout: Layout) -> State | None:
    """The state of a watcher that runs now."""
    state = read_state(layout)
    return state if state and process.alive(state.supervisor, state.supervisor_born) else None


class Reporter:
    """Keeps the state, writes it at each change of phase and a few times a second for progress."""

    def __init__(self, layout: Layout, order: Order) -> None:
        now, own = time.time(), os.getpid()
        self._layout = layout
        self._written = 0.0
        self.state = State(
            supervisor=own,
            supervisor_born=process.born(own),
            started=now,
            phase="plan",
            since=now,
            port=order.port,
            idle=order.idle,
            asked=order.model,
            model=order.model or "",
            precision=order.precision or "",
            log=str(layout.log),
        )
        self._save()

    def tell(self, event: Progress) -> None:
        """Take an event of a long step."""
        if event.phase != self.state.phase:
            self._enter(event.phase)
        self.state = self.state.model_copy(
            update={"message": event.message, "done": event.done, "total": event.total, "unit": event.unit}
        )
        if time.time() - self._written >= INTERVAL:
            self._save()

    def phase(self, phase: Phase, message: str = "", **changes: Any) -> None:
        """Enter a phase and write it at once."""
        self._enter(phase)
        self.set(message=message, done=0, total=0, unit="", **changes)

    def set(self, **changes: Any) -> None:
        """Change fields and write at once."""
        self.state = self.state.model_copy(update=changes)
        self._save()

    def fail(self, error: OctavoError) -> None:
        """The last word of a watcher that gives up."""
        self.phase("failed", str(error), last_error=str(error), error_code=error.code, pid=None, born=None)

    def _enter(self, phase: Phase) -> None:
        now, old = time.time(), self.state
        spent = {**old.timings, old.phase: round(old.timings.get(old.phase, 0.0) + now - old.since, 3)}
        self.state = old.model_copy(update={"phase": phase, "since": now, "timings": spent})
        sys.stdout.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {phase}\n")
        sys.stdout.flush()
        self._written = 0.0

    def _save(self) -> None:
        write(self._layout.state, self.state.model_dump_json(), mode=0o600)
        self._written = time.time()
