"""What is in a pool, family by family: questions, branches, tokens, errors. Judges nothing."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from evals.contracts import GREEDY, Sample
from nodes.contracts import Contract


class Holding(Contract):
    """One family of a pool."""

    family: str
    questions: int
    samples: int
    width: int
    """Branches of most questions; greedy is not one."""
    complete: int
    """Questions of which every branch 0 .. width - 1 is there and no error."""
    greedy: int
    """Questions with a greedy reply that is no error."""
    errors: int
    cut: int
    """Samples that ended at their token limit or in a repetition."""
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    seconds: float
    """Median of one call."""
    languages: tuple[str, ...]
    models: tuple[str, ...]
    temperatures: tuple[float, ...]
    """Of the branches."""
    codes: dict[str, int]
    """Errors by code."""


def take(samples: Iterable[Sample], width: int | None = None) -> list[Holding]:
    """The families of a pool by name. `width` None = what most questions of the family have."""
    by_family: dict[str, list[Sample]] = defaultdict(list)
    for sample in samples:
        by_family[sample.family].append(sample)
    return [_holding(family, found, width) for family, found in sorted(by_family.items())]


def _holding(family: str, samples: Sequence[Sample], width: int | None) -> Holding:
    opened: dict[str, set[int]] = defaultdict(set)
    good: dict[str, set[int]] = defaultdict(set)
    for sample in samples:
        opened[sample.id].add(sample.branch)
        if not sample.error:
            good[sample.id].add(sample.branch)
    wide = width if width is not None else _usual(opened.values())
    branches = [sample for sample in samples if sample.branch != GREEDY]
    return Holding(
        family=family,
        questions=len(opened),
        samples=len(samples),
        width=wide,
        complete=sum(set(range(wide)) <= good[identity] for identity in opened) if wide else 0,
        greedy=sum(GREEDY in found for found in good.values()),
        errors=sum(bool(sample.error) for sample in samples),
        cut=sum(sample.finish_reason in ("length", "repetition") for sample in samples),
        prompt_tokens=sum(sample.prompt_tokens for sample in samples),
        completion_tokens=sum(sample.completion_tokens for sample in samples),
        cached_tokens=sum(sample.cached_tokens for sample in samples),
        seconds=round(statistics.median(sample.seconds for sample in samples), 2),
        languages=tuple(sorted({sample.lang for sample in samples if sample.lang})),
        models=tuple(sorted({sample.model for sample in samples if sample.model})),
        temperatures=tuple(sorted({s.temperature for s in branches if s.temperature is not None})),
        codes=dict(Counter(sample.error.partition(":")[0] for sample in samples if sample.error)),
    )


def _usual(branches: Iterable[set[int]]) -> int:
    """The most frequent number of branches; of equally frequent ones the larger."""
    counts = Counter(len(found - {GREEDY}) for found in branches)
    return max(counts, key=lambda width: (counts[width], width))


def total(holdings: Sequence[Holding]) -> dict[str, int]:
    """Sums over all families."""
    counted = (
        "questions",
        "samples",
        "complete",
        "greedy",
        "errors",
        "cut",
        "prompt_tokens",
        "completion_tokens",
        "cached_tokens",
    )
    return {name: sum(getattr(one, name) for one in holdings) for name in counted}
