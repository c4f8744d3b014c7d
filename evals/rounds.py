"""Rounds in random orders, fast: what a width or a stopping rule gives on average, not by luck of one order.

The camps of a question are found once, by the judge's own tally over all its branches, and each round then only counts.
Two things differ from `nodes.judge` on the opened branches alone: a vague answer stays in the camp that all branches
together gave it, and nothing is cancelled inside a wave.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from evals.judging import Question
from nodes import judge, stopping

RATES = {1: 12.0, 2: 20.0, 3: 28.5, 4: 37.0, 5: 43.5, 6: 50.0, 7: 56.5, 8: 63.0, 16: 86.0}
"""Tokens a second of all streams together, by streams: the int8 model on two cores, measured at 1, 2, 4, 8 and 16."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One branch as a round sees it."""

    camp: int | None
    """None = it does not vote."""
    right: bool
    """Its camp's answer is a right one."""
    doubted: bool
    """A check has failed."""
    passed: int
    """Checks that have passed."""
    sure: float | None
    """Mean probability of the answer span."""
    failed: bool
    """The call came to nothing."""
    prompt: int
    completion: int


@dataclass(frozen=True, slots=True)
class Round:
    """What one order gave, or the mean of several."""

    right: float
    completed: float
    answered: float
    agreement: float
    tokens: float
    seconds: float
    opened: float


def seats(question: Question, judged: bool = True) -> tuple[Seat, ...]:
    """Every branch of a question with its camp: as the judge counts them, or by what each says itself."""
    candidates = [branch.candidate for branch in question.branches]
    camps = (judge.count if judged else judge.stated)(question.request, candidates)
    place = {source: number for number, camp in enumerate(camps) for source in camp.sources}
    fits = [question.is_right(camp.answer) for camp in camps]
    mended = {one.source for one in candidates if judged and judge.computed_anew(one)}
    suspects = judge.doubted(candidates) - mended
    found = []
    for branch in question.branches:
        one, camp = branch.candidate, place.get(branch.candidate.source)
        found.append(
            Seat(
                camp=camp,
                right=camp is not None and fits[camp],
                doubted=one.source in suspects,
                passed=sum(check.outcome == "pass" for check in one.checks),
                sure=one.confidence.mean if one.confidence else None,
                failed=one.status == "failed",
                prompt=one.usage.prompt,
                completion=one.usage.completion,
            )
        )
    return tuple(found)


def play(order: Sequence[Seat], sizes: Sequence[int], threshold: float, breaks_ties: bool = True) -> Round:
    """Open the branches in waves until the rule ends the round.

    Args:
        order: the branches in the order in which they are opened.
        sizes: of the waves; one size = all at once.
        threshold: as in `nodes.stopping.stop`.
        breaks_ties: by checks and confidence, as the judge does; False = the camp seen first, a plain vote.
    """
    total, opened, seconds = min(sum(sizes), len(order)), 0, 0.0
    for size in sizes:
        wave = order[opened : opened + size]
        seconds += wave_seconds([seat.completion for seat in wave])
        opened += len(wave)
        votes = Counter(seat.camp for seat in order[:opened] if seat.camp is not None)
        ranked = sorted(votes.values(), reverse=True)
        if opened >= total or settled(tuple(ranked[:2]), total - opened, threshold):
            break
    seen = order[:opened]
    winner = leader(seen, breaks_ties)
    said = sum(votes.values())
    return Round(
        right=float(any(seat.right for seat in seen if seat.camp == winner and winner is not None)),
        completed=float(any(not seat.failed for seat in seen)),
        answered=float(winner is not None),
        agreement=votes[winner] / said if winner is not None else 0.0,
        tokens=sum(seat.prompt + seat.completion for seat in seen),
        seconds=seconds,
        opened=opened,
    )


@lru_cache(maxsize=4096)
def settled(leaders: tuple[int, ...], remaining: int, threshold: float) -> bool:
    """Whether these votes end a round."""
    return stopping.stop(leaders, remaining, threshold) is not None


def leader(seen: Sequence[Seat], breaks_ties: bool) -> int | None:
    """The winning camp of the opened branches; ties as `nodes.judge.tie_break` decides them."""
    members: dict[int, list[Seat]] = {}
    for seat in seen:
        if seat.camp is not None:
            members.setdefault(seat.camp, []).append(seat)
    if not members:
        return None
    if not breaks_ties:
        return max(members, key=lambda camp: len(members[camp]))
    return max(members, key=lambda camp: (len(members[camp]), *_evidence(members[camp])))


def _evidence(camp: Sequence[Seat]) -> tuple[float, float, float]:
    """What decides between camps of equal size, in this order."""
    passed = round(sum(seat.passed for seat in camp) / len(camp), 3)
    return -_doubted(camp), passed, _sure(camp)


def _doubted(camp: Sequence[Seat]) -> int:
    return sum(seat.doubted for seat in camp)


def _sure(camp: Sequence[Seat]) -> float:
    known = [seat.sure for seat in camp if seat.sure is not None]
    return sum(known) / len(known) if known else 0.0


def averaged(
    found: Sequence[Seat], sizes: Sequence[int], threshold: float, orders: int, seed: str, breaks_ties: bool = True
) -> Round:
    """The mean round over random orders of one question's branches; `seed` should name the question."""
    rounds = [play(order, sizes, threshold, breaks_ties) for order in shuffled(found, orders, seed)]
    names = ("right", "completed", "answered", "agreement", "tokens", "seconds", "opened")
    return Round(*(sum(getattr(one, name) for one in rounds) / len(rounds) for name in names))


def shuffled(found: Sequence[Seat], orders: int, seed: str) -> Iterator[Sequence[Seat]]:
    """Random orders with all their rotations, at least `orders`: every branch comes first equally often."""
    rng = random.Random(seed)  # noqa: S311 - a draw, not a secret
    for _ in range(-(-orders // max(1, len(found)))):
        order = rng.sample(found, len(found))
        yield from (order[at:] + order[:at] for at in range(len(order)))


def any_of(found: Sequence[Seat], width: int) -> float:
    """Chance that `width` branches drawn at random hold a right one: hypergeometric, exact."""
    wrong, missed = sum(not seat.right for seat in found), 1.0
    for drawn in range(min(width, len(found))):
        missed *= max(0, wrong - drawn) / (len(found) - drawn)
    return 1.0 - missed


def rate(streams: int) -> float:
    """Tokens a second of `streams` together: straight lines between the measured ones, level beyond the last."""
    known = sorted(RATES)
    above = next((width for width in known if width >= streams), known[-1])
    below = max((width for width in known if width <= streams), default=above)
    if above == below or streams >= known[-1]:
        return RATES[below]
    return RATES[below] + (RATES[above] - RATES[below]) * (streams - below) / (above - below)


def wave_seconds(lengths: Sequence[int]) -> float:
    """Generation time of streams that start together: each second is shared among those still running."""
    seconds, done = 0.0, 0
    left = sorted(lengths)
    for index, length in enumerate(left):
        streams = len(left) - index
        seconds += (length - done) * streams / rate(streams)
        done = length
    return seconds
