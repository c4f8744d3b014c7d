"""The last step: what leaves. Safety rules act on the text, and the answer is put into its envelope."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from nodes.contracts import Answer, Candidate, Hit, Request, Route, Specialist, Usage, Verdict

MASK = "█"


def refusal(hit: Hit) -> Verdict:
    """The verdict of a request that a policy rule ended before any model call."""
    return Verdict(status="no_verdict", cause="refused", decided_by="policy", risks=(f"rule:{hit.rule}",))


def screen(text: str, request: Request, specialists: Iterable[Specialist]) -> list[Hit]:
    """Every policy hit of every specialist on the text that would leave, in text order."""
    hits = [hit for specialist in specialists for hit in specialist.screen(text, request.language)]
    return sorted(hits, key=lambda hit: hit.span)


def redact(text: str, hits: Sequence[Hit], allowed: str) -> str:
    """Mask the spans of `redact` hits, except words that the user wrote in the question."""
    for hit in reversed(hits):
        start, end = hit.span
        if hit.severity == "redact" and text[start:end] not in allowed:
            text = text[:start] + MASK * (end - start) + text[end:]
    return text


def polish(verdict: Verdict, request: Request, specialists: Iterable[Specialist]) -> tuple[Verdict, tuple[str, ...]]:
    """Apply the rules to the verdict's answer: block, redact, add notices."""
    if verdict.status != "answered":
        return verdict, ()
    hits = screen(verdict.answer, request, specialists)
    notices = tuple(dict.fromkeys(hit.notice for hit in hits if hit.notice and hit.severity != "redact"))
    blocking = next((hit for hit in hits if hit.severity == "block"), None)
    if blocking:
        refused = verdict.model_copy(update={"status": "no_verdict", "answer": "", "cause": "refused"})
        return refused.model_copy(update={"risks": (*verdict.risks, f"rule:{blocking.rule}")}), notices
    return verdict.model_copy(update={"answer": redact(verdict.answer, hits, request.question)}), notices


def finish(
    request: Request,
    route: Route,
    verdict: Verdict,
    candidates: Sequence[Candidate],
    specialists: Mapping[str, Specialist],
    *,
    usage: Usage,
    seconds: float,
) -> Answer:
    """The answer that leaves. `usage` covers every call of the run, `seconds` its wall time."""
    verdict, notices = polish(verdict, request, specialists.values())
    if route.block and route.block.notice:
        notices = (route.block.notice,)
    ids = [specialists[name].id for name in route.specialists if name in specialists]
    return Answer(
        run=request.run,
        answer=verdict.answer,
        status=verdict.status,
        cause=verdict.cause,
        partial=verdict.partial,
        route="+".join(ids) or "other",
        budget=route.budget,
        branches=sum(candidate.source.startswith("branch:") for candidate in candidates),
        agreement=verdict.agreement,
        confidence=verdict.confidence,
        tokens=usage.total,
        seconds=round(seconds, 3),
        notices=notices,
    )
