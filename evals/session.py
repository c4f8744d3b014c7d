"""One recording from start to end: which calls are missing, the engine, the journal, progress, the packed pool."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from evals import pools, recording
from evals.contracts import Case, Sample
from evals.lines import read_lines
from evals.progress import Meter
from evals.recording import Job, Plan
from graph.asking import start_engine
from graph.engine import Endpoint, wait_ready
from graph.model import EngineModel
from graph.run import endpoints_of
from graph.settings import Settings, settings
from nodes.errors import InputError


@dataclass(frozen=True)
class Outcome:
    """What a recording has come to."""

    path: str
    cases: int
    wanted: int
    """Samples that the plan asks for; all of them are there."""
    recorded: int
    """Samples of this run."""
    errors: int
    """Wanted samples that are errors."""
    tokens: int
    """Prompt and completion tokens of this run."""
    seconds: float


async def run(cases: Sequence[Case], plan: Plan, out: Path, concurrency: int, retry_errors: bool = True) -> Outcome:
    """Record what `out` lacks of the plan. The engine is started only when something is missing.

    Raises InputError, EngineError, and KeyboardInterrupt with a hint; what was finished is on the disk then.
    """
    started = time.monotonic()
    wanted = list(recording.jobs(cases, plan))
    journal = journal_of(out)
    with pools.Journal(journal) as pool:
        if pool.repaired:
            click.echo(f"{journal}: the last line was torn, {pool.repaired} bytes cut away", err=True)
        todo = recording.missing(wanted, pool.samples, retry_errors)
        click.echo(f"{journal}: {len(todo)} of {len(wanted)} samples to record", err=True)
        fresh: list[Sample] = []
        if todo:
            try:
                await _ask(todo, pool, concurrency, plan, fresh)
            except asyncio.CancelledError:
                left = len(todo) - len(fresh)
                raise KeyboardInterrupt(f"{left} of {len(todo)} samples left; the same command continues") from None
        samples = pools.merge([*pool.samples, *fresh])
        if journal != out:
            pools.write(out, samples)
            journal.unlink()
    keys = {(job.case.id, job.branch) for job in wanted}
    return Outcome(
        path=str(out),
        cases=len(cases),
        wanted=len(wanted),
        recorded=len(fresh),
        errors=sum(bool(sample.error) for sample in samples if pools.key(sample) in keys),
        tokens=sum(sample.prompt_tokens + sample.completion_tokens for sample in fresh),
        seconds=round(time.monotonic() - started, 1),
    )


def journal_of(out: Path) -> Path:
    """The plain file that grows; for a packed pool it is NAME.jsonl.part, and begins with what was packed before."""
    if out.suffix != ".gz":
        return out
    journal = out.with_suffix(".part")
    if out.exists() and not journal.exists():
        pools.replace(journal, b"".join(line for _, line in read_lines(out)))
    return journal


async def _ask(todo: Sequence[Job], pool: pools.Journal, concurrency: int, plan: Plan, fresh: list[Sample]) -> None:
    """Start the engine and make the calls."""
    await start_engine()
    chosen = settings()
    endpoints = await asyncio.to_thread(endpoints_of, chosen)
    check_model(pool, endpoints)
    model = _model(chosen, endpoints, concurrency, plan)
    failed = 0
    try:
        with Meter("samples", len(todo)) as meter:

            def keep(sample: Sample) -> None:
                nonlocal failed
                pool.append(sample)
                fresh.append(sample)
                failed += bool(sample.error)
                meter.step(f"{failed} errors" if failed else "")

            await recording.record(todo, model, concurrency, keep)
    finally:
        await model.close()


def check_model(pool: pools.Journal, endpoints: Sequence[Endpoint]) -> None:
    """Raises InputError when the pool was recorded from models that are not served here."""
    known = {sample.model for sample in pool.samples if sample.model}
    served = {endpoint.model for endpoint in endpoints}
    if known and not known & served:
        raise InputError(
            f"{str(pool.path)!r} was recorded from {sorted(known)}, here {sorted(served)} is served:"
            " record to another file",
            "other_recording",
        )


def _model(chosen: Settings, endpoints: Sequence[Endpoint], concurrency: int, plan: Plan) -> EngineModel:
    return EngineModel(
        endpoints,
        concurrency=concurrency,
        retries=chosen.retries,
        timeout=max(chosen.call_timeout, plan.timeout),
        on_down=lambda: wait_ready(chosen, chosen.call_timeout),
    )


async def model_of(chosen: Settings, concurrency: int) -> EngineModel:
    """The client for the engine that the settings name, for work without a plan."""
    endpoints = await asyncio.to_thread(endpoints_of, chosen)
    return _model(chosen, endpoints, concurrency, Plan())
