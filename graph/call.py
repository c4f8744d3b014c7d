"""One try to get a reply: what was asked, what came, and the Exchange that both leave behind."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx2
from openai import APIConnectionError, APIStatusError

from graph.connections import Endpoint, public
from graph.exchange import Exchange
from graph.faults import fault_of, status_of
from graph.reply import usage_of
from graph.stream import Assembly, ServerError, Unreadable
from nodes.contracts import ModelCall
from nodes.errors import EngineFault, EngineTimeout, EngineUnreachable, InputError, OctavoError

Keep = Callable[[Exchange], Awaitable[None]]
"""Stores an exchange; returns once it cannot be lost."""


class Cut(Exception):
    """The stream ended without a finish_reason."""


NETWORK = (
    APIStatusError,
    APIConnectionError,
    httpx2.RequestError,  # that of the network, and of a body that cannot be unpacked
    httpx2.InvalidURL,
    TimeoutError,
    Unreadable,
    ServerError,
    Cut,
    UnicodeEncodeError,
)
"""Everything that may go wrong between us and a server."""


def request_body(call: ModelCall, model: str, token_ids: bool = False) -> dict[str, Any]:
    """The exact JSON of a completion request. Never a `seed`: it can kill a CPU engine (vLLM)."""
    sampling = call.sampling
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": message.role, "content": message.content} for message in call.messages],
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_tokens": sampling.max_tokens,
        "stream": True,
        "stream_options": {"include_usage": True, "continuous_usage_stats": True},
    }
    if sampling.stop:
        body["stop"] = list(sampling.stop)
    if call.logprobs:
        body |= {"logprobs": True, "top_logprobs": call.logprobs}
    if call.choices:
        body["structured_outputs"] = {"choice": list(call.choices)}
    elif call.json_schema is not None:
        schema = {"name": "reply", "schema": call.json_schema, "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    if token_ids:
        body["return_token_ids"] = True
    return body


@dataclass
class Attempt:
    """State of one try; mutable while the stream runs."""

    call: ModelCall
    endpoint: Endpoint
    request: dict[str, Any]
    number: int
    """1 = first try."""
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    status: Literal["ok", "cancelled", "failed"] = "failed"
    fault: OctavoError | None = None
    final: bool = True
    """False once it is known that another try follows."""
    http_status: int | None = None
    response: dict[str, Any] | None = None
    """A reply that did not come as a stream, or the server's error object."""
    assembly: Assembly = field(default_factory=Assembly)
    first_token: float | None = None
    _started: float = field(default_factory=time.time)
    _clock: float = field(default_factory=time.perf_counter)

    @property
    def seconds(self) -> float:
        """Seconds since the request was made."""
        return time.perf_counter() - self._clock

    @property
    def worth_keeping(self) -> bool:
        """True for the last try, and for every other one whose tokens were paid."""
        return self.final or self.assembly.begun

    def blame(self, raw: Exception, limit: float) -> OctavoError:
        """The named error of what was raised; kept for the record."""
        if isinstance(raw, APIStatusError):
            self.http_status = raw.status_code
            self.response = _body(raw.response)
        elif isinstance(raw, ServerError) and not self.assembly.begun:
            self.response = {"error": raw.error}
        self.fault = _named(raw, public(self.endpoint.base_url), self.assembly.begun, limit)
        return self.fault

    def _error(self) -> str:
        if self.status == "ok":
            return ""
        if self.fault is not None:
            return f"{self.fault.code}: {self.fault}"
        return (
            "cancelled: nobody waits for it any more" if self.status == "cancelled" else "interrupted: an error of ours"
        )

    def exchange(self) -> Exchange:
        """The record of this try."""
        response = self.response
        if response is None and (self.assembly.begun or self.assembly.usage or self.status == "ok"):
            response = self.assembly.response(prompt_bytes(self.request["messages"]))
        return Exchange(
            id=self.id,
            run=self.call.run,
            slot=self.call.slot,
            prompt=self.call.prompt,
            endpoint=public(self.endpoint.base_url),
            model=self.request["model"],
            request=self.request,
            response=response,
            status=self.status,
            finish=_finish(response),
            error=self._error(),
            http_status=self.http_status,
            attempts=self.number,
            usage=usage_of(response or {}),
            started=self._started,
            seconds=round(self.seconds, 6),
            first_token=self.first_token,
        )


def _body(response: httpx2.Response) -> dict[str, Any]:
    """The body of an error reply as it came."""
    try:
        body = response.json()
    except (ValueError, RecursionError):
        body = None
    return body if isinstance(body, dict) else {"text": response.text[:2000]}


def _finish(response: dict[str, Any] | None) -> str:
    """The finish_reason of a response; empty for an error object, whatever is in it."""
    try:
        return str((response or {})["choices"][0].get("finish_reason") or "")
    except (KeyError, IndexError, TypeError, AttributeError):
        return ""


def prompt_bytes(messages: list[dict[str, str]]) -> int:
    """UTF-8 bytes of all message texts."""
    return sum(len(message["content"].encode("utf-8", "surrogatepass")) for message in messages)


def _named(raw: Exception, where: str, begun: bool, limit: float) -> OctavoError:
    """The project's name for an error of the network, the server or the stream."""
    match raw:
        case APIStatusError():
            return fault_of(raw.status_code, raw.body, where)
        case ServerError():
            return fault_of(status_of(raw.error), raw.error, where)
        case TimeoutError():
            return EngineTimeout(f"{where} gave no complete reply within {limit:g} s; the stream was closed")
        case Unreadable() | httpx2.DecodingError():
            return EngineFault(f"{where} sent something unreadable: {raw}")
        case Cut():
            return EngineFault(f"{where} ended the stream without a finish_reason: the reply is cut")
        case UnicodeEncodeError():  # the key was checked before, so it is the prompt
            return InputError("the prompt holds a lone surrogate, which is no character", "lone_surrogate")
    words = f"{type(cause_of(raw)).__name__}: {cause_of(raw)}".rstrip(": ")
    if begun:
        return EngineFault(f"the connection to {where} broke in the middle of a reply ({words})")
    return EngineUnreachable(f"no connection to {where} ({words}); is the engine running? See `octavo doctor`")


def cause_of(raw: Exception) -> BaseException:
    """The network's own error: openai wraps it before the reply begins, and does not afterwards."""
    return raw.__cause__ or raw if isinstance(raw, APIConnectionError) else raw


def lost(raw: Exception) -> bool:
    """True when there is no connection, or it broke."""
    return isinstance(cause_of(raw), httpx2.TransportError)


def refused(raw: Exception) -> bool:
    """True when nobody listens at the address."""
    return isinstance(cause_of(raw), httpx2.ConnectError | httpx2.ConnectTimeout)


async def settle(work: Awaitable[None]) -> None:
    """Await to the end, even when cancelled meanwhile; the cancellation is passed on afterwards.

    For writing down what was paid: a row must not be lost because its branch is no longer wanted.
    """
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            if task.cancelled():
                raise
            cancelled = error
    task.result()
    if cancelled is not None:
        raise cancelled
