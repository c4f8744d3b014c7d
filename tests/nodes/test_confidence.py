"""Confidence of the answer span: the right tokens, whatever a tokenizer does to characters."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.confidence import align, answer_span, over
from nodes.contracts import Confidence, Reply, Usage

TOKENS = st.lists(st.text(st.sampled_from("ab 8答案是🦩\n"), max_size=4), max_size=12)


def reply(tokens: list[str], text: str | None = None, **fields: object) -> Reply:
    values = {
        "logprobs": tuple(-0.1 * i for i in range(len(tokens))),
        "margins": tuple(float(i) for i in range(len(tokens))),
    } | fields
    joined = "".join(tokens)
    return Reply(
        call="c", text=joined if text is None else text, finish="stop", usage=Usage(), tokens=tuple(tokens), **values
    )


def spelled(tokens: list[str], text: str, start: int, end: int) -> list[int]:
    """Positions of the tokens that the span was measured on, read off their margins."""
    found = []
    for i in range(len(tokens)):
        margins = tuple(float(2**j if j == i else 0) for j in range(len(tokens)))
        confidence = answer_span(reply(tokens, text, margins=margins), start, end)
        if confidence is not None and confidence.margin > 0:
            found.append(i)
    return found


def test_figures_of_a_span() -> None:
    tokens = ["The", " answer", " is", " 1", "2", "."]
    found = answer_span(reply(tokens), 14, 16)
    expected = [math.exp(-0.3), math.exp(-0.4)]
    assert found == Confidence(mean=sum(expected) / 2, low=expected[1], margin=3.5, tokens=2)


@pytest.mark.parametrize(
    ("tokens", "text", "answer", "positions"),
    [
        (["答案", "是", "十二", "。", "<|im_end|>"], "答案是十二。", "十二", [2]),
        (["x", "", "🦩", " ok"], "x🦩 ok", "🦩", [1, 2]),  # vLLM 0.32: parts of a character print as nothing
        (["x", "\ufffd", "\ufffd", "\ufffd", " ok"], "x🦩 ok", "🦩", [1, 2, 3]),  # older servers
        (["是", "\ufffd", "\ufffd", "好", "好"], "是你好好", "你", [1, 2]),
        (["a\ufffd", "\ufffdb", "8"], "a你b8", "8", [2]),
        (["a\ufffd", "\ufffdb", "8"], "a你b8", "你", [0, 1]),
        (["<think>", "8", "</think>", "so ", "8"], "so 8", "8", [4]),  # the block is in the tokens, not in the text
        (["ANSWER: 8", "\nEND"], "ANSWER: 8", "8", [0]),  # the stop string is in the tokens, not in the text
        (["yes", "<|im_end|>"], "yes", "yes", [0]),
        (["8", "8"], "88", "8", [1]),
    ],
)
def test_tokens_of_an_answer(tokens: list[str], text: str, answer: str, positions: list[int]) -> None:
    start = text.rindex(answer)
    assert spelled(tokens, text, start, start + len(answer)) == positions


@pytest.mark.parametrize(("start", "end"), [(0, 0), (3, 2), (-1, 2), (0, 99)])
def test_spans_outside_the_text(start: int, end: int) -> None:
    assert answer_span(reply(["a", "b", "c"]), start, end) is None


def test_replies_without_figures_or_with_others() -> None:
    assert answer_span(reply([], "8"), 0, 1) is None
    assert answer_span(reply(["9"], "8"), 0, 1) is None
    assert answer_span(reply(["8"], logprobs=()), 0, 1) is None
    without = answer_span(reply(["8"], margins=()), 0, 1)
    assert without is not None
    assert without.margin == 0.0
    assert over([], [], []) is None


def test_forbidden_and_impossible_tokens_stay_in_range() -> None:
    found = answer_span(reply(["8"], logprobs=(-9999.0,), margins=(-20.0,)), 0, 1)
    assert found == Confidence(mean=0.0, low=0.0, margin=-20.0, tokens=1)


@settings(deadline=None)
@given(TOKENS, st.data())
def test_span_covers_exactly_the_tokens_that_overlap_it(tokens: list[str], data: st.DataObject) -> None:
    text = "".join(tokens)
    places = align(tokens, text)
    assert places is not None
    assert "".join(text[first:last] for (first, last), token in zip(places, tokens, strict=True) if token) == text
    if text:
        start = data.draw(st.integers(0, len(text) - 1))
        end = data.draw(st.integers(start + 1, len(text)))
        found = answer_span(reply(tokens), start, end)
        assert found is not None
        assert found.low <= found.mean <= 1
        assert found.tokens >= 1


@settings(deadline=None)
@given(st.text(st.sampled_from("ab答🦩é"), min_size=1, max_size=12), st.data())
def test_text_cut_at_any_bytes_is_found_again(text: str, data: st.DataObject) -> None:
    raw = text.encode()
    cuts = sorted(data.draw(st.sets(st.integers(1, max(1, len(raw) - 1)), max_size=6)))
    parts = [raw[a:b] for a, b in zip([0, *cuts], [*cuts, len(raw)], strict=True)]
    tokens = [part.decode("utf-8", "replace") for part in parts]
    places = align(["<s>", *tokens, "<e>"], text)
    assert places is not None
    assert len(places) == len(tokens) + 2
    covered = {i for first, last in places for i in range(first, last)}
    assert covered == set(range(len(text)))


def test_hostile_tokens_end_in_time() -> None:
    assert align(["\ufffd"] * 400, "b" * 4000) is None
    assert align(["a"] * 3000, "b") is None
