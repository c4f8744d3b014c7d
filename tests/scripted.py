"""A scripted body of the Model protocol, strict both ways: an unexpected call fails, and so does an unused step.

    with ScriptedModel({"branch:0": "ANSWER: 8", "verify:ab": Say("first"), "branch:1": EngineFault("dead")}) as model:
        ...                                     # by slot; a list of steps for one slot is used up in order
    with ScriptedModel(["ANSWER: 8"]) as model: # in order of arrival, whatever the slot
    with ScriptedModel(function) as model:      # function(call) -> step; raise to refuse a call

It hands out whole exchanges as the engine's client does, so `RecordingModel(scripted, records)` works as in production.
"""

from __future__ import annotations

import asyncio
import re
import uuid
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from graph.call import Keep, request_body, settle
from graph.exchange import Exchange
from graph.reply import reply_of, usage_of
from graph.window import bound
from nodes.contracts import Message, ModelCall, Reply, Window
from nodes.errors import OctavoError

MODEL = "scripted"


@dataclass(frozen=True)
class Say:
    """One reply."""

    text: str
    finish: str = "stop"
    reasoning: str = ""
    logprob: float = -0.1
    """Of every token, when the call asks for log-probabilities."""
    logprobs: Mapping[str, float] | None = None
    """Of single tokens (words or signs of the text), where they differ from `logprob`."""
    hold: asyncio.Event | None = None
    """The reply ends only when this is set; the first half of the text has arrived by then."""
    held: asyncio.Event | None = None
    """Set once the call waits for `hold`."""
    prompt_tokens: int | None = None
    cached: int = 0

    @property
    def tokens(self) -> list[str]:
        """The text cut at words and signs; joined they are the text."""
        return re.findall(r"\s*(?:\w+|[^\w\s])|\s+", self.text)


Step = str | Say | BaseException
Script = Mapping[str, Step | Sequence[Step]] | Sequence[Step] | Callable[[ModelCall], Step]


class ScriptedModel:
    """Replies from a script; `calls` lists what was asked. Works inside `with` only, so that it is always checked."""

    def __init__(self, script: Script, limit: int = 32_768) -> None:
        self.calls: list[ModelCall] = []
        self.exchanges: list[Exchange] = []
        self._limit = limit
        self._function = script if callable(script) else None
        self._by_slot: dict[str, deque[Step]] = {}
        self._in_order: deque[Step] = deque()
        self._unexpected: list[str] = []
        self._open = False
        if isinstance(script, Mapping):
            self._by_slot = {slot: deque(_steps(steps)) for slot, steps in script.items()}
        elif not callable(script):
            self._in_order.extend(script)

    def __enter__(self) -> Self:
        self._open = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open = False
        if kind is None:
            self.check()

    def check(self) -> None:
        """Fail when a call was not in the script, or a step was not used."""
        assert not self._unexpected, f"calls that the script does not know: {self._unexpected}"
        unused = {slot: list(steps) for slot, steps in self._by_slot.items() if steps}
        assert not unused, f"steps that were not used: {unused}"
        assert not self._in_order, f"steps that were not used: {list(self._in_order)}"

    def _next(self, call: ModelCall) -> Step:
        assert self._open, "use `with ScriptedModel(...) as model:`"
        self.calls.append(call)
        if self._function is not None:
            return self._function(call)
        steps = self._by_slot.get(call.slot) or self._in_order
        if not steps:
            self._unexpected.append(call.slot)
            raise AssertionError(f"unexpected call {call.slot!r}: {call.messages[-1].content[-200:]!r}")
        return steps.popleft()

    def request(self, call: ModelCall) -> dict[str, Any]:
        """The body that the engine's client would send."""
        return request_body(call, call.model or MODEL)

    async def complete(self, call: ModelCall, on_text: Callable[[str], None] | None = None) -> Reply:
        """Play the next step."""
        return reply_of(await self.exchange(call, on_text, self._forget))

    async def exchange(self, call: ModelCall, on_text: Callable[[str], None] | None, keep: Keep) -> Exchange:
        """Play the next step; ok, failed and cancelled exchanges go to `keep` first."""
        step = self._next(call)
        say = Say(step) if isinstance(step, str) else step
        try:
            if isinstance(say, BaseException):
                raise say
            allowed = not call.choices or say.text in call.choices
            assert allowed, f"{say.text!r} is none of {call.choices}: no engine would say that"
            await _speak(say, on_text)
        except (OctavoError, asyncio.CancelledError) as error:
            await settle(self._store(_unanswered(call, self.request(call), say, error), keep))
            raise
        exchange = _answered(call, self.request(call), say)
        await settle(self._store(exchange, keep))
        return exchange

    async def _store(self, exchange: Exchange, keep: Keep) -> None:
        self.exchanges.append(exchange)
        await keep(exchange)

    async def _forget(self, exchange: Exchange) -> None:
        """Keep nothing but the list."""

    async def measure(self, messages: tuple[Message, ...], model: str | None = None) -> Window:
        """An exact-looking count: the byte bound."""
        return Window(tokens=bound(messages), limit=self._limit, exact=True)


