"""rte-f, style: a text is rewritten by the model; what it must keep is found and tested by code.

One model call with its own verbs. The caller's glossary is put in afterwards, by code. The check takes the source text
out of the request and looks in the candidate for every number, name, code span and address, for the language and the
length; it is silent on requests that are no rewriting.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

import prompts
from nodes.contracts import Candidate, Check, Contract, Finding, Hit, Language, Model, ModelCall, Request
from nodes.errors import ContextExceeded, EngineError
from nodes.language import detect
from nodes.messages import digest, fit, messages
from nodes.wording import asked, glossary
from nodes.wording.asked import Task
from nodes.wording.kept import Kind, kept, lost

BOUNDS: dict[str, tuple[float, float]] = {"shorter": (0.1, 0.98), "longer": (1.02, 12.0), "same": (0.25, 4.0)}
"""Length of a rewriting over that of its source; beyond them it is another text."""
_NAMED: dict[Kind, str] = {"code": "code", "url": "url", "number": "numbers", "name": "names"}


class Facts(Contract):
    """What the specialist found."""

    rewritten: str
    tone: str = ""
    """The register that was asked for; empty when none was understood."""
    glossary: dict[str, str] = Field(default_factory=dict)
    """Terms that were replaced, with what by."""
    preserved: tuple[str, ...] = ()
    """Numbers, names, code and addresses of the source that stand in the result."""
    lost: tuple[str, ...] = ()
    """Those that do not."""


class Style:
    """The style specialist. `glossary` holds terms that the result must use."""

    id = "rte-f"
    name = "style"
    after: tuple[str, ...] = ()
    answers = False
    """Until a measurement on the default model shows that it helps."""
    asks = False
    """Not measured to help yet."""
    facts: type[Contract] = Facts

    def __init__(self, glossary: Mapping[str, str] | None = None) -> None:
        self.glossary = dict(glossary or {})

    async def answer(self, request: Request, earlier: Mapping[str, Finding], model: Model) -> Finding:  # noqa: ARG002
        """The rewritten text. A reply that was cut is none."""
        prompt = prompts.load(f"specialists/{self.name}")
        call = ModelCall(
            run=request.run,
            slot=f"specialist:{self.name}",
            messages=messages(request, prompt),
            sampling=prompt.sampling,
            prompt=digest(prompt),
            model=prompt.model,
        )
        try:
            reply = await model.complete(await fit(call, model))
        except (EngineError, ContextExceeded) as fault:
            return Finding(specialist=self.name, status="failed", error=f"{fault.code}: {fault}")
        spent = {"calls": (reply.call,), "usage": reply.usage, "seconds": reply.seconds}
        text = reply.text.strip()
        if reply.finish != "stop" or not text:
            error = f"parse_error: the reply did not come to its end (finish_reason {reply.finish!r})"
            return Finding(specialist=self.name, status="failed", error=error, **spent)
        return self._finding(text, asked.read(request.question)).model_copy(update=spent)

    def _finding(self, text: str, task: Task | None) -> Finding:
        text, used = glossary.apply(text, self.glossary)
        gone = {one.text for one in lost(task.source, text, _kinds(task))} if task else set()
        there = kept(task.source) if task else ()
        facts = Facts(
            rewritten=text,
            tone=task.register if task else "",
            glossary=used,
            preserved=tuple(one.text for one in there if one.text not in gone),
            lost=tuple(one.text for one in there if one.text in gone),
        )
        return Finding(specialist=self.name, status="ok", facts=facts.model_dump(mode="json"), answer=text)

    def check(self, request: Request, candidate: Candidate) -> list[Check]:
        """What of the source survives in the candidate's answer; its language; its length."""
        task = asked.read(request.question)
        if task is None or candidate.status != "answered" or not candidate.answer.strip():
            return []
        answer = candidate.answer.strip()
        found = [*self._survival(task, answer), *self._shape(task, answer)]
        at = candidate.text.rfind(answer)
        span = (at, at + len(answer)) if at >= 0 else None
        return [one.model_copy(update={"span": span}) for one in found]

    def _survival(self, task: Task, answer: str) -> list[Check]:
        """One check for each kind of thing that the source has."""
        checks = []
        wanted = {one.text.casefold(): one for one in kept(task.source)}
        for term in self.glossary:
            wanted.pop(term.casefold(), None)
        gone = lost(task.source, answer, _kinds(task))
        for kind in dict.fromkeys(one.kind for one in wanted.values() if one.kind in _kinds(task)):
            missing = [one.text for one in gone if one.kind == kind and one.text.casefold() in wanted]
            checks.append(self._check(_NAMED[kind], not missing, answer, f"lost: {', '.join(missing)}"))
        return checks

    def _shape(self, task: Task, answer: str) -> list[Check]:
        checks = []
        if task.target is not None and len(answer) >= asked.SHORTEST:
            spoken = detect(answer)
            checks.append(self._check("language", spoken == task.target, answer, f"written in {spoken}"))
        if not task.translated:
            low, high = BOUNDS[task.length]
            ratio = len(answer) / len(task.source)
            checks.append(self._check("length", low <= ratio <= high, answer, f"{ratio:.2f} of the source"))
        return checks

    def _check(self, kind: str, ok: bool, answer: str, found: str) -> Check:
        outcome = "pass" if ok else "fail"
        return Check.model_validate(
            {
                "specialist": self.name,
                "kind": kind,
                "outcome": outcome,
                "claim": answer[:200],
                "found": "" if ok else found[:300],
            }
        )

    def screen(self, text: str, language: Language) -> list[Hit]:  # noqa: ARG002
        """Style has no policy."""
        return []


def _kinds(task: Task) -> frozenset[Kind]:
    """What can be looked for: a translation may write a name in other letters and a number in other words; a text
    made shorter may leave names out.
    """
    if task.translated:
        return frozenset({"code", "url"})
    return frozenset({"code", "url", "number"}) if task.length == "shorter" else frozenset(_NAMED)


specialist = Style()
