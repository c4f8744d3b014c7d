"""Processes that we start, and nobody else's: they die with their parent, and are found again only by id and birth.

A process id alone may have been given away since; id and start time together name one process for good.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
_OURS = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
_BIRTH_TOLERANCE = 0.05
"""Seconds; `create_time` is computed from clock ticks and boot time."""


def inherited(**added: str) -> dict[str, str]:
    """The environment for a child: ours, unread (PATH, proxies, pip's and CUDA's variables), plus some."""
    return {**os.environ, **added}  # noqa: TID251 - nothing is read here; settings stay in graph/settings.py


def outside(**added: str) -> dict[str, str]:
    """The environment for the engine's own Python: as `inherited`, without search paths meant for ours."""
    return {name: value for name, value in inherited(**added).items() if name not in _OURS}


def die_with_parent(kill: signal.Signals) -> Callable[[], None]:
    """A `preexec_fn`: the child gets `kill` when the thread that started it ends, even by kill -9 (Linux only)."""
    parent = os.getpid()

    def arm() -> None:
        if _LIBC is not None:
            _LIBC.prctl(_PR_SET_PDEATHSIG, int(kill), 0, 0, 0)
            if os.getppid() != parent:  # it died before the call
                os.kill(os.getpid(), kill)

    return arm


def born(pid: int) -> float:
    """Start time of a process. Raises psutil.NoSuchProcess."""
    return psutil.Process(pid).create_time()


def alive(pid: int | None, birth: float | None) -> bool:
    """Whether the process of that id and start time still runs; a zombie does not."""
    if pid is None or birth is None:
        return False
    try:
        process = psutil.Process(pid)
        same = abs(process.create_time() - birth) < _BIRTH_TOLERANCE
        return same and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def session_members(session: int, folder: Path) -> list[psutil.Process]:
    """Live processes of a session that work in `folder`: what is left of a server whose leader died.

    Both must match: the session number could have been given away, the working folder is ours alone.
    """
    members = []
    for process in psutil.process_iter():
        try:
            if os.getsid(process.pid) == session and Path(process.cwd()) == folder:
                members.append(process)
        except (psutil.Error, OSError):
            continue
    return members


def end_session(session: int, folder: Path, grace: float) -> None:
    """End every process of a session of ours: SIGTERM, `grace` seconds, SIGKILL. Returns when all are gone."""
    members = session_members(session, folder)
    for process in members if grace > 0 else []:
        with contextlib.suppress(psutil.Error):
            process.send_signal(signal.SIGTERM)
    left = [*_wait(members, grace), *session_members(session, folder)]
    for process in left:
        with contextlib.suppress(psutil.Error):
            process.kill()
    _wait(left, 10)


def _wait(processes: list[psutil.Process], timeout: float) -> list[psutil.Process]:
    """Those that still run after `timeout` seconds. A zombie has ended, even when nobody has collected it yet."""
    deadline = time.monotonic() + timeout
    while True:
        processes = [process for process in processes if alive(process.pid, process.create_time())]
        if not processes or time.monotonic() >= deadline:
            return processes
        time.sleep(0.02)


def stream(
    argv: Sequence[str], on_line: Callable[[str], None], *, env: dict[str, str] | None = None, keep: int = 40
) -> tuple[int, str]:
    """Run a command to its end, hand over each line of its output, return exit code and the last `keep` lines.

    The child leads a group of its own and is killed with us; when `on_line` raises, the group is killed first.
    """
    tail: deque[str] = deque(maxlen=keep)
    with subprocess.Popen(
        argv,
        env=env or outside(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        process_group=0,
        preexec_fn=die_with_parent(signal.SIGKILL),  # safe: the watcher has one thread
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                tail.append(line.rstrip())
                on_line(line.rstrip())
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise
    return process.returncode, "\n".join(tail)
