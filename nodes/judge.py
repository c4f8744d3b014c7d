"""The judge: reads what came back, groups it into camps, and says what happens next.

What a specialist computed from the question itself, without the model, decides. Otherwise the plain vote is the floor:
checks of the specialists (failed ones, then passed ones), then the answer span's probability, decide between camps of
equal size only; as a weight on every vote the probability of this kind of small model lost accuracy (see the README).
No model call here: everything is a pure function of candidates, findings and ballots, so a judgement can be repeated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from nodes import stopping, voting
from nodes.contracts import (
    Ballot,
    Camp,
    Candidate,
    Cause,
    Decision,
    Finding,
    Request,
    Route,
    Verdict,
)
from nodes.recomputing import ANSWER

Partial = Literal["deadline", "interrupted"] | None
COMPUTED = "computed"
"""Flag of a candidate without a model call: the specialist read the whole question and computed its answer."""


def from_finding(finding: Finding) -> Candidate | None:
    """The candidate that a Finding with an answer becomes; it competes like a branch."""
    if finding.status != "ok" or finding.answer is None:
        return None
    return Candidate(
        source=f"specialist:{finding.specialist}",
        status="answered",
        answer=finding.answer,
        reading="structured",
        text=finding.working,
        call=finding.calls[-1] if finding.calls else "",
        confidence=finding.confidence,
        flags=() if finding.calls else (COMPUTED,),
        usage=finding.usage,
        seconds=finding.seconds,
    )


def count(request: Request, candidates: Sequence[Candidate]) -> tuple[Camp, ...]:
    """The camps, largest first; members with a failed check are counted.

    Whose answer follows from a miscalculated step votes for what its own steps give (`nodes.recomputing`); it is
    mended by that, not doubted.
    """
    mended = {one.source: found for one in candidates if (found := computed_anew(one))}
    voting_as = [one.model_copy(update={"answer": mended.get(one.source, one.answer)}) for one in candidates]
    return voting.tally(voting_as, request.question, doubted(candidates) - {*mended})


def stated(request: Request, candidates: Sequence[Candidate]) -> tuple[Camp, ...]:
    """The camps of what each candidate says itself: the plain vote that everything is compared with."""
    return voting.tally(candidates, request.question, doubted(candidates))


def doubted(candidates: Sequence[Candidate]) -> set[str]:
    """Sources with a failed check."""
    return {one.source for one in candidates if any(check.outcome == "fail" for check in one.checks)}


def computed_anew(candidate: Candidate) -> str:
    """The answer that the candidate's own steps give, where that is not the one it states; else empty."""
    return next((check.found for check in candidate.checks if check.kind == ANSWER and check.outcome == "fail"), "")


def settled(request: Request, route: Route, candidates: Sequence[Candidate], threshold: float) -> str | None:
    """Why a staged round needs no more branches, or None. Also true of a wave that is still running."""
    if not route.staged:
        return None
    camps = count(request, candidates)
    if computed(camps, candidates):
        return "the answer was computed without a model"
    opened = sum(candidate.source.startswith("branch:") for candidate in candidates)
    found = stopping.stop([camp.votes for camp in camps], max(0, route.budget - opened), threshold)
    return found.reason if found else None


def computed(camps: Sequence[Camp], candidates: Sequence[Candidate]) -> Camp | None:
    """The camp of what was computed from the question itself; None when nothing was, or two such answers differ."""
    sources = {one.source for one in candidates if COMPUTED in one.flags and one.status == "answered"}
    held = [camp for camp in camps if sources & {*camp.sources}]
    return held[0] if len(held) == 1 else None


def judge(
    request: Request,
    route: Route,
    candidates: Sequence[Candidate],
    ballots: Sequence[Ballot] = (),
    *,
    threshold: float,
    partial: Partial = None,
) -> Decision:
    """Decide between next wave, second round and verdict.

    Args:
        request: the question; its offered choices help to compare answers.
        route: budget, and whether waves and a second round are allowed.
        candidates: every line of reasoning that ended, in any order; only `answered` ones vote.
        ballots: the second round's comparisons, empty before it.
        threshold: posterior probability (0-1] at which a staged round ends.
        partial: set when the run was halted; the best answer so far is then the verdict.
    """
    camps = count(request, candidates)
    opened = sum(candidate.source.startswith("branch:") for candidate in candidates)
    if not partial:
        if not camps and route.stand_in and not opened:
            return Decision(next="wave", reason=f"{route.stand_in} has no answer, so one branch takes its place")
        why = settled(request, route, candidates, threshold)
        if route.staged and opened < route.budget and why is None:
            return Decision(next="wave", reason=f"{opened} of {route.budget} branches and no clear lead", camps=camps)
        close = is_close(camps) and not computed(camps, candidates)
        if route.verify and route.form == "closed" and not ballots and close:
            return Decision(next="verify", reason=f"{camps[0].votes} against {camps[1].votes} votes", camps=camps)
    verdict = conclude(camps, candidates, ballots, partial)
    return Decision(next="finish", reason=verdict.decided_by, camps=camps, verdict=verdict)


