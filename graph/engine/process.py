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
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
_BIRTH_TOLERANCE = 0.05
"""Seconds; `create_time` is computed from clock ticks and boot time."""


def inherited(**added: str) -> dict[str, str]:
    """The environment for a child: ours, unread (PATH, proxies, pip's and CUDA's variables), plus some."""
    return {**os.environ, **added}  # noqa: TID251 - nothing is read here; settings stay in graph/settings.py


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
    _, left = psutil.wait_procs(members, timeout=grace)
    for process in [*left, *session_members(session, folder)]:
        with contextlib.suppress(psutil.Error):
            process.kill()
    psutil.wait_procs(left, timeout=10)


def stream(
    argv: Sequence[str], on_line: Callable[[str], None], *, env: dict[str, str] | None = None, keep: int = 40
) -> tuple[int, str]:
    """Run a command to its end, hand over each line of its output, return exit code and the last `keep` lines.

    The child leads a group of its own and is killed with us; when `on_line` raises, the group is killed first.
    """
    tail: deque[str] = deque(maxlen=keep)
    with subprocess.Popen(
        argv,
        env=env or inherited(),
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
