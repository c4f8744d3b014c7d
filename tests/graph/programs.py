"""`octavo` as tests run it: in this process where that is enough, as a child where signals, bytes or mounts matter."""

from __future__ import annotations

import asyncio
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from evals.bench.endpoint import Running, endpoint
from graph import cli
from graph.settings import settings

ROOT = Path(__file__).resolve().parent.parent.parent
OCTAVO = (sys.executable, "-m", "graph.cli")
PATIENCE = 120.0
"""Seconds until a child counts as hanging."""


class Outcome(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its standard output as JSON."""
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, str]:
        """The error object of a command with `--json`."""
        return dict(self.json["error"])


class Octavo:
    """The command line with a home and a scripted endpoint of its own."""

    def __init__(
        self, home: Path, server: Running, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]
    ) -> None:
        self.home = home
        self.server = server
        self._patch = patch
        self._capture = capture
        self.set(OCTAVO_HOME=str(home), OCTAVO_BASE_URL=server.base_url)

    def set(self, **variables: str) -> None:
        """Change the environment of this process and of children."""
        for name, value in variables.items():
            self._patch.setenv(name, value)
        settings.cache_clear()

    def __call__(self, *arguments: str, stdin: bytes = b"") -> Outcome:
        """Run a command in this process."""
        self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        self._capture.readouterr()
        code = cli.run(arguments)
        return Outcome(code, *self._capture.readouterr())

    def child(self, *arguments: str | bytes, stdin: bytes = b"", before: tuple[str, ...] = (), **env: str) -> Outcome:
        """Run a command as a child, behind the words of `before`."""
        command = (*before, *OCTAVO, *arguments)
        done = subprocess.run(
            command,
            input=stdin,
            capture_output=True,
            cwd=ROOT,
            env={**os.environ, **env},
            timeout=PATIENCE,
            check=False,
        )
        return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start a command as a child whose output can be followed."""
        return subprocess.Popen(
            (*OCTAVO, *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, text=True
        )

    def script(self, **options: Any) -> None:
        """Give the endpoint new options and forget its counts."""
        asyncio.run(self.server.reset(**options))

    def paid(self) -> int:
        """Completions that the endpoint was asked for since `script`."""
        return int(asyncio.run(self.server.counts())["total"].get("started", 0))


@contextmanager
def scripted(**options: Any) -> Iterator[Running]:
    """A scripted endpoint in a process of its own, for tests that are not coroutines."""
    with asyncio.Runner() as runner:
        manager = endpoint(**options)
        yield runner.run(manager.__aenter__())
        runner.run(manager.__aexit__(None, None, None))
