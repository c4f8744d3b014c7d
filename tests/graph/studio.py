"""`langgraph dev` as a child: offline, without a key, on a free port, with a home and a folder of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx2

from tests.graph.programs import ROOT
from tests.real_engine import free_port

FLAGS = ("--no-browser", "--no-reload", "--n-jobs-per-worker", "16")
VARIABLES = {
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    "LANGGRAPH_NO_VERSION_CHECK": "true",
    "LANGSMITH_TRACING": "false",
    "LANGGRAPH_STRICT_MSGPACK": "true",
}
"""As `make studio` starts it."""
PATIENCE = 180.0
"""Seconds that a start or a run may take on a machine that is busy with other things."""


class Event(NamedTuple):
    """One server-sent event."""

    kind: str
    data: Any


class Studio:
    """One server. Threads are registered in `folder`, so that no test meets those of the person who runs it."""

    def __init__(self, folder: Path, home: Path, base_url: str) -> None:
        self.folder, self.home, self.base_url = folder, home, base_url
        self.port = free_port()
        self.log = folder / "server.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.client = httpx2.Client(base_url=f"http://127.0.0.1:{self.port}", trust_env=False, timeout=PATIENCE)

    def __enter__(self) -> Studio:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait()

    def start(self) -> None:
        """Start the server and wait until it answers."""
        shutil.copy(ROOT / "langgraph.json", self.folder)
        link = self.folder / "graph"
        if not link.exists():
            link.symlink_to(ROOT / "graph")
        here = {"OCTAVO_HOME": str(self.home), "OCTAVO_BASE_URL": self.base_url}
        command = (sys.executable, "-m", "langgraph_cli", "dev", *FLAGS, "--port", str(self.port))
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=self.folder, env={**os.environ, **VARIABLES, **here}, stdout=log, stderr=log
            )
        give_up = time.monotonic() + PATIENCE
        while not self._answers():
            assert self.process.poll() is None, self.said()
            assert time.monotonic() < give_up, self.said()
            time.sleep(0.1)  # the server has no event to wait for

    def _answers(self) -> bool:
        try:
            return bool(self.client.get("/ok").status_code == 200)
        except httpx2.TransportError:
            return False

    def kill(self) -> None:
        """kill -9."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def said(self) -> str:
        """The log."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def get(self, path: str) -> Any:
        """JSON of a GET."""
        return self.client.get(path).raise_for_status().json()

    def post(self, path: str, **body: Any) -> httpx2.Response:
        """A POST; the connection is not used again, because the server closes it after an error."""
        return self.client.post(path, json=body, headers={"connection": "close"})

    def thread(self, **body: Any) -> str:
        """A new thread's id."""
        return str(self.post("/threads", **body).raise_for_status().json()["thread_id"])

    def ask(self, thread: str, question: str, **body: Any) -> list[Event]:
        """Ask in a thread; every event of the stream."""
        return list(self.stream(thread, input={"question": question}, **body))

    def stream(self, thread: str, **body: Any) -> Iterator[Event]:
        """Events of a run as they come."""
        body = {"assistant_id": "octavo", "stream_mode": ["updates", "custom"], "stream_subgraphs": True, **body}
        with self.client.stream("POST", f"/threads/{thread}/runs/stream", json=body) as response:
            response.raise_for_status()
            kind = ""
            for line in response.iter_lines():
                if line.startswith("event: "):
                    kind = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    yield Event(kind, json.loads(line.removeprefix("data: ")))

    def go_on(self, thread: str, checkpoint: dict[str, Any], **body: Any) -> dict[str, Any]:
        """Run on from a checkpoint; the final values, or `__error__`."""
        place = {"checkpoint_id": checkpoint["checkpoint_id"], "checkpoint_ns": ""}
        path = f"/threads/{thread}/runs/wait"
        done = self.post(path, assistant_id="octavo", input=None, checkpoint=place, **body)
        return dict(done.raise_for_status().json())
