"""Thinking text in all its shapes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.contracts import Reply, Usage
from nodes.thinking import AnswerOnly, Thinking, separate, unclosed

PIECES = st.lists(st.sampled_from(["<think>", "</think>", "<thi", "nk>", "\n", "a", "<", " 8", "答"]), max_size=12)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<think>\nhm\n</think>\n\n8", Thinking("8", "hm", closed=True)),
        ("\n<think></think>8", Thinking("8", "", closed=True)),
        ("<think>\n\n</think>\n\n", Thinking("", "", closed=True)),
        ("<think>so far", Thinking("", "so far", closed=False)),
        ("template opened it</think>8", Thinking("8", "template opened it", closed=True)),
        ("<think>a</think>b</think>c", Thinking("b</think>c", "a", closed=True)),
        ("the tag <think> in HTML </think> text", Thinking("the tag <think> in HTML </think> text", "", closed=True)),
        ("8", Thinking("8", "", closed=True)),
        ("", Thinking("", "", closed=True)),
    ],
)
def test_separate(text: str, expected: Thinking) -> None:
    assert separate(text) == expected


@settings(deadline=None)
@given(PIECES)
def test_stream_passes_what_the_whole_text_gives(pieces: list[str]) -> None:
    stream = AnswerOnly()
    passed = "".join(map(stream.feed, pieces)) + stream.end()
    text = "".join(pieces)
    opened = text.lstrip().startswith("<think>")
    assert passed == (separate(text).answer if opened else text)


def test_text_is_passed_as_soon_as_it_cannot_be_a_tag() -> None:
    stream = AnswerOnly()
    assert [stream.feed(piece) for piece in ("<", "b", ">x")] == ["", "<b", ">x"]


@pytest.mark.parametrize(
    ("text", "reasoning", "expected"), [("", "hm", True), ("\n", "hm", True), ("8", "hm", False), ("", "", False)]
)
def test_unclosed(text: str, reasoning: str, expected: bool) -> None:
    assert unclosed(Reply(call="c", text=text, reasoning=reasoning, finish="length", usage=Usage())) is expected
