"""The engine's client against replies of a real vLLM and against everything that can go wrong with them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from graph.exchange import Exchange
from graph.model import EngineModel, calling, check_timeouts
from graph.settings import read
from nodes.contracts import Message, ModelCall
from nodes.errors import (
    ContextExceeded,
    EngineDenied,
    EngineFault,
    EngineTimeout,
    EngineUnreachable,
    InputError,
    ModelNotServed,
    OctavoError,
    RecordsError,
    SetupError,
)
from prompts import Prompt, Sampling
from tests.graph.raw_server import Raw, RawServer, delta, events, raw_server, recorded, status

HELLO = [delta(role="assistant", content=""), delta(content="Hel"), delta(content="lo"), delta("stop", content="")]
BUSY = status(429, {"error": {"message": "busy", "code": 429}}, "retry-after: 0")
BROKEN = status(500, {"error": {"message": "dead", "code": 500}})


def call(text: str = "hi", slot: str = "branch:0", timeout: float = 20, **fields: Any) -> ModelCall:
    sampling = fields.pop("sampling", Sampling(max_tokens=24, timeout=timeout))
    messages = (Message(role="user", content=text),)
    return ModelCall(run="r", slot=slot, messages=messages, sampling=sampling, prompt="p", **fields)


@asynccontextmanager
async def client(*endpoints: RawServer, **options: Any) -> AsyncIterator[EngineModel]:
    model = EngineModel(endpoints, **{"backoff": 0.0, **options})
    try:
        yield model
    finally:
        await model.close()


class Kept(list[Exchange]):
    async def __call__(self, exchange: Exchange) -> None:
        self.append(exchange)


async def one(
    *replies: Raw, ask: ModelCall | None = None, **options: Any
) -> tuple[Exchange | OctavoError, Kept, RawServer]:
    """One call; what it returned or raised, what was kept, what the server saw."""
    kept = Kept()
    async with raw_server(*replies) as server, client(server, **options) as model:
        try:
            return await model.exchange(ask or call(), None, kept), kept, server
        except OctavoError as error:
            return error, kept, server


async def test_reply_with_logprobs_of_a_real_engine() -> None:
    async with raw_server(recorded("logprobs")) as server, client(server) as model:
        pieces: list[str] = []
        reply = await model.complete(call(logprobs=2), pieces.append)
    assert reply.text == "你好🦩 ok" == "".join(pieces)
    assert reply.tokens == ("你好", "", "🦩", " ok", "<|im_end|>")
    assert reply.logprobs == (-0.0082, -0.0408, 0.0, -0.1047, -0.0041)
    assert reply.margins[1] == pytest.approx(4.3125, abs=1e-3)
    assert reply.first == {"你好": -0.0082, "您好": -5.6957}
    assert (reply.finish, reply.model, reply.replayed) == ("stop", "default", False)
    assert (reply.usage.prompt, reply.usage.completion, reply.usage.calls) == (43, 5, 1)
    assert reply.first_token is not None
    assert 0 < reply.first_token <= reply.seconds


async def test_exact_request_body_and_no_seed() -> None:
    ask = call(logprobs=2, sampling=Sampling(temperature=0, top_p=0.5, max_tokens=9, stop=("END",)))
    kept, _, server = await one(recorded("logprobs"), ask=ask)
    assert isinstance(kept, Exchange)
    path, headers, body = server.requests[0]
    assert body == kept.request
    assert body == {
        "model": "default",
        "messages": [{"role": "user", "content": "hi"}],
        "temperature": 0.0,
        "top_p": 0.5,
        "max_tokens": 9,
        "stream": True,
        "stream_options": {"include_usage": True, "continuous_usage_stats": True},
        "stop": ["END"],
        "logprobs": True,
        "top_logprobs": 2,
    }
    assert path == "/v1/chat/completions"
    assert headers["accept-encoding"] == "identity"


async def test_structured_output_is_asked_for_as_vllm_wants_it() -> None:
    schema = {"type": "object", "properties": {"colour": {"type": "string"}}}
    async with raw_server(recorded("choice"), recorded("schema")) as server, client(server) as model:
        chosen = await model.complete(call(choices=("yes", "no"), logprobs=3))
        shaped = await model.complete(call(json_schema=schema))
    assert server.requests[0][2]["structured_outputs"] == {"choice": ["yes", "no"]}
    assert server.requests[1][2]["response_format"]["json_schema"]["schema"] == schema
    assert chosen.text == "yes"
    assert sum(map(len, (chosen.tokens, chosen.logprobs, chosen.margins))) == 6
    assert chosen.margins[1] == 20.0, "vLLM's -9999 of forbidden tokens is capped"
    assert shaped.text.startswith('{"colour":')
    assert shaped.tokens == () == shaped.logprobs


async def test_account_variables_of_the_environment_are_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://192.0.2.1/v1")
    monkeypatch.setenv("HTTP_PROXY", "http://192.0.2.1:3128")
    _, _, server = await one(recorded("length"))
    assert "secret" not in str(server.requests[0][1])


@pytest.mark.parametrize("finish", ["length", "repetition", "abort", "something_new"])
async def test_finish_reason_is_kept_unchanged(finish: str) -> None:
    result, kept, _ = await one(events(*HELLO[:3], delta(finish)))
    assert isinstance(result, Exchange)
    assert result.finish == finish
    assert kept == [result]


@pytest.mark.parametrize(
    ("reply", "error", "words"),
    [
        (recorded("not_served"), ModelNotServed, "`nope`"),
        (recorded("bad_parameter"), EngineFault, "temperature must be in"),
        (status(401, {"error": "Unauthorized"}), EngineDenied, "OCTAVO_API_KEY"),
        (status(403, b"no"), EngineDenied, "403"),
        (status(404, {"detail": "Not Found"}), ModelNotServed, "/v1"),
        (status(409, {}), EngineFault, "409"),
        (status(302, {}, "location: http://192.0.2.1/"), EngineFault, "302"),
        (status(200, b"<html>hello"), EngineFault, "unreadable"),
        (status(200, {"choices": []}), EngineFault, "unreadable"),
        (events({"error": {"message": "bad", "code": 400}}), EngineFault, "400"),
        (events(delta(content=7)), EngineFault, "unreadable"),
        (events([1]), EngineFault, "unreadable"),
        (events({"choices": None}), EngineFault, "unreadable"),
    ],
)
async def test_final_errors_are_named_kept_and_not_repeated(reply: Raw, error: type[OctavoError], words: str) -> None:
    result, kept, server = await one(reply)
    assert type(result) is error
    assert words in str(result)
    assert len(server.requests) == 1
    assert [(e.status, e.attempts) for e in kept] == [("failed", 1)]
    assert kept[0].error == f"{result.code}: {result}"


LONG = [b" " * 2**20] * 4
UNPACKED = [
    (Raw("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip", [b"zz"]), "unreadable"),
    (Raw("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: gzip", [b"zz"]), "unreadable"),
    (Raw("HTTP/1.1 200 OK\r\ncontent-type: application/json", LONG), "more than 2097152 bytes"),
    (Raw("HTTP/1.1 400 X\r\ncontent-type: application/json", LONG), "answered 400"),
    (status(200, b"[" * 200_000), "unreadable"),
    (status(400, b"[" * 200_000), "answered 400"),
]


@pytest.mark.parametrize(("reply", "words"), UNPACKED)
async def test_bodies_without_end_or_sense_are_named(reply: Raw, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph.reading.LARGEST", 2 * 2**20)
    async with raw_server(reply) as server, client(server) as model:
        with pytest.raises(EngineFault, match=words):
            await model.complete(call())


async def test_context_error_says_how_many_tokens_over() -> None:
    result, kept, server = await one(recorded("context"), status(200, {"count": 5000, "max_model_len": 4096}))
    assert isinstance(result, ContextExceeded)
    assert result.tokens_over == 5000 + 24 - 4096
    assert [path for path, _, _ in server.requests] == ["/v1/chat/completions", "/tokenize"]
    assert kept[0].response is not None
    assert kept[0].response["error"]["param"] == "input_tokens"


@pytest.mark.parametrize("bad", [BUSY, BROKEN, status(503, b""), status(200, {"error": {"message": "starting"}})])
async def test_busy_and_broken_servers_are_asked_again(bad: Raw) -> None:
    result, kept, server = await one(bad, bad, events(*HELLO))
    assert isinstance(result, Exchange)
    assert (result.attempts, len(server.requests), len(kept)) == (3, 3, 1)
    assert len({str(body) for _, _, body in server.requests}) == 1, "the same bytes each time"


async def test_repeats_are_bounded() -> None:
    result, kept, server = await one(BROKEN, BROKEN, BROKEN, retries=2)
    assert isinstance(result, EngineFault)
    assert (result.status, len(server.requests)) == (500, 3)
    assert [(e.status, e.attempts, e.http_status) for e in kept] == [("failed", 3, 500)]


@pytest.mark.parametrize("pieces", range(1, 6))
async def test_cut_stream_is_no_reply(pieces: int) -> None:
    whole = recorded("length")
    result, kept, server = await one(Raw(whole.head, whole.pieces[:pieces]))
    assert isinstance(result, EngineFault)
    assert "cut" in str(result)
    assert len(server.requests) == 1, "its tokens were paid; a repeat may be cut as well"
    assert kept[0].status == "failed"
    assert kept[0].usage.completion == pieces - 1


async def test_stream_without_done_is_whole_when_finish_reason_came() -> None:
    whole = recorded("length")
    result, _, _ = await one(Raw(whole.head, whole.pieces[:-1]))
    assert isinstance(result, Exchange)
    assert result.finish == "length"


async def test_broken_connection_is_repeated_and_both_tries_are_kept() -> None:
    whole = recorded("logprobs")
    result, kept, _ = await one(Raw(whole.head, whole.pieces[:3], "break"), whole)
    assert isinstance(result, Exchange)
    assert [(e.status, e.usage.completion, e.attempts) for e in kept] == [("failed", 2, 1), ("ok", 5, 2)]
    assert "broke in the middle" in kept[0].error
    assert kept[0].id != kept[1].id


async def test_engine_that_dies_in_the_stream_is_asked_again() -> None:
    dead = {"error": {"message": "EngineCore encountered an issue", "type": "InternalServerError", "code": 500}}
    result, kept, _ = await one(events(*HELLO[:2], dead), events(*HELLO))
    assert isinstance(result, Exchange)
    assert [e.status for e in kept] == ["failed", "ok"]


async def test_bad_json_keeps_what_came_before() -> None:
    whole = recorded("logprobs")
    bad = Raw(whole.head, [*whole.pieces[:3], whole.pieces[3][:40] + b"\n\n"])
    result, kept, _ = await one(bad)
    assert isinstance(result, EngineFault)
    assert "unreadable" in str(result)
    assert kept[0].usage.completion == 2


def jump(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Put the loop's clock forward: timeouts fire without waiting for them."""
    loop = asyncio.get_running_loop()
    now = loop.time
    monkeypatch.setattr(loop, "time", lambda: now() + seconds)


