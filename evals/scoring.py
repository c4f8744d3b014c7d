"""Every signal of every branch of a pool, and how well each tells right from wrong within a question."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evals import statistics
from evals.judging import Question
from evals.signals import SIGNALS, Signal, seen
from nodes import judge
from nodes.contracts import Camp


@dataclass(frozen=True)
class Scored:
    """A question with every signal of every branch that answered."""

    question: Question
    camps: tuple[Camp, ...]
    """As the vote has them, largest first."""
    right: tuple[bool, ...]
    """Of each camp."""
    rows: tuple[tuple[int, dict[str, float]], ...]
    """Each branch that answered: its camp, and the signals that say something of it."""

    @property
    def cluster(self) -> str:
        """What folds and resampling keep together."""
        return self.question.cluster


def scored(question: Question, signals: Mapping[str, Signal] = SIGNALS) -> Scored:
    """Compute the signals of one question."""
    camps = judge.stated(question.request, [branch.candidate for branch in question.branches])
    place = {source: at for at, camp in enumerate(camps) for source in camp.sources}
    held = seen(question, camps)
    rows = []
    for one in held:
        said = {name: signal(question, one, held) for name, signal in signals.items()}
        known = {name: value for name, value in said.items() if value is not None}
        rows.append((place[one.branch.candidate.source], known))
    return Scored(question, camps, tuple(question.is_right(camp.answer) for camp in camps), tuple(rows))


@dataclass(frozen=True)
class Discrimination:
    """How well a signal tells right from wrong within a question."""

    auc: float | None
    """0.5 = not at all; ties count half."""
    interval: tuple[float, float] | None
    """95 %, by cluster."""
    pairs: int
    decided: float
    """Share of the pairs in which the two values differ."""
    questions: int


def discrimination(found: Sequence[Scored], name: str) -> Discrimination:
    """Over all (right, wrong) pairs of one question each."""
    wins, counts, differ, clusters = [], [], 0, []
    for one in found:
        known = [(one.right[camp], said[name]) for camp, said in one.rows if name in said]
        pairs = [(a, b) for fits, a in known if fits for other, b in known if not other]
        if pairs:
            wins.append((statistics.auc(pairs) or 0.0) * len(pairs))
            counts.append(float(len(pairs)))
            differ += sum(a != b for a, b in pairs)
            clusters.append(one.cluster)
    total = math.fsum(counts)
    if not total:
        return Discrimination(None, None, 0, 0.0, 0)
    rows = statistics.grouped(clusters, wins, counts)
    interval = statistics.bootstrap(rows, lambda sums: sums[0] / sums[1] if sums[1] else None)
    return Discrimination(math.fsum(wins) / total, interval, int(total), differ / total, len(counts))
