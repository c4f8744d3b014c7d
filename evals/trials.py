"""A specialist beside the plain path, on requests of its own kind.

The plain path is what a light route does without specialists: one branch. With the specialist, its Finding answers,
and where it has no answer the same branch takes its place, so its price is on top. Both are asked of the real engine,
question by question, with the same model; what comes back is graded by gold that was written before the specialist.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from evals import demands, statistics
from evals.lines import read_lines
from nodes import answers, branch, router, specialists
from nodes.contracts import Contract, Finding, Form, Language, Model, Request, Route, Specialist, Usage
from nodes.errors import InputError

Half = Literal["dev", "closing"]
REQUESTS = Path(__file__).parent / "requests"
_JOINS = re.compile(r"(?:[\s;,；，、.。&*•\-]|\band\b|[和与及])*")
_EDGE = " \t\r\n.。\"'“”‘’「」《》*`"


class Asked(Contract):
    """One request of `evals/requests/<specialist>.jsonl`."""

    id: str
    lang: Language
    text: str
    gold: str
    half: Half
    """`dev` was looked at while the specialist was built, `closing` was kept for the published figure."""
    items: tuple[str, ...] = ()
    """When given, the answer is this set, in any order."""
    check: tuple[dict[str, Any], ...] = ()
    """When given, the demands that the whole reply must meet (`evals.demands`)."""


class Outcome(Contract):
    """What one way of answering gave."""

    right: bool
    answer: str
    tokens: int
    seconds: float
    error: str = ""


class Trial(Contract):
    """One request, answered both ways."""

    specialist: str
    id: str
    half: Half
    plain: Outcome
    helped: Outcome
    status: str
    """Status of the Finding; where it gave no answer, `helped` is the plain answer at the price of both."""
    calls: int = Field(ge=0)
    """Model calls of the specialist."""


@dataclass(frozen=True)
class Row:
    """The line of one specialist in the table."""

    specialist: str
    n: int
    plain: int
    helped: int
    gained: int
    lost: int
    p: float
    """Exact McNemar."""
    answered: int
    """Requests that the specialist answered itself."""
    tokens: float
    """Ratio to the plain path's."""
    seconds: float


def load(name: str, folder: Path = REQUESTS) -> list[Asked]:
    """The requests of one specialist. Raises InputError that names file and line."""
    path, found = folder / f"{name}.jsonl", []
    for number, line in read_lines(path):
        try:
            known = {key: value for key, value in _OBJECT.validate_json(line).items() if key in Asked.model_fields}
            found.append(Asked.model_validate(known))
        except ValidationError as error:
            raise InputError(f"{str(path)!r}, line {number}: {error.errors()[0]['msg']}", "bad_line") from error
    return found


_OBJECT: TypeAdapter[dict[str, Any]] = TypeAdapter(dict[str, Any])


def grade(asked: Asked, answer: str) -> bool:
    """Is it right? A set must be complete and hold nothing else; demands must all be met; else values are compared."""
    if not answer.strip():
        return False
    if asked.check:
        return not demands.faults(answer, [*asked.check])
    if asked.items:
        return _is_set(_folded(answer), sorted(map(_folded, asked.items), key=len, reverse=True))
    context = answers.Context.of(asked.text)
    return answers.equal(answers.parse(answer, context), answers.parse(asked.gold, context))


def _is_set(answer: str, items: Sequence[str]) -> bool:
    """Every item stands in the answer, and beside them only what joins a list; an item may hold a comma itself."""
    for item in items:
        if item not in answer:
            return False
        answer = answer.replace(item, " ", 1)
    return bool(_JOINS.fullmatch(answer))


def _folded(text: str) -> str:
    return " ".join(text.strip(_EDGE).casefold().split())


async def run(specialist: Specialist, asked: Asked, model: Model, others: Mapping[str, Specialist]) -> Trial:
    """Ask both ways, one after the other. Engine errors count as wrong and are told."""
    request = Request(run=f"trial-{asked.id}", question=asked.text, language=asked.lang, mode="light")
    form: Form = "open" if asked.check else router.route(request, others).form
    plain = await _plain(request, form, asked, model)
    findings = await _findings(specialist, request, model, others)
    finding, usage = findings[-1], sum((one.usage for one in findings), Usage())
    said = finding.answer if finding.status == "ok" else None
    helped = Outcome(
        right=plain.right if said is None else grade(asked, said),
        answer=plain.answer if said is None else said,
        tokens=usage.total + (plain.tokens if said is None else 0),
        seconds=sum(one.seconds for one in findings) + (plain.seconds if said is None else 0.0),
        error=finding.error,
    )
    status = finding.status if said is not None or finding.status != "ok" else "no answer"
    return Trial(
        specialist=specialist.name,
        id=asked.id,
        half=asked.half,
        plain=plain,
        helped=helped,
        status=status,
        calls=usage.calls,
    )


async def _plain(request: Request, form: Form, asked: Asked, model: Model) -> Outcome:
    route = Route(top="other", scores={}, reason="", difficulty=0, budget=1, form=form)
    found = await branch.reason(request, route, 0, 0, model)
    answer = found.answer if found.status == "answered" else ""
    return Outcome(
        right=grade(asked, answer), answer=answer, tokens=found.usage.total, seconds=found.seconds, error=found.error
    )


async def _findings(
    specialist: Specialist, request: Request, model: Model, others: Mapping[str, Specialist]
) -> list[Finding]:
    """The finding, behind those that it builds on."""
    found: dict[str, Finding] = {}
    for name in (*specialist.after, specialist.name):
        found[name] = await specialists.consult(others[name], request, found, model, ("all",))
    return list(found.values())


async def run_all(
    wanted: Sequence[tuple[Specialist, Asked]],
    model: Model,
    others: Mapping[str, Specialist],
    concurrency: int,
    keep: Callable[[Trial], None],
) -> None:
    """Every trial, `concurrency` at a time; `keep` gets each as it ends."""
    queue = iter(wanted)

    async def work() -> None:
        for specialist, asked in queue:
            keep(await run(specialist, asked, model, others))

    async with asyncio.TaskGroup() as group:
        for _ in range(concurrency):
            group.create_task(work())


def rows(trials: Iterable[Trial]) -> list[Row]:
    """The table, one row a specialist, by name."""
    by_name: dict[str, list[Trial]] = {}
    for trial in trials:
        by_name.setdefault(trial.specialist, []).append(trial)
    return [_row(name, by_name[name]) for name in sorted(by_name)]


def _row(name: str, trials: Sequence[Trial]) -> Row:
    gained = sum(one.helped.right and not one.plain.right for one in trials)
    lost = sum(one.plain.right and not one.helped.right for one in trials)
    return Row(
        specialist=name,
        n=len(trials),
        plain=sum(one.plain.right for one in trials),
        helped=sum(one.helped.right for one in trials),
        gained=gained,
        lost=lost,
        p=statistics.mcnemar(gained, lost),
        answered=sum(one.status == "ok" for one in trials),
        tokens=_ratio([(one.helped.tokens, one.plain.tokens) for one in trials]),
        seconds=_ratio([(one.helped.seconds, one.plain.seconds) for one in trials]),
    )


def _ratio(pairs: Sequence[tuple[float, float]]) -> float:
    below = sum(second for _, second in pairs)
    return sum(first for first, _ in pairs) / below if below else 0.0
