"""The scripted server in its own process: what it says, what it spoils, and that it counts honestly."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx2
import pytest

from evals.bench.endpoint import Running, endpoint
from evals.bench.faults import FAULTS
from evals.bench.replies import instance, split, stream
from evals.bench.scripted import Options, Server
from graph.exchange import Exchange
from graph.model import EngineModel
from nodes.contracts import Message, ModelCall
from nodes.errors import EngineDenied, EngineError, InputError
from prompts import Sampling, digest


def call(slot: str = "branch:0", **fields: Any) -> ModelCall:
    messages = (Message(role="user", content=f"How much? {slot}"),)
    return ModelCall(run="r", slot=slot, messages=messages, sampling=Sampling(max_tokens=64), prompt="p", **fields)


async def test_counts_by_digest_aborts_and_answers() -> None:
    async with endpoint(answers=["8", "9"]) as server:
        model = EngineModel([server])
        eight = [await model.exchange(call(f"branch:{i}", logprobs=3)) for i in (0, 1, 0)]
        texts = [exchange.response["choices"][0]["message"]["content"][-9:] for exchange in eight if exchange.response]
        assert texts == ["ANSWER: 8", "ANSWER: 9", "ANSWER: 8"], "the same request gets the same answer"
        counts = (await server.counts())["requests"]
        assert counts[eight[0].request_digest] == {"started": 2, "finished": 2}
        assert counts[eight[1].request_digest] == {"started": 1, "finished": 1}

        await server.reset(latency=30)
        task = asyncio.create_task(model.exchange(call()))
        while not await server.running():  # noqa: ASYNC110 - the event is in another process
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        while await server.running():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert (await server.counts())["total"] == {"started": 1, "aborted": 1}
        await model.close()


async def test_every_fault_once_and_the_key() -> None:
    kept: list[Exchange] = []

    async def keep(exchange: Exchange) -> None:
        kept.append(exchange)

    faults = [fault for fault in FAULTS if fault not in ("hang", "slow")]
    async with endpoint(script=faults, key="secret") as server:
        model = EngineModel([server], retries=0)
        outcomes: list[tuple[str, str]] = []
        for fault in faults:
            try:
                outcomes.append((fault, (await model.exchange(call(fault), None, keep)).status))
            except (EngineError, InputError) as error:
                outcomes.append((fault, error.code))
        await model.close()
        stranger = EngineModel([Running(server.port, server.pid)])
        with pytest.raises(EngineDenied):
            await stranger.exchange(call())
        await stranger.close()
        assert (await server.counts())["total"]["started"] == len(faults)
    assert dict(outcomes) == {
        "400": "engine_fault",
        "context": "context_length_exceeded",
        "401": "engine_denied",
        "403": "engine_denied",
        "404": "model_not_served",
        "429": "engine_fault",
        "500": "engine_fault",
        "503": "engine_fault",
        "error_200": "engine_fault",
        "cut": "engine_fault",
        "break": "engine_fault",
        "bad_json": "engine_fault",
        "error_in_stream": "engine_fault",
        "no_done": "ok",
    }
    assert len(kept) == len(faults)


async def test_other_paths() -> None:
    async with endpoint(context=500, function="json:dumps") as server, httpx2.AsyncClient(trust_env=False) as client:
        assert (await client.get(f"{server.root}/health")).status_code == 200
        assert (await client.get(f"{server.base_url}/models")).json()["data"][0]["max_model_len"] == 500
        counted = await client.post(f"{server.root}/tokenize", json={"messages": [{"content": "abc"}]})
        assert counted.json()["count"] == 9
        assert (await client.get(f"{server.root}/nothing")).status_code == 404
        body = {"model": "default", "messages": [{"role": "user", "content": "hi"}]}
        whole = (await client.post(f"{server.base_url}/chat/completions", json=body)).json()
        assert json.loads(whole["choices"][0]["message"]["content"]) == body
        assert list((await server.counts())["requests"]) == [digest(body)]


def test_unknown_faults_are_refused() -> None:
    with pytest.raises(ValueError, match="meteor"):
        Server(Options(faults={"meteor": 1.0}))
    with pytest.raises(ValueError, match="meteor"):
        Server(Options(script=("meteor",)))


@pytest.mark.parametrize("chunks", [1, 7, 100])
def test_number_of_chunks(chunks: int) -> None:
    pieces = split("Some text of a reply", chunks)
    assert len(pieces) == chunks
    assert "".join(pieces) == "Some text of a reply"
    assert len(stream("text", chunks, 5, 10, "default", "stop", usage=True)) == chunks + 3


def test_smallest_instance_of_a_schema() -> None:
    schema = {
        "type": "object",
        "required": ["a", "b", "c", "d"],
        "properties": {
            "a": {"type": "array", "items": {"$ref": "#/$defs/item"}, "minItems": 2},
            "b": {"enum": ["x", "y"]},
            "c": {"anyOf": [{"type": "integer", "minimum": 3}, {"type": "null"}]},
            "d": {"type": "string", "minLength": 2},
            "e": {"type": "boolean"},
        },
        "$defs": {"item": {"const": 5}},
    }
    assert instance(schema, schema) == {"a": [5, 5], "b": "x", "c": 3, "d": "xx"}
