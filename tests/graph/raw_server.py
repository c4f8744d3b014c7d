"""A loopback server that sends given bytes: recorded replies, whole or spoiled, over a real socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "replies"


@dataclass
class Raw:
    """One reply: head, pieces of the body, and how the connection ends."""

    head: str
    pieces: list[bytes]
    end: str = "whole"
    """whole, break (no last chunk), hang (nothing more comes), linger (no last chunk),
    gate (waits for the server's gate)."""


@dataclass
class RawServer:
    """What a test may look at. Satisfies `Endpoint`."""

    replies: list[Raw]
    base_url: str = ""
    api_key: str | None = None
    model: str = "default"
    context: int | None = 4096
    supervised: bool = False
    requests: list[tuple[str, dict[str, str], Any]] = field(default_factory=list)
    """Path, headers and JSON body of every request."""
    sent: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when all pieces of a reply are out."""
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a client closed its connection in the middle of a reply."""
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    """Lets replies with end `gate` go."""
    expected: int = 0
    full: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when `expected` requests are in flight."""
    connections: int = 0
    flying: int = 0
    handlers: set[asyncio.Task[None]] = field(default_factory=set)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection from the list."""
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self.handlers.add(task)
        with suppress(asyncio.IncompleteReadError, ConnectionError), closing(writer):
            while await self._one(reader, writer):
                pass

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        self.requests.append((first.split(" ")[1], headers, json.loads(body) if body else None))
        assert self.replies, f"unexpected request {first}"
        reply = self.replies.pop(0)
        self.flying += 1
        if self.flying == self.expected:
            self.full.set()
        try:
            return await self._send(reply, reader, writer)
        finally:
            self.flying -= 1

    async def _send(self, reply: Raw, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        writer.write(f"{reply.head}\r\ntransfer-encoding: chunked\r\n\r\n".encode())
        for piece in filter(None, reply.pieces):
            writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            await writer.drain()
        self.sent.set()
        if reply.end == "gate":
            await self.gate.wait()
        if reply.end in ("whole", "gate"):
            writer.write(b"0\r\n\r\n")
            return True
        if reply.end in ("hang", "linger"):
            assert await reader.read(1) == b""
            self.left.set()
        return False


@asynccontextmanager
async def raw_server(*replies: Raw) -> AsyncIterator[RawServer]:
    """Serve these replies, one for each request, and insist that all were asked for."""
    server = RawServer(list(replies))
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.base_url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}/v1"
    async with listener:
        yield server
        for task in server.handlers:
            task.cancel()
        await asyncio.gather(*server.handlers, return_exceptions=True)
    assert not server.replies, f"{len(server.replies)} replies were not asked for"


def recorded(name: str) -> Raw:
    """A reply of a real vLLM 0.32, one piece for each event."""
    head, body = (FOLDER / f"{name}.txt").read_bytes().split(b"\n\n", 1)
    events = [event + b"\n\n" for event in body.split(b"\n\n") if event] if b"event-stream" in head else [body]
    return Raw(head.decode().replace("\n", "\r\n"), events)


def events(*chunks: Any, done: bool = True) -> Raw:
    """A stream of these objects."""
    pieces = [b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks]
    return Raw("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream", pieces + [b"data: [DONE]\n\n"] * done)


def delta(finish: str | None = None, **fields: Any) -> dict[str, Any]:
    """One chunk."""
    return {"id": "c", "model": "default", "choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


def status(code: int, body: Any, *headers: str) -> Raw:
    """A whole JSON reply."""
    head = "\r\n".join([f"HTTP/1.1 {code} X", "content-type: application/json", *headers])
    return Raw(head, [body if isinstance(body, bytes) else json.dumps(body).encode()])