async def test_hanging_stream_is_closed_at_the_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = recorded("logprobs")
    kept, heard = Kept(), asyncio.Event()
    async with raw_server(Raw(whole.head, whole.pieces[:3], "hang")) as server, client(server, timeout=30) as model:
        task = asyncio.create_task(model.exchange(call(timeout=50), lambda _: heard.set(), kept))
        await heard.wait()
        await server.sent.wait()
        jump(monkeypatch, 29)
        await asyncio.sleep(0)
        assert not task.done()
        jump(monkeypatch, 1)
        with pytest.raises(EngineTimeout, match="within 30 s"):
            await task
        await server.left.wait()
    assert [(e.status, e.usage.prompt) for e in kept] == [("failed", 43)]


async def test_server_that_lingers_after_the_end_does_not_cost_the_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph.reading.DRAIN", 0.01)
    whole = recorded("length")
    result, _, _ = await one(Raw(whole.head, whole.pieces, "linger"))
    assert isinstance(result, Exchange)


async def test_cancelling_closes_the_stream_and_keeps_the_tokens() -> None:
    whole = recorded("logprobs")
    kept, heard = Kept(), asyncio.Event()
    async with raw_server(Raw(whole.head, whole.pieces[:3], "hang")) as server, client(server) as model:
        task = asyncio.create_task(model.exchange(call(), lambda _: heard.set(), kept))
        await heard.wait()
        await server.sent.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await server.left.wait()
    assert [(e.status, e.finish) for e in kept] == [("cancelled", "")]
    assert kept[0].usage.prompt == 43
    assert kept[0].response is not None
    assert kept[0].response["choices"][0]["message"]["content"] == "你好"


