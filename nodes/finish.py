"""The last step: what leaves. Safety rules act on the text, and the answer is put into its envelope."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from nodes.contracts import Answer, Camp, Candidate, Hit, Request, Route, Specialist, Usage, Verdict

MASK = "█"
DOUBT = {
    "en": "Every line of reasoning behind this answer has a step that did not survive recalculation.",
    "zh": "支持这个答案的每条推理都有一步经重新计算不成立。",
}
"""Notice of the risk `wrong_consensus`."""
CUT = {
    "en": "The reply was cut off before its end; what is shown stops after the last finished passage.",
    "zh": "回答没有写完就被截断，这里只保留到最后一个完整的段落或句子。",
}
"""Notice of the risk `truncated`."""
MENDED = {"en": "Its syntax was repaired: {}.", "zh": "已修正其语法：{}。"}
"""Notice of what `mend` did."""


def refusal(hit: Hit) -> Verdict:
    """The verdict of a request that a policy rule ended before any model call."""
    return Verdict(status="no_verdict", cause="refused", decided_by="policy", risks=(f"rule:{hit.rule}",))


def screen(text: str, request: Request, specialists: Collection[Specialist]) -> list[Hit]:
    """Every policy hit of every specialist on the text that would leave, in text order."""
    hits = [hit for specialist in specialists for hit in specialist.screen(text, request.language)]
    return sorted(hits, key=lambda hit: hit.span)


def spared(hit: Hit, text: str, request: Request) -> bool:
    """True for a span to mask that the user wrote in the question: to repeat it tells nobody anything."""
    return hit.severity == "redact" and text[hit.span[0] : hit.span[1]] in request.question


def redact(text: str, hits: Sequence[Hit]) -> str:
    """Mask the spans of `redact` hits; they are in text order."""
    for hit in reversed(hits):
        start, end = hit.span
        if hit.severity == "redact":
            text = text[:start] + MASK * (end - start) + text[end:]
    return text


def cleaned(verdict: Verdict, hits: Sequence[Hit], request: Request, specialists: Collection[Specialist]) -> Verdict:
    """The verdict with its answer masked, and the answers of its camps as well: they are kept and shown beside it."""

    def mask(camp: Camp) -> Camp:
        found = [hit for hit in screen(camp.answer, request, specialists) if not spared(hit, camp.answer, request)]
        return camp.model_copy(update={"answer": redact(camp.answer, found)})

    return verdict.model_copy(
        update={"answer": redact(verdict.answer, hits), "camps": tuple(mask(camp) for camp in verdict.camps)}
    )


def mended(verdict: Verdict, request: Request, specialists: Collection[Specialist]) -> tuple[Verdict, tuple[str, ...]]:
    """The verdict with the syntax of its answer repaired by those who bring `mend(request, text) -> (text, repairs)`.

    Every letter and digit stays; the camps keep what was said.
    """
    text, done = verdict.answer, list[str]()
    for specialist in specialists:
        if mend := getattr(specialist, "mend", None):
            text, repairs = mend(request, text)
            done += repairs
    words = (MENDED[request.language].format(", ".join(done)),) if done else ()
    return verdict.model_copy(update={"answer": text}), words


def polish(verdict: Verdict, request: Request, specialists: Collection[Specialist]) -> tuple[Verdict, tuple[str, ...]]:
    """Repair the form of the verdict's answer, then apply the rules to it: block, redact, add notices."""
    if verdict.status != "answered":
        return verdict, ()
    verdict, repaired = mended(verdict, request, specialists)
    hits = screen(verdict.answer, request, specialists)
    hits = [hit for hit in hits if not spared(hit, verdict.answer, request)]
    notices = (*repaired, *dict.fromkeys(hit.notice for hit in hits if hit.notice))
    blocking = next((hit for hit in hits if hit.severity == "block"), None)
    if blocking:
        refused = verdict.model_copy(update={"status": "no_verdict", "answer": "", "cause": "refused"})
        return refused.model_copy(update={"risks": (*verdict.risks, f"rule:{blocking.rule}")}), notices
    return cleaned(verdict, hits, request, specialists), notices


def finish(
    request: Request,
    route: Route,
    verdict: Verdict,
    candidates: Sequence[Candidate],
    specialists: Mapping[str, Specialist],
    *,
    usage: Usage,
    seconds: float,
) -> tuple[Answer, Verdict]:
    """The answer that leaves, and the verdict as the rules left it: what they took out is nowhere else.

    `usage` covers every call of the run, `seconds` is its wall time.
    """
    verdict, notices = polish(verdict, request, specialists.values())
    if route.block and route.block.notice:
        notices = (route.block.notice,)
    for risk, words in (("wrong_consensus", DOUBT), ("truncated", CUT)):
        if risk in verdict.risks and verdict.status == "answered":
            notices = (*notices, words[request.language])
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
    ), verdict
