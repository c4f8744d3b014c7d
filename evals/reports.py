"""What modes made of a pool, as figures with intervals. The same pool and modes give the same bytes."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import Field, ValidationError

from evals import statistics
from evals.answering import Outcome
from evals.contracts import Sample
from evals.folds import by_fold
from evals.judging import Question
from evals.modes import Mode
from evals.statistics import Estimate, Gap
from nodes.contracts import Contract
from nodes.errors import InputError


class Pool(Contract):
    """Where the samples came from."""

    name: str
    """File names, without folders."""
    digest: str
    """SHA-256 of the files' bytes, first 16 hex digits."""
    samples: int
    questions: int
    ungraded: int
    """Questions without a gold."""
    models: tuple[str, ...]
    prompts: tuple[str, ...]
    """Digests of prompts and parameters."""
    temperatures: tuple[float, ...]
    statuses: dict[str, int]
    """Branches by what became of them."""


class Summary(Contract):
    """One mode on some questions."""

    n: int
    accuracy: Estimate
    """Errors count as wrong."""
    completed: float
    """Questions that came to an end without an error of the engine."""
    of_completed: float | None
    """Accuracy over those alone."""
    answered: float
    """Share of questions with an answer."""
    agreement: float
    confidence: float
    tokens: float
    """Mean of prompt and generated tokens of a question."""
    generated: float
    """Mean generated tokens of one branch."""
    seconds_median: float
    seconds_p95: float
    branches: float


class ModeReport(Contract):
    """One mode."""

    mode: str
    left_out: int
    """Questions that lack some of the branches it needs, or a gold."""
    total: Summary
    families: dict[str, Summary]
    folds: tuple[float | None, ...] = ()
    """Accuracy by fold, where folds were asked for."""
    outcomes: tuple[Outcome, ...] = Field(repr=False)
    """One a question, by id."""


class Report(Contract):
    """Modes side by side."""

    pool: Pool
    modes: tuple[ModeReport, ...]
    selection: Gap | None = None
    """Between vote and oracle of one width, with the share that the judge closes; when all three were asked for."""


def pool_of(paths: Sequence[Path], samples: Sequence[Sample], questions: Sequence[Question]) -> Pool:
    """Describe a pool."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    status = Counter(branch.candidate.status for question in questions for branch in question.branches)
    return Pool(
        name=" + ".join(path.name for path in paths),
        digest=digest.hexdigest()[:16],
        samples=len(samples),
        questions=len(questions),
        ungraded=sum(not question.gold for question in questions),
        models=_distinct(sample.model for sample in samples if sample.model),
        prompts=_distinct(sample.prompt for sample in samples if sample.prompt),
        temperatures=tuple(sorted({sample.temperature for sample in samples if sample.temperature is not None})),
        statuses=dict(sorted(status.items())),
    )


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(values)))


def report(pool: Pool, questions: Sequence[Question], modes: Sequence[Mode], folds: int = 0) -> Report:
    """Run every mode over the questions."""
    found = tuple(mode_report(one, questions, folds) for one in modes)
    return Report(pool=pool, modes=found, selection=selection(found))


def mode_report(mode: Mode, questions: Sequence[Question], folds: int = 0) -> ModeReport:
    """Run one mode."""
    outcomes = sorted(mode.run(questions), key=lambda one: one.id)
    families = sorted({one.family for one in outcomes})
    return ModeReport(
        mode=mode.name,
        left_out=len(questions) - len(outcomes),
        total=summary(outcomes),
        families={name: summary([one for one in outcomes if one.family == name]) for name in families},
        folds=tuple(_mean([one.right for one in part]) for part in by_fold(outcomes, folds)) if folds else (),
        outcomes=tuple(outcomes),
    )


def summary(outcomes: Sequence[Outcome]) -> Summary:
    """Figures of some outcomes."""
    right, completed = [one.right for one in outcomes], sum(one.completed for one in outcomes)
    seconds = [one.seconds for one in outcomes] or [0.0]
    return Summary(
        n=len(outcomes),
        accuracy=statistics.accuracy(right, [one.cluster for one in outcomes]),
        completed=completed,
        of_completed=sum(right) / completed if completed else None,
        answered=_mean([one.answered for one in outcomes]) or 0.0,
        agreement=_mean([one.agreement for one in outcomes]) or 0.0,
        confidence=_mean([one.confidence for one in outcomes]) or 0.0,
        tokens=_mean([one.tokens for one in outcomes]) or 0.0,
        generated=_mean([one.generated for one in outcomes]) or 0.0,
        seconds_median=statistics.percentile(seconds, 0.5),
        seconds_p95=statistics.percentile(seconds, 0.95),
        branches=_mean([one.branches for one in outcomes]) or 0.0,
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def selection(reports: Sequence[ModeReport]) -> Gap | None:
    """The gap between the first vote and the oracle of its width, and what the first judge of that width closes."""
    by_name = {one.mode: one for one in reports}
    for name, vote in by_name.items():
        kind, _, width = name.partition("@")
        judge, oracle = by_name.get(f"judge@{width}"), by_name.get(f"oracle@{width}")
        if kind == "vote" and width and judge and oracle and vote.outcomes:
            said, decided, best = ([one.right for one in side.outcomes] for side in (vote, judge, oracle))
            return statistics.gap_closed(said, decided, best, [one.cluster for one in vote.outcomes])
    return None


def read_mode(path: Path, name: str | None) -> ModeReport:
    """One mode of a file that `octavo eval rejudge --json` wrote. Raises InputError.

    `name` None takes the only mode of the file.
    """
    try:
        found = Report.model_validate_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error} (modes need --pool)", "unreadable_file") from error
    except ValidationError as error:
        raise InputError(f"{str(path)!r} is not what `octavo eval rejudge --json` writes: {error.errors()[0]['msg']}",
                         "bad_result") from error  # fmt: skip
    held = [one for one in found.modes if name in (None, one.mode)]
    if len(held) != 1:
        there = ", ".join(one.mode for one in found.modes)
        raise InputError(f"{str(path)!r} holds {there or 'no mode'}: name one of them with --mode", "unknown_mode")
    return held[0]
