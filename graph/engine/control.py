"""Look at the engine, read its log, stop it, remove it."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import shutil
import signal
import time
from collections import deque
from pathlib import Path
from typing import Literal

import psutil

from graph.engine import process, wire
from graph.engine.contracts import Probe, State
from graph.engine.layout import Layout
from graph.engine.patience import read_metrics
from graph.engine.status_file import living, read_state
from graph.settings import Settings
from nodes.contracts import Contract
from nodes.errors import EngineError, SetupError

DOWN_WITHIN = 45.0
"""Seconds that an orderly end may take; then what is left is killed."""


class Status(Contract):
    """What `octavo engine status` shows."""

    running: bool
    """A watcher is at work, whatever its phase."""
    external: str = ""
    """OCTAVO_BASE_URL without credentials, when it is set: then nothing of ours is used."""
    state: State | None = None
    probe: Probe | None = None
    memory: int = 0
    """Bytes that vLLM's processes hold."""
    requests: int = 0
    """Requests running or waiting now."""
    uptime: float = 0.0
    """Seconds since the phase began."""


def status(settings: Settings) -> Status:
    """The engine's state now; asks the server for its load when it is ready."""
    layout = Layout(settings.home)
    state = living(layout)
    probe = None
    with contextlib.suppress(OSError, ValueError):
        probe = Probe(**json.loads(layout.probe.read_text(encoding="utf-8")))
    if state is None:
        return Status(
            running=False, external=wire.shown(settings.base_url or ""), state=read_state(layout), probe=probe
        )
    requests = 0.0
    if state.phase == "ready":
        with contextlib.suppress(EngineError):
            _, requests = read_metrics(wire.text(f"http://127.0.0.1:{state.port}/metrics", timeout=2))
    return Status(
        running=True,
        external=wire.shown(settings.base_url or ""),
        state=state,
        probe=probe,
        memory=_memory(state, layout),
        requests=int(requests),
        uptime=round(time.time() - state.since, 1),
    )


async def down(settings: Settings) -> bool:
    """Stop the engine, or whatever its watcher is doing. Returns whether there was anything to stop."""
    return await asyncio.to_thread(_down, Layout(settings.home))


def logs(settings: Settings, lines: int = 50, which: Literal["engine", "watcher"] = "engine") -> list[str]:
    """The last lines of vLLM's or the watcher's log. Raises SetupError when there is none."""
    path = log_path(settings, which)
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return [line.rstrip("\n") for line in deque(file, maxlen=lines)]
    except OSError as error:
        raise SetupError(f"there is no log {str(path)!r} yet; start the engine with: octavo engine up") from error


def log_path(settings: Settings, which: Literal["engine", "watcher"] = "engine") -> Path:
    """Where the log lies."""
    layout = Layout(settings.home)
    return layout.log if which == "engine" else layout.watcher_log


def purge(settings: Settings, *, models: bool = True, environment: bool = True) -> int:
    """Remove prepared models, the environment, or (both) the engine's whole folder. Returns the bytes freed.

    Raises SetupError when the engine runs.
    """
    layout = Layout(settings.home)
    if not layout.root.exists():
        return 0
    layout.make()
    with layout.lock.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise SetupError("the engine runs; stop it first with: octavo engine down") from error
        doomed = [layout.root] if models and environment else []
        if models != environment:
            doomed = [layout.models, layout.downloads] if models else [layout.venv, layout.cache]
        freed = sum(size_of(folder) for folder in doomed)
        for folder in doomed:
            shutil.rmtree(folder, ignore_errors=True)
    return freed


def size_of(folder: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink())


def _down(layout: Layout) -> bool:
    state = living(layout)
    if state is None:
        old = read_state(layout)
        left = process.session_members(old.pid, layout.run) if old and old.pid else []
        if old and old.pid and left:
            process.end_session(old.pid, layout.run, grace=5)
        return bool(left)
    watcher = psutil.Process(state.supervisor)
    with contextlib.suppress(psutil.NoSuchProcess):
        watcher.send_signal(signal.SIGTERM)
        try:
            watcher.wait(DOWN_WITHIN)
        except psutil.TimeoutExpired:
            watcher.kill()
            watcher.wait(5)
    last = read_state(layout) or state
    for pid in {state.pid, last.pid} - {None}:
        process.end_session(int(pid or 0), layout.run, grace=0)
    return True


def _memory(state: State, layout: Layout) -> int:
    total = 0
    for member in process.session_members(state.pid, layout.run) if state.pid else []:
        with contextlib.suppress(psutil.Error):
            total += member.memory_info().rss
    return total
