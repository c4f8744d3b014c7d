"""The tests' own engine: where it lives, what it shares with the checkout, who turns it off."""

from __future__ import annotations

import fcntl
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from graph.engine.install import installed
from graph.engine.layout import Layout
from graph.engine.machine import gpus
from graph.settings import CHECKOUT

HOME = CHECKOUT / ".octavo" / "test"
"""Engine and model of the tests; kept between sessions, absent in a clean clone."""
MODEL = "tiny"


def share_environment(from_: Path, to: Path) -> None:
    """Let one home use vLLM's environment of another when that one is whole: 3.5 GB and minutes saved."""
    device = "gpu" if gpus() else "cpu"
    theirs, ours = Layout(from_), Layout(to)
    if ours.venv.is_symlink() and not installed(ours, device):
        ours.venv.unlink()  # it points to an environment that is gone or outdated
    if installed(theirs, device) and not ours.venv.exists():
        ours.make()
        ours.venv.symlink_to(theirs.venv.resolve())


@contextmanager
def using(home: Path) -> Iterator[Callable[[], bool]]:
    """Hold a shared lock on `home`; the value tells whether nobody else holds one, so that the last may clean up."""
    home.mkdir(parents=True, exist_ok=True)
    with (home / "sessions").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_SH)

        def alone() -> bool:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

        yield alone


def free_port() -> int:
    """A loopback port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
