"""Reading event streams: however the network cuts them, and whatever is in them."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.stream import Assembly, Lines, ServerError, Unreadable, compact, whole
from tests.graph.raw_server import delta, recorded

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["choices", "delta", "content", "usage"]), inner),
    max_leaves=20,
)


def assemble(data: bytes, cuts: list[int] = []) -> tuple[Assembly, str]:  # noqa: B006
    """Feed a body cut at these places; the assembly and the text it passed on."""
    lines, assembly, text = Lines(), Assembly(), ""
    places = sorted({0, *(cut % (len(data) + 1) for cut in cuts), len(data)})
    for start, end in pairwise(places):
        text += "".join(map(assembly.feed, lines.feed(data[start:end])))
    text += "".join(map(assembly.feed, lines.end()))
    return assembly, text


@pytest.mark.parametrize("name", ["logprobs", "choice", "schema", "length"])
@settings(deadline=None)
@given(cuts=st.lists(st.integers(min_value=0), max_size=30))
def test_cuts_of_the_network_change_nothing(name: str, cuts: list[int]) -> None:
    body = b"".join(recorded(name).pieces)
    expected, text = assemble(body)
    found, found_text = assemble(body, cuts)
    assert found.response(0) == expected.response(0)
    assert found_text == text == found.response(0)["choices"][0]["message"]["content"]
    assert found.ended


def test_a_stream_cut_at_any_byte_has_no_finish_reason_or_all_of_it() -> None:
    body = b"".join(recorded("choice").pieces)
    complete, _ = assemble(body)
    for end in range(len(body)):
        try:
            part, _ = assemble(body[:end])
        except Unreadable:
            continue
        if part.finish:
            assert part.response(0)["choices"] == complete.response(0)["choices"]


@settings(deadline=None)
@given(st.lists(st.binary(max_size=60), max_size=6))
def test_bytes_that_are_no_stream(pieces: list[bytes]) -> None:
    body = b"\n".join(b"data: " + piece for piece in pieces)
    with suppress(Unreadable, ServerError):
        assembly, _ = assemble(body)
        json.dumps(assembly.response(10))


@settings(deadline=None)
@given(JSON)
def test_json_that_is_no_chunk(value: Any) -> None:
    payload = json.dumps(value).encode()
    for read in (lambda: Assembly().feed(payload), lambda: whole(payload)):
        with suppress(Unreadable, ServerError):
            read()


def test_deeply_nested_json_is_unreadable() -> None:
    with pytest.raises(Unreadable):
        Assembly().feed(b"[" * 100_000)


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_endless_stream_is_left(end: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph.stream.LARGEST", 1000)
    monkeypatch.setattr("graph.stream.LONGEST", 200)
    lines = Lines()
    for _ in range(5 if end else 1):
        list(lines.feed(b"x" * 199 + end))
    with pytest.raises(Unreadable, match="more than"):
        lines.feed(b"x" * 199 + end)


@pytest.mark.parametrize(
    ("line", "payload"),
    [
        (b"data: x\n", [b"x"]),
        (b"data:x\r\n", [b"x"]),
        (b": comment\n\nevent: message\nid: 4\nretry: 10\ndata: x\n\n", [b"x"]),
        (b"\n\n", []),
        (b"data: a\ndata: b\n", [b"a", b"b"]),
    ],
)
def test_lines_of_other_servers(line: bytes, payload: list[bytes]) -> None:
    assert list(Lines().feed(line)) == payload


@pytest.mark.parametrize("name", ["reasoning", "reasoning_content"])
def test_thinking_that_the_server_separates(name: str) -> None:
    assembly = Assembly()
    texts = [assembly.feed(json.dumps(delta(**{key: text})).encode()) for key, text in [(name, "hm"), ("content", "8")]]
    assert texts == ["", "8"]
    assert assembly.response(0)["choices"][0]["message"] == {"role": "assistant", "content": "8", "reasoning": "hm"}


def test_tokens_are_stored_compactly() -> None:
    top = [{"token": "a", "logprob": -1 / 3, "bytes": [97]}, {"token": "b", "logprob": float("-inf"), "bytes": [98]}]
    assert compact({"token": "a", "logprob": -1 / 3, "bytes": [97], "top_logprobs": top}) == {
        "token": "a",
        "logprob": -0.3333,
        "top_logprobs": [{"token": "a", "logprob": -0.3333}, {"token": "b", "logprob": -9999.0}],
    }


def test_only_the_first_of_several_choices_is_read() -> None:
    assembly = Assembly()
    chunk = delta(content="A")
    chunk["choices"].append({"index": 1, "delta": {"content": "B"}, "finish_reason": "stop"})
    assert assembly.feed(json.dumps(chunk).encode()) == "A"
    assert assembly.finish == ""


def test_numbers_that_json_does_not_know_can_be_stored() -> None:
    assembly = Assembly()
    chunk = delta(content="a")
    chunk["choices"][0]["logprobs"] = {"content": [{"token": "a", "logprob": float("-inf")}]}
    assembly.feed(json.dumps(chunk).encode())
    assert '"logprob": -9999.0' in json.dumps(assembly.response(0), allow_nan=False)


def test_a_byte_order_mark_before_the_first_event_is_skipped() -> None:
    _, text = assemble(b"\xef\xbb\xbfdata: " + json.dumps(delta("stop", content="17")).encode() + b"\n\n")
    assert text == "17"


@pytest.mark.parametrize("usage", [[1, 2], 5, "x", True])
def test_odd_usage_does_not_cost_the_reply(usage: object) -> None:
    found, text = assemble(b"data: " + json.dumps(delta("stop", content="17") | {"usage": usage}).encode())
    assert (text, found.usage) == ("17", None)


def test_a_lone_surrogate_in_the_finish_reason_is_replaced() -> None:
    found, _ = assemble(b"data: " + json.dumps(delta("st\ud800op", content="17")).encode())
    assert found.finish == "st?op"
