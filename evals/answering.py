"""One question, one way of answering, one outcome. What the ways are called is in `modes`. No model call."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pydantic import Field

from evals import recomputing, routed
from evals.judging import Branch, Question
from evals.rounds import any_of, averaged, seats, wave_seconds
from nodes import judge, voting
from nodes.contracts import Camp, Candidate, Contract, Route, Share, Verdict

WAVES, THRESHOLD = (2, 2, 2, 2), 0.8
REFUSED = Verdict(status="no_verdict", cause="refused", decided_by="policy")


class Outcome(Contract):
    """What one mode made of one question. Shares where it is a mean over branches or orders."""

    id: str
    family: str
    cluster: str
    right: Share
    completed: Share
    """0 when every reply that it rests on ended in an error; such a question is wrong."""
    answered: Share
    agreement: Share = 0.0
    confidence: Share = 0.0
    tokens: float = Field(ge=0)
    """Prompt and generated tokens of the branches that were opened."""
    generated: float = Field(ge=0)
    """Generated tokens of one branch: the mean length."""
    seconds: float = Field(ge=0)
    """Generation time by the measured rates of `rounds.RATES`."""
    branches: float = Field(ge=0)
    answer: str = ""
    decided_by: str = ""


def greedy(question: Question) -> Outcome:
    """The plain reply."""
    if question.greedy is None:
        raise ValueError(f"question {question.id!r} has no greedy reply")
    return _single(question, [question.greedy], "greedy")


def single(question: Question, width: int) -> Outcome:
    """One branch, on average over the first `width`."""
    return _single(question, question.branches[:width], "single")


def _single(question: Question, branches: Sequence[Branch], by: str) -> Outcome:
    n, ones = len(branches), [branch.candidate for branch in branches]
    sure = [one.confidence.mean for one in ones if one.confidence]
    return Outcome(
        id=question.id,
        family=question.family,
        cluster=question.cluster,
        right=sum(branch.right for branch in branches) / n,
        completed=sum(one.status != "failed" for one in ones) / n,
        answered=sum(one.status == "answered" for one in ones) / n,
        agreement=1.0,
        confidence=sum(sure) / len(sure) if sure else 0.0,
        tokens=sum(one.usage.total for one in ones) / n,
        generated=sum(one.usage.completion for one in ones) / n,
        seconds=sum(wave_seconds([one.usage.completion]) for one in ones) / n,
        branches=1,
        answer=ones[0].answer if n == 1 else "",
        decided_by=by,
    )


def vote(question: Question, width: int) -> Outcome:
    """Plain vote of the first `width` branches, ties to the first seen."""
    opened = [branch.candidate for branch in question.branches[:width]]
    camps = judge.stated(question.request, opened)
    return _of_camp(question, opened, camps[0] if camps else None, "vote")


def recomputed(question: Question, width: int) -> Outcome:
    """Plain vote of what the branches' own steps give."""
    opened = [recomputing.recomputed(branch) for branch in question.branches[:width]]
    camps = judge.stated(question.request, opened)
    return _of_camp(question, opened, camps[0] if camps else None, "vote")


Select = Callable[[Sequence[Candidate], Sequence[Camp]], Camp]


def selected(question: Question, width: int, select: Select) -> Outcome:
    """The camp that a rule selects from the first `width` branches."""
    opened = [branch.candidate for branch in question.branches[:width]]
    camps = judge.stated(question.request, opened)
    return _of_camp(question, opened, select(opened, camps) if camps else None, "selected")


def most_confident(opened: Sequence[Candidate], camps: Sequence[Camp]) -> Camp:
    """The camp of the one candidate with the surest answer span; the first seen of equals."""
    known = [one for one in voting.voters(opened) if one.confidence]
    best = max(known, key=lambda one: one.confidence.mean if one.confidence else 0.0, default=None)
    return next((camp for camp in camps if best and best.source in camp.sources), camps[0])


def weighed(opened: Sequence[Candidate], camps: Sequence[Camp]) -> Camp:  # noqa: ARG001 - one shape for all rules
    """The camp with the largest votes times mean confidence."""
    return max(camps, key=lambda camp: camp.votes * camp.confidence)


def by_length(opened: Sequence[Candidate], camps: Sequence[Camp], sign: int) -> Camp:
    """The largest camp; of equals the one with the longest (`sign` 1) or shortest (-1) mean generation."""
    length = {one.source: one.usage.completion for one in opened}
    return max(camps, key=lambda camp: (camp.votes, sign * sum(length[source] for source in camp.sources) / camp.votes))


