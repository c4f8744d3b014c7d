"""No traffic leaves loopback: not of `octavo ask`, not of the LangGraph server.

The proof is the kernel's own (`tests/graph/alone.py`). Where no network namespace may be made, a weaker one takes its
place: an audit hook in every Python process, which sees the sockets of Python code only.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.graph.alone import UNSHARE
from tests.graph.programs import OCTAVO, PATIENCE, ROOT

HOOK = """
import sys
sys.path.insert(0, {root!r})
from tests.loopback import local, target

def watch(event, arguments):
    if event.startswith("socket."):
        host = target(event, arguments)
        if host is not None and not local(host):
            with open({report!r}, "a") as file:
                file.write(f"{{host}}\\n")

sys.addaudithook(watch)
"""
ASK = """
import asyncio, subprocess, sys
from evals.bench.endpoint import endpoint

async def main():
    async with endpoint() as server:
        env = {"OCTAVO_BASE_URL": server.base_url}
        command = [*sys.argv[1:], "ask", "--json", "--mode", "8", "What is 9 plus 8? Explain why."]
        child = await asyncio.create_subprocess_exec(*command, env={**__import__("os").environ, **env})
        return await child.wait()

sys.exit(asyncio.run(main()))
"""
STUDIO = """
import sys
from pathlib import Path
from tests.graph.programs import scripted
from tests.graph.studio import Studio

folder = Path(sys.argv[1])
with scripted() as server, Studio(folder, folder / "home", server.base_url) as studio:
    events = studio.ask(studio.thread(), "A box holds 9 pens, another one 8. How many?", context={"mode": "2"})
    print(next(e.data["finish"]["answer"] for e in events if e.kind == "updates" and "finish" in e.data))
"""
LEAVE = """
import socket
for look in (lambda: socket.create_connection(("192.0.2.1", 80), 2), lambda: socket.getaddrinfo("example.org", 80)):
    try:
        look()
    except OSError:
        pass
"""


@cache
def own_network() -> bool:
    """Whether this user may make a network namespace here."""
    try:
        return subprocess.run([*UNSHARE, "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def attempts(tmp_path: Path, *command: str) -> tuple[str, int]:
    """Run a command that must succeed; its output, and how often something tried to leave loopback."""
    report, env = tmp_path / "report", {**os.environ, "OCTAVO_HOME": str(tmp_path / "home")}
    if own_network():
        command = (*UNSHARE, sys.executable, "-m", "tests.graph.alone", str(report), *command)
    else:
        report.touch()
        (tmp_path / "sitecustomize.py").write_text(HOOK.format(root=str(ROOT), report=str(report)))
        env["PYTHONPATH"] = str(tmp_path)
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    said = report.read_text()
    return done.stdout, sum(json.loads(said).values()) if own_network() else len(said.splitlines())


def test_an_attempt_to_leave_is_counted(tmp_path: Path) -> None:
    assert attempts(tmp_path, sys.executable, "-c", LEAVE)[1] >= 2


def test_octavo_ask_stays_on_loopback(tmp_path: Path) -> None:
    out, count = attempts(tmp_path, sys.executable, "-c", ASK, *OCTAVO)
    assert (json.loads(out)["answer"], count) == ("17", 0)


def test_the_langgraph_server_stays_on_loopback(tmp_path: Path) -> None:
    out, count = attempts(tmp_path, sys.executable, "-c", STUDIO, str(tmp_path))
    assert (out.strip(), count) == ("17", 0)


@pytest.mark.skipif(not own_network(), reason="this is the weaker proof already")
def test_the_weaker_proof_counts_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.graph.test_stays_home.own_network", lambda: False)
    test_octavo_ask_stays_on_loopback(tmp_path)
    (tmp_path / "report").unlink()
    assert attempts(tmp_path, sys.executable, "-c", LEAVE)[1] >= 2
