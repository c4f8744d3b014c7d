"""A local scripted OpenAI-compatible server in its own process, for benchmarks, kill tests and client tests.

    python -m evals.bench.endpoint --port 8300 --options '{"chunks": 100, "latency": 0.01}'
    async with endpoint(chunks=100) as server: ...   # server.base_url

It is no engine: answers come from a script or a function of the request. What it is for: known latency, known faults,
and a count of requests by digest of their body (`GET /counts`), which proves what was paid for and how often.
`POST /options` changes the options, `POST /reset` forgets counts and position in the scripts.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import httpx2

from evals.bench.replies import MODEL
from evals.bench.scripted import Options, Server
from evals.bench.wire import Connection


@dataclass(frozen=True)
class Running:
    """A scripted server in another process. Satisfies the client's `Endpoint`."""

    port: int
    pid: int
    api_key: str | None = None
    model: str = MODEL
    context: int | None = None
    supervised: bool = False

    @property
    def root(self) -> str:
        """Address without `/v1`."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def base_url(self) -> str:
        """Address that OpenAI clients are given."""
        return f"{self.root}/v1"

    async def counts(self) -> dict[str, Any]:
        """`{"requests": {digest: {"started": n, ...}}, "total": {...}}`."""
        return dict(await self._ask("GET", "/counts"))

    async def set(self, **options: Any) -> None:
        """Change options, keep counts."""
        await self._ask("POST", "/options", options)

    async def reset(self, **options: Any) -> None:
        """Forget counts and script positions, and change options."""
        await self._ask("POST", "/reset", options)

    async def running(self) -> int:
        """Completions being streamed now."""
        async with httpx2.AsyncClient(trust_env=False) as client:
            text = (await client.get(f"{self.root}/metrics")).text
        return int(re.findall(r"num_requests_running\S* (\d+)", text)[0])

    async def _ask(self, method: str, path: str, body: Any = None) -> Any:
        async with httpx2.AsyncClient(trust_env=False) as client:
            response = await client.request(method, self.root + path, json=body)
        response.raise_for_status()
        return response.json()


@asynccontextmanager
async def endpoint(port: int = 0, **options: Any) -> AsyncIterator[Running]:
    """Start the server in a process of its own on a free port (or `port`) and stop it at the end."""
    arguments = ("-m", "evals.bench.endpoint", "--port", str(port), "--options", json.dumps(options))
    process = await asyncio.create_subprocess_exec(sys.executable, *arguments, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    try:
        line = await process.stdout.readline()
        if not line:
            raise RuntimeError(f"the scripted endpoint ended with code {await process.wait()}")
        yield Running(int(line), process.pid, options.get("key") or None)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def serve(port: int, options: Options) -> None:
    """Listen on loopback, print the port, serve until terminated."""
    server = await asyncio.get_running_loop().create_server(partial(Connection, Server(options)), "127.0.0.1", port)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m evals.bench.endpoint", description=__doc__.split("\n")[0])
    parser.add_argument("--port", type=int, default=0, help="0 = a free one; it is printed on the first line")
    parser.add_argument("--options", type=json.loads, default={}, help="JSON of the fields of Options")
    arguments = parser.parse_args()
    asyncio.run(serve(arguments.port, Options(**arguments.options)))


if __name__ == "__main__":
    main()
