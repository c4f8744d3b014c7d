"""Intervals and tests against values worked out elsewhere, and properties that must hold for any input."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals import statistics
from evals.statistics import accuracy, auc, changes, gap_closed, holm, mcnemar, mean, percentile, wilson

small = st.integers(0, 40)


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [  # Newcombe 1998, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_as_published(hits: int, n: int, low: float, high: float) -> None:
    assert wilson(hits, n) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_share_and_is_symmetric(case: tuple[int, int]) -> None:
    hits, n = case
    low, high = wilson(hits, n)
    assert 0 <= low <= hits / n + 1e-12
    assert hits / n - 1e-12 <= high <= 1
    assert (1 - high, 1 - low) == pytest.approx(wilson(n - hits, n))


def test_nothing_measured_is_nothing_known() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert mean([], []).n == accuracy([], []).n == 0
    assert statistics.bootstrap([], statistics.mean_of) is None
    with pytest.raises(ValueError, match="3 hits of 2"):
        wilson(3, 2)
    with pytest.raises(ValueError, match="0 values"):
        percentile([], 0.5)


@given(small, small)
def test_mcnemar_is_the_two_sided_binomial(gained: int, lost: int) -> None:
    n, few = gained + lost, min(gained, lost)
    tail = Fraction(sum(comb(n, k) for k in range(few + 1)), 2**n)
    assert mcnemar(gained, lost) == pytest.approx(float(min(Fraction(1), 2 * tail)))
    assert mcnemar(gained, lost) == mcnemar(lost, gained)


@pytest.mark.parametrize(("gained", "lost", "p"), [(0, 0, 1.0), (1, 0, 1.0), (6, 0, 0.03125), (5, 15, 0.0414)])
def test_mcnemar_values(gained: int, lost: int, p: float) -> None:
    assert mcnemar(gained, lost) == pytest.approx(p, abs=1e-4)


def test_mcnemar_of_many_pairs_is_quick_and_finite() -> None:
    assert 0 < mcnemar(4_900, 5_100) < 0.06


def test_holm_as_in_the_textbook() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_never_lowers_a_p(values: list[float]) -> None:
    assert all(after >= before and after <= 1 for before, after in zip(values, holm(values), strict=True))


def test_percentiles_interpolate() -> None:
    assert [percentile([3, 1, 2, 4], share) for share in (0, 0.5, 0.95, 1)] == pytest.approx([1, 2.5, 3.85, 4])


def test_independent_answers_get_wilson_and_grouped_ones_the_bootstrap() -> None:
    right = [1.0, 0.0] * 20
    assert accuracy(right, [str(n) for n in range(40)]).method == "wilson"
    pairs = accuracy(sorted(right), [str(n // 2) for n in range(40)])
    alone = mean(sorted(right), [str(n) for n in range(40)])
    assert pairs.method == "bootstrap"
    assert pairs.high - pairs.low > alone.high - alone.low  # forty answers of twenty groups say less


def test_the_bootstrap_covers_as_often_as_it_says() -> None:
    """Exact: of all samples of eight coins, the share whose 95 % interval holds one half."""
    kept = {}
    for coins in product((0.0, 1.0), repeat=8):
        heads = int(sum(coins))
        if heads not in kept:
            found = mean(list(coins), [str(n) for n in range(8)])
            kept[heads] = found.low <= 0.5 <= found.high
    covered = sum(comb(8, heads) for heads, inside in kept.items() if inside) / 2**8
    assert 0.85 < covered < 0.99


def test_the_same_seed_gives_the_same_interval() -> None:
    values, names = [0.0, 1.0, 0.5, 1.0], ["a", "b", "c", "c"]
    assert mean(values, names) == mean(values, names)
    assert mean(values, names) == mean(values[::-1], names[::-1])  # clusters by name, whatever the order
    assert mean(values, names, level=0.5).high < mean(values, names).high


def test_the_gap_and_what_is_closed_of_it() -> None:
    vote, judge, oracle = [0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]
    found = gap_closed(vote, judge, oracle, list("abcd"))
    assert (found.gap.value, found.closed) == (0.5, 0.5)
    assert gap_closed(vote, vote, oracle, list("abcd")).closed == 0
    assert gap_closed(vote, vote, vote, list("abcd")).closed is None
    assert gap_closed([], [], [], []).closed is None


def test_rescues_and_regressions() -> None:
    assert changes([0, 1, 1, 0], [1, 0, 1, 0]) == statistics.Changes(1, 1, 2)


def test_auc_counts_ties_as_half() -> None:
    assert auc([(0.9, 0.1), (0.2, 0.2), (0.1, 0.3)]) == pytest.approx(0.5)
    assert auc([]) is None
