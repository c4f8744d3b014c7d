"""A very small HTTP/1.1 server on asyncio streams of bytes: the least that OpenAI clients need.

Only what the scripted endpoint uses: requests with Content-Length, keep-alive, whole or chunked replies. A handler
learns that its client went away by being cancelled.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Iterable
from typing import Any, Protocol

REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 429: "Too Many Requests"}


Work = Coroutine[Any, Any, None]


class Handler(Protocol):
    """Answers one request; a coroutine is run as a task that is cancelled when the client hangs up."""

    def __call__(self, wire: Connection, method: str, path: str, headers: dict[str, str], body: bytes) -> Work | None:
        """Reply now and return None, or return the work that replies."""
        ...


class Connection(asyncio.Protocol):
    """One client connection: reads requests, one at a time, and gives the handler ways to reply."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self._buffer = bytearray()
        self._task: asyncio.Task[None] | None = None
        self._drained = asyncio.Event()
        self._drained.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """The client went away: stop working for it."""
        self._drained.set()
        if self._task is not None:
            self._task.cancel()

    def pause_writing(self) -> None:
        """The client reads too slowly."""
        self._drained.clear()

    def resume_writing(self) -> None:
        """The client has caught up."""
        self._drained.set()

    def data_received(self, data: bytes) -> None:
        """Bytes of a request."""
        self._buffer += data
        self._next()

    def _next(self) -> None:
        """Take one whole request from the buffer and hand it over, unless one is being answered."""
        end = self._buffer.find(b"\r\n\r\n")
        if self._task is not None or end < 0:
            return
        first, *lines = bytes(self._buffer[:end]).decode("latin-1").split("\r\n")
        method, path, _ = first.split(" ", 2)
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        size = end + 4 + int(headers.get("content-length", 0))
        if len(self._buffer) < size:
            return
        body = bytes(self._buffer[end + 4 : size])
        del self._buffer[:size]
        work = self._handler(self, method, path, headers, body)
        if work is not None:
            self._task = asyncio.ensure_future(work)
            self._task.add_done_callback(self._answered)
        elif self._buffer:
            self._next()

    def _answered(self, task: asyncio.Task[None]) -> None:
        self._task = None
        if not task.cancelled() and (error := task.exception()):
            self.transport.abort()
            raise error
        if not self.transport.is_closing():
            self._next()

    async def drain(self) -> None:
        """Wait until the client has taken enough of what was written."""
        await self._drained.wait()

    def reply(self, status: int, body: Any, headers: str = "", kind: str = "application/json") -> None:
        """Send a whole reply; anything but bytes is sent as JSON."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        head = f"HTTP/1.1 {status} {REASONS.get(status, 'Error')}\r\ncontent-type: {kind}\r\n{headers}"
        self.transport.write(f"{head}content-length: {len(data)}\r\n\r\n".encode() + data)

    def open_stream(self) -> None:
        """Begin a chunked event stream."""
        self.transport.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n"
        )

    def send(self, data: bytes) -> None:
        """Send one chunk of an open stream."""
        self.transport.write(b"%x\r\n%b\r\n" % (len(data), data))

    def send_all(self, pieces: Iterable[bytes]) -> None:
        """Send many chunks of an open stream and end it, in one write."""
        self.transport.write(b"".join(b"%x\r\n%b\r\n" % (len(data), data) for data in pieces) + b"0\r\n\r\n")

    def close_stream(self) -> None:
        """End a chunked stream; the connection stays open."""
        self.transport.write(b"0\r\n\r\n")

    def break_off(self) -> None:
        """Close the connection with what was sent so far, as a dying server does."""
        self.transport.close()
