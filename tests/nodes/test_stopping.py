"""The rules that end a round: exact, monotone, and sound."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.stopping import ahead, stop

VOTES = st.lists(st.integers(0, 12), max_size=5)
THRESHOLD = st.floats(0.5, 1)


@pytest.mark.parametrize(
    ("leader", "runner_up", "probability"),
    [
        (0, 0, Fraction(1, 2)),
        (1, 0, Fraction(3, 4)),
        (2, 0, Fraction(7, 8)),
        (2, 1, Fraction(11, 16)),
        (3, 0, Fraction(15, 16)),
    ],
)
def test_the_posterior_is_exact(leader: int, runner_up: int, probability: Fraction) -> None:
    assert ahead(leader, runner_up) == probability


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_posterior_is_the_beta_tail(a: int, b: int) -> None:
    assert ahead(a, b) + ahead(b, a) == 1
    assert ahead(a + 1, b) > ahead(a, b) > ahead(a, b + 1)
    # Midpoint rule on the density p^a (1-p)^b, normalised by its own sum.
    grid = [(at + 0.5) / 2000 for at in range(2000)]
    density = [p**a * (1 - p) ** b for p in grid]
    assert float(ahead(a, b)) == pytest.approx(sum(density[1000:]) / sum(density), abs=2e-3)


def test_negative_votes_are_refused() -> None:
    with pytest.raises(ValueError, match="counts"):
        ahead(-1, 0)


@pytest.mark.parametrize(
    ("votes", "remaining", "threshold", "rule"),
    [
        ([5, 2], 1, 1.0, "unassailable"),
        ([5, 2], 3, 1.0, None),
        ([2], 6, 0.8, "unanimous"),
        ([2], 6, 0.9, None),
        ([1], 7, 0.8, None),
        ([1, 4], 3, 0.85, "posterior"),
        ([2, 2], 4, 0.5, None),
        ([3, 3], 0, 0.5, None),
        ([1], 0, 1.0, "unassailable"),
        ([], 8, 0.5, None),
        ([0, 0], 0, 0.5, None),
    ],
)
def test_rules(votes: list[int], remaining: int, threshold: float, rule: str | None) -> None:
    found = stop(votes, remaining, threshold)
    assert (found.rule if found else None) == rule


@given(VOTES, st.integers(0, 12), THRESHOLD)
def test_more_for_the_leader_never_goes_on(votes: list[int], remaining: int, threshold: float) -> None:
    if stop(votes, remaining, threshold):
        leader = votes.index(max(votes))
        assert stop([*votes[:leader], votes[leader] + 1, *votes[leader + 1 :]], remaining, threshold)
        assert stop(votes, max(0, remaining - 1), threshold)
        assert stop(votes, remaining, max(0.5, threshold - 0.1))
        assert stop([*votes, 0], remaining, threshold)


@given(VOTES, st.integers(0, 12), THRESHOLD, st.randoms(use_true_random=False))
def test_the_order_of_camps_never_matters(votes: list[int], remaining: int, threshold: float, rng: object) -> None:
    assert stop(votes, remaining, threshold) == stop(sorted(votes), remaining, threshold)
