"""What a pool is said to hold."""

from __future__ import annotations

from evals import inventory
from tests.evals.lines import sample


def test_families_widths_and_failures() -> None:
    failed = {"error": "engine_timeout: slow", "text": "", "finish_reason": ""}
    samples = [
        *(sample("a", branch, lang="en", temperature=0.7, completion_tokens=10) for branch in (-1, 0, 1)),
        sample("b", 0, finish_reason="length", seconds=4.0),
        sample("b", 1, **failed),
        sample("c", -1, family="greedy only", prompt_tokens=7, cached_tokens=3, model="m"),
    ]
    one, two = inventory.take(samples)
    assert (one.family, two.family) == ("greedy only", "sums")
    assert (one.questions, one.width, one.complete, one.greedy) == (1, 0, 0, 1)
    assert (one.prompt_tokens, one.cached_tokens, one.models) == (7, 3, ("m",))
    assert (two.questions, two.samples, two.width, two.complete, two.greedy) == (2, 5, 2, 1, 1)
    assert (two.errors, two.cut, two.codes, two.completion_tokens) == (1, 1, {"engine_timeout": 1}, 30)
    assert (two.languages, two.temperatures, two.seconds) == (("en",), (0.7,), 0.0)
    total = inventory.total([one, two])
    assert (total["questions"], total["samples"], total["errors"]) == (3, 6, 1)


def test_the_width_is_what_most_questions_have_or_what_is_asked() -> None:
    samples = [sample(name, branch) for name, width in (("a", 2), ("b", 2), ("c", 4)) for branch in range(width)]
    assert [(one.width, one.complete) for one in inventory.take(samples)] == [(2, 3)]
    assert [(one.width, one.complete) for one in inventory.take(samples, 4)] == [(4, 1)]
    assert inventory.take([]) == []
