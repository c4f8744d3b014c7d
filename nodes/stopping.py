"""When a staged round may end: pure rules on the votes so far.

Three rules, the strongest first. *Unassailable*: the lead is larger than the number of branches still to come.
*Unanimous* and *posterior*: with a votes for the leader and b for the runner-up, the probability that the leader is
truly ahead is P(p > 1/2) under a Beta(a + 1, b + 1) posterior (Adaptive-Consistency, arXiv 2305.11860); it ends the
round at `threshold`. Unanimity is the case b = 0, the stopping window of ESC (arXiv 2401.10480). The integral is exact:
for integer counts the regularised incomplete beta function is a binomial sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Literal


@dataclass(frozen=True, slots=True)
class Stop:
    """Why a round ends."""

    rule: Literal["unassailable", "unanimous", "posterior"]
    probability: float
    """Posterior probability (0.5-1) that the leader is ahead of the runner-up; 1 when it cannot be overtaken."""
    reason: str
    """In words, for the record."""


def ahead(leader: int, runner_up: int) -> Fraction:
    """P(p > 1/2) for p ~ Beta(leader + 1, runner_up + 1), exactly."""
    if min(leader, runner_up) < 0:
        raise ValueError(f"votes are counts, got {leader!r} and {runner_up!r}")
    trials = leader + runner_up + 1
    return Fraction(sum(comb(trials, k) for k in range(leader + 1)), 2**trials)


def stop(votes: Sequence[int], remaining: int, threshold: float) -> Stop | None:
    """Whether a round may end now, and why.

    Args:
        votes: votes of each camp, in any order.
        remaining: branches of the budget that have not voted yet, running or not opened.
        threshold: posterior probability (0-1] that ends the round; 1 leaves only the unassailable lead.
    """
    first, second = _leaders(votes)
    if first > second and first - second > remaining:
        return Stop("unassailable", 1.0, f"{first} against {second} votes with {remaining} to come")
    if first == second:
        return None
    probability = ahead(first, second)
    if probability >= threshold and threshold < 1:
        rule: Literal["unanimous", "posterior"] = "posterior" if second else "unanimous"
        return Stop(rule, float(probability), f"{first} against {second} votes, ahead with {float(probability):.3f}")
    return None


def _leaders(votes: Sequence[int]) -> tuple[int, int]:
    ranked = sorted(votes, reverse=True)
    return (ranked[0] if ranked else 0), (ranked[1] if len(ranked) > 1 else 0)
