"""How sure a figure is: intervals, paired tests, and what selection leaves on the table. Pure, no dependency.

The branches of one question, and questions of one group (translations, contrast pairs), are not independent. So what is
resampled is the cluster, never the branch (cluster bootstrap, Field and Welsh 2007). Two ways of answering are compared
question by question: a paired interval of the difference, and the exact McNemar test for right-or-wrong outcomes.
Everything takes a seed and gives the same figure twice.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

RESAMPLES = 2_000
"""Draws of a bootstrap; the end of a 95 % interval then moves by about a fifth of a standard error."""
SEED = 20_261_201
Z95 = 1.959963984540054
Totals = tuple[float, ...]
"""Sums over some clusters, one for each column."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval (or the level that was asked for)."""

    value: float
    low: float
    high: float
    n: int
    """Questions."""
    method: str
    """`wilson`, `bootstrap`, or `none` where there is nothing to measure."""

    @property
    def excludes_zero(self) -> bool:
        """True when the interval lies on one side of zero."""
        return self.low > 0 or self.high < 0


NOTHING = Estimate(0.0, 0.0, 0.0, 0, "none")


def wilson(hits: float, n: int, z: float = Z95) -> tuple[float, float]:
    """Score interval of a share (Wilson 1927); (0, 1) when there is nothing. Right for independent questions."""
    if n <= 0:
        return 0.0, 1.0
    if not 0 <= hits <= n:
        raise ValueError(f"{hits!r} hits of {n!r}")
    share, spread = hits / n, z * z / n
    middle, half = share + spread / 2, z * math.sqrt(share * (1 - share) / n + spread / (4 * n))
    return max(0.0, (middle - half) / (1 + spread)), min(1.0, (middle + half) / (1 + spread))


def mcnemar(gained: int, lost: int) -> float:
    """Two-sided exact p of the discordant pairs: binomial with 1/2 (McNemar 1947); 1 when there are none."""
    if min(gained, lost) < 0:
        raise ValueError(f"pairs are counts, got {gained!r} and {lost!r}")
    n, few = gained + lost, min(gained, lost)
    term = total = 1
    for k in range(few):
        term = term * (n - k) // (k + 1)
        total += term
    return 1.0 if 2 * few == n else min(1.0, 2 * total / 2**n)


def holm(p_values: Sequence[float]) -> list[float]:
    """p values of several tests together, in their order (Holm 1979)."""
    adjusted, floor = [0.0] * len(p_values), 0.0
    for rank, at in enumerate(sorted(range(len(p_values)), key=lambda at: p_values[at])):
        floor = max(floor, min(1.0, (len(p_values) - rank) * p_values[at]))
        adjusted[at] = floor
    return adjusted


def percentile(values: Sequence[float], share: float) -> float:
    """Quantile by linear interpolation between order statistics; `share` 0-1. Raises ValueError without values."""
    if not values or not 0 <= share <= 1:
        raise ValueError(f"quantile {share!r} of {len(values)} values")
    ranked, place = sorted(values), share * (len(values) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ranked) - 1)
    return ranked[below] + (ranked[above] - ranked[below]) * (place - below)


def grouped(clusters: Sequence[str], *columns: Sequence[float]) -> list[Totals]:
    """Sums of each column by cluster, clusters by name; the last column counts the questions."""
    sums: dict[str, list[float]] = {}
    for cluster, *row in zip(clusters, *columns, strict=True):
        held = sums.setdefault(cluster, [0.0] * (len(columns) + 1))
        for at, value in enumerate((*row, 1.0)):
            held[at] += value
    return [tuple(sums[name]) for name in sorted(sums)]


