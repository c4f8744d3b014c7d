"""Runs one program in the cage: starts it, reads what it writes, stops it in time, and says how it ended.

Two faces on one body: `run` blocks, `arun` does not. Stopping means killing bubblewrap's outer process; the kernel then
ends every process of the cage, however many the program has made.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from typing import Literal

from nodes.sandbox import syscalls
from nodes.sandbox.cage import CageFault, bubblewrap, command
from nodes.sandbox.contracts import Execution, Limits
from nodes.sandbox.ending import ended

Stopped = Literal["", "timeout", "output"]
_CHUNK = 1 << 16
_GRACE = 2.0
"""Seconds that a killed cage has to let go of its pipes."""


def run(source: str, limits: Limits | None = None, seed: int = 0) -> Execution:
    """Run a Python program. Blocks for at most `limits.seconds` and a little; never raises for what the program does.

    `seed` (0 to 4294967295) fixes the order of sets; a program whose output differs between two seeds has no one
    output.
    """
    return _Cage(source, limits or Limits(), seed).run()


async def arun(source: str, limits: Limits | None = None, seed: int = 0) -> Execution:
    """The same without blocking the event loop. Cancelled, it kills all of the program's processes before it raises."""
    cage = _Cage(source, limits or Limits(), seed)
    work = asyncio.get_running_loop().run_in_executor(None, cage.run)
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        cage.stop()
        # Waited for, so that nothing of it is left when the caller goes on.
        await asyncio.wait([work])
        raise


@contextlib.contextmanager
def _memory(content: bytes) -> Iterator[int]:
    """A descriptor from which the content can be read; no file on any disk."""
    with os.fdopen(os.memfd_create("octavo"), "wb") as file:
        file.write(content)
        file.flush()
        file.seek(0)
        yield file.fileno()


class _Cage:
    """One program, its process, and what it has written so far."""

    def __init__(self, source: str, limits: Limits, seed: int) -> None:
        self._source = source.encode("utf-8", "surrogatepass")
        self._limits = limits
        self._seed = seed
        self._process: subprocess.Popen[bytes] | None = None
        self._given_up = False
        # Between looking whether the process lives and killing it, nobody else may reap it: its id would be free.
        self._lock = threading.Lock()

    def run(self) -> Execution:
        """From start to end."""
        if len(self._source) > self._limits.source:
            reason = f"the program has {len(self._source)} bytes, more than {self._limits.source}"
            return Execution(status="refused", reason=reason)
        began = time.monotonic()
        try:
            process, ready = self._start()
        except (CageFault, OSError) as fault:
            return Execution(status="unavailable", reason=str(fault))
        with process, os.fdopen(ready, "rb") as readiness:
            stopped, out, err = self._read(process, began + self._limits.seconds)
            with self._lock:
                code = process.wait()
            started = readiness.read(1) == b"1"
        return ended(started, stopped, code, (out, err), time.monotonic() - began, self._limits)

    def stop(self) -> None:
        """Kill the cage; one that has not started will not."""
        with self._lock:
            self._given_up = True
            process = self._process
            if process is not None and process.returncode is None:
                # The whole group: a cage that is still being set up does not yet die with its outer process.
                os.killpg(process.pid, signal.SIGKILL)

    def _start(self) -> tuple[subprocess.Popen[bytes], int]:
        """The process, and the descriptor on which it says that the cage stands. Raises CageFault or OSError."""
        builder = bubblewrap()
        with contextlib.ExitStack() as held:
            program = held.enter_context(_memory(self._source))
            rules = syscalls.program(os.uname().machine)
            forbidden = held.enter_context(_memory(rules)) if rules else None
            ready, told = os.pipe()
            held.callback(os.close, told)
            try:
                words = [builder, *command(self._limits, program, told, self._seed, forbidden)]
                return self._popen(words, tuple(one for one in (program, told, forbidden) if one is not None)), ready
            except BaseException:
                os.close(ready)
                raise

    def _popen(self, words: list[str], handed_on: tuple[int, ...]) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._given_up:
                raise CageFault("it was given up before it started")
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=handed_on,
                env={},
                cwd="/",
                start_new_session=True,
            )
            return self._process

    def _read(self, process: subprocess.Popen[bytes], until: float) -> tuple[Stopped, bytes, bytes]:
        """Both streams until the process has ended, time is up, or one is too long; then the cage is killed."""
        assert process.stdout is not None
        assert process.stderr is not None
        kept = {process.stdout.fileno(): bytearray(), process.stderr.fileno(): bytearray()}
        stopped: Stopped = ""
        end = os.pidfd_open(process.pid)
        try:
            with selectors.DefaultSelector() as selector:
                # The end is waited for too: a program may close its streams and live on.
                for descriptor in (*kept, end):
                    selector.register(descriptor, selectors.EVENT_READ)
                while selector.get_map() and not stopped:
                    stopped = self._take(selector, kept, until)
                if stopped:
                    self.stop()
                    self._drain(selector, kept)
        finally:
            os.close(end)
        out, err = (bytes(text[: self._limits.output]) for text in kept.values())
        return stopped, out, err

    def _take(self, selector: selectors.BaseSelector, kept: dict[int, bytearray], until: float) -> Stopped:
        """Read what is there, or wait for it. Returns why the cage is to be stopped now."""
        left = until - time.monotonic()
        if left <= 0:
            return "timeout"
        for key, _ in selector.select(left):
            piece = os.read(key.fd, _CHUNK) if key.fd in kept else b""
            if not piece:
                selector.unregister(key.fd)
                continue
            kept[key.fd] += piece
            if len(kept[key.fd]) > self._limits.output:
                return "output"
        return ""

    def _drain(self, selector: selectors.BaseSelector, kept: dict[int, bytearray]) -> None:
        """Wait until every process that holds a pipe is gone; what they still wrote is thrown away."""
        until = time.monotonic() + _GRACE
        while selector.get_map() and (left := until - time.monotonic()) > 0:
            for key, _ in selector.select(left):
                if key.fd not in kept or not os.read(key.fd, _CHUNK):
                    selector.unregister(key.fd)
