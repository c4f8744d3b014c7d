"""How a prompt fits: without asking where possible, exactly where it is close."""

from __future__ import annotations

import pytest

from graph.model import EngineModel
from graph.window import UNKNOWN, at_a_glance, bound
from nodes.contracts import Message
from nodes.errors import EngineUnreachable, ModelNotServed
from tests.graph.raw_server import Raw, raw_server, status
from tests.graph.test_model import dead_endpoint

LISTING = status(200, {"data": [{"id": "default", "max_model_len": 4096}, {"id": "lora"}]})


def said(text: str) -> tuple[Message, ...]:
    return (Message(role="user", content=text),)


async def test_short_prompt_asks_nobody() -> None:
    async with raw_server() as server:
        model = EngineModel([server])
        window = await model.measure(said("你好"))
        await model.close()
    assert (window.exact, window.limit) == (False, 4096)
    assert window.tokens >= 6


@pytest.mark.parametrize("text", ["", "a" * 500, "你好" * 80, "🦩" * 100])
def test_bound_is_no_less_than_a_token_for_a_byte(text: str) -> None:
    assert bound(said(text)) >= len(text.encode())


def test_glance_leaves_room_for_the_reply() -> None:
    assert at_a_glance(said("a" * 900), 2048) is not None
    assert at_a_glance(said("a" * 1000), 2048) is None
    assert at_a_glance(said(""), 1000) is None


async def test_long_prompt_is_counted_by_the_engine() -> None:
    async with raw_server(status(200, {"count": 5000, "max_model_len": 4096})) as server:
        model = EngineModel([server])
        window = await model.measure(said("word " * 3000))
        await model.close()
    assert (window.tokens, window.limit, window.exact) == (5000, 4096, True)
    path, _, body = server.requests[0]
    assert path == "/tokenize"
    assert body["messages"] == [{"role": "user", "content": "word " * 3000}]


@pytest.mark.parametrize("reply", [status(404, {}), status(200, {"tokens": []}), status(200, b"?"), status(200, [])])
async def test_server_without_tokenizer_gets_an_estimate(reply: object) -> None:
    async with raw_server(reply) as server:  # type: ignore[arg-type]
        model = EngineModel([server])
        window = await model.measure(said("word " * 3000))
        await model.close()
    assert (window.tokens, window.exact) == (5008, False)


ENDLESS = Raw("HTTP/1.1 200 OK\r\ncontent-type: application/json", [b" " * 2**20] * 4)
PACKED = Raw("HTTP/1.1 200 OK\r\ncontent-encoding: gzip", [b"zz"])
DEEP = status(200, b"[" * 200_000)
COUNTS = [status(200, {"count": count}) for count in (-5, "x", None, 10**30)]


@pytest.mark.parametrize("reply", [ENDLESS, PACKED, DEEP, *COUNTS, status(200, b'{"count": 1e400}')])
async def test_a_count_that_cannot_be_is_estimated(reply: Raw) -> None:
    async with raw_server(reply) as server:
        model = EngineModel([server])
        window = await model.measure(said("word " * 3000))
        await model.close()
    assert (window.tokens, window.exact) == (5008, False)


@pytest.mark.parametrize("most", [b"1e400", b"-7", b"1", b"true", b'"4k"', b"null", b"[]"])
async def test_an_impossible_window_counts_as_not_said(most: bytes) -> None:
    async with raw_server(status(200, b'{"data": [{"id": "default", "max_model_len": %b}]}' % most)) as server:
        server.context = None
        model = EngineModel([server])
        assert (await model.measure(said("hi"))).limit == UNKNOWN
        await model.close()


@pytest.mark.parametrize("reply", [ENDLESS, PACKED, DEEP, status(200, [1]), status(200, {"data": "x"})])
async def test_a_list_that_cannot_be_read_is_named(reply: Raw) -> None:
    async with raw_server(reply) as server:
        server.context = None
        model = EngineModel([server])
        with pytest.raises(EngineUnreachable):
            await model.measure(said("hi"))
        await model.close()


async def test_names_that_cannot_be_asked_for_are_left_out() -> None:
    async with raw_server(status(200, {"data": [{"id": "\ud800"}, {"id": None}, {"id": "b"}]})) as server:
        server.context = None
        model = EngineModel([server])
        with pytest.raises(ModelNotServed, match=r"serves \['b'\]"):
            await model.measure(said("hi"))
        await model.close()


async def test_context_is_asked_for_once() -> None:
    async with raw_server(LISTING) as server:
        server.context = None
        model = EngineModel([server])
        assert [(await model.measure(said("hi"))).limit for _ in range(2)] == [4096, 4096]
        await model.close()


async def test_other_models_have_their_own_window() -> None:
    async with raw_server(LISTING, LISTING) as server:
        model = EngineModel([server])
        assert (await model.measure(said("hi"), "lora")).limit == UNKNOWN
        with pytest.raises(ModelNotServed, match="'nope'"):
            await model.measure(said("hi"), "nope")
        await model.close()


async def test_engine_that_is_down_is_named() -> None:
    model = EngineModel([await dead_endpoint(context=None)])
    with pytest.raises(EngineUnreachable):
        await model.measure(said("hi"))
    await model.close()
