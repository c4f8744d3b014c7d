"""A whole run on recorded branches: the router decides, the specialists compute, waves are opened, the judge concludes.

What costs a model call is left out: the second round, and specialists that would have to ask (they abstain, as they do
by default). Everything else is what `graph.steps` does with the same replies.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal

from evals.judging import Question, checked
from evals.rounds import wave_seconds
from nodes import judge, router, specialists
from nodes.contracts import Candidate, Finding, Request, Route, Specialist, Verdict
from nodes.specialists import Unasked, consult

Decides = Literal["auto", "deep", "light"]


def route(question: Question, mode: Decides) -> Route:
    """The route of a run in that mode, without a second round; the form is the one that the replies were asked for."""
    request = question.request.model_copy(update={"mode": mode})
    found = router.route(request, specialists.load())
    return found.model_copy(update={"verify": False, "form": question.form})


@cache
def computed(request: Request, names: tuple[str, ...]) -> tuple[Candidate, ...]:
    """What these specialists answer without a model call, each tested like a branch."""
    found = asyncio.run(_consulted(request, names))
    competing = (judge.from_finding(finding) for finding in found.values())
    return tuple(checked(one, request, specialists.load()) for one in competing if one)


async def _consulted(request: Request, names: Sequence[str]) -> Mapping[str, Finding]:
    known: Mapping[str, Specialist] = specialists.load()
    found: dict[str, Finding] = {}
    for name in names:
        found[name] = await consult(known[name], request, found, Unasked())
    return found


def play(
    question: Question, decided: Route, sizes: Sequence[int], threshold: float
) -> tuple[list[Candidate], float, Verdict | None]:
    """Run a route. Returns the branches that were opened, the generation time, and the judge's last word.

    None in its place = a rule blocked the request before anything was asked.
    """
    if decided.block:
        return [], 0.0, None
    heard = list(computed(question.request, decided.specialists))
    waves = list(sizes) if decided.staged else [decided.budget]
    opened: list[Candidate] = []
    seconds = 0.0
    decision = judge.judge(question.request, decided, heard, threshold=threshold) if decided.stand_in else None
    while decision is None or decision.next == "wave":
        size = min(waves.pop(0) if waves else decided.budget, decided.budget - len(opened))
        wave = [branch.candidate for branch in question.branches[len(opened) : len(opened) + size]]
        ended = until_settled(question, decided, [*opened, *(heard if opened else [])], wave, threshold)
        seconds += wave_seconds([one.usage.completion for one in ended])
        opened += ended
        decision = judge.judge(question.request, decided, [*opened, *heard], threshold=threshold)
    return opened, seconds, decision.verdict


def until_settled(
    question: Question, decided: Route, earlier: Sequence[Candidate], wave: Sequence[Candidate], threshold: float
) -> list[Candidate]:
    """The wave's candidates; those that were still writing when the round was settled are `pruned`.

    Which ones that is follows from the lengths, because the streams of a wave share the engine evenly.
    """
    arrivals = sorted(wave, key=lambda one: one.usage.completion)
    for count in range(1, len(arrivals)):
        if judge.settled(question.request, decided, [*earlier, *arrivals[:count]], threshold):
            written = arrivals[count - 1].usage.completion
            return [_cut(one, written) if one.usage.completion > written else one for one in arrivals]
    return list(wave)


def _cut(one: Candidate, written: int) -> Candidate:
    usage = one.usage.model_copy(update={"completion": written})
    return Candidate(source=one.source, stance=one.stance, status="pruned", usage=usage)
