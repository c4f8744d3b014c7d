"""The second round: the two leading camps are compared blind, in both orders.

The model sees the question and two bare answers named A and B, never who said them, how often, or the reasoning, and
chooses one token: A, B, or N for neither. Asked in both orders; only a choice that survives the swap counts, because
judges change their mind with position most often on close pairs (PEERS: GPT-4 kept 65 % of verdicts on swapped
pairs). A flip, a "neither" or an engine error keeps the vote.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import Literal

from nodes.contracts import Ballot, Camp, Model, ModelCall, Reply, Request, Usage
from nodes.errors import ContextExceeded, EngineError
from nodes.messages import digest, fit, messages
from prompts import load

CHOICES = ("A", "B", "N")
_MEANING: dict[str, tuple[str, str]] = {"A": ("first", "second"), "B": ("second", "first"), "N": ("none", "none")}
_FORMATTING = re.compile(r"\\boxed\{(.*)\}|(\*\*|`)(.+?)\2", re.DOTALL)


def blind(answer: str, limit: int = 400) -> str:
    """An answer without emphasis around it (style biases judges), on one line, at most `limit` characters."""
    return " ".join(_FORMATTING.sub(lambda found: found[1] or found[3] or "", answer).split())[:limit]


def ballot_call(request: Request, answers: tuple[str, str], order: Literal["ab", "ba"]) -> ModelCall:
    """The call that compares two answers in one order."""
    a, b = answers if order == "ab" else answers[::-1]
    prompt = load("verify")
    return ModelCall(
        run=request.run,
        slot=f"verify:{order}",
        messages=messages(request, prompt, a=blind(a), b=blind(b)),
        sampling=prompt.sampling,
        prompt=digest(prompt),
        model=prompt.model,
        choices=CHOICES,
        logprobs=5,  # kept with the call: how sure each order was
    )


def outcome(choices: Sequence[str]) -> Literal["first", "second", "keep"]:
    """What both orders agree on, or `keep`."""
    if len(choices) == 2 and choices[0] == choices[1]:
        if choices[0] == "first":
            return "first"
        if choices[0] == "second":
            return "second"
    return "keep"


async def cross_examine(request: Request, camps: Sequence[Camp], model: Model) -> Ballot:
    """Compare the two leading camps; never raises for engine trouble, which keeps the vote."""
    answers = (camps[0].answer, camps[1].answer)
    orders: tuple[Literal["ab", "ba"], ...] = ("ab", "ba")
    calls = [asyncio.ensure_future(_ask(ballot_call(request, answers, order), model)) for order in orders]
    try:
        replies = await asyncio.gather(*calls)
    except (EngineError, ContextExceeded) as error:
        return Ballot(first=answers[0], second=answers[1], choices=(), outcome="keep", error=f"{error.code}: {error}")
    finally:
        for call in calls:
            call.cancel()  # when one order fails, the other is stopped, and kept before the run's tokens are summed
        await asyncio.wait(calls)
    choices = tuple(meaning(reply, swapped) for reply, swapped in zip(replies, (False, True), strict=True))
    return Ballot(
        first=answers[0],
        second=answers[1],
        choices=choices,
        outcome=outcome(choices),
        usage=sum((reply.usage for reply in replies), Usage()),
        calls=tuple(reply.call for reply in replies),
    )


async def _ask(call: ModelCall, model: Model) -> Reply:
    return await model.complete(await fit(call, model))


def meaning(reply: Reply, swapped: bool) -> str:
    """Which camp a reply chose; anything off the menu is `none`, and so is a reply that did not come to its end."""
    if reply.finish != "stop":
        return "none"
    return _MEANING.get(reply.text.strip(), ("none", "none"))[swapped]
