"""What one call costs in this process: our client beside plain AsyncOpenAI, same server, same run.

    python -m evals.bench.client

Eight streams at once against the scripted endpoint in a process of its own, without latency; CPU milliseconds of this
process (median of the rounds), all eight together. "recorded" adds a recording body with records in memory. Server
capacity is measured with raw sockets, so that it is known not to be the bottleneck. Stop the engine first.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import Awaitable, Callable
from typing import Any

from openai import AsyncOpenAI

from evals.bench.endpoint import Running, endpoint
from graph.exchange import Exchange
from graph.model import EngineModel, RecordingModel
from nodes.contracts import Message, ModelCall
from prompts import Sampling

STREAMS = 8
QUESTION = "A train leaves at nine and covers 120 km in an hour and a half. How fast is it on average? " * 3
Work = Callable[[int], Awaitable[object]]


class _Nothing:
    """Records that hold nothing."""

    async def recall(self, run: str, slot: str, key: str) -> Exchange | None:  # noqa: ARG002
        """Nothing is known."""
        return None

    async def save_call(self, exchange: Exchange) -> None:
        """Nothing is kept."""


def a_call(slot: int) -> ModelCall:
    """Branch `slot` of a question."""
    message = Message(role="user", content=f"{QUESTION}\nBranch {slot}.")
    sampling = Sampling(max_tokens=512, timeout=60)
    return ModelCall(run="bench", slot=f"branch:{slot}", messages=(message,), sampling=sampling, prompt="p", logprobs=5)


async def plain(client: AsyncOpenAI, body: dict[str, Any]) -> str:
    """The same request by the stock client, text only."""
    text = []
    async for chunk in await client.chat.completions.create(**body):
        if chunk.choices:
            text.append(chunk.choices[0].delta.content or "")
    return "".join(text)


async def cost(work: Work, rounds: int) -> tuple[float, float]:
    """Median CPU and wall milliseconds of eight concurrent calls."""
    cpu, wall = [], []
    for number in range(rounds + 3):
        started, clock = time.process_time(), time.perf_counter()
        await asyncio.gather(*map(work, range(STREAMS)))
        if number >= 3:
            cpu.append(time.process_time() - started)
            wall.append(time.perf_counter() - clock)
    return 1000 * statistics.median(cpu), 1000 * statistics.median(wall)


async def capacity(server: Running, body: dict[str, Any], seconds: float = 2.0) -> float:
    """Replies a second that the server gives to eight raw connections which only read."""
    data = json.dumps(body).encode()
    request = b"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: %d\r\n\r\n%b" % (len(data), data)
    until = time.perf_counter() + seconds

    async def one() -> int:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=2**24)
        count = 0
        while time.perf_counter() < until:
            writer.write(request)
            await reader.readuntil(b"\r\n0\r\n\r\n")
            count += 1
        writer.close()
        return count

    return sum(await asyncio.gather(*(one() for _ in range(STREAMS)))) / seconds


async def compare(server: Running, chunks: int, rounds: int) -> None:
    """Print one table row for each client."""
    await server.reset(chunks=chunks)
    stock = AsyncOpenAI(api_key="none", base_url=server.base_url, max_retries=0)
    engine = EngineModel([server])
    recording = RecordingModel(engine, _Nothing())
    works: dict[str, Work] = {
        "plain AsyncOpenAI, text only": lambda slot: plain(stock, engine.request(a_call(slot))),
        "EngineModel, whole Reply": lambda slot: engine.complete(a_call(slot)),
        "RecordingModel, digest and Exchange": lambda slot: recording.complete(a_call(slot)),
    }
    for name, work in works.items():
        cpu, wall = await cost(work, rounds)
        print(f"{chunks:4} chunks  {name:36} {cpu:7.1f} ms CPU  {wall:7.1f} ms wall")
    print(f"{chunks:4} chunks  server capacity {await capacity(server, engine.request(a_call(0))):.0f} replies/s")
    await stock.close()
    await engine.close()


async def run(rounds: int) -> None:
    """Both reply sizes."""
    async with endpoint() as server:
        for chunks in (1, 100):
            await compare(server, chunks, rounds)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m evals.bench.client", description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    asyncio.run(run(parser.parse_args().rounds))


if __name__ == "__main__":
    main()
