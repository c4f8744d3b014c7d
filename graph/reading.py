"""Reads the body of one reply from the network, to its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Protocol

from graph.call import Attempt, Cut
from graph.connections import bounded
from graph.reply import reply_of
from graph.stream import LARGEST, Assembly, Lines, whole
from nodes.thinking import AnswerOnly

OnText = Callable[[str], None]
DRAIN = 1.0
"""Seconds for the end of a stream after `[DONE]`; a connection read to its end can be used again."""


class Incoming(Protocol):
    """What is used of an HTTP response whose head has come."""

    @property
    def status_code(self) -> int:
        """Status."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """Headers by any case of their name."""
        ...

    def aiter_raw(self) -> AsyncIterator[bytes]:
        """The body as it arrives."""
        ...

    def aiter_bytes(self) -> AsyncIterator[bytes]:
        """The body as it arrives, unpacked."""
        ...


async def read_reply(response: Incoming, attempt: Attempt, on_text: OnText | None) -> None:
    """Read an event stream, or the whole reply of a server that ignores `stream`, into the attempt.

    Raises Cut, Unreadable, ServerError or an error of the network.
    """
    attempt.http_status = response.status_code
    if "text/event-stream" in response.headers.get("content-type", ""):
        await _read_stream(response, attempt, on_text)
    else:
        attempt.response = whole(await bounded(response, LARGEST))
        _tell(on_text, reply_of(attempt.exchange()).text)


async def _read_stream(response: Incoming, attempt: Attempt, on_text: OnText | None) -> None:
    """Read an event stream to its end. Raises Cut, Unreadable or ServerError."""
    assembly, lines, answer = attempt.assembly, Lines(), AnswerOnly()
    async for data in _pieces(response, assembly):
        for payload in lines.feed(data):
            text = assembly.feed(payload)
            if attempt.first_token is None and assembly.begun:
                attempt.first_token = round(attempt.seconds, 6)
            if text and on_text is not None:
                _tell(on_text, answer.feed(text))
    for payload in lines.end():
        assembly.feed(payload)
    if not assembly.finish:
        raise Cut
    _tell(on_text, answer.end())


async def _pieces(response: Incoming, assembly: Assembly) -> AsyncIterator[bytes]:
    """Bytes as they arrive. A server that lingers after `[DONE]` is left after a moment: the reply is whole."""
    source = response.aiter_bytes() if "content-encoding" in response.headers else response.aiter_raw()
    try:
        async with asyncio.timeout(None) as patience:
            async for data in source:
                yield data
                if assembly.ended:
                    patience.reschedule(asyncio.get_running_loop().time() + DRAIN)
    except TimeoutError:
        if not assembly.ended:
            raise


def _tell(on_text: OnText | None, text: str) -> None:
    if text and on_text is not None:
        on_text(text)
