"""Two ways of answering, question by question: is the difference more than chance?

A difference is claimed for all questions together when the paired cluster bootstrap excludes zero and, where outcomes
are right or wrong, the exact McNemar test agrees. Families are tested together (Holm), and only those with enough
questions; the others are shown. A run compared with itself has no discordant question and claims nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evals import statistics
from evals.answering import Outcome
from evals.statistics import Estimate, Totals
from nodes.contracts import Contract
from nodes.errors import InputError

LEAST = 60
"""Questions from which a family's figure may carry a claim; below it is shown, and no more."""
LEVEL = 0.05


class Side(Contract):
    """One of the two."""

    name: str
    accuracy: Estimate
    tokens: float
    """Mean a question."""
    seconds: float


class Part(Contract):
    """A paired comparison over some questions."""

    n: int
    first: Side
    second: Side
    difference: Estimate
    """Accuracy of the second minus the first, paired, by cluster."""
    rescues: int
    """Questions that only the second gets right (or gets right more often)."""
    regressions: int
    p: float | None
    """Exact McNemar; None when outcomes are means over branches or orders. Families: after Holm."""
    tokens: float | None
    """Second divided by first."""
    tokens_interval: tuple[float, float] | None
    seconds: float | None
    seconds_interval: tuple[float, float] | None
    differs: bool
    """A difference is claimed."""


class Comparison(Contract):
    """All questions that both have, and each family."""

    total: Part
    families: dict[str, Part]
    unpaired: int
    """Questions that only one of them has."""


Named = tuple[str, Sequence[Outcome]]


def compare(first: Named, second: Named) -> Comparison:
    """Compare two runs over the questions that both have. Raises InputError when they share none."""
    one, two = ({outcome.id: outcome for outcome in side[1]} for side in (first, second))
    shared = sorted(set(one) & set(two))
    if not shared:
        raise InputError(f"{first[0]} and {second[0]} have no question in common", "nothing_shared")
    pairs = [(one[name], two[name]) for name in shared]
    names = (first[0], second[0])
    families = {
        family: part(names, [pair for pair in pairs if pair[0].family == family])
        for family in sorted({pair[0].family for pair in pairs})
    }
    return Comparison(total=part(names, pairs), families=corrected(families), unpaired=len(set(one) ^ set(two)))


def part(names: tuple[str, str], pairs: Sequence[tuple[Outcome, Outcome]]) -> Part:
    """Compare these questions."""
    clusters = [before.cluster for before, _ in pairs]
    before, after = ([pair[side].right for pair in pairs] for side in (0, 1))
    changed = statistics.changes(before, after)
    difference = statistics.mean([b - a for a, b in zip(before, after, strict=True)], clusters)
    whole = {*before, *after} <= {0.0, 1.0}
    p = statistics.mcnemar(changed.rescues, changed.regressions) if whole else None
    tokens, tokens_interval = ratio(clusters, *([pair[side].tokens for pair in pairs] for side in (0, 1)))
    seconds, seconds_interval = ratio(clusters, *([pair[side].seconds for pair in pairs] for side in (0, 1)))
    return Part(
        n=len(pairs),
        first=side(names[0], [pair[0] for pair in pairs]),
        second=side(names[1], [pair[1] for pair in pairs]),
        difference=difference,
        rescues=changed.rescues,
        regressions=changed.regressions,
        p=p,
        tokens=tokens,
        tokens_interval=tokens_interval,
        seconds=seconds,
        seconds_interval=seconds_interval,
        differs=claimed(difference, p),
    )


def claimed(difference: Estimate, p: float | None) -> bool:
    """Whether a difference may be claimed."""
    return difference.excludes_zero and (p is None or p < LEVEL)


def corrected(families: Mapping[str, Part]) -> dict[str, Part]:
    """Families with p values that count how many were tested; small ones claim nothing."""
    tested = [name for name, found in families.items() if found.n >= LEAST and found.p is not None]
    adjusted = dict(zip(tested, statistics.holm([families[name].p or 0.0 for name in tested]), strict=True))
    done = {}
    for name, found in families.items():
        p = adjusted.get(name, found.p)
        done[name] = found.model_copy(update={"p": p, "differs": found.n >= LEAST and claimed(found.difference, p)})
    return done


def side(name: str, outcomes: Sequence[Outcome]) -> Side:
    """Figures of one run on the paired questions."""
    return Side(
        name=name,
        accuracy=statistics.accuracy([one.right for one in outcomes], [one.cluster for one in outcomes]),
        tokens=sum(one.tokens for one in outcomes) / len(outcomes),
        seconds=sum(one.seconds for one in outcomes) / len(outcomes),
    )


def ratio(
    clusters: Sequence[str], before: Sequence[float], after: Sequence[float]
) -> tuple[float | None, tuple[float, float] | None]:
    """Sum of `after` divided by the sum of `before`, with its interval by cluster; None where nothing was spent."""
    rows = statistics.grouped(clusters, before, after)
    whole = (sum(before), sum(after))
    return _quotient(whole), statistics.bootstrap(rows, _quotient) if whole[0] else None


def _quotient(totals: Totals) -> float | None:
    return totals[1] / totals[0] if totals[0] else None
