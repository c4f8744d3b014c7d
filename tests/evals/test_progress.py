"""Progress: lines now and then where nobody sees a bar, a bar where somebody does, a time left from the pace."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from evals.progress import QUIET, Meter, span


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_plain_lines_are_few_and_tell_the_time_left() -> None:
    clock, out = Clock(), io.StringIO()
    with Meter("samples", 100, console=Console(file=out), clock=clock) as meter:
        for _ in range(99):
            clock.now += 7
            meter.step("2 errors")
        assert meter.left() == 7
        before = out.getvalue().splitlines()
        meter.step()
    assert len(before) == 99 // (QUIET // 7 + 1)
    assert before[0] == "5/100 samples, 11 min left, 2 errors"
    assert out.getvalue().splitlines()[-1] == "100/100 samples, 0 s left"
    assert "\x1b" not in out.getvalue()


def test_a_terminal_sees_a_bar_that_shows_text_as_it_is() -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=120)
    with Meter("samples", 2, console=console) as meter:
        meter.step("[red]3 errors")
        meter.step("[red]3 errors")
    assert "2/2" in out.getvalue()
    assert "[red]3 errors" in out.getvalue()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0 s"), (99, "99 s"), (100, "2 min"), (5939, "99 min"), (11_100, "3 h 05 min"), (360_000, "100 h 00 min")],
)
def test_spans(seconds: float, words: str) -> None:
    assert span(seconds) == words
