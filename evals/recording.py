"""Record replies once, judge them many times.

Every call is the committee's own: the same messages, parameters and reader as in a run, so that what a pool shows is
what a run would have seen. All calls of a question go out together, question first, and are served from the engine's
prefix cache. What the engine fails at is a sample with an error; what shows that nobody serves ends the recording,
which the same command continues.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import prompts
from evals.contracts import GREEDY, Case, Sample
from nodes.branch import FORMS, branch_call, read_candidate, stance
from nodes.contracts import Candidate, Form, Model, ModelCall, Reply, Request
from nodes.errors import (
    EngineDenied,
    EngineError,
    EngineFault,
    EngineUnreachable,
    InputError,
    ModelNotServed,
)
from nodes.intake import check_text, check_window
from nodes.language import detect
from nodes.messages import digest, fit, messages

Stances = Literal["stances", "same"]
NOBODY_SERVES = (EngineUnreachable, EngineDenied, ModelNotServed)
"""Errors after which the next call would fail alike."""
PATIENCE = 3
"""Rounds (of as many calls as may be in flight) that may fail without a success in between."""
MAX_TEXT = 1_000_000
"""Characters of a question at the most; the context window is smaller."""
_PLACES = 4
"""Decimals of a log-probability; a quantised model means no more."""


@dataclass(frozen=True)
class Plan:
    """What is asked of every case."""

    branches: int = 8
    greedy: bool = False
    """Also the plain prompt at temperature 0."""
    stances: Stances = "stances"
    """`stances` = those of the committee in turn; `same` = the plain prompt, without a stance, every time."""
    form: Form = "closed"
    temperature: float | None = None
    """None = as the prompt says; greedy is at 0 always."""
    max_tokens: int | None = None
    """None = as the prompt says."""
    timeout: float = 900.0
    """Seconds for one call, where the prompt allows less: a recording is loaded for throughput, and a reply that is
    cut off by the clock would be a wrong answer of the machine, not of the model."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """Branches in the order in which they are sent."""
        return ((GREEDY,) if self.greedy else ()) + tuple(range(self.branches))

    def plain(self, branch: int) -> bool:
        """True for a branch that is asked without a stance."""
        return branch == GREEDY or self.stances == "same"


@dataclass(frozen=True)
class Job:
    """One call to make."""

    case: Case
    branch: int
    request: Request
    call: ModelCall
    form: Form
    stance: str
    """Name of the stance; empty for the plain prompt."""


def jobs(cases: Iterable[Case], plan: Plan) -> Iterator[Job]:
    """Every call of the plan, the branches of a case next to each other."""
    for case in cases:
        request = Request(run=case.id, question=case.text, language=case.lang or detect(case.text))
        for branch in plan.numbers:
            name = "" if plan.plain(branch) else stance(branch)
            yield Job(case, branch, request, call_of(request, branch, plan), plan.form, name)


def call_of(request: Request, branch: int, plan: Plan) -> ModelCall:
    """The committee's call of a branch, or the plain one, with the plan's changes; its digest tells them."""
    make = plain_call if plan.plain(branch) else branch_call
    call = make(request, plan.form, branch)
    changes: dict[str, float] = {}
    if branch == GREEDY:
        changes["temperature"] = 0.0
    elif plan.temperature is not None:
        changes["temperature"] = plan.temperature
    if plan.max_tokens is not None:
        changes["max_tokens"] = plan.max_tokens
    timeout = max(call.sampling.timeout, plan.timeout)
    sampling = call.sampling.model_copy(update={**changes, "timeout": timeout})
    changed = prompts.digest([call.prompt, changes]) if changes else call.prompt
    return call.model_copy(update={"sampling": sampling, "prompt": changed})


def plain_call(request: Request, form: Form, branch: int) -> ModelCall:
    """The branch prompt without any stance: the baseline of every comparison."""
    prompt = prompts.load(FORMS[form])
    bare = prompt.model_copy(
        update={"sections": {name: text.replace("{{stance}}\n", "") for name, text in prompt.sections.items()}}
    )
    return ModelCall(
        run=request.run,
        slot=f"plain:{max(branch, 0)}",
        messages=messages(request, bare),
        sampling=prompt.sampling,
        prompt=digest(bare),
        model=prompt.model,
        logprobs=2,
    )


def missing(wanted: Sequence[Job], known: Iterable[Sample], retry_errors: bool = True) -> list[Job]:
    """The jobs that the pool has no sample of, in their order.

    Raises InputError when the pool answers one of them under other prompts, parameters or wording: it is another
    recording, and the two must not be mixed.
    """
    by_key = {(sample.id, sample.branch): sample for sample in known}
    todo = []
    for job in wanted:
        sample = by_key.get((job.case.id, job.branch))
        if sample is not None:
            _check_same(job, sample)
        if sample is None or (retry_errors and sample.error):
            todo.append(job)
    return todo


def _check_same(job: Job, sample: Sample) -> None:
    where = f"the pool's sample {job.case.id!r}, branch {job.branch}"
    if sample.question != job.case.text:
        raise InputError(f"{where}, is of another question with that id: record to another file", "other_recording")
    if sample.prompt != job.call.prompt:
        raise InputError(
            f"{where}, was recorded with prompt {sample.prompt or 'unknown'}, now it would be {job.call.prompt}"
            " (a prompt, the temperature or another parameter has changed): record to another file",
            "other_recording",
        )


async def ask(job: Job, model: Model) -> Sample:
    """Make one call. Raises what shows that nobody serves; any other error, of engine or question, is a sample."""
    try:
        check_text(job.case.text, MAX_TEXT)
        await check_window(job.request, model)
        reply = await model.complete(await fit(job.call, model))
    except NOBODY_SERVES:
        raise
    except (EngineError, InputError) as error:
        return sample_of(job, None, f"{error.code}: {error}")
    empty = Candidate(source=f"branch:{max(job.branch, 0)}", stance=job.stance, status="failed")
    return sample_of(job, reply, read_candidate(empty, reply, job.request, job.form).error)


def engine_failed(sample: Sample) -> bool:
    """True when the engine is to blame, not a question that cannot be asked or is too long."""
    return sample.error.startswith("engine_")


def sample_of(job: Job, reply: Reply | None, error: str = "") -> Sample:
    """The line that a pool keeps of one call."""
    case = job.case
    return Sample(
        id=case.id,
        family=case.family,
        question=case.text,
        gold=case.gold,
        accepted=case.accepted,
        branch=job.branch,
        group=case.group,
        stance=job.stance,
        prompt=job.call.prompt,
        temperature=job.call.sampling.temperature,
        lang=job.request.language,
        form=job.form,
        error=error,
        **(_said(reply) if reply else {}),
    )


def _said(reply: Reply) -> dict[str, object]:
    return {
        "text": reply.text,
        "reasoning": reply.reasoning,
        "finish_reason": reply.finish,
        "tokens": tuple(
            (token, round(value, _PLACES)) for token, value in zip(reply.tokens, reply.logprobs, strict=True)
        ),
        "margins": tuple(round(value, _PLACES) for value in reply.margins),
        "prompt_tokens": reply.usage.prompt,
        "completion_tokens": reply.usage.completion,
        "cached_tokens": reply.usage.cached,
        "seconds": round(reply.seconds, 3),
        "model": reply.model,
    }


async def record(todo: Sequence[Job], model: Model, concurrency: int, keep: Callable[[Sample], None]) -> None:
    """Make all calls, `concurrency` of them at a time, in their order; `keep` gets each sample as it is finished.

    Raises the first EngineError that shows that nobody serves, or an EngineFault when `PATIENCE` rounds have failed;
    calls in flight are cancelled then, as on cancellation.
    """
    queue, failures = iter(todo), 0

    async def work() -> None:
        nonlocal failures
        for job in queue:
            sample = await ask(job, model)
            keep(sample)
            failures = failures + 1 if engine_failed(sample) else 0
            if failures >= PATIENCE * concurrency:
                raise EngineFault(f"the last {failures} calls have failed, this one with {sample.error}")

    workers = [asyncio.create_task(work()) for _ in range(min(concurrency, len(todo)))]
    try:
        await asyncio.gather(*workers)
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
