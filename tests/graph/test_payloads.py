"""What goes in comes out, byte for byte."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.payloads import (
    WHOLE,
    Payload,
    Split,
    canonical,
    compressed,
    content_of,
    cut,
    in_parts,
    join_response,
    key,
    keyed,
    part_digests,
    split_response,
    storable,
    text_of,
    whole,
)
from prompts import digest

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
)
objects = st.dictionaries(st.text(), values, max_size=4)
choices = st.lists(
    st.dictionaries(st.sampled_from(["message", "logprobs", "index", 'x,"logprobs']), values), max_size=3
)


def read(payload: Payload, parts: dict[str, str] | None = None) -> str:
    return text_of(payload.body, payload.encoding, parts or {})


@given(values)
def test_the_digest_is_that_of_prompts(value: Any) -> None:
    found, text = keyed(value)
    assert found == digest(value) == key(text)
    assert text == canonical(value)


@pytest.mark.parametrize("text", ["\ud83d alone", "end \udc00", "two \ud800 \udfff", "机器 😀"])
def test_lone_surrogates_can_be_stored_and_come_back(text: str) -> None:
    found, stored = keyed({"content": text})
    assert found == digest({"content": text})
    assert json.loads(stored.encode().decode()) == {"content": text}
    assert storable(storable(text)) == storable(text)


@given(st.text(max_size=60), st.integers(1, 400))
def test_a_text_in_parts_comes_back(unit: str, times: int) -> None:
    text = unit * times
    rows = in_parts("request", text, key(text))
    parts = {row.digest: str(row.body) for row in rows[:-1]}
    assert read(rows[-1], parts) == text
    assert rows[-1].digest == key(text)
    assert part_digests([(rows[-1].body, rows[-1].encoding)]) == [row.digest for row in rows[:-1]]
    assert (len(rows) == 1) == (len(text) <= WHOLE)


def test_requests_that_begin_alike_share_all_but_their_last_parts() -> None:
    document = "".join(f"line {number} of a long document\n" for number in range(6_000))  # 180 kB
    requests = [document + f"Instructions:\nstance {number}" for number in range(8)]
    rows = {row.digest: row for text in requests for row in in_parts("request", text, key(text))}
    stored = sum(len(str(row.body)) for row in rows.values())
    assert stored < 2.1 * len(document)  # eight whole copies would be 8
    assert max(map(len, (cut(text) for text in requests))) < 40


@given(objects, choices)
def test_a_response_of_any_shape_comes_back(response: dict[str, Any], found: list[dict[str, Any]]) -> None:
    whole_response = {**response, "choices": found}
    split = split_response(whole_response)
    logprobs = None
    if split.at is not None:
        row = compressed("logprobs", split.logprobs)
        logprobs = json.loads(read(row))
    assert join_response(Split(split.body, logprobs, split.at)) == canonical(whole_response)
    json.loads(split.body)


@pytest.mark.parametrize("response", [{}, {"choices": None}, {"choices": []}, {"choices": ["text"]}, {"choices": {}}])
def test_a_response_without_choices_stays_whole(response: dict[str, Any]) -> None:
    assert split_response(response) == Split(canonical(response), None, None)
    assert content_of(response) == ""


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf, 1 << 70, 1e16, 1e-7, -0.0, None, "\ud83d", "é"])
def test_odd_log_probabilities_come_back_exactly(odd: Any) -> None:
    logprobs = {"content": [{"token": "a", "logprob": odd, "bytes": None}] * 60}
    row = compressed("logprobs", logprobs)
    assert row.encoding == "zlib"
    assert canonical(json.loads(read(row))) == canonical(logprobs)


def test_short_log_probabilities_stay_readable() -> None:
    assert compressed("logprobs", {"content": []}) == whole("logprobs", '{"content":[]}')


@pytest.mark.parametrize("message", [None, "text", {}, {"content": None}, {"content": 7}])
def test_a_message_without_text_is_empty(message: Any) -> None:
    assert content_of({"choices": [{"message": message}]}) == ""
