"""The release gate: after a change of model, prompt, parameter, artefact or code, the fixed set must hold.

A baseline file keeps what was measured on a pool of the fixed set, question by question, beside the digests of all that
can change an answer. The gate compares a fresh pool of the same questions with it: accuracy, agreement and mean
confidence (REQUIREMENTS C8) must not fall, mean length (D7) must not move, beyond the paired interval. Sampling is
random, so the interval is one of 99 %: four figures then raise a false alarm in some two of a hundred releases.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path

from pydantic import ValidationError

import nodes
import prompts
from evals import pools, statistics
from evals.answering import Outcome
from evals.contracts import GREEDY, Sample
from evals.recording import plain_call
from evals.reports import Pool
from evals.statistics import Estimate
from graph.settings import Settings
from nodes.branch import FORMS, STANCES, branch_call
from nodes.contracts import Contract, Request
from nodes.errors import InputError

LEVEL = 0.99
FIGURES = ("accuracy", "agreement", "confidence", "length")
FALLS = FIGURES[:3]
"""Figures that may rise; length may do neither."""
Row = tuple[float, float, float, float]
"""The figures of one question, in the order of `FIGURES`; length in generated tokens of a branch."""
DECIDES = ("waves", "stop_probability", "specialists")
"""Settings that change answers."""


class Baseline(Contract):
    """What was measured, and with what."""

    mode: str
    pool: str
    pool_digest: str
    digests: dict[str, str]
    """Kind and name (`prompt branch`, `parameter waves`, `artefact cues.toml`) to digest or value."""
    rows: dict[str, Row]
    """Figures by question."""
    clusters: dict[str, str]


class Figure(Contract):
    """One figure then and now."""

    before: float
    now: float
    difference: Estimate
    red: bool


class Gate(Contract):
    """The gate's word."""

    green: bool
    n: int
    mode: str
    figures: dict[str, Figure]
    changed: dict[str, tuple[str, str]]
    """What differs from the baseline: then and now; empty text = it was not there."""
    stale: int
    """Samples that were recorded under other prompts or parameters than those of today; the gate is then red."""
    reasons: tuple[str, ...]
    """Why it is red."""


def digests(pool: Pool, settings: Settings) -> dict[str, str]:
    """All that can change an answer."""
    found = {f"model {name}": "recorded" for name in pool.models}
    for name in prompts.fingerprints():
        prompt = prompts.load(name)
        found[f"prompt {name}"] = prompts.digest(prompt.sections)
        found |= {f"parameter {name}.{key}": str(value) for key, value in prompt.sampling.model_dump().items()}
    found |= {f"parameter {name}": str(getattr(settings, name)) for name in DECIDES}
    found |= {f"parameter recorded temperature {value}": "recorded" for value in pool.temperatures}
    root = Path(nodes.__file__).parent
    files = sorted(path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    code = [path for path in files if path.suffix == ".py"]
    found |= {f"artefact {path.relative_to(root).as_posix()}": _digest([path]) for path in files if path not in code}
    return found | {"code nodes": _digest(code)}


def _digest(paths: Iterable[Path]) -> str:
    digest = sha256()
    for path in paths:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def stale(samples: Iterable[Sample]) -> int:
    """Samples whose prompt is none of today's. Those that do not say their prompt are not counted."""
    request = Request(run="gate", question="?")
    known = {branch_call(request, form, index).prompt for form in FORMS for index in range(len(STANCES))}
    plain = {plain_call(request, form, 0).prompt for form in FORMS}
    plain |= {prompts.digest([one, {"temperature": 0.0}]) for one in plain}  # how `recording` names greedy
    return sum(
        sample.prompt not in (plain if sample.branch == GREEDY else known | plain)
        for sample in samples
        if sample.prompt
    )


def baseline(mode: str, pool: Pool, outcomes: Sequence[Outcome], found: Mapping[str, str]) -> Baseline:
    """What a baseline file holds. Raises InputError without a question."""
    if not outcomes:
        raise InputError(f"no question of {pool.name} has the branches that {mode} needs, and a gold", "no_samples")
    return Baseline(
        mode=mode,
        pool=pool.name,
        pool_digest=pool.digest,
        digests=dict(sorted(found.items())),
        rows={one.id: (one.right, one.agreement, one.confidence, one.generated) for one in outcomes},
        clusters={one.id: one.cluster for one in outcomes},
    )


def compare(before: Baseline, now: Baseline, stale_samples: int = 0) -> Gate:
    """Hold a fresh measurement against the baseline. Raises InputError when mode or questions differ."""
    if before.mode != now.mode:
        raise InputError(f"the baseline was judged as {before.mode}, this as {now.mode}", "other_baseline")
    if before.rows.keys() != now.rows.keys():
        apart = len(before.rows.keys() ^ now.rows.keys())
        raise InputError(f"{apart} questions are not in both: the gate needs the fixed set, whole", "other_baseline")
    names = sorted(now.rows)
    clusters = [now.clusters[name] for name in names]
    figures = {
        figure: _figure(figure, [before.rows[name][at] for name in names], [now.rows[name][at] for name in names],
                        clusters)
        for at, figure in enumerate(FIGURES)
    }  # fmt: skip
    changed = {
        name: (before.digests.get(name, ""), now.digests.get(name, ""))
        for name in sorted({*before.digests, *now.digests})
        if before.digests.get(name) != now.digests.get(name)
    }
    reasons = [f"{name} moved beyond its interval" for name, found in figures.items() if found.red]
    if stale_samples:
        reasons.append(f"{stale_samples} samples were recorded under other prompts than today's: record the set anew")
    return Gate(
        green=not reasons,
        n=len(names),
        mode=now.mode,
        figures=figures,
        changed=changed,
        stale=stale_samples,
        reasons=tuple(reasons),
    )


def _figure(name: str, before: Sequence[float], now: Sequence[float], clusters: Sequence[str]) -> Figure:
    mean = partial(statistics.mean, clusters=clusters, level=LEVEL)
    moved = mean([b - a for a, b in zip(before, now, strict=True)])
    red = moved.high < 0 if name in FALLS else moved.excludes_zero
    return Figure(before=sum(before) / len(before), now=sum(now) / len(now), difference=moved, red=red)


def read(path: Path) -> Baseline:
    """A baseline file. Raises InputError."""
    try:
        return Baseline.model_validate_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"no baseline at {str(path)!r} ({error.strerror}): write one with --update",
                         "unreadable_file") from error  # fmt: skip
    except ValidationError as error:
        raise InputError(f"{str(path)!r} is no baseline: {error.errors()[0]['msg']}", "bad_baseline") from error


def write(path: Path, found: Baseline) -> None:
    """Put a baseline in place, whole or not at all. Raises InputError."""
    pools.replace(path, found.model_dump_json(indent=1).encode("utf-8", "replace") + b"\n")