def bootstrap(
    rows: Sequence[Totals],
    statistic: Callable[[Totals], float | None],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    level: float = 0.95,
) -> tuple[float, float] | None:
    """Percentile interval of a statistic of the totals over resampled clusters.

    Draws where the statistic is not defined (None) are left out; None when it is defined in fewer than half.
    """
    if not rows:
        return None
    rng = random.Random(seed)  # noqa: S311 - a draw, not a secret
    columns, found = list(zip(*rows, strict=True)), []
    places = range(len(rows))
    for _ in range(resamples):
        drawn = rng.choices(places, k=len(rows))
        value = statistic(tuple(math.fsum(map(column.__getitem__, drawn)) for column in columns))
        if value is not None:
            found.append(value)
    if 2 * len(found) < resamples:
        return None
    return percentile(found, (1 - level) / 2), percentile(found, (1 + level) / 2)


def mean_of(totals: Totals) -> float:
    """First column divided by the count."""
    return totals[0] / totals[-1]


def mean(values: Sequence[float], clusters: Sequence[str], *, seed: int = SEED, level: float = 0.95) -> Estimate:
    """Mean of one value a question, or of a paired difference, with the cluster bootstrap."""
    if not values:
        return NOTHING
    rows = grouped(clusters, values)
    low, high = bootstrap(rows, mean_of, seed=seed, level=level) or (0.0, 0.0)
    return Estimate(math.fsum(values) / len(values), low, high, len(values), "bootstrap")


def accuracy(right: Sequence[float], clusters: Sequence[str], *, seed: int = SEED) -> Estimate:
    """Share of right answers: Wilson's interval for independent yes-or-no outcomes, else the cluster bootstrap."""
    if right and len(set(clusters)) == len(right) and all(value in (0.0, 1.0) for value in right):
        hits = math.fsum(right)
        return Estimate(hits / len(right), *wilson(hits, len(right)), len(right), "wilson")
    return mean(right, clusters, seed=seed)


@dataclass(frozen=True, slots=True)
class Gap:
    """What selection could still win."""

    gap: Estimate
    """Any of n minus the vote."""
    closed: float | None
    """Share of the gap that the judge closes, below 0 when it loses; None without a gap."""
    interval: tuple[float, float] | None
    """Of that share."""


def gap_closed(vote: Sequence[float], judge: Sequence[float], oracle: Sequence[float], clusters: Sequence[str]) -> Gap:
    """The selection gap (any of n minus the vote) and the share of it that `judge` closes; by question, paired."""
    gap = mean([best - said for best, said in zip(oracle, vote, strict=True)], clusters)
    if not vote:
        return Gap(gap, None, None)
    rows = grouped(clusters, vote, judge, oracle)
    share = _closed(tuple(math.fsum(column) for column in zip(*rows, strict=True)))
    return Gap(gap, share, bootstrap(rows, _closed))


def _closed(totals: Totals) -> float | None:
    vote, judge, oracle, _ = totals
    return (judge - vote) / (oracle - vote) if oracle > vote else None


@dataclass(frozen=True, slots=True)
class Changes:
    """What a second opinion did to a first one."""

    rescues: int
    """Wrong before, right after."""
    regressions: int
    """Right before, wrong after."""
    same: int


def changes(before: Iterable[float], after: Iterable[float]) -> Changes:
    """Count rescues and regressions of right-or-wrong outcomes, question by question."""
    pairs = [(first, second) for first, second in zip(before, after, strict=True)]
    gained = sum(second > first for first, second in pairs)
    lost = sum(second < first for first, second in pairs)
    return Changes(gained, lost, len(pairs) - gained - lost)


def auc(pairs: Iterable[tuple[float, float]]) -> float | None:
    """Share of (right, wrong) pairs of one question in which the right one scores higher; ties count half.

    Within-question discrimination (CISC, arXiv 2502.06233): a score that only tells easy questions from hard ones
    cannot help to choose among the branches of one question. None without a pair.
    """
    wins = count = 0.0
    for right, wrong in pairs:
        count += 1
        wins += 1.0 if right > wrong else 0.5 if right == wrong else 0.0
    return wins / count if count else None
