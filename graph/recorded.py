"""Models that keep what was paid for: a recording body around the real one, and one that only replays.

The key of a call is its run, its slot and the digest of its exact request body. A reply that was committed is never
paid for again, and one that was not committed is never returned: the row comes first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from graph.call import Keep, request_body
from graph.exchange import Exchange
from graph.reply import reply_of
from graph.window import UNKNOWN, bound
from nodes.contracts import Message, ModelCall, Reply, Window
from nodes.errors import EngineError
from prompts import digest

OnText = Callable[[str], None]


class NotRecorded(EngineError):
    """A replay asks for a call that the records do not hold."""

    code = "not_recorded"


class Records(Protocol):
    """The part of the records that models need."""

    async def recall(self, run: str, slot: str, request_digest: str) -> Exchange | None:
        """The committed ok exchange of a call, or None."""
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
        found = await self._records.recall(call.run, call.slot, digest(self._inner.request(call)))
        if found is not None and found.status == "ok":
            return _replay(found, on_text)
        return reply_of(await self._inner.exchange(call, on_text, self._records.save_call))

    async def measure(self, messages: tuple[Message, ...], model: str | None = None) -> Window:
        """Count the prompt's tokens, as the inner model does."""
        return await self._inner.measure(messages, model)


class ReplayingModel:
    """Body of the Model protocol that pays for nothing: recorded replies only."""

    def __init__(self, records: Records, model: str = "default", run: str | None = None) -> None:
        """`model` is the served name of the recorded calls; `run` names their run when the replay has another."""
        self._records = records
        self._model = model
        self._run = run

    async def complete(self, call: ModelCall, on_text: OnText | None = None) -> Reply:
        """The recorded reply. Raises NotRecorded."""
        run = self._run or call.run
        key = digest(request_body(call, call.model or self._model))
        found = await self._records.recall(run, call.slot, key)
        if found is None or found.status != "ok":
            raise NotRecorded(f"run {run!r} holds no reply for slot {call.slot!r} with request {key!r}")
        return _replay(found, on_text)

    async def measure(self, messages: tuple[Message, ...], model: str | None = None) -> Window:  # noqa: ARG002
        """An upper bound; a recorded prompt has fitted before."""
        return Window(tokens=bound(messages), limit=UNKNOWN, exact=False)


def _replay(found: Exchange, on_text: OnText | None) -> Reply:
    reply = reply_of(found, replayed=True)
    if on_text is not None and reply.text:
        on_text(reply.text)
    return reply
