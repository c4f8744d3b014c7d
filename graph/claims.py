"""One process at a time works on a run; two would both pay for the replies that are missing.

A claim is a lock on one byte of `running.lock`, at a place computed from the run's id. The kernel drops it with the
process, however that ends, so nothing is ever left to clear away. Such locks belong to the process, and closing the
file anywhere in it would drop them all: the file stays open for good, and a set keeps claims of one process apart.
"""

from __future__ import annotations

import fcntl
import os
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nodes.errors import InputError, SetupError

FILE = "running.lock"
_PLACES = 2**62
_guard = threading.Lock()
_files: dict[Path, int] = {}
_held: set[tuple[Path, int]] = set()


@contextmanager
def claim(home: Path, run: str) -> Iterator[None]:
    """Hold the claim on `run` (a UUID). Raises InputError (`run_in_progress`) while somebody else holds it."""
    path, place = (home / FILE).absolute(), uuid.UUID(run).int % _PLACES
    with _guard:
        if (path, place) in _held or not _lock(path, place):
            raise InputError(
                f"run {run!r} is being worked on: wait for it, or end the process that asks", "run_in_progress"
            )
        _held.add((path, place))
    try:
        yield
    finally:
        with _guard:
            _held.discard((path, place))
            fcntl.lockf(_files[path], fcntl.LOCK_UN, 1, place)


def _lock(path: Path, place: int) -> bool:
    """Lock one byte; False when another process has it."""
    try:
        if path not in _files:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _files[path] = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.lockf(_files[path], fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
    except (BlockingIOError, PermissionError) as error:
        if path not in _files:
            raise SetupError(f"{str(path)!r} cannot be made: {error.strerror}") from error
        return False
    except IsADirectoryError as error:
        raise SetupError(f"{str(path)!r} is a folder: move it away, or set OCTAVO_HOME to another folder") from error
    except OSError as error:
        raise SetupError(
            f"{str(path)!r} cannot be locked: {error.strerror}; set OCTAVO_HOME to a local disk"
        ) from error
    return True
