"""What was committed is not paid for again; what was not committed is not returned."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.exchange import Exchange
from graph.model import EngineModel, RecordingModel
from graph.reply import margin, reply_of, usage_of
from nodes.contracts import ModelCall, Usage
from nodes.errors import EngineFault, RecordsError
from tests.graph.raw_server import Raw, delta, events, raw_server, recorded, status
from tests.graph.test_model import HELLO, call
from tests.scripted import MemoryRecords, Say, ScriptedModel

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


async def test_committed_reply_is_not_paid_again() -> None:
    records = MemoryRecords()
    async with raw_server(recorded("logprobs")) as server:
        engine = EngineModel([server])
        first = await RecordingModel(engine, records).complete(call(logprobs=2))
        heard: list[str] = []
        second = await RecordingModel(engine, records).complete(call(logprobs=2), heard.append)
        await engine.close()
    assert len(server.requests) == len(records.saved) == 1
    assert second == first.model_copy(update={"replayed": True})
    assert heard == [first.text]


@pytest.mark.parametrize("change", [{"slot": "branch:1"}, {"text": "other"}, {"logprobs": 3}, {"choices": ("a", "b")}])
async def test_every_part_of_a_call_is_in_its_key(change: dict[str, Any]) -> None:
    records = MemoryRecords()
    async with raw_server(events(*HELLO), events(*HELLO)) as server:
        engine = EngineModel([server])
        model = RecordingModel(engine, records)
        await model.complete(call())
        assert not (await model.complete(call(**change))).replayed
        await engine.close()
    assert len(records.saved) == 2


async def test_failed_and_cut_calls_are_recorded_and_paid_again() -> None:
    records = MemoryRecords()
    whole = recorded("length")
    async with raw_server(Raw(whole.head, whole.pieces[:3]), status(400, {}), whole) as server:
        engine = EngineModel([server])
        model = RecordingModel(engine, records)
        for _ in range(2):
            with pytest.raises(EngineFault):
                await model.complete(call())
        assert (await model.complete(call())).finish == "length"
        await engine.close()
    assert [e.status for e in records.saved] == ["failed", "failed", "ok"]


async def test_reply_is_not_returned_when_the_commit_fails() -> None:
    class Full(MemoryRecords):
        async def save_call(self, exchange: Exchange) -> None:
            raise RecordsError("disk is full")

    with ScriptedModel(["8"]) as scripted, pytest.raises(RecordsError):
        await RecordingModel(scripted, Full()).complete(call())


async def test_another_cap_finds_the_committed_reply() -> None:
    """The cap follows what `/tokenize` says, and that differs or fails between two processes."""
    records, asked = MemoryRecords(), call(logprobs=1)
    with ScriptedModel(["ANSWER: 8"]) as scripted:
        said = await RecordingModel(scripted, records).complete(asked)
    with ScriptedModel([]) as nobody:  # any call would fail
        found = await RecordingModel(nobody, records).complete(capped(asked, 7))
    assert found == said.model_copy(update={"replayed": True})
    assert records.saved[0].request["max_tokens"] == asked.sampling.max_tokens
    with ScriptedModel(["ANSWER: 9"]) as scripted:
        other = capped(asked, 7)
        other = other.model_copy(update={"sampling": other.sampling.model_copy(update={"temperature": 0.1})})
        assert not (await RecordingModel(scripted, records).complete(other)).replayed


def capped(asked: ModelCall, cap: int) -> ModelCall:
    return asked.model_copy(update={"sampling": asked.sampling.model_copy(update={"max_tokens": cap})})


@settings(deadline=None)
@given(st.lists(TEXT, min_size=1, max_size=8), TEXT)
def test_live_and_replayed_replies_are_read_alike(tokens: list[str], thought: str) -> None:
    content = [
        {
            "token": t,
            "logprob": -0.25,
            "top_logprobs": [{"token": t, "logprob": -0.25}, {"token": "z", "logprob": -2.0}],
        }
        for t in tokens
    ]
    message = {"role": "assistant", "content": "".join(tokens), "reasoning": thought}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": {"content": content}}
    exchange = an_exchange({"choices": [choice], "usage": {"prompt_tokens": 1, "completion_tokens": len(tokens)}})
    stored = Exchange.model_validate_json(exchange.model_dump_json())
    assert reply_of(stored) == reply_of(exchange)
    assert "".join(reply_of(stored).tokens) == "".join(tokens)
    assert set(reply_of(stored).margins) == {1.75}


def an_exchange(response: Any) -> Exchange:
    return Exchange(
        id="1", run="r", slot="s", prompt="p", endpoint="e", model="m", request={}, response=response, status="ok"
    )


@pytest.mark.parametrize(
    "response",
    [None, {}, {"choices": []}, {"choices": [{}]}, {"choices": [{"message": None}]}, {"error": {}}, {"choices": 7},
     {"choices": [{"message": {"content": 3}}]},
     {"choices": [{"message": {"content": "x"}, "logprobs": {"content": [1]}}]}],
)  # fmt: skip
def test_rows_that_hold_no_completion(response: Any) -> None:
    with pytest.raises(EngineFault, match="'1'"):
        reply_of(an_exchange(response))


@pytest.mark.parametrize(
    ("content", "text", "reasoning"),
    [
        ("<think>hm</think>\n\n8", "8", "hm"),
        ("<think>\n\n</think>8", "8", ""),
        ("<think>hm", "", "hm"),
        ("hm</think>8", "8", "hm"),
    ],
)
def test_thinking_is_told_apart(content: str, text: str, reasoning: str) -> None:
    reply = reply_of(an_exchange({"choices": [{"message": {"content": content}, "finish_reason": "stop"}]}))
    assert (reply.text, reply.reasoning) == (text, reasoning)


def test_usage_reads_what_there_is() -> None:
    details = {"prompt_tokens_details": {"cached_tokens": 4}, "completion_tokens_details": {"reasoning_tokens": 2}}
    full = {"usage": {"prompt_tokens": 9, "completion_tokens": 3} | details}
    assert usage_of(full) == Usage(prompt=9, completion=3, cached=4, reasoning=2, calls=1)
    assert usage_of({"usage": {"prompt_tokens": None, "prompt_tokens_details": None}}) == Usage(calls=1)
    assert usage_of({}) == Usage(calls=1)


@pytest.mark.parametrize("bad", [-1, 1.5, 1e400, "7", [], {}, 2**70])
def test_usage_that_makes_no_sense_counts_as_nothing(bad: Any) -> None:
    usage = {"prompt_tokens": bad, "completion_tokens": bad, "prompt_tokens_details": bad}
    assert usage_of({"usage": usage}) == usage_of({"usage": bad}) == Usage(calls=1)


@pytest.mark.parametrize(
    ("message", "tokens"),
    [
        ({"content": "12345", "reasoning": "12345"}, 10),
        ({"content": "<think>12345</think>12345"}, 10),
        ({"content": "<think>12345"}, 20),
        ({"content": "<think></think>12345"}, 0),
        ({"content": "12345"}, 0),
        ({"content": None}, 0),
    ],
)
def test_thinking_tokens_are_estimated_when_the_server_does_not_count_them(message: Any, tokens: int) -> None:
    response = {"choices": [{"message": message}], "usage": {"completion_tokens": 20}}
    assert usage_of(response).reasoning == tokens


@pytest.mark.parametrize(
    ("logprob", "others", "expected"),
    [(-0.5, [-0.5, -2.0], 1.5), (-2.0, [-0.5, -2.0], -1.5), (-0.5, [-0.5], 0.4328), (0.0, [], 20.0),
     (-3.0, [], -2.9489), (-0.6931, [-0.6931, -0.6931], 0.0), (0.0, [0.0, -9999.0], 20.0)],
)  # fmt: skip
def test_margin(logprob: float, others: list[float], expected: float) -> None:
    token = {"token": "a", "logprob": logprob, "top_logprobs": [{"token": "t", "logprob": other} for other in others]}
    assert margin(token) == pytest.approx(expected, abs=1e-3)


async def test_script_is_strict_both_ways() -> None:
    with pytest.raises(AssertionError, match="not used"), ScriptedModel({"branch:0": ["8", "9"]}) as model:
        await model.complete(call())
    with pytest.raises(AssertionError, match="unexpected call"), ScriptedModel({"branch:0": "8"}) as model:
        await model.complete(call(slot="branch:1"))
    with pytest.raises(AssertionError, match="does not know"):  # also when somebody caught it
        model.check()
    with pytest.raises(AssertionError, match="with"):
        await ScriptedModel(["8"]).complete(call())
    with pytest.raises(AssertionError, match="no engine would"), ScriptedModel(["8"]) as model:
        await model.complete(call(choices=("a", "b")))


async def test_script_as_function_and_with_errors() -> None:
    with ScriptedModel(lambda c: Say(c.slot, finish="length")) as model:
        assert (await model.complete(call(slot="x"))).finish == "length"
    records = MemoryRecords()
    with ScriptedModel([EngineFault("dead")]) as model, pytest.raises(EngineFault):
        await RecordingModel(model, records).complete(call())
    assert [e.status for e in records.saved] == ["failed"]


def test_stored_response_is_plain_json() -> None:
    json.dumps(an_exchange({"choices": [delta()]}).model_dump(), allow_nan=False)
