"""HTTP clients and the concurrency limit, one set for each event loop.

A client's sockets belong to the loop they were opened in, while `ask` may be called from several threads and
notebooks; so both are looked up by the running loop and forgotten after it.
"""

from __future__ import annotations

import asyncio
from typing import Protocol, TypeVar
from urllib.parse import urlsplit

from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout

from nodes.errors import SetupError

CONNECT = 10.0
"""Seconds for a connection; the reply itself is bounded by the timeout of the call."""
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


class Endpoint(Protocol):
    """Where one model is served."""

    @property
    def base_url(self) -> str:
        """OpenAI address, ends in `/v1`."""
        ...

    @property
    def api_key(self) -> str | None:
        """Key, or None."""
        ...

    @property
    def model(self) -> str:
        """Served name."""
        ...

    @property
    def context(self) -> int | None:
        """Context window in tokens; None or 0 = ask the server."""
        ...

    @property
    def supervised(self) -> bool:
        """True when a watcher brings the server back after a crash."""
        ...


def public(url: str) -> str:
    """The address without user name, password and query."""
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if parts.hostname and ":" in parts.hostname else parts.hostname or ""
    return f"{parts.scheme}://{host}{f':{parts.port}' if parts.port else ''}{parts.path}".rstrip("/")


def root(url: str) -> str:
    """The server's root: vLLM's `/tokenize` lies beside `/v1`, not below it."""
    return url.rstrip("/").removesuffix("/v1")


class Connections:
    """Clients of one EngineModel. `max_retries=0`: repeating is the model client's own business."""

    def __init__(self) -> None:
        self._clients: dict[asyncio.AbstractEventLoop, dict[tuple[str, str | None], AsyncOpenAI]] = {}

    def client(self, endpoint: Endpoint) -> AsyncOpenAI:
        """The client of an endpoint in the running loop."""
        clients = _of_this_loop(self._clients)
        key = (endpoint.base_url, endpoint.api_key)
        if key not in clients:
            clients[key] = _open(*key)
        return clients[key]

    async def close(self) -> None:
        """Close the clients of the running loop."""
        for client in self._clients.pop(asyncio.get_running_loop(), {}).values():
            await client.close()


def _open(base_url: str, api_key: str | None) -> AsyncOpenAI:
    """A client that honours proxies for other machines only, follows no redirect and adds no account headers."""
    parts = urlsplit(base_url)
    key = (api_key or "none").strip()
    if not (key.isascii() and key.isprintable()):
        raise SetupError(
            f"the key for {public(base_url)} holds characters that no HTTP header can carry: OCTAVO_API_KEY"
        )
    http = DefaultAsyncHttpxClient(
        trust_env=parts.hostname not in _LOOPBACK,
        verify=parts.scheme == "https",  # loading certificates takes longer than a call; http has no use for them
        follow_redirects=False,
        timeout=Timeout(None, connect=CONNECT),
    )
    return AsyncOpenAI(
        api_key=key,
        base_url=base_url,
        organization="",
        project="",
        max_retries=0,
        http_client=http,
        default_headers={"accept-encoding": "identity"},
    )


_limits: dict[asyncio.AbstractEventLoop, dict[int, asyncio.Semaphore]] = {}


def limit(concurrency: int) -> asyncio.Semaphore:
    """The limit on calls in flight that all models of this process and loop share."""
    by_size = _of_this_loop(_limits)
    if concurrency not in by_size:
        by_size[concurrency] = asyncio.Semaphore(concurrency)
    return by_size[concurrency]


Key = TypeVar("Key")
Value = TypeVar("Value")


def _of_this_loop(by_loop: dict[asyncio.AbstractEventLoop, dict[Key, Value]]) -> dict[Key, Value]:
    """The running loop's own part; those of closed loops are forgotten."""
    loop = asyncio.get_running_loop()
    if loop not in by_loop:
        for other in [known for known in list(by_loop) if known.is_closed()]:
            by_loop.pop(other, None)
        by_loop[loop] = {}
    return by_loop[loop]
