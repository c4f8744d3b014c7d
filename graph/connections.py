"""HTTP clients and the concurrency limit, one set for each event loop.

A client's sockets belong to the loop they were opened in, while `ask` may be called from several threads and
notebooks; so both are looked up by the running loop and forgotten after it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

import httpx2
from openai import APIStatusError, DefaultAsyncHttpxClient, Timeout

from graph.stream import Unreadable
from nodes.errors import SetupError

SMALL = 1024 * 1024
"""Bytes of an error, a model list or a count that are read."""
CONNECT = 10.0
"""Seconds for a connection; the reply itself is bounded by the timeout of the call."""
_PLAIN = {"accept-encoding": "identity"}
_TRANSPORT = {"content-encoding", "content-length", "transfer-encoding"}
"""Headers that hold for the bytes on the wire only."""
_UNHURRIED = {"timeout": Timeout(None, connect=CONNECT).as_dict()}
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


class Body(Protocol):
    """What is used of a response to read it as a whole."""

    def aiter_bytes(self) -> AsyncIterator[bytes]:
        """The body as it arrives, unpacked."""
        ...


def public(url: str) -> str:
    """The address without user name, password and query."""
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if parts.hostname and ":" in parts.hostname else parts.hostname or ""
    return f"{parts.scheme}://{host}{f':{parts.port}' if parts.port else ''}{parts.path}".rstrip("/")


def root(url: str) -> str:
    """The server's root: vLLM's `/tokenize` lies beside `/v1`, not below it."""
    return url.rstrip("/").removesuffix("/v1")


class Client:
    """How one endpoint is talked to. Past `openai`: a completion is a third cheaper, and no body is read unbounded."""

    def __init__(self, base_url: str, api_key: str) -> None:
        local = urlsplit(base_url).hostname in _LOOPBACK
        # Loading certificates takes longer than a call; http has no use for them.
        context = httpx2.create_ssl_context() if base_url.startswith("https:") else False
        self._open = partial(_sockets, trust_env=not local, verify=context)
        self._lanes: list[httpx2.AsyncClient] = []
        self._idle: list[httpx2.AsyncClient] = []
        self._url = httpx2.URL(f"{base_url.rstrip('/')}/chat/completions")
        self._headers = {"authorization": f"Bearer {api_key}", "content-type": "application/json"} | _PLAIN

    async def plain(self, method: str, url: str, body: Mapping[str, Any] | None, timeout: float) -> Any:  # noqa: ASYNC109
        """JSON of a small exchange, whole within `timeout` seconds; `url` is absolute.

        Raises as `stream` does, TimeoutError, Unreadable for a body above `SMALL`, and ValueError or RecursionError
        for one that is no JSON.
        """
        content = None if body is None else _packed(body)
        request = httpx2.Request(method, url, headers=self._headers, content=content, extensions=_UNHURRIED)
        async with asyncio.timeout(timeout), self._sent(request) as response:
            return json.loads(await bounded(response, SMALL))

    @asynccontextmanager
    async def stream(self, body: Mapping[str, Any]) -> AsyncIterator[httpx2.Response]:
        """Ask for a completion; the response's head has come, its body is still to be read.

        Raises APIStatusError unless the status is 2xx, httpx2.TransportError or httpx2.InvalidURL, and
        UnicodeEncodeError for a lone surrogate.
        """
        content = _packed(body)
        request = httpx2.Request("POST", self._url, headers=self._headers, content=content, extensions=_UNHURRIED)
        async with self._sent(request) as response:
            yield response

    @asynccontextmanager
    async def _sent(self, request: httpx2.Request) -> AsyncIterator[httpx2.Response]:
        """A good reply to a request, on a lane of its own."""
        lane = self._idle.pop() if self._idle else self._another()
        try:
            response = await lane.send(request, stream=True)
            try:
                if not response.is_success:
                    raise await _refusal(response)
                yield response
            finally:
                await response.aclose()
        finally:
            self._idle.append(lane)

    def _another(self) -> httpx2.AsyncClient:
        """A lane for one call at a time: a shared pool looks at all its idle sockets whenever a call begins or ends."""
        self._lanes.append(self._open())
        return self._lanes[-1]

    async def close(self) -> None:
        """Close all sockets."""
        for lane in self._lanes:
            await lane.aclose()


def _sockets(*, trust_env: bool, verify: Any) -> httpx2.AsyncClient:
    """A pool that honours proxies for other machines only and follows no redirect."""
    timeout = Timeout(None, connect=CONNECT)
    return DefaultAsyncHttpxClient(trust_env=trust_env, verify=verify, follow_redirects=False, timeout=timeout)


def _packed(body: Mapping[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


async def _refusal(response: httpx2.Response) -> APIStatusError:
    """An error reply with its whole body, of which no more than the beginning is read."""
    body = await _beginning(response, SMALL)
    headers = [(name, value) for name, value in response.headers.multi_items() if name not in _TRANSPORT]
    kept = httpx2.Response(response.status_code, headers=headers, content=body[:SMALL], request=response.request)
    return APIStatusError(f"status {kept.status_code}", response=kept, body=told(kept))


async def bounded(response: Body, most: int) -> bytes:
    """The whole body, unpacked. Raises Unreadable when it has more than `most` bytes."""
    body = await _beginning(response, most)
    if len(body) > most:
        raise Unreadable(f"more than {most} bytes")
    return body


async def _beginning(response: Body, most: int) -> bytes:
    """The body, or somewhat more than its first `most` bytes."""
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > most:
            break
    return bytes(body)


def told(response: httpx2.Response) -> Any:
    """What an error reply says: JSON, or the text."""
    try:
        return response.json()
    except (ValueError, RecursionError):
        return response.text


class Connections:
    """Clients of one EngineModel. `max_retries=0`: repeating is the model client's own business."""

    def __init__(self) -> None:
        self._clients: dict[asyncio.AbstractEventLoop, dict[tuple[str, str | None], Client]] = {}

    def client(self, endpoint: Endpoint) -> Client:
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


def _open(base_url: str, api_key: str | None) -> Client:
    key = (api_key or "none").strip()
    if not (key.isascii() and key.isprintable()):
        raise SetupError(
            f"the key for {public(base_url)} holds characters that no HTTP header can carry: OCTAVO_API_KEY"
        )
    return Client(base_url, key)


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
