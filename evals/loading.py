"""Pools from disk as questions that are ready to be judged, on all cores."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from evals import judging, pools, reports
from evals.contracts import Sample
from evals.judging import Question
from nodes import specialists
from nodes.errors import InputError

ALONE = 400
"""Samples up to which more processes cost more than they save."""
PIECES = 8
"""Portions of work for each process."""


def load(
    paths: Sequence[Path], families: Sequence[str] = (), *, checks: bool = True
) -> tuple[reports.Pool, list[Question]]:
    """Read pools as one and prepare their questions.

    Args:
        paths: pool files; two recordings of one branch are an InputError.
        families: only these; InputError for one that is not there.
        checks: False = without the specialists' tests, for modes that do not look at them; four times as fast.
    """
    samples = pools.union((path.name, pools.iterate(path)) for path in paths)
    if unknown := sorted(set(families) - {sample.family for sample in samples}):
        there = sorted({sample.family for sample in samples})
        raise InputError(f"no sample is of family {unknown}; there are {there}", "unknown_family")
    samples = [sample for sample in samples if not families or sample.family in families]
    if not samples:
        raise InputError(f"there is no sample in {', '.join(map(str, paths))}", "no_samples")
    questions = prepare(samples, checks=checks)
    return reports.pool_of(paths, samples, questions), questions


def prepare(samples: Sequence[Sample], *, checks: bool = True, workers: int | None = None) -> list[Question]:
    """Questions of a pool in order; the same whatever the number of processes."""
    workers = workers or (min(8, os.cpu_count() or 1) if len(samples) > ALONE else 1)
    groups = judging.by_case(samples)
    if workers == 1:
        return _prepared(groups, checks)
    size = -(-len(groups) // (workers * PIECES))
    pieces = [groups[at : at + size] for at in range(0, len(groups), size)]
    with ProcessPoolExecutor(workers) as pool:
        return [question for part in pool.map(_prepared, pieces, [checks] * len(pieces)) for question in part]


def _prepared(groups: Sequence[Sequence[Sample]], checks: bool) -> list[Question]:
    checkers = specialists.load() if checks else {}
    return [judging.question_of(group, checkers) for group in groups]
