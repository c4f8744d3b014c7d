"""How a prompt fits the model's context window, as cheaply as honesty allows.

A byte-level tokenizer makes at most one token of a byte, so a short prompt needs no question to the server. A longer
one is counted by vLLM's own `/tokenize`; a server without it gets an estimate.
"""

from __future__ import annotations

from collections.abc import Sequence

import httpx2
from openai import APIStatusError

from graph.connections import Client, Endpoint, public, root
from graph.engine.wire import context_of, nameable
from graph.faults import fault_of
from graph.stream import Unreadable, estimate
from nodes.contracts import Message, Window
from nodes.errors import EngineUnreachable, ModelNotServed

UNKNOWN = 1_000_000_000
"""Limit of a server that does not tell its context length: its own 400 is then the only check."""
_TEMPLATE = 16
"""Tokens that a chat template spends on one message."""
_PREAMBLE = 64
"""Tokens that a chat template may add on its own, for example a default system text."""
_ROOM = 1024
"""Tokens, and at least half the window, that must be left to the reply for the byte bound alone to decide."""


_PATIENCE = 30.0
"""Seconds for one question to the server."""
_LOST = (httpx2.RequestError, httpx2.InvalidURL, TimeoutError)
_ODD = (Unreadable, ValueError, RecursionError, KeyError, TypeError, AttributeError)
"""What a server that is none of ours makes of its answer. UnicodeEncodeError, of a lone surrogate, is a ValueError."""


def bound(messages: Sequence[Message]) -> int:
    """The largest number of tokens that these messages can have."""
    return _PREAMBLE + sum(_TEMPLATE + _bytes(message) for message in messages)


def _bytes(message: Message) -> int:
    return len(message.content.encode("utf-8", "surrogatepass"))


def at_a_glance(messages: Sequence[Message], limit: int) -> Window | None:
    """A Window without asking anybody (tokens = upper bound), or None when it takes a closer look."""
    most = bound(messages)
    return Window(tokens=most, limit=limit, exact=False) if most + max(_ROOM, limit // 2) <= limit else None


async def count(client: Client, endpoint: Endpoint, model: str, messages: Sequence[Message], limit: int) -> Window:
    """A Window by the server's tokenizer, or estimated where it has none."""
    body = {
        "model": model,
        "messages": [{"role": message.role, "content": message.content} for message in messages],
        "add_generation_prompt": True,
    }
    try:
        reply = await client.plain("POST", f"{root(endpoint.base_url)}/tokenize", body, _PATIENCE)
        tokens = reply["count"]
        if not (isinstance(tokens, int) and 0 < tokens < UNKNOWN):
            raise TypeError("count is no number of tokens")
        return Window(tokens=tokens, limit=min(limit, context_of(reply.get("max_model_len")) or limit), exact=True)
    except (APIStatusError, *_LOST, *_ODD):
        tokens = sum(_TEMPLATE // 2 + estimate(_bytes(message)) for message in messages)
        return Window(tokens=tokens, limit=limit, exact=False)


async def served(client: Client, endpoint: Endpoint, model: str) -> int:
    """Context length of a served model by `/v1/models`.

    Raises EngineUnreachable, EngineDenied, ModelNotServed or EngineFault.
    """
    where = public(endpoint.base_url)
    try:
        reply = await client.plain("GET", f"{endpoint.base_url.rstrip('/')}/models", None, _PATIENCE)
        listed = [(entry["id"], context_of(entry.get("max_model_len"))) for entry in reply["data"]]
    except APIStatusError as error:
        raise fault_of(error.status_code, error.body, where) from error
    except _LOST as error:
        raise EngineUnreachable(f"no connection to {where}; is the engine running? See `octavo doctor`") from error
    except _ODD as error:
        raise EngineUnreachable(f"{where} does not answer as an OpenAI server does: {error!r}") from error
    models = {name: context for name, context in listed if nameable(name)}
    if model not in models:
        raise ModelNotServed(f"{where} does not serve {model!r}, it serves {sorted(models)[:10]}; set OCTAVO_MODEL")
    return models[model] or UNKNOWN
