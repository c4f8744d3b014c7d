"""Names of errors, and how long to wait before asking again."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.faults import LONGEST_PAUSE, again, fault_of, pause, retry_after, status_of, tokens_over
from nodes.errors import ContextExceeded, EngineDenied, EngineFault, ModelNotServed


@pytest.mark.parametrize(
    ("message", "over"),
    [
        ("This model's maximum context length is 4096 tokens. However, you requested 200 output tokens and your"
         " prompt contains 4000 input tokens, for a total of 4200 tokens.", 104),
        ("This model's maximum context length is 4096 tokens. Your prompt contains at least 4097 input tokens", None),
        ("This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4488 in the messages,"
         " 512 in the completion).", 904),
        ("max_tokens=5000 cannot be greater than max_model_len=4096.", 904),
        ("The decoder prompt (length 5000) is longer than the maximum model length of 4096.", 904),
        ("something else entirely", None),
        ("", None),
    ],
)  # fmt: skip
def test_tokens_over_in_the_words_of_several_versions(message: str, over: int | None) -> None:
    assert tokens_over(message) == over


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "too long", "code": "context_length_exceeded"}},
        {"error": {"message": "x", "param": "input_tokens", "code": 400}},
        {"message": "This model's maximum context length is 10 tokens"},
    ],
)
def test_context_errors(body: Any) -> None:
    assert isinstance(fault_of(400, body, "here"), ContextExceeded)


@pytest.mark.parametrize(
    "body", [None, "", "text", [], {}, {"error": None}, {"error": "no"}, {"error": {"code": 3}}, 7]
)
@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, EngineFault), (401, EngineDenied), (403, EngineDenied), (404, ModelNotServed), (418, EngineFault)],
)
def test_every_body_gets_a_named_error(status: int, kind: type[Exception], body: Any) -> None:
    fault = fault_of(status, body, "here")
    assert type(fault) is kind
    assert "here" in str(fault)
    assert not again(fault)


@pytest.mark.parametrize(
    ("status", "expected"), [(429, True), (500, True), (503, True), (599, True), (400, False), (413, False)]
)
def test_what_is_asked_again(status: int, expected: bool) -> None:
    assert again(fault_of(status, {}, "here")) is expected


@pytest.mark.parametrize(
    ("error", "status"),
    [({"code": 503}, 503), ({"code": "429"}, 429), ({"code": "context_length_exceeded"}, 400), ({"code": None}, 500),
     ({"code": 200}, 500), ({"code": "x"}, 500), ({}, 500), ("text", 500), (None, 500)],
)  # fmt: skip
def test_status_of_an_error_in_the_stream(error: Any, status: int) -> None:
    assert status_of(error) == status


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [({}, None), ({"retry-after": "2.5"}, 2.5), ({"retry-after": "-1"}, 0.0), ({"retry-after": "soon"}, None),
     ({"retry-after": "9", "retry-after-ms": "150"}, 0.15), ({"retry-after": "Mon, 30 Nov 2026 12:00:07 GMT"}, 7.0),
     ({"retry-after": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0.0)],
)  # fmt: skip
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)) == seconds


@settings(deadline=None)
@given(st.integers(1, 12), st.none() | st.floats(0, 1e9), st.floats(0, 1, exclude_max=True))
def test_pause_is_bounded_jittered_and_honours_the_server(number: int, asked: float | None, jitter: float) -> None:
    seconds = pause(number, asked, 0.5, jitter)
    assert 0 <= seconds <= LONGEST_PAUSE
    assert seconds >= min(asked or 0.0, LONGEST_PAUSE)
    assert pause(number, None, 0.5, jitter) <= 0.5 * 2 ** (number - 1)


@pytest.mark.parametrize("date", ["Fri, 31 Dec 99999999999 23:59:59 GMT", "Fri, 31 Dec 9999 23:59:59 -2359", "nan"])
def test_a_date_beyond_the_calendar_ends_nothing(date: str) -> None:
    found = retry_after({"retry-after": date})
    assert found is None or pause(1, found, 0.5, 0.5) <= LONGEST_PAUSE
