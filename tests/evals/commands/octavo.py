"""`octavo eval ...` against a scripted endpoint: in this process, or in one of its own that can be killed."""

from __future__ import annotations

import io
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from evals.bench.endpoint import Running
from graph import cli
from graph.settings import CHECKOUT, settings


def names(home: Path, server: Running | None) -> tuple[str, ...]:
    """The environment; without a server there is an address where nobody listens."""
    url = server.base_url if server else "http://127.0.0.1:9/v1"
    return f"OCTAVO_HOME={home}", f"OCTAVO_BASE_URL={url}", "OCTAVO_RETRIES=0"


def command(home: Path, server: Running, *words: object) -> list[str]:
    """The command line of a process."""
    return ["env", *names(home, server), sys.executable, "-m", "graph.cli", "eval", *map(str, words)]


class Done(NamedTuple):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def run(home: Path, server: Running | None, *words: object) -> Done:
    """Run to the end in this process, not in the thread of a running event loop."""
    settings.cache_clear()
    told, warned = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(told), redirect_stderr(warned):
        for pair in names(home, server):
            patch.setenv(*pair.split("=", 1))
        code = cli.run(["eval", *map(str, words)])
    settings.cache_clear()
    return Done(code, told.getvalue(), warned.getvalue())


def start(home: Path, server: Running, *words: object) -> subprocess.Popen[str]:
    """Start, to be killed."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command(home, server, *words), cwd=CHECKOUT, text=True, **pipes)  # type: ignore[call-overload]
