"""The committee in layers, for `evals.bench.overhead`: what each part adds to the price of one question.

Every layer answers the same questions with the same eight calls. `client` sends them and does nothing else; `graph` is
the graph alone, its model instant and its records absent; `checkpoints` and `records` add one database each; `whole` is
what a user runs; `bare` is the yardstick: `asyncio.gather` over the stock client.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, cast

from openai import AsyncOpenAI

from evals.bench import replies
from evals.bench.endpoint import Running
from evals.bench.questions import question, reply
from graph.board import Boards, Halts
from graph.call import Keep, request_body
from graph.checkpointer import open_saver
from graph.exchange import Exchange
from graph.model import EngineModel
from graph.record import Records
from graph.reply import reply_of, usage_of
from graph.run import Committee, LiveParts, build, open_committee
from graph.settings import Settings, read
from graph.state import Context
from graph.stream import Assembly
from nodes import branch, specialists
from nodes.contracts import Message, Model, ModelCall, Reply, Request, Usage, Window

BRANCHES = 8
IN_FLIGHT = 64
"""Calls at once of the bare fan-out: what `Settings.concurrency` allows ours."""
Ask = Callable[[int], Awaitable[object]]
Layer = AbstractAsyncContextManager[Ask]


def calls(number: int) -> list[ModelCall]:
    """The eight calls of question `number`."""
    request = Request(run=f"bench-{number}", question=question(number), mode="8")
    return [branch.branch_call(request, "closed", index) for index in range(BRANCHES)]


@asynccontextmanager
async def bare(server: Running) -> AsyncIterator[Ask]:
    """A fan-out without any of us: eight streams of the stock client, text only."""
    client = AsyncOpenAI(api_key="none", base_url=server.base_url, max_retries=0, timeout=600)
    limit = asyncio.Semaphore(IN_FLIGHT)

    async def one(body: dict[str, Any]) -> str:
        async with limit:
            stream = await client.chat.completions.create(**body)
            return "".join([chunk.choices[0].delta.content or "" async for chunk in stream if chunk.choices])

    async def ask(number: int) -> list[str]:
        return await asyncio.gather(*(one(request_body(call, server.model)) for call in calls(number)))

    try:
        yield ask
    finally:
        await client.close()


@asynccontextmanager
async def client(server: Running) -> AsyncIterator[Ask]:
    """Our client alone: eight whole replies."""
    model = EngineModel([server])

    async def ask(number: int) -> list[Reply]:
        return await asyncio.gather(*map(model.complete, calls(number)))

    try:
        yield ask
    finally:
        await model.close()


class Instant:
    """A model that has every reply at once; the replies have the shape of streamed ones."""

    def __init__(self, chunks: int) -> None:
        self._chunks = chunks
        self._responses: dict[str, dict[str, Any]] = {}

    def request(self, call: ModelCall) -> dict[str, Any]:
        """The body that the client would send."""
        return request_body(call, replies.MODEL)

    def _response(self, text: str) -> dict[str, Any]:
        if text not in self._responses:
            assembly = Assembly()
            for event in replies.stream(text, self._chunks, 2, 200, replies.MODEL, "stop", True):
                assembly.feed(event[5:].strip())
            self._responses[text] = assembly.response(0)
        return self._responses[text]

    async def exchange(self, call: ModelCall, on_text: Callable[[str], None] | None, keep: Keep) -> Exchange:
        """The exchange that the client would make of the reply."""
        request = self.request(call)
        response = self._response(reply(request))
        if on_text:
            on_text(response["choices"][0]["message"]["content"])
        exchange = Exchange(
            id=str(uuid.uuid4()),
            run=call.run,
            slot=call.slot,
            prompt=call.prompt,
            endpoint="instant",
            model=replies.MODEL,
            request=request,
            response=response,
            status="ok",
            finish="stop",
            usage=usage_of(response),
            started=time.time(),
        )
        await keep(exchange)
        return exchange

    async def complete(self, call: ModelCall, on_text: Callable[[str], None] | None = None) -> Reply:
        """Answer one call."""
        return reply_of(await self.exchange(call, on_text, _nothing))

    async def measure(self, messages: tuple[Message, ...], model: str | None = None) -> Window:  # noqa: ARG002
        """Everything fits."""
        return Window(tokens=200, limit=replies.CONTEXT, exact=True)


async def _nothing(*_: object, **__: object) -> None:
    """Keep nothing."""


class NoRecords:
    """Takes every row and keeps none."""

    def __getattr__(self, name: str) -> Any:
        return _nothing

    async def usage(self, run: str) -> Usage:  # noqa: ARG002
        """Nothing was kept, so nothing was paid."""
        return Usage()


class NoDatabase:
    """Parts of a committee that records nothing."""

    def __init__(self, settings: Settings, model: Instant) -> None:
        self.settings = settings
        self.specialists = specialists.load()
        self.halts = Halts()
        self.boards = Boards()
        self._model = model

    async def model(self) -> Model:
        """The instant model."""
        return self._model

    async def records(self) -> Records:
        """Records that keep nothing."""
        return cast(Records, NoRecords())

    def facts(self) -> Mapping[str, str]:
        """No facts."""
        return {}


@asynccontextmanager
async def graph(home: Path, chunks: int) -> AsyncIterator[Ask]:
    """The graph alone."""
    compiled = build(NoDatabase(read(home=home), Instant(chunks)))

    async def ask(number: int) -> dict[str, Any]:
        return await compiled.ainvoke({"question": question(number)}, context=Context(mode="8", face="bench"))

    yield ask


@asynccontextmanager
async def checkpoints(home: Path, chunks: int) -> AsyncIterator[Ask]:
    """The graph with its checkpoints."""
    parts = cast(LiveParts, NoDatabase(read(home=home), Instant(chunks)))
    async with open_saver(home / "checkpoints.db") as saver:
        yield asking(Committee(parts, saver))


@asynccontextmanager
async def records(home: Path, chunks: int) -> AsyncIterator[Ask]:
    """The graph with both databases, its model instant."""
    async with open_committee(read(home=home), model=Instant(chunks)) as committee:
        yield asking(committee)


@asynccontextmanager
async def whole(home: Path, server: Running) -> AsyncIterator[Ask]:
    """What a user runs."""
    async with open_committee(read(home=home, base_url=server.base_url, model=server.model)) as committee:
        yield asking(committee)


def asking(committee: Committee) -> Ask:
    """Questions to a committee, eight branches each."""

    async def ask(number: int) -> object:
        answer = await committee.ask(question(number), mode="8", face="bench")
        assert answer.branches == BRANCHES, answer
        assert answer.status == "answered", answer
        return answer

    return ask


def layers(home: Path, server: Running, chunks: int) -> dict[str, Layer]:
    """Every layer by name; each has a home of its own below `home`."""
    return {
        "bare": bare(server),
        "client": client(server),
        "graph": graph(home / "graph", chunks),
        "checkpoints": checkpoints(home / "checkpoints", chunks),
        "records": records(home / "records", chunks),
        "whole": whole(home / "whole", server),
    }
