"""A stand-in for vLLM in tests of supervision: the same routes, started as a process or inside a test.

    python fake_server.py PORT MODE

MODE `good`; `crash` ends at once with a line that looks like vLLM's; `ignores_choice`, `no_logprobs`, `no_cache`
answer without that feature; `child` starts a second process first, as vLLM's engine core is one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Fake(ThreadingHTTPServer):
    """Counts what it was asked."""

    daemon_threads = True

    def __init__(self, port: int, mode: str, key: str, names: tuple[str, ...] = ("smollm2-135m", "tiny")) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.mode, self.key, self.names = mode, key, names
        self.asked = 0
        self.seen: set[str] = set()


class Handler(BaseHTTPRequestHandler):
    server: Fake

    def do_GET(self) -> None:
        if self.path == "/health":
            self._send(200, b"")
        elif self.path == "/version":
            self._json({"version": "0.32.0"})
        elif self.path == "/metrics":
            text = f'vllm:request_success_total{{finished_reason="stop"}} {self.server.asked}.0\n'
            self._send(200, (text + 'vllm:num_requests_running{engine="0"} 0.0\n').encode())
        elif self.path == "/v1/models" and self._allowed():
            self._json({"data": [{"id": name, "max_model_len": 4096} for name in self.server.names]})
        elif self.path == "/v1/models":
            self._send(401, b'{"error": "Unauthorized"}')
        else:
            self._send(404, b"no")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if not self._allowed():
            self._send(401, b"no")
            return
        self._json(self._reply(body))

    def _reply(self, body: dict[str, Any]) -> dict[str, Any]:
        mode, text = self.server.mode, json.dumps(body["messages"])
        self.server.asked += 1
        word = body["structured_outputs"]["choice"][0] if mode != "ignores_choice" else "Yes, it is."
        token = {"token": word, "logprob": -0.1, "top_logprobs": [{"token": "x", "logprob": -2.0}]}
        cached = 192 if text in self.server.seen and mode != "no_cache" else 0
        self.server.seen.add(text)
        return {
            "choices": [
                {
                    "message": {"content": word},
                    "logprobs": None if mode == "no_logprobs" else {"content": [token]},
                    "finish_reason": "stop",
                }
            ],
            "usage": {"prompt_tokens": 200, "prompt_tokens_details": {"cached_tokens": cached}},
        }

    def _allowed(self) -> bool:
        return not self.server.key or self.headers.get("authorization") == f"Bearer {self.server.key}"

    def _json(self, value: Any) -> None:
        self._send(200, json.dumps(value).encode())

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Stay silent."""


@contextmanager
def serving(mode: str = "good", key: str = "", names: tuple[str, ...] = ("m",)) -> Iterator[str]:
    """The fake inside this process; yields its base URL."""
    server = Fake(0, mode, key, names)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


if __name__ == "__main__":
    port, mode = int(sys.argv[1]), sys.argv[2]
    if mode == "crash":
        sys.stdout.write("(EngineCore pid=1) RuntimeError: not enough memory for the cache\n")
        sys.exit(1)
    if mode == "child":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    Fake(port, mode, os.environ["VLLM_API_KEY"]).serve_forever(poll_interval=0.05)