@pytest.mark.parametrize("when", ["cancelled", "done"])
async def test_keeping_goes_on_when_cancelled_meanwhile(when: str) -> None:
    saving, saved = asyncio.Event(), asyncio.Event()
    kept = Kept()

    async def slow(exchange: Exchange) -> None:
        saving.set()
        await saved.wait()
        await kept(exchange)

    whole = recorded("logprobs")
    reply = whole if when == "done" else Raw(whole.head, whole.pieces[:3], "hang")
    async with raw_server(reply) as server, client(server) as model:
        task = asyncio.create_task(model.exchange(call(), None, slow))
        await server.sent.wait()
        if when == "cancelled":
            task.cancel()
        await saving.wait()
        for _ in range(3):
            task.cancel()
            await asyncio.sleep(0)
        assert not task.done()
        saved.set()
        if when == "done":  # whole, paid and kept: it is not thrown away
            assert (await task).status == "ok"
        else:
            with pytest.raises(asyncio.CancelledError):
                await task
    assert [e.status for e in kept] == ["ok" if when == "done" else "cancelled"]


async def test_reply_that_cannot_be_recorded_is_not_returned() -> None:
    async def full(exchange: Exchange) -> None:
        raise RecordsError("disk is full")

    async with raw_server(events(*HELLO)) as server, client(server) as model:
        with pytest.raises(RecordsError, match="full"):
            await model.exchange(call(), None, full)


