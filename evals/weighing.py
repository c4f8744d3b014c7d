"""What a signal is worth to the vote: as a tie-break, and as a weight that is fitted on the other folds.

A tie-break needs no fitting: among the camps of most votes, the larger mean of the signal wins. A weight is a logistic
regression of "this branch is right" on signals that are centred within their question, so that it learns to choose
among branches, not to know easy questions; a camp then counts the sum of its members' probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from evals import folds, statistics
from evals.scoring import Scored
from evals.statistics import Changes, Estimate

RIDGE = 1.0
"""Penalty on the squared weights, in branches."""
STEPS = 300
"""Of gradient descent; weights of standardised signals have settled by then."""


@dataclass(frozen=True)
class Worth:
    """A rule against the plain vote, paired by question."""

    accuracy: float
    difference: Estimate
    changes: Changes


@dataclass(frozen=True)
class Weights:
    """A fitted regression."""

    names: tuple[str, ...]
    scale: tuple[float, ...]
    """Standard deviation of each centred signal."""
    weight: tuple[float, ...]
    bias: float

    def probability(self, row: Sequence[float]) -> float:
        """That a branch with these centred signals is right."""
        score = sum(w * x / s for w, x, s in zip(self.weight, row, self.scale, strict=True))
        return _logistic(self.bias + score)


def vote(one: Scored) -> float:
    """1 when the plain vote is right."""
    return float(bool(one.camps) and one.right[0])


def tie_break(one: Scored, names: Sequence[str]) -> float:
    """1 when the vote is right with ties to the larger mean of the signals, in their order."""
    if not one.camps:
        return 0.0

    def rank(camp: int) -> tuple[float, ...]:
        return one.camps[camp].votes, *(round(_mean(one, camp, name), 9) for name in names), -camp

    return float(one.right[max(range(len(one.camps)), key=rank)])


def _mean(one: Scored, camp: int, name: str) -> float:
    known = [said[name] for place, said in one.rows if place == camp and name in said]
    return math.fsum(known) / len(known) if known else 0.0


def centred(one: Scored, names: Sequence[str]) -> list[list[float]]:
    """The signals of each branch minus the question's mean; 0 where a signal says nothing."""
    columns = []
    for name in names:
        known = [said[name] for _, said in one.rows if name in said]
        middle = math.fsum(known) / len(known) if known else 0.0
        columns.append([said[name] - middle if name in said else 0.0 for _, said in one.rows])
    return [list(row) for row in zip(*columns, strict=True)]


def fit(found: Sequence[Scored], names: Sequence[str]) -> Weights:
    """Logistic regression with a ridge, by gradient descent; all weights 0 without branches."""
    rows = [row for one in found for row in centred(one, names)]
    right = [float(one.right[camp]) for one in found for camp, _ in one.rows]
    scale = tuple(
        math.sqrt(math.fsum(row[at] ** 2 for row in rows) / max(1, len(rows))) or 1.0 for at in range(len(names))
    )
    scaled = [[x / s for x, s in zip(row, scale, strict=True)] for row in rows]
    weight, bias = [0.0] * len(names), 0.0
    for _ in range(STEPS if rows else 0):
        errors = [
            _logistic(bias + sum(map(float.__mul__, weight, row))) - fits
            for row, fits in zip(scaled, right, strict=True)
        ]
        for at in range(len(names)):
            slope = math.fsum(error * row[at] for error, row in zip(errors, scaled, strict=True))
            weight[at] -= (slope + RIDGE * weight[at]) / len(rows)
        bias -= math.fsum(errors) / len(rows)
    return Weights(tuple(names), scale, tuple(weight), bias)


def _logistic(score: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


def weighed(one: Scored, weights: Weights) -> float:
    """1 when the camp with the largest sum of probabilities is right; the vote's order breaks ties."""
    if not one.camps:
        return 0.0
    total = [0.0] * len(one.camps)
    for (camp, _), row in zip(one.rows, centred(one, weights.names), strict=True):
        total[camp] += weights.probability(row)
    return float(one.right[max(range(len(total)), key=lambda camp: (round(total[camp], 9), -camp))])


def worth_of_tie_break(found: Sequence[Scored], names: Sequence[str]) -> Worth:
    """The tie-break on all questions."""
    return _worth(found, [tie_break(one, names) for one in found])


def worth_of_weights(found: Sequence[Scored], names: Sequence[str]) -> Worth:
    """The weights on all questions, each judged by what was fitted on the other folds."""
    return _worth(found, folds.held_out(found, lambda others: fit(others, names), lambda w, one: weighed(one, w)))


def _worth(found: Sequence[Scored], right: Sequence[float]) -> Worth:
    before = [vote(one) for one in found]
    gaps = [b - a for a, b in zip(before, right, strict=True)]
    return Worth(
        accuracy=math.fsum(right) / len(right) if right else 0.0,
        difference=statistics.mean(gaps, [one.cluster for one in found]),
        changes=statistics.changes(before, right),
    )