def is_close(camps: Sequence[Camp]) -> bool:
    """Two camps of similar size: the leader has at most one vote more than the next and no majority of two thirds."""
    return len(camps) > 1 and camps[0].votes - camps[1].votes <= 1 and camps[0].share < 2 / 3


def conclude(
    camps: Sequence[Camp], candidates: Sequence[Candidate], ballots: Sequence[Ballot], partial: Partial
) -> Verdict:
    """The last word on what came back."""
    counts = voting.counts(candidates)
    # Pruned branches were stopped because they could not matter: they are no reason to miss a quorum.
    needed = voting.quorum(len(candidates) - counts.get("pruned", 0))
    votes = sum(camp.votes for camp in camps)
    if votes == 0 and (answer := unfinished(candidates)):
        risky = Verdict(status="answered", answer=answer, decided_by="single", risks=("truncated",))
        return risky.model_copy(update={"counts": counts, "quorum": needed, "partial": partial})
    if votes == 0 or (votes < needed and not partial):
        return Verdict(
            status="no_verdict",
            cause=why_not(counts, partial),
            decided_by="nothing",
            camps=tuple(camps),
            counts=counts,
            quorum=needed,
            partial=partial,
        )
    exact = computed(camps, candidates)
    winner, decided_by = (exact, "computed") if exact else winning(camps, ballots)
    return Verdict(
        status="answered",
        answer=winner.answer,
        cause="disagreement" if winner.votes == 1 and votes > 2 else None,
        decided_by=decided_by,
        agreement=winner.share,
        confidence=winner.confidence,
        camps=tuple(camps),
        counts=counts,
        quorum=needed,
        partial=partial,
        risks=risks(winner, camps, decided_by),
    )


def unfinished(candidates: Sequence[Candidate]) -> str:
    """The longest answer among texts that were cut, for want of one that came to its end; empty without any."""
    cut = sorted((*voting.order(one.source), one.answer) for one in candidates if one.status == "truncated")
    return max((answer for *_, answer in cut), key=len, default="")


def risks(winner: Camp, camps: Sequence[Camp], decided_by: str) -> tuple[str, ...]:
    """What speaks against the verdict."""
    doubted = ("wrong_consensus",) if winner.failed_checks == winner.votes else ()
    outvoted = decided_by == "computed" and camps[0].votes > winner.votes
    return (*doubted, "vote_disagrees") if outvoted else doubted


def winning(camps: Sequence[Camp], ballots: Sequence[Ballot]) -> tuple[Camp, str]:
    """The camp that wins and what decided: a kept second-round choice, the vote, or a tie-break."""
    by_answer: Mapping[str, Camp] = {camp.answer: camp for camp in camps}
    for ballot in ballots:
        chosen = {"first": ballot.first, "second": ballot.second}.get(ballot.outcome, "")
        if chosen in by_answer:
            return by_answer[chosen], "verification"
    if (leader := voting.majority(camps)) is not None:
        total = sum(camp.votes for camp in camps)
        return leader, "single" if total == 1 else "unanimous" if len(camps) == 1 else "majority"
    return tie_break(voting.tied(camps))


def tie_break(tied: Sequence[Camp]) -> tuple[Camp, str]:
    """Between camps of equal size: fewer failed checks, more passed ones, the surer answer span, the first seen."""
    rules = (("checks", voting.by_checks), ("steps", voting.by_steps), ("confidence", voting.by_confidence))
    for name, rule in rules:
        tied = rule(tied)
        if len(tied) == 1:
            return tied[0], name
    return voting.first_seen(tied)[0], "first_seen"


def why_not(counts: Mapping[str, int], partial: Partial) -> Cause:
    """The cause of a missing verdict, from what became of the candidates."""
    if partial:
        return "timeout"
    unread = counts.get("unreadable", 0) + counts.get("truncated", 0)
    return "low_confidence" if unread > counts.get("failed", 0) else "infra"
