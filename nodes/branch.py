"""One line of reasoning: a stance, one model call, and the answer read from it.

Eight stances, not eight samples (REQUIREMENTS A2). A rendered prompt begins with what every call of a request shares
(system text, question) and ends with the stance, so that the engine's prefix cache serves the question once. What
goes wrong with the engine ends this branch, never the run, and never becomes an answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import prompts
from nodes import answers
from nodes.answers import Reading
from nodes.confidence import answer_span
from nodes.contracts import Candidate, Form, Message, Model, ModelCall, Reply, Request, Route
from nodes.cutting import finished
from nodes.errors import ContextExceeded, EngineError
from nodes.flags import flags
from nodes.messages import digest, fit, messages

STANCES = ("direct", "conditions", "sceptic", "both_sides", "counterexample", "symbols", "programmer", "core")
"""Prompts of `prompts/stances/`, in the order in which branches take them."""
FORMS: dict[Form, str] = {"closed": "branch", "open": "open"}
"""Prompt by the form of the answer."""
ENDED = "stop"
"""finish_reason of a text that came to its end."""
CUT = frozenset({"length", "repetition"})
"""Values of finish_reason of a text that did not; any other value says that the server gave up."""
_ANSWER_LINE = re.compile(r"\W*(?:(?:final\s+)?answer|(?:最终)?答案)\W*[:：]", re.IGNORECASE)


def stance(index: int) -> str:
    """Name of the stance of branch `index`; a ninth branch begins again."""
    return STANCES[index % len(STANCES)]


def branch_messages(request: Request, form: Form, stance: str) -> tuple[Message, ...]:
    """Messages of the branch that takes `stance`."""
    words = prompts.load(f"stances/{stance}").render(request.language)
    return messages(request, prompts.load(FORMS[form]), stance=words)


def longest_messages(request: Request) -> tuple[Message, ...]:
    """The longest of all branch prompts of a request, in characters."""
    every = (branch_messages(request, form, stance) for form in FORMS for stance in STANCES)
    return max(every, key=lambda found: len(found[-1].content))


async def reason(
    request: Request, route: Route, index: int, wave: int, model: Model, on_text: Callable[[str], None] | None = None
) -> Candidate:
    """Think once, as branch `index` (from 0) of wave `wave`. Never sees another branch.

    An error of the engine ends the branch as a `failed` Candidate; cancellation passes through.
    """
    name = stance(index)
    empty = Candidate(source=f"branch:{index}", wave=wave, stance=name, status="failed")
    try:
        call = await fit(branch_call(request, route.form, index), model)
        reply = await model.complete(call, on_text)
    except (EngineError, ContextExceeded) as error:
        return empty.model_copy(update={"error": f"{error.code}: {error}"})
    return read_candidate(empty, reply, request, route.form)


def branch_call(request: Request, form: Form, index: int) -> ModelCall:
    """The model call of branch `index`."""
    name = stance(index)
    prompt, words = prompts.load(FORMS[form]), prompts.load(f"stances/{name}")
    return ModelCall(
        run=request.run,
        slot=f"branch:{index}",
        messages=branch_messages(request, form, name),
        sampling=prompt.sampling,
        prompt=digest(prompt, words),
        model=prompt.model,
        logprobs=2,
    )


def read_candidate(empty: Candidate, reply: Reply, request: Request, form: Form) -> Candidate:
    """What a reply says. How it ended is looked at before its text. A cut open text keeps what of it is finished."""
    cut = reply.finish in CUT
    given_up = not cut and reply.finish != ENDED
    reading = None if given_up else _answer(reply.text, request, form, cut)
    found: dict[str, object] = {"status": "truncated" if cut else "unreadable"}
    if given_up:
        found = {"status": "failed", "error": f"engine_fault: the server ended the reply with {reply.finish!r}"}
    elif cut and form == "open":  # used when nothing better comes, see `nodes.judge`
        found |= {"answer": whole, "reading": "whole"} if (whole := finished(reply.text)) else {}
    elif reading:
        found = {"status": "answered", "answer": reading.answer, "reading": reading.kind}
        if form == "closed":
            found["confidence"] = answer_span(reply, *reading.span)
    return empty.model_copy(
        update=found
        | {
            "text": reply.text,
            "call": reply.call,
            "flags": flags(reply, request, form, cut),
            "finish": reply.finish,
            "usage": reply.usage,
            "seconds": reply.seconds,
        }
    )


def _answer(text: str, request: Request, form: Form, cut: bool) -> Reading | None:
    """The marked answer. In a cut text only a whole answer line counts: a box may hold a value on the way."""
    offered = answers.choices(request.question)
    if not cut:
        return answers.read(text, form, offered)
    reading = answers.read(finished_part(text), form, offered) if form == "closed" else None
    return reading if reading and whole_line(text, reading) else None


def whole_line(text: str, reading: Reading) -> bool:
    """True when the answer stands on a line of its own that begins with the mark of an answer."""
    line = text[text.rfind("\n", 0, reading.span[0]) + 1 : reading.span[0]]
    return bool(_ANSWER_LINE.match(line))


def finished_part(text: str) -> str:
    """A cut text up to its last finished line or closing brace, whichever is later."""
    return text[: max(text.rfind("\n"), text.rfind("}") + 1, 0)]
