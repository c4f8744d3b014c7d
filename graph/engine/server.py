"""One model server under watch: start, wait until it is ready, tend it, restart it, put it to rest.

Everything is a loop with a short tick over three questions: does the process live, is it well, is there work?
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

from graph.engine import process, wire
from graph.engine.contracts import Endpoint, Order, Progress
from graph.engine.engine_log import MARK, last_words, rotate, stage_of
from graph.engine.layout import Layout, write
from graph.engine.patience import IdleClock, Patience
from graph.engine.port import free_port
from graph.engine.probe import probe, require
from graph.engine.start import READY_WITHIN, Launch
from graph.engine.status_file import Reporter
from nodes.errors import EngineError, EngineFault, EngineTimeout

TICK = 0.5
"""Seconds between two looks at the process."""
HEALTH_EVERY = 15.0
"""Seconds between two looks at /health and /metrics."""
HUNG_AFTER = 300.0
"""Seconds without any sign of health after which the server counts as hung: a long prefill may block it for a while."""
GRACE = 20.0
"""Seconds for an orderly end."""


class Stopped(BaseException):
    """The watcher was told to stop. Not an error."""


class Resting(Stopped):
    """Nothing was asked for long enough."""


class Server:
    """The child process and what the watcher knows of it."""

    def __init__(self, layout: Layout, order: Order, launch: Launch, reporter: Reporter) -> None:
        self._layout, self._order, self._launch, self._reporter = layout, order, launch, reporter
        self._child: subprocess.Popen[bytes] | None = None
        self._patience = Patience()
        self._ready_at: float | None = None
        self._timed = layout.run / f"load_seconds-{launch.served}-{launch.precision}"
        self._expected = _last_load(self._timed)
        self.url = f"http://127.0.0.1:{order.port}/v1"

    def run(self) -> None:
        """Keep a server up until it is not wanted any more (raises Stopped) or cannot be kept up (EngineFault)."""
        try:
            while True:
                try:
                    self._start()
                    self._wait_ready()
                    self._probe()
                    self._tend()
                except EngineError as error:
                    self._recover(error)
        finally:
            self._end(GRACE)

    def _start(self) -> None:
        free_port(self._order.port)
        rotate(self._layout.log)
        with self._layout.log.open("ab") as log:
            log.write(MARK.encode())
            log.flush()
            self._child = subprocess.Popen(
                self._launch.argv,
                env=process.outside(**self._launch.env),
                cwd=self._launch.cwd,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=process.die_with_parent(signal.SIGTERM),  # safe: this process has one thread
            )
        self._ready_at = None
        self._reporter.phase(
            "load",
            "starting vLLM",
            model=self._launch.served,
            precision=self._launch.precision,
            pid=self._child.pid,
            born=process.born(self._child.pid),
        )

    def _wait_ready(self) -> None:
        began, stage, read = time.monotonic(), "starting vLLM", 0
        while not wire.healthy(self.url, timeout=2):
            self._require_alive()
            waited = time.monotonic() - began
            if waited > READY_WITHIN:
                raise EngineTimeout(f"vLLM was not ready after {waited:.0f} s; see {str(self._layout.log)!r}")
            stage, read = stage_of(self._layout.log, stage, read)
            self._reporter.tell(
                Progress(phase="load", message=stage, done=int(waited), total=self._expected, unit="seconds")
            )
            time.sleep(TICK)
        self._require_alive()
        self._expected = int(time.monotonic() - began) + 1
        write(self._timed, str(self._expected))

    def _probe(self) -> None:
        self._reporter.phase("probe", "asking what it can do")
        key = self._launch.env.get("VLLM_API_KEY")
        endpoint = Endpoint(
            base_url=self.url, api_key=key, model=self._launch.served, context=self._launch.window, supervised=True
        )
        found = probe(endpoint)
        require(found)
        write(self._layout.probe, found.model_dump_json(indent=1))
        self._ready_at = time.monotonic()
        self._reporter.phase("ready", context=found.context or self._launch.window, version=found.version)

    def _tend(self) -> None:
        """Return never: raises EngineFault when the server is gone or hung, Resting when it has been idle."""
        rest = IdleClock(limit=self._order.idle * 60, since=time.monotonic())
        every = min(HEALTH_EVERY, max(TICK, rest.limit / 4)) if rest.limit else HEALTH_EVERY
        well = looked = time.monotonic()
        while True:
            time.sleep(TICK)
            self._require_alive()
            now = time.monotonic()
            if now - looked < every:
                continue
            looked = now
            if wire.healthy(self.url):
                well = now
                with contextlib.suppress(EngineError):
                    if rest.idle(wire.text(f"{wire.root_of(self.url)}/metrics"), now):
                        raise Resting(f"no request for {self._order.idle:g} minutes")
            elif now - well > HUNG_AFTER:
                raise EngineFault(f"vLLM gave no sign of health for {now - well:.0f} s")

    def _require_alive(self) -> None:
        assert self._child is not None
        code = self._child.poll()
        if code is not None:
            words = f": {last_words(self._layout.log)}" if code >= 0 else ""  # a signal leaves none
            raise EngineFault(f"vLLM ended with {_ending(code)}{words}")

    def _recover(self, error: EngineError) -> None:
        """Clear away what is left and wait before the next start. Raises EngineFault when it is no use."""
        ready_for = time.monotonic() - self._ready_at if self._ready_at is not None else 0.0
        self._reporter.phase(
            "restart",
            str(error),
            last_error=str(error),
            restarts=self._reporter.state.restarts + 1,
            pid=None,
            born=None,
        )
        self._end(0)
        pause = self._patience.after_crash(ready_for)
        if pause is None:
            raise EngineFault(
                f"vLLM failed {self._patience.crashes} times in quick succession and is left alone; the last time: "
                f"{error} (log: {str(self._layout.log)!r})"
            ) from error
        time.sleep(pause)

    def _end(self, grace: float) -> None:
        """End the child and everything that it started."""
        child, self._child = self._child, None
        if child is None:
            return
        if child.poll() is None and grace > 0:
            if self._reporter.state.phase != "failed":
                self._reporter.phase("stopping", "asking vLLM to end")
            child.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(grace)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)  # its engine and worker processes are in the same group
        child.wait()
        process.end_session(child.pid, self._layout.run, grace=0)


def _ending(code: int) -> str:
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


def _last_load(path: Path) -> int:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return 0
