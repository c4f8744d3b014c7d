"""The model that keeps what was paid for: a recording body around the real one.

The key of a call is its run, its slot and the digest of its request body without the token cap. A reply that was
committed is never paid for again, and one that was not committed is never returned: the row comes first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from graph.call import Keep
from graph.exchange import Exchange, key_of
from graph.reply import reply_of
from nodes.contracts import Message, ModelCall, Reply, Window

OnText = Callable[[str], None]


class Records(Protocol):
    """The part of the records that models need."""

    async def recall(self, run: str, slot: str, key: str) -> Exchange | None:
        """The committed ok exchange of a call whose `Exchange.key` this is, or None."""
        ...

    async def save_call(self, exchange: Exchange) -> None:
        """Store an exchange; returns after COMMIT. The same id twice is one row."""
        ...


class Sender(Protocol):
    """A model that hands out its exchanges: the engine's client, or a scripted one."""

    def request(self, call: ModelCall) -> dict[str, Any]:
        """The exact body that a call would send."""
        ...

    async def exchange(self, call: ModelCall, on_text: OnText | None, keep: Keep) -> Exchange:
        """Send a call; every exchange, also a failed or cancelled one, goes to `keep` first."""
        ...

    async def measure(self, messages: tuple[Message, ...], model: str | None = None) -> Window:
        """Count the prompt's tokens against the context window."""
        ...


class RecordingModel:
    """Body of the Model protocol that asks the records before it pays, and commits before it returns."""

    def __init__(self, inner: Sender, records: Records) -> None:
        self._inner = inner
        self._records = records

    async def complete(self, call: ModelCall, on_text: OnText | None = None) -> Reply:
        """Answer from the records when they hold the reply (`replayed=True`), else send, commit and return."""
        found = await self._records.recall(call.run, call.slot, key_of(self._inner.request(call)))
        if found is not None and found.status == "ok":
            return _replay(found, on_text)
        return reply_of(await self._inner.exchange(call, on_text, self._records.save_call))

    async def measure(self, messages: tuple[Message, ...], model: str | None = None) -> Window:
        """Count the prompt's tokens, as the inner model does."""
        return await self._inner.measure(messages, model)


def _replay(found: Exchange, on_text: OnText | None) -> Reply:
    reply = reply_of(found, replayed=True)
    if on_text is not None and reply.text:
        on_text(reply.text)
    return reply
