"""rte-g, format: what a request demands of the form of its reply is read, tested and, where it is syntax, mended.

JSON and tables to repair or convert are done without a model call. Any other request takes one call, for JSON under
the user's own schema. The check reads the demands (`nodes.formats.asked`) and tests a candidate against each; it is
silent on requests without one. `mend` repairs the syntax of a text that leaves and never what it says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

import prompts
from nodes.contracts import Candidate, Check, Contract, Finding, Hit, Language, Model, ModelCall, Reply, Request
from nodes.errors import ContextExceeded, EngineError
from nodes.formats import asked, mending, objects, tasks
from nodes.formats.constraints import Constraint, holds
from nodes.formats.faults import FormatFault
from nodes.messages import digest, fit, messages

_PARTS = frozenset({"json", "schema", "keys", "yaml", "csv", "table", "choices"})
"""Demands that can be tested on an answer that was read out of a longer text."""
_PLAIN_SCHEMA = frozenset(
    {"type", "properties", "required", "items", "enum", "additionalProperties", "description", "title", "$schema"}
)
"""Keywords of a schema that an engine is asked to obey; with others it may refuse or run on."""


class Facts(Contract):
    """What the specialist found."""

    output: str
    """The text that conforms, or comes closest."""
    conforms: bool
    """True = every demand that can be tested is met."""
    how: Literal["repaired", "converted", "written"]
    """Repaired or converted by code, or written by the model."""
    repairs: tuple[str, ...] = ()
    """What was repaired."""
    demands: tuple[Constraint, ...] = ()
    """What the request demands, as far as it was understood."""
    unmet: tuple[str, ...] = ()
    """Kinds of the demands that the output breaks."""


class Format:
    """The format specialist."""

    id = "rte-g"
    name = "format"
    after: tuple[str, ...] = ()
    answers = False
    """Until a measurement on the default model shows that it helps."""
    asks = False
    """Repairs and conversions need no model; the call for other requests has not been measured to help yet."""
    facts: type[Contract] = Facts

    async def answer(self, request: Request, earlier: Mapping[str, Finding], model: Model) -> Finding:  # noqa: ARG002
        """The output: by code where that is possible, else by one model call. Abstains where none is understood."""
        demands = asked.read(request.question, request.language)
        if done := tasks.solve(request.question, request.language):
            return _finding(done.output, done.how, done.repairs, demands)
        if not demands:
            return Finding(specialist=self.name, status="abstained", error="no demand on the form that can be tested")
        call = _call(request, demands)
        try:
            reply = await model.complete(await fit(call, model))
        except (EngineError, ContextExceeded) as fault:
            return Finding(specialist=self.name, status="failed", error=f"{fault.code}: {fault}")
        spent = {"calls": (reply.call,), "usage": reply.usage, "seconds": reply.seconds}
        return _read(reply, request, demands).model_copy(update=spent)

    def check(self, request: Request, candidate: Candidate) -> list[Check]:
        """Test the candidate's answer against each demand of the request; silent where a test is unsure."""
        answer = candidate.answer
        if candidate.status != "answered" or not answer.strip():
            return []
        whole = len(answer.strip()) >= len(candidate.text.strip()) - 2 or candidate.reading in ("whole", "structured")
        at = candidate.text.rfind(answer)
        span = (at, at + len(answer)) if at >= 0 else None
        found = []
        for one in asked.read(request.question, request.language):
            ok, why = holds(one, answer) if whole or one.kind in _PARTS else (None, "")
            if ok is not None:
                found.append(
                    Check(
                        specialist=self.name,
                        kind=one.kind,
                        outcome="pass" if ok else "fail",
                        claim=answer[:200],
                        found=f"{one.claim}: {why}"[:300] if not ok else "",
                        span=span,
                    )
                )
        return found

    def screen(self, text: str, language: Language) -> list[Hit]:  # noqa: ARG002
        """The form of a text has no policy."""
        return []

    def mend(self, request: Request, text: str) -> tuple[str, tuple[str, ...]]:
        """The text that leaves with its syntax repaired, and the names of the repairs. Pure; twice is once."""
        return mending.mend(request, text)


def _call(request: Request, demands: tuple[Constraint, ...]) -> ModelCall:
    """One call; for JSON under the user's schema, where it is a plain one, or any object."""
    prompt = prompts.load(f"specialists/{Format.name}")
    listed = "\n".join(f"- {' '.join(one.claim.split())}" for one in demands)
    return ModelCall(
        run=request.run,
        slot=f"specialist:{Format.name}",
        messages=messages(request, prompt, demands=listed),
        sampling=prompt.sampling,
        prompt=digest(prompt),
        model=prompt.model,
        json_schema=_schema(demands),
    )


def _schema(demands: tuple[Constraint, ...]) -> dict[str, Any] | None:
    """The schema that the engine holds the reply to."""
    for one in demands:
        if one.kind == "schema":
            try:
                schema = objects.strict(one.words[0])
            except FormatFault:
                return None
            return schema if isinstance(schema, dict) and _plain(schema) else None
    return None


def _plain(schema: Any) -> bool:
    """True when only keywords are used that every engine knows."""
    if not isinstance(schema, dict) or set(schema) - _PLAIN_SCHEMA:
        return False
    inner = [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]
    return isinstance(schema.get("type", ""), str) and all(map(_plain, inner))


def _read(reply: Reply, request: Request, demands: tuple[Constraint, ...]) -> Finding:
    """What the reply comes to. A reply that was cut is no output."""
    if reply.finish != "stop" or not reply.text.strip():
        return Finding(
            specialist=Format.name,
            status="failed",
            error=f"parse_error: the reply did not come to its end (finish_reason {reply.finish!r})",
        )
    text, repairs = mending.mend(request, reply.text.strip())
    if any(one.kind in mending.JSON_KINDS for one in demands):
        inner = objects.block(text)
        text = inner.strip() if inner is not None and "text_around" in objects.unwrapped(text)[1] else text
    return _finding(text, "written", repairs, demands)


def _finding(
    output: str,
    how: Literal["repaired", "converted", "written"],
    repairs: tuple[str, ...],
    demands: tuple[Constraint, ...],
) -> Finding:
    unmet = tuple(dict.fromkeys(one.kind for one in demands if holds(one, output)[0] is False))
    facts = Facts(output=output, conforms=not unmet, how=how, repairs=repairs, demands=demands, unmet=unmet)
    said = ", ".join(repairs)
    return Finding(
        specialist=Format.name,
        status="ok",
        facts=facts.model_dump(mode="json"),
        answer=output,
        working=re.sub(r"\s+", " ", f"{how}: {said}") if said else how,
    )


specialist = Format()
