"""What the source articles claim, and how each claim is measured on recorded branches.

A claim names the modes that answer it and the one contrast that decides it. Its row says what came out, whether it
speaks for the article or against it.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from evals import compare, modes, statistics
from evals.answering import Outcome
from evals.judging import Question
from evals.reports import Pool
from evals.statistics import Estimate
from nodes.contracts import Contract
from nodes.errors import InputError

Recorded = tuple[Pool, Sequence[Question]]


class Figure(Contract):
    """One measured figure."""

    label: str
    estimate: Estimate
    kind: Literal["share", "difference"] = "share"
    """How it is written: `57 %`, or `+17` points (of time: per cent)."""


class Row(Contract):
    """One row of the table, as `evals/results/*.json` holds it."""

    claim: str
    """Id in the requirements, for example `C2`."""
    article: dict[str, str]
    """What the article says, by language."""
    figures: tuple[Figure, ...]
    contrast: Figure
    """The difference that decides, paired by question; its label reads `a - b`."""
    n: int
    pool: str
    pool_digest: str
    model: str
    commit: str
    """Of the checkout that measured."""
    command: str
    """What prints the same figures."""


@dataclass(frozen=True)
class Claim:
    """One claim of an article."""

    article: dict[str, str]
    names: tuple[str, ...]
    """Modes; those wider than the pool are left out."""
    contrast: tuple[str, str]
    """Second minus first."""
    by_family: bool = False
    """Figures are the contrast in each family, not the modes."""
    timed: bool = False
    """One more figure: generation time of the second relative to the first, minus 1."""


CLAIMS: dict[str, Claim] = {
    "A1": Claim(
        {
            "en": "a router makes the mean 40 % faster than always 8 paths, at the same accuracy",
            "zh": "与总是八条路径相比，路由使平均延迟降低约 40 %，准确率不变",
        },
        ("judge@8", "auto"),
        ("judge@8", "auto"),
        timed=True,
    ),
    "A5": Claim(
        {
            "en": "2 paths gain 4-6 points, 8 the most; 16 add less than 3 at double cost",
            "zh": "两条路径提高 4–6 个点，八条最多；十六条只再加不到 3 个点，成本翻倍",
        },
        tuple(f"vote@{width}~" for width in (1, 2, 4, 8, 16)),
        ("vote@1~", "vote@8~"),
    ),
    "A8": Claim(
        {
            "en": "camps weighed by mean confidence should be the default",
            "zh": "默认按组内平均置信度给答案阵营加权",
        },
        ("vote@8", "clusters@8", "judge@8", "oracle@8"),
        ("vote@8", "clusters@8"),
    ),
    "A10": Claim(
        {
            "en": "+12 to +18 points on logic and mathematics; nothing on pure knowledge, harm on extraction",
            "zh": "逻辑与数学提高 12–18 个点；纯知识无收益，抽取类反而受损",
        },
        ("greedy", "vote@8"),
        ("greedy", "vote@8"),
        by_family=True,
    ),
    "C2": Claim(
        {
            "en": "the candidate with the surest answer tokens is right in some 98 %",
            "zh": "取答案关键词元置信度最高的候选，正确率约 98 %",
        },
        ("vote@8", "confidence@8", "oracle@8"),
        ("vote@8", "confidence@8"),
    ),
}


def measure(name: str, recorded: Recorded, model: str, families: Sequence[str] = (), orders: int = modes.ORDERS) -> Row:
    """Measure a claim on one pool. Raises InputError for an unknown claim or a pool that cannot answer it."""
    claim = CLAIMS.get(name)
    if claim is None:
        raise InputError(f"no claim {name!r} is measured on pools; there are {', '.join(CLAIMS)}", "unknown_claim")
    pool, questions = recorded
    widest = max((len(question.branches) for question in questions), default=0)
    chosen = [modes.mode(one, orders) for one in claim.names]
    found = {one.name: one.run(questions) for one in chosen if one.width <= widest}
    if not all(found.get(one) for one in claim.contrast):
        raise InputError(f"{pool.name} lacks the branches that {' and '.join(claim.contrast)} need", "no_samples")
    first, second = (found[one] for one in claim.contrast)
    compared = compare.compare((claim.contrast[0], first), (claim.contrast[1], second))
    shared = {one.id for one in first} & {one.id for one in second}
    found = {mode: [one for one in outcomes if one.id in shared] for mode, outcomes in found.items()}
    title = f"{claim.contrast[1]} - {claim.contrast[0]}"
    parts = [
        Figure(label=family, estimate=part.difference, kind="difference") for family, part in compared.families.items()
    ]
    accuracies = [Figure(label=mode, estimate=_accuracy(outcomes)) for mode, outcomes in found.items() if outcomes]
    chosen_figures = (parts if claim.by_family else accuracies) + ([_time(compared.total)] if claim.timed else [])
    return Row(
        claim=name,
        article=claim.article,
        figures=tuple(chosen_figures),
        contrast=Figure(label=title, estimate=compared.total.difference, kind="difference"),
        n=compared.total.n,
        pool=pool.name,
        pool_digest=pool.digest,
        model=model,
        commit=commit(),
        command=command(pool, [*found], families),
    )


def _time(part: compare.Part) -> Figure:
    low, high = part.seconds_interval or (0.0, 0.0)
    found = Estimate((part.seconds or 0.0) - 1, low - 1, high - 1, part.n, "bootstrap")
    return Figure(label="time, %", estimate=found, kind="difference")


def _accuracy(outcomes: Sequence[Outcome]) -> Estimate:
    return statistics.accuracy([one.right for one in outcomes], [one.cluster for one in outcomes])


def command(pool: Pool, names: Sequence[str], families: Sequence[str]) -> str:
    """What a reader types for the same figures."""
    options = [*(f"--mode {name}" for name in names), *(f"--family {name}" for name in families)]
    return " ".join(["octavo eval rejudge", pool.name, *options])


def commit(run: Callable[..., subprocess.CompletedProcess[str]] = subprocess.run) -> str:
    """Short name of the checkout's commit; `unknown` outside of one."""
    try:
        found = run(
            ["git", "rev-parse", "--short", "HEAD"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return found.stdout.strip()


def models(pool: Pool, given: str | None) -> str:
    """The model's name for the row. Raises InputError when the pool does not say and nobody else does."""
    name = given or ", ".join(pool.models)
    if not name:
        raise InputError(f"{pool.name} does not say which model wrote it: name it with --model", "no_model")
    return name
