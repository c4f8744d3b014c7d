"""What a choice of the recording is worth: the same questions under two settings, paired by question.

Stances against one prompt, one temperature against another: two pools. Length as a tie-break: one pool, two rules.
Beside accuracy stands how different the branches were (entropy of their answers, n-gram overlap of their reasoning):
branches that say the same thing are one mind (REQUIREMENTS A6).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

from evals import compare, statistics
from evals.compare import Comparison
from evals.judging import Question
from evals.modes import Mode, mode
from evals.statistics import Estimate
from nodes import diversity, judge
from nodes.contracts import Contract
from nodes.errors import InputError

Measure = Callable[[Question], float]
MODES = ("single@8", "vote@8", "judge@8", "oracle@8")
TIES = ("longest@8", "shortest@8")


class Spread(Contract):
    """How different the branches of a question were, paired: second minus first."""

    first: float
    second: float
    difference: Estimate


class Ablation(Contract):
    """Two settings on the questions that both have."""

    comparisons: dict[str, Comparison]
    """By mode; for tie-breaks by rule, against the plain vote."""
    entropy: Spread | None = None
    """Bits: of the camps."""
    overlap: Spread | None = None
    """Mean Jaccard overlap (0-1) of the n-grams of two branches."""


def settings(
    first: tuple[str, Sequence[Question]], second: tuple[str, Sequence[Question]], modes: Sequence[str]
) -> Ablation:
    """Two pools of the same questions. Raises InputError when they share none, or ask them in other words."""
    by_id = {question.id: question for question in first[1]}
    pairs = [(by_id[other.id], other) for other in second[1] if other.id in by_id]
    for one, other in pairs:
        if one.request.question != other.request.question:
            raise InputError(f"question {one.id!r} has another text in {first[0]} than in {second[0]}", "pools_differ")
    chosen: list[Mode] = [mode(name) for name in modes]
    comparisons = {}
    for found in chosen:
        sides = [(f"{name} {found.name}", found.run(questions)) for name, questions in (first, second)]
        comparisons[found.name] = compare.compare(sides[0], sides[1])
    whole = [cut(*pair) for pair in pairs if pair[0].branches and pair[1].branches]
    return Ablation(comparisons=comparisons, entropy=_spread(whole, entropy), overlap=_spread(whole, overlap))


def ties(questions: Sequence[Question]) -> Ablation:
    """Length as tie-break against the first seen, on one pool."""
    vote = mode("vote@8").run(questions)
    return Ablation(
        comparisons={name: compare.compare(("vote@8", vote), (name, mode(name).run(questions))) for name in TIES}
    )


def _spread(pairs: Sequence[tuple[Question, Question]], measure: Measure) -> Spread | None:
    if not pairs:
        return None
    values = [(measure(one), measure(other)) for one, other in pairs]
    gap = statistics.mean([b - a for a, b in values], [one.cluster for one, _ in pairs])
    first, second = (sum(column) / len(values) for column in zip(*values, strict=True))
    return Spread(first=first, second=second, difference=gap)


def cut(one: Question, other: Question) -> tuple[Question, Question]:
    """Both with as many branches as the narrower has: more branches spread more."""
    width = min(len(one.branches), len(other.branches))
    return replace(one, branches=one.branches[:width]), replace(other, branches=other.branches[:width])


def entropy(question: Question) -> float:
    """Entropy of the camps, in bits."""
    camps = judge.stated(question.request, [branch.candidate for branch in question.branches])
    return diversity.entropy([camp.votes for camp in camps])


def overlap(question: Question) -> float:
    """Mean overlap of the reasoning of two branches; 0 for fewer than two."""
    texts = [branch.candidate.text for branch in question.branches]
    found = [diversity.overlap(one, other) for one, other in combinations(texts, 2)]
    return sum(found) / len(found) if found else 0.0
