"""The only client for completions: one call in, one streamed exchange with a vLLM out.

What a call is allowed to cost is bounded everywhere: calls in flight by a limit that all runs share, each call by its
timeout, repeats by their number. Cancelling the task closes the HTTP stream, on which vLLM frees the slot; what had
arrived by then is still an Exchange, handed to `keep` before the cancellation goes on.
"""

from __future__ import annotations

import asyncio
import random
import re
import zlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from openai import APIStatusError

from graph.call import NETWORK, Attempt, Keep, lost, refused, request_body, settle
from graph.connections import Connections, Endpoint, limit
from graph.exchange import Exchange
from graph.faults import again, broken, pause, retry_after
from graph.reading import OnText, read_reply
from graph.recorded import RecordingModel
from graph.reply import reply_of
from graph.timeouts import calling, check_timeouts
from graph.window import UNKNOWN, at_a_glance, count, served
from nodes.contracts import Message, ModelCall, Reply, Window
from nodes.errors import ContextExceeded, EngineUnreachable, SetupError

__all__ = ["EngineModel", "RecordingModel", "calling", "check_timeouts"]

OnDown = Callable[[], Awaitable[Endpoint]]


async def _forget(exchange: Exchange) -> None:
    """Keep nothing."""


class EngineModel:
    """Body of the Model protocol for one or more OpenAI endpoints; calls spread over them by slot."""

    def __init__(
        self,
        endpoints: Sequence[Endpoint],
        *,
        concurrency: int = 64,
        retries: int = 3,
        timeout: float = 300.0,
        on_down: OnDown | None = None,
        backoff: float = 0.5,
        token_ids: bool = False,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        """`timeout` caps that of every prompt, `backoff` is the first pause in seconds.

        `on_down` returns once a supervised engine serves; it is asked after a refused or broken connection and a 5xx.
        """
        if not endpoints:
            raise SetupError("the model client was given no endpoint")
        self._endpoints = list(endpoints)
        self._concurrency = concurrency
        self._retries = retries
        self._timeout = timeout
        self._on_down = on_down
        self._backoff = backoff
        self._token_ids = token_ids
        self._jitter = jitter
        self._connections = Connections()
        self._limits: dict[tuple[str, str], int] = {}
        self._revival: asyncio.Task[None] | None = None

    async def complete(self, call: ModelCall, on_text: OnText | None = None) -> Reply:
        """Answer one call. After a repeated try `on_text` hears the text from its beginning again."""
        return reply_of(await self.exchange(call, on_text))

    def request(self, call: ModelCall) -> dict[str, Any]:
        """The exact body that `call` would send; `key_of` it is the replay key."""
        return self._body(call, self._endpoints[self._place(call, 1)])

    async def exchange(self, call: ModelCall, on_text: OnText | None = None, keep: Keep = _forget) -> Exchange:
        """Send a call and return its ok exchange, after `keep` has stored it; others are kept, then raised.

        Raises EngineError, ContextExceeded or CancelledError.
        """
        allowed = min(call.sampling.timeout, self._timeout)
        async with limit(self._concurrency):
            number = 1
            while True:
                endpoint = self._endpoints[self._place(call, number)]
                attempt = Attempt(call, endpoint, self._body(call, endpoint), number)
                try:
                    async with asyncio.timeout(allowed):
                        await self._send(attempt, on_text)
                    attempt.status = "ok"
                except asyncio.CancelledError:
                    attempt.status = "cancelled"
                    raise
                except NETWORK as raw:
                    await self._recover(attempt, raw, allowed)
                    number += 1
                finally:
                    if attempt.worth_keeping:
                        exchange = attempt.exchange()
                        try:
                            await settle(keep(exchange))
                        except asyncio.CancelledError:
                            if attempt.status != "ok":  # a reply that is whole, paid and kept is not thrown away
                                raise
                if attempt.status == "ok":
                    return exchange

    async def _send(self, attempt: Attempt, on_text: OnText | None) -> None:
        """One HTTP exchange, read to its end."""
        async with self._connections.client(attempt.endpoint).stream(attempt.request) as response:
            await read_reply(response, attempt, on_text)

    async def _recover(self, attempt: Attempt, raw: Exception, allowed: float) -> None:
        """Wait before the next try, or raise the fault when asking again cannot help or has been tried enough."""
        fault = attempt.blame(raw, allowed)
        if isinstance(fault, ContextExceeded) and fault.tokens_over is None:
            fault = attempt.fault = await self._weigh(attempt, fault)
        if attempt.number > self._retries or not (lost(raw) or again(fault)):
            raise fault from raw
        supervised = self._on_down is not None and attempt.endpoint.supervised
        if not (supervised and refused(raw)):
            asked = retry_after(raw.response.headers) if isinstance(raw, APIStatusError) else None
            await asyncio.sleep(pause(attempt.number, asked, self._backoff, self._jitter()))
        if self._on_down is not None and supervised and (lost(raw) or broken(fault)):
            await self._revive(self._on_down, attempt.endpoint, allowed)
        attempt.final = False

    async def _weigh(self, attempt: Attempt, fault: ContextExceeded) -> ContextExceeded:
        """The same fault with the number of tokens over: vLLM stops counting at the first one too many."""
        most = self._limits.get((attempt.endpoint.base_url, attempt.request["model"]), UNKNOWN)
        client = self._connections.client(attempt.endpoint)
        window = await count(client, attempt.endpoint, attempt.request["model"], attempt.call.messages, most)
        over = window.tokens + attempt.call.sampling.max_tokens - window.limit
        if not window.exact or over <= 0:
            return fault
        return ContextExceeded(f"{fault} ({over} tokens over, reply included)", over)

    async def _revive(self, on_down: OnDown, dead: Endpoint, allowed: float) -> None:
        """Wait until the supervisor names a living endpoint; all calls that wait share one question to it.

        The wait is bounded by the call's timeout but not counted against the next try.
        """
        if dead not in self._endpoints:
            return  # another call has replaced it meanwhile
        waiting = self._revival
        if waiting is None or waiting.done() or waiting.get_loop() is not asyncio.get_running_loop():
            waiting = self._revival = asyncio.create_task(self._replace(dead, on_down))
            waiting.add_done_callback(_look)
        try:
            async with asyncio.timeout(allowed):
                await asyncio.shield(waiting)
        except TimeoutError as error:
            raise EngineUnreachable(f"the engine did not come back within {allowed:g} s") from error

    async def _replace(self, dead: Endpoint, on_down: OnDown) -> None:
        alive = await on_down()
        self._endpoints = [alive if endpoint is dead else endpoint for endpoint in self._endpoints]

    def _place(self, call: ModelCall, number: int) -> int:
        """Index of the endpoint for a call. A repeat goes to a twin: same model, same digest."""
        everywhere = range(len(self._endpoints))
        fitting = [i for i in everywhere if call.model in (None, self._endpoints[i].model)] or list(everywhere)
        first = fitting[spread(call.slot) % len(fitting)]
        twins = [i for i in fitting if self._endpoints[i].model == self._endpoints[first].model]
        return twins[(twins.index(first) + number - 1) % len(twins)]

    def _body(self, call: ModelCall, endpoint: Endpoint) -> dict[str, Any]:
        return request_body(call, call.model or endpoint.model, self._token_ids)

    async def measure(self, messages: tuple[Message, ...], model: str | None = None) -> Window:
        """Count the prompt's tokens. `exact=False` with a short prompt means an upper bound. Raises EngineError."""
        endpoint = next((e for e in self._endpoints if model in (None, e.model)), self._endpoints[0])
        name = model or endpoint.model
        most = await self._context(endpoint, name)
        window = at_a_glance(messages, most)
        return window or await count(self._connections.client(endpoint), endpoint, name, messages, most)

    async def _context(self, endpoint: Endpoint, model: str) -> int:
        """Context window of a model, asked for once."""
        key = (endpoint.base_url, model)
        if key not in self._limits:
            known = endpoint.context if model == endpoint.model else None
            self._limits[key] = known or await served(self._connections.client(endpoint), endpoint, model)
        return self._limits[key]

    async def check(self) -> None:
        """Ask every endpoint whether it serves its model. Raises EngineUnreachable, EngineDenied or ModelNotServed."""
        for endpoint in self._endpoints:
            await served(self._connections.client(endpoint), endpoint, endpoint.model)

    async def close(self) -> None:
        """Close the connections of the running loop."""
        await self._connections.close()


def _look(task: asyncio.Task[None]) -> None:
    """Take note of the outcome, in case that everybody who waited for it has been cancelled."""
    if not task.cancelled():
        task.exception()


def spread(slot: str) -> int:
    """A stable number for a slot: the branch's own number, or a checksum of its name."""
    number = re.search(r"(\d+)$", slot)
    return int(number[1]) if number else zlib.crc32(slot.encode())