class MemoryRecords:
    """Records in a list: what RecordingModel needs, for tests without a database."""

    def __init__(self) -> None:
        self.saved: list[Exchange] = []

    async def recall(self, run: str, slot: str, key: str) -> Exchange | None:
        """The ok exchange of a call."""
        wanted = (run, slot, key, "ok")
        return next((e for e in self.saved if (e.run, e.slot, e.key, e.status) == wanted), None)

    async def save_call(self, exchange: Exchange) -> None:
        """Store an exchange."""
        self.saved.append(exchange)


def _steps(steps: Step | Sequence[Step]) -> Sequence[Step]:
    return [steps] if isinstance(steps, str | Say | BaseException) else steps


async def _speak(say: Say, on_text: Callable[[str], None] | None) -> None:
    """The text in two pieces, the second after `hold`."""
    half = len(say.text) // 2
    pieces = [say.text[:half], say.text[half:]]
    for number, piece in enumerate(pieces):
        if number and say.hold is not None:
            if say.held is not None:
                say.held.set()
            await say.hold.wait()
        if piece and on_text is not None:
            on_text(piece)


def _response(call: ModelCall, say: Say, tokens: list[str], finish: str | None) -> dict[str, Any]:
    """A `chat.completion` as the client assembles it."""
    message = {"role": "assistant", "content": "".join(tokens)} | (
        {"reasoning": say.reasoning} if say.reasoning else {}
    )
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": finish}
    if call.logprobs:
        choice["logprobs"] = {"content": [_token(token, say) for token in tokens]}
    prompt = bound(call.messages) // 4 if say.prompt_tokens is None else say.prompt_tokens
    details = {"cached_tokens": say.cached}
    usage = {"prompt_tokens": prompt, "completion_tokens": len(tokens), "prompt_tokens_details": details}
    return {"object": "chat.completion", "id": "chatcmpl-1", "model": MODEL, "choices": [choice], "usage": usage}


def _token(token: str, say: Say) -> dict[str, Any]:
    logprob = (say.logprobs or {}).get(token.strip(), say.logprob)
    others = [{"token": token, "logprob": logprob}, {"token": "?", "logprob": logprob - 1.0}]
    return {"token": token, "logprob": logprob, "top_logprobs": others}


def _answered(call: ModelCall, request: dict[str, Any], say: Say) -> Exchange:
    return _exchange(call, request, _response(call, say, say.tokens, say.finish), "ok")


def _unanswered(call: ModelCall, request: dict[str, Any], say: Say | BaseException, error: BaseException) -> Exchange:
    """A cancelled call keeps the half that had arrived; a failed one keeps nothing."""
    if isinstance(error, OctavoError) or not isinstance(say, Say):
        text = f"{error.code}: {error}" if isinstance(error, OctavoError) else "cancelled"
        status = "failed" if isinstance(error, OctavoError) else "cancelled"
        return _exchange(call, request, None, status, text)
    tokens = say.tokens[: len(say.tokens) // 2]
    return _exchange(call, request, _response(call, say, tokens, None), "cancelled", "cancelled")


def _exchange(
    call: ModelCall, request: dict[str, Any], response: dict[str, Any] | None, status: Any, error: str = ""
) -> Exchange:
    return Exchange(
        id=str(uuid.uuid4()),
        run=call.run,
        slot=call.slot,
        prompt=call.prompt,
        endpoint="scripted",
        model=request["model"],
        request=request,
        response=response,
        status=status,
        finish=str(response["choices"][0]["finish_reason"] or "") if response else "",
        error=error,
        usage=usage_of(response or {}),
    )