async def test_error_of_the_listener_is_raised_and_recorded() -> None:
    def bad(text: str) -> None:
        raise KeyError(text)

    kept = Kept()
    async with raw_server(events(*HELLO)) as server, client(server) as model:
        with pytest.raises(KeyError):
            await model.exchange(call(), bad, kept)
    assert [(e.status, e.error) for e in kept] == [("failed", "interrupted: an error of ours")]


async def test_server_that_ignores_stream() -> None:
    choice = {"index": 0, "message": {"role": "assistant", "content": "8"}, "finish_reason": "stop"}
    body = {"choices": [choice], "usage": {"prompt_tokens": 3, "completion_tokens": 1}}
    result, _, _ = await one(status(200, body))
    assert isinstance(result, Exchange)
    assert (result.finish, result.usage.total, result.response) == ("stop", 4, body)


async def test_usage_is_known_even_when_the_server_sends_none() -> None:
    result, _, _ = await one(events(*HELLO), ask=call("word " * 30))
    assert isinstance(result, Exchange)
    assert result.response is not None
    assert result.response["usage"] == {"prompt_tokens": 50, "completion_tokens": 2, "estimated": True}


@pytest.mark.parametrize("key", ["schlüssel", "a\nb", "\x00"])
async def test_key_that_no_header_can_carry(key: str) -> None:
    async with raw_server() as server:
        server.api_key = key
        with pytest.raises(SetupError, match="OCTAVO_API_KEY") as caught:
            await EngineModel([server]).exchange(call())
    assert key not in str(caught.value)


