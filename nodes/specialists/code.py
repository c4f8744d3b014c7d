"""rte-e, code: what a program does is observed, not imagined.

A question that its program itself decides (what it prints, returns, raises, where; whether it parses; which name
nothing binds) is answered without a model call: by `ast` and `symtable`, by evaluating the program step by step
(`nodes.source`), and, only where running is allowed, in the sandbox. Any other goes to the model, which has to trace.
The check does the same with a candidate: its answer against the observed one, the output that it states for its own
program against the real one, and whether its Python parses and binds its names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from nodes import structured
from nodes.contracts import Candidate, Check, Contract, Finding, Hit, Language, Model, Request
from nodes.errors import ModelCallOff
from nodes.sandbox import Limits
from nodes.source import defects, names, questions, snippets, solving, syntax
from nodes.source.checking import checks
from nodes.source.observing import Observer

MOST = 40
"""Entries of each list of facts."""


class Defect(Contract):
    """One suspicious place of the program."""

    line: int
    """Line of the program, from 1; 0 where none is known."""
    kind: str
    why: str


class Plan(Contract):
    """What the model is asked for."""

    trace: str = ""
    """The steps of the program. They come first: without them a small model guesses."""
    defect: str = ""
    answer: str


class Facts(Contract):
    """What the specialist found."""

    language: str = ""
    """`python`, or what the fence of the question says; empty where there is no code."""
    scopes: tuple[str, ...] = ()
    """`scope: kind name, name` of each scope and kind of binding."""
    calls: tuple[str, ...] = ()
    """`caller -> called`, the program's own functions only, in order of lines."""
    raises: tuple[str, ...] = ()
    """`line: exception` of each `raise` and `assert`."""
    defects: tuple[Defect, ...] = ()
    asked: str = ""
    """Kind of the question where the program decides it."""
    by: Literal["nothing", "reading", "evaluation", "run", "model"] = "nothing"
    """Where the answer comes from: `reading` = syntax and names, `run` = the sandbox."""


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("trace", "defect", "answer")},
    "required": ["trace", "defect", "answer"],
    "additionalProperties": False,
}
"""Strings only: a small model that may leave an array empty does so."""


class Code:
    """The code specialist. With `limits`, programs that cannot be evaluated are run in the sandbox within them."""

    id = "rte-e"
    name = "code"
    after: tuple[str, ...] = ()
    answers = True
    asks = False
    """What is observed answers without a model; the trace by the model has not been measured to help yet."""
    facts: type[Contract] = Facts

    def __init__(self, limits: Limits | None = None) -> None:
        self.observer = Observer(limits)

    async def answer(self, request: Request, earlier: Mapping[str, Finding], model: Model) -> Finding:  # noqa: ARG002
        """What the program decides; else what the model's trace says; without the model the facts alone."""
        facts = described(request.question)
        if asked := questions.read(request.question):
            known, by = await solving.asolve(asked, self.observer)
            if known is not None:
                told = facts.model_copy(update={"asked": asked.kind, "by": by})
                return _found(told, known, f"{asked.kind}{': ' * bool(asked.expression)}{asked.expression} -> {known}")
        try:
            asked_model = await structured.ask(request, self.name, Plan, SCHEMA, model)
        except ModelCallOff:
            if not facts.language:
                raise
            return _found(facts, None, "")
        spent = {"calls": asked_model.calls, "usage": asked_model.usage, "seconds": asked_model.seconds}
        if asked_model.value is None:
            return Finding(specialist=self.name, status="failed", error=asked_model.error, **spent)
        finding = _planned(asked_model.value, facts)
        return finding.model_copy(update=spent | {"repaired": asked_model.repaired})

    def check(self, request: Request, candidate: Candidate) -> list[Check]:
        """Test answer, stated outputs, syntax and names; silent where unsure. Blocks while programs are run."""
        return checks(request, candidate, self.observer)

    def screen(self, text: str, language: Language) -> list[Hit]:  # noqa: ARG002
        """Code has no policy."""
        return []


def described(question: str) -> Facts:
    """What can be read off the one program of a question."""
    found = snippets.asked(question)
    if found is None:
        said = next((one.language for one in snippets.blocks(question) if one.language), "")
        return Facts(language="python" if said in snippets.PYTHON else said)
    source = found[0].code
    module = syntax.tree(source)
    if module is None:
        return Facts(language="python" if found[0].language in snippets.PYTHON else "")
    return Facts(
        language="python",
        scopes=tuple(f"{scope}: {kind} {', '.join(own)}" for scope, kind, own in names.scopes(source))[:MOST],
        calls=tuple(f"{caller} -> {called}" for caller, called in defects.call_chain(module))[:MOST],
        raises=tuple(f"{line}: {what}" for line, what in defects.raised(module))[:MOST],
        defects=tuple(
            Defect(line=one.line, kind=one.kind, why=one.why) for one in defects.defects(source, module)[:MOST]
        ),
    )


def _planned(plan: Plan, facts: Facts) -> Finding:
    """The finding of a trace by the model; an empty answer abstains."""
    answer = plan.answer.strip()
    if not answer:
        return Finding(specialist=Code.name, status="abstained", working=plan.trace.strip(), error="no answer")
    noted = (*facts.defects, Defect(line=0, kind="traced", why=plan.defect.strip())) if plan.defect.strip() else None
    told = facts.model_copy(update={"by": "model"} | ({"defects": noted} if noted else {}))
    return _found(told, answer, plan.trace.strip())


def _found(facts: Facts, answer: str | None, working: str) -> Finding:
    return Finding(
        specialist=Code.name, status="ok", facts=facts.model_dump(mode="json"), answer=answer, working=working
    )


specialist = Code()
