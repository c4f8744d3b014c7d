"""The messages of a call: what all calls of a request share comes first, what differs comes last.

The system text and the beginning of the user message (the question) are the same bytes for branches, specialists and
the second round, so the engine's prefix cache holds them once per request.
"""

from __future__ import annotations

import prompts
from nodes.contracts import Message, Model, ModelCall, Request
from prompts import Prompt


def messages(request: Request, prompt: Prompt, **slots: str) -> tuple[Message, ...]:
    """Shared system text, then `prompt`, which begins with the question; `slots` fill the rest of it."""
    system = prompts.load("system").render(request.language)
    user = prompt.render(request.language, question=request.question, **slots)
    return Message(role="system", content=system), Message(role="user", content=user)


def digest(*used: Prompt) -> str:
    """Digest of the shared system text and the prompts that a call was made of."""
    return prompts.digest([prompts.load("system").digest, *(prompt.digest for prompt in used)])


async def fit(call: ModelCall, model: Model) -> ModelCall:
    """The same call, its token cap lowered to what the context window leaves; intake made sure that it is enough."""
    window = await model.measure(call.messages, call.model)
    room = max(1, window.limit - window.tokens)
    if room >= call.sampling.max_tokens:
        return call
    return call.model_copy(update={"sampling": call.sampling.model_copy(update={"max_tokens": room})})