async def test_key_is_sent_without_a_line_end_from_its_file() -> None:
    async with raw_server(events(*HELLO)) as server:
        server.api_key = "secret\n"
        async with client(server) as model:
            await model.complete(call())
    assert server.requests[0][1]["authorization"] == "Bearer secret"


async def test_credentials_of_an_address_are_not_recorded() -> None:
    kept = Kept()
    async with raw_server(status(500, {})) as server:
        server.base_url = server.base_url.replace("//", "//user:secret@")
        async with client(server, retries=0) as model:
            with pytest.raises(EngineFault):
                await model.exchange(call(), None, kept)
    assert "secret" not in kept[0].model_dump_json()


def test_every_loop_has_its_own_connections() -> None:
    async def ask(model: EngineModel) -> str:
        async with raw_server(events(*HELLO)) as server:
            model._endpoints[0].base_url = server.base_url  # type: ignore[misc]
            text = (await model.complete(call())).text
            await model.close()
            return text

    model = EngineModel([RawServer([], base_url="http://127.0.0.1:9/v1")])
    assert [asyncio.run(ask(model)) for _ in range(3)] == ["Hello"] * 3


async def test_lone_surrogate_is_named() -> None:
    result, _, server = await one(ask=call("a\ud800"))
    assert isinstance(result, InputError)
    assert (result.code, server.requests) == ("lone_surrogate", [])


async def dead_endpoint(**fields: Any) -> RawServer:
    async with raw_server() as server:
        pass
    return RawServer([], base_url=server.base_url, **fields)


async def test_nobody_listens() -> None:
    async with client(await dead_endpoint(), retries=1) as model:
        kept = Kept()
        with pytest.raises(EngineUnreachable, match="octavo doctor"):
            await model.exchange(call(), None, kept)
    assert [(e.status, e.attempts, e.http_status) for e in kept] == [("failed", 2, None)]


async def test_supervised_engine_is_waited_for_once_by_all_calls() -> None:
    asked, waiting, up = 0, asyncio.Event(), asyncio.Event()
    async with raw_server(*[events(*HELLO)] * 3) as server:

        async def revive() -> RawServer:
            nonlocal asked
            asked += 1
            waiting.set()
            await up.wait()
            return server

        async with client(await dead_endpoint(supervised=True), on_down=revive) as model:
            tasks = [asyncio.create_task(model.complete(call(slot=f"branch:{i}"))) for i in range(4)]
            await waiting.wait()
            tasks[0].cancel()
            up.set()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            assert isinstance(results[0], asyncio.CancelledError)
            assert [r.text for r in results[1:]] == ["Hello"] * 3  # type: ignore[union-attr]
    assert asked == 1


async def test_supervised_engine_that_stays_down(monkeypatch: pytest.MonkeyPatch) -> None:
    forever = asyncio.Event()

    async def never() -> RawServer:
        jump(monkeypatch, 21)
        await forever.wait()
        raise AssertionError

    async with client(await dead_endpoint(supervised=True), on_down=never) as model:
        with pytest.raises(EngineUnreachable, match="come back within 20 s"):
            await model.complete(call(timeout=20))


@pytest.mark.parametrize("dying", [BROKEN, Raw(recorded("length").head, recorded("length").pieces[:2], "break")])
async def test_dying_engine_is_waited_for(dying: Raw) -> None:
    asked: list[str] = []
    async with raw_server(events(*HELLO)) as alive, raw_server(dying) as dead:
        dead.supervised = True

        async def revive() -> RawServer:
            asked.append("ready?")
            return alive

        async with client(dead, on_down=revive) as model:
            assert (await model.complete(call())).text == "Hello"
    assert asked == ["ready?"]


