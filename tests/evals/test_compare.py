"""Paired comparison: what may be claimed, and what never may."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.answering import Outcome
from evals.compare import LEAST, compare
from nodes.errors import InputError


def outcomes(right: list[float], family: str = "sums", tokens: float = 100, cluster: str = "") -> list[Outcome]:
    return [
        Outcome(id=f"{family}{n}", family=family, cluster=cluster or f"{family}{n}", right=value,
                completed=1, answered=1, tokens=tokens, generated=10, seconds=2, branches=1)
        for n, value in enumerate(right)
    ]  # fmt: skip


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from([0.0, 0.25, 1.0]), min_size=1, max_size=80))
def test_a_run_compared_with_itself_claims_nothing(right: list[float]) -> None:
    run = outcomes(right)
    found = compare(("a", run), ("b", run))
    assert not found.total.differs
    assert not any(part.differs for part in found.families.values())
    assert (found.total.difference.low, found.total.difference.high) == (0, 0)
    assert found.total.tokens == 1.0


def test_a_real_difference_is_claimed_with_its_direction_and_price() -> None:
    found = compare(("a", outcomes([0.0] * 70)), ("b", outcomes([1.0] * 40 + [0.0] * 30, tokens=50))).total
    assert found.differs
    assert (found.rescues, found.regressions, found.tokens) == (40, 0, 0.5)
    assert found.difference.value == pytest.approx(40 / 70)
    assert found.p == pytest.approx(2 / 2**40)


def test_few_discordant_questions_are_not_enough() -> None:
    """Five rescues exclude zero by resampling but not by the exact test: p = 0.0625."""
    found = compare(("a", outcomes([0.0] * 40)), ("b", outcomes([1.0] * 5 + [0.0] * 35))).total
    assert found.difference.excludes_zero
    assert found.p == pytest.approx(0.0625)
    assert not found.differs


def test_one_group_of_many_questions_counts_once() -> None:
    before, after = outcomes([0.0] * 30, cluster="g"), outcomes([1.0] * 30, cluster="g")
    assert compare(("a", before), ("b", after)).total.difference.n == 30
    mixed = compare(("a", before + outcomes([1.0], "x")), ("b", after + outcomes([0.0], "x"))).total
    assert mixed.difference.low < 0 < mixed.difference.high


def test_means_have_no_exact_test() -> None:
    found = compare(("a", outcomes([0.5] * 20)), ("b", outcomes([0.6] * 20))).total
    assert found.p is None
    assert found.differs


def test_small_families_are_reported_only_and_large_ones_share_the_risk() -> None:
    small, large = LEAST - 1, LEAST
    before = outcomes([0.0] * small, "small") + outcomes([0.0] * large, "large") + outcomes([1.0] * large, "same")
    after = outcomes([1.0] * small, "small") + outcomes([1.0] * 6 + [0.0] * (large - 6), "large")
    found = compare(("a", before), ("b", after + outcomes([1.0] * large, "same"))).families
    assert {name: part.differs for name, part in found.items()} == {"small": False, "large": False, "same": False}
    assert found["large"].p == pytest.approx(2 * 2 / 2**6)  # alone it would have been 0.031
    assert found["small"].difference.excludes_zero


def test_only_shared_questions_are_paired() -> None:
    found = compare(("a", outcomes([1.0] * 3)), ("b", outcomes([1.0] * 5)))
    assert (found.total.n, found.unpaired) == (3, 2)
    with pytest.raises(InputError, match="no question in common"):
        compare(("a", outcomes([1.0], "x")), ("b", outcomes([1.0], "y")))
    with pytest.raises(InputError):
        compare(("a", []), ("b", []))