def judged(question: Question, width: int) -> Outcome:
    """The decision of the judge over the first `width` branches."""
    opened = [branch.candidate for branch in question.branches[:width]]
    decision = judge.judge(question.request, route_of(question, width, staged=False), opened, threshold=1.0)
    return _of_verdict(question, opened, decision.verdict)


def waves(question: Question, sizes: Sequence[int], threshold: float) -> Outcome:
    """The judge with branches opened in waves, in recorded order."""
    staged = route_of(question, sum(sizes), staged=True)
    opened, seconds, verdict = routed.play(question, staged, sizes, threshold)
    return _of_verdict(question, opened, verdict, seconds)


def run(question: Question, decides: routed.Decides) -> Outcome:
    """A whole run of that mode, with the default waves: router, specialists that compute, branches, judge."""
    opened, seconds, verdict = routed.play(question, routed.route(question, decides), WAVES, THRESHOLD)
    return _of_verdict(question, opened, verdict or REFUSED, seconds)


def oracle(question: Question, width: int) -> Outcome:
    """Right when any of the first `width` branches is."""
    branches = question.branches[:width]
    best = next((branch for branch in branches if branch.right), None)
    opened = [branch.candidate for branch in branches]
    found = _of_camp(question, opened, None, "oracle")
    answer = best.candidate.answer if best else ""
    return found.model_copy(update={"right": float(best is not None), "answer": answer, "answered": found.completed})


def route_of(question: Question, width: int, *, staged: bool) -> Route:
    """The route of a run with that many branches and no second round."""
    route = Route(
        top="other", scores={}, reason="judged again", difficulty=0, budget=8, staged=staged, form=question.form
    )
    return route.model_copy(update={"budget": width})  # a recorded pool may be wider than any budget that can be asked


def _of_verdict(
    question: Question, opened: Sequence[Candidate], verdict: Verdict | None, seconds: float | None = None
) -> Outcome:
    if verdict is None:
        raise ValueError(f"the judge has no verdict on {question.id!r}")
    said = Camp(
        answer=verdict.answer,
        sources=(),
        votes=0,
        share=verdict.agreement,
        confidence=verdict.confidence,
        failed_checks=0,
    )
    winner = said if verdict.status == "answered" else None
    return _of_camp(question, opened, winner, verdict.decided_by, seconds)


def _of_camp(
    question: Question,
    opened: Sequence[Candidate],
    winner: Camp | None,
    by: str,
    seconds: float | None = None,
) -> Outcome:
    lengths = [one.usage.completion for one in opened]
    return Outcome(
        id=question.id,
        family=question.family,
        cluster=question.cluster,
        right=float(winner is not None and question.is_right(winner.answer)),
        completed=float(winner is not None or not opened or any(one.status != "failed" for one in opened)),
        answered=float(winner is not None),
        agreement=winner.share if winner else 0.0,
        confidence=min(1.0, winner.confidence) if winner else 0.0,
        tokens=sum(one.usage.total for one in opened),
        generated=sum(lengths) / len(lengths) if lengths else 0.0,
        seconds=wave_seconds(lengths) if seconds is None else seconds,
        branches=len(opened),
        answer=winner.answer if winner else "",
        decided_by=by if winner else "nothing",
    )


def mean_of_orders(
    question: Question, sizes: Sequence[int], threshold: float, orders: int, breaks_ties: bool = True
) -> Outcome:
    """The mean over random orders of the branches, see `rounds`; one size of wave is a plain vote."""
    found = averaged(seats(question, breaks_ties), sizes, threshold, orders, question.id, breaks_ties)
    lengths = [branch.candidate.usage.completion for branch in question.branches]
    return Outcome(
        id=question.id,
        family=question.family,
        cluster=question.cluster,
        right=found.right,
        completed=found.completed,
        answered=found.answered,
        agreement=found.agreement,
        tokens=found.tokens,
        generated=sum(lengths) / len(lengths),
        seconds=found.seconds,
        branches=found.opened,
        decided_by="mean over orders",
    )


def oracle_on_average(question: Question, width: int) -> Outcome:
    """The chance that `width` branches drawn at random hold a right one."""
    held = seats(question, False)
    found = mean_of_orders(question, (width,), 1.0, 1)
    return found.model_copy(update={"right": any_of(held, width), "decided_by": "mean over orders"})