async def test_wait_for_an_engine_that_will_not_come() -> None:
    async def stopped() -> RawServer:
        raise EngineUnreachable("stopped on purpose")

    kept = Kept()
    async with client(await dead_endpoint(supervised=True), on_down=stopped) as model:
        with pytest.raises(EngineUnreachable, match="on purpose"):
            await model.exchange(call(), None, kept)
    assert [e.status for e in kept] == ["failed"]


async def test_foreign_server_is_not_revived() -> None:
    async def never() -> RawServer:
        raise AssertionError

    async with client(await dead_endpoint(), on_down=never, retries=0) as model:
        with pytest.raises(EngineUnreachable):
            await model.complete(call())


async def test_limit_holds_over_all_models_of_the_process() -> None:
    gated = Raw(events().head, events(*HELLO).pieces, "gate")
    async with (
        raw_server(*[gated] * 6) as server,
        client(server, concurrency=2) as a,
        client(server, concurrency=2) as b,
    ):
        server.expected = 2
        tasks = [asyncio.create_task(m.complete(call(slot=f"branch:{i}"))) for i, m in enumerate([a, b] * 3)]
        await server.full.wait()
        for _ in range(200):
            await asyncio.sleep(0)
        assert server.flying == 2
        server.gate.set()
        assert [reply.text for reply in await asyncio.gather(*tasks)] == ["Hello"] * 6


async def test_branches_spread_over_endpoints_and_models_choose_theirs() -> None:
    async with raw_server(*[events(*HELLO)] * 3) as a, raw_server(*[events(*HELLO)] * 2) as b:
        b.model = "other"
        async with client(a, b) as model:
            for i in range(4):
                await model.complete(call(slot=f"branch:{i}"))
            await model.complete(call(slot="branch:1", model="default"))
    assert [body["model"] for _, _, body in b.requests] == ["other"] * 2


async def test_repeat_goes_to_a_twin_with_the_same_digest() -> None:
    async with raw_server(BROKEN) as a, raw_server(events(*HELLO)) as b, client(a, b) as model:
        ask = call(slot="branch:0")
        exchange = await model.exchange(ask)
        assert exchange.request == model.request(ask)
        assert exchange.endpoint == b.base_url


async def test_connection_is_used_again() -> None:
    async with raw_server(*[recorded("length")] * 3) as server, client(server) as model:
        for _ in range(3):
            await model.complete(call())
    assert server.connections == 1


async def test_check_asks_for_the_served_model() -> None:
    listing = {"data": [{"id": "default", "max_model_len": 4096}]}
    async with (
        raw_server(status(200, listing), status(401, b""), status(200, b"hello")) as server,
        client(server) as model,
    ):
        await model.check()
        with pytest.raises(EngineDenied):
            await model.check()
        with pytest.raises(EngineUnreachable, match="does not answer as"):
            await model.check()
    async with raw_server(status(200, {"data": []})) as server, client(server) as model:
        with pytest.raises(ModelNotServed, match="OCTAVO_MODEL"):
            await model.check()


def test_no_endpoint_is_refused() -> None:
    with pytest.raises(SetupError):
        EngineModel([])


def test_timeout_shorter_than_the_longest_candidate_is_refused() -> None:
    prompt = Prompt(name="branch", version=1, sampling=Sampling(max_tokens=500, timeout=200), sections={})
    check_timeouts(read(slowest_rate=2.5), prompt)
    with pytest.raises(SetupError, match=r"'branch' allows 500 tokens, which take 250 s at 2 tokens/s"):
        check_timeouts(read(slowest_rate=2), prompt)
    with pytest.raises(SetupError, match="ends after 100 s"):
        check_timeouts(read(call_timeout=100), prompt)


def test_prompts_of_the_package_have_time_enough() -> None:
    assert "branch" in {prompt.name for prompt in calling()}
    check_timeouts(read())
