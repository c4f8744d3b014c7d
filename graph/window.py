"""How a prompt fits the model's context window, as cheaply as honesty allows.

A byte-level tokenizer makes at most one token of a byte, so a short prompt needs no question to the server. A longer
one is counted by vLLM's own `/tokenize`; a server without it gets an estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import httpx2
from openai import APIConnectionError, APIStatusError, AsyncOpenAI

from graph.connections import Endpoint, public, root
from graph.faults import fault_of
from graph.stream import estimate
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


def bound(messages: Sequence[Message]) -> int:
    """The largest number of tokens that these messages can have."""
    return _PREAMBLE + sum(_TEMPLATE + _bytes(message) for message in messages)


def _bytes(message: Message) -> int:
    return len(message.content.encode("utf-8", "surrogatepass"))


def at_a_glance(messages: Sequence[Message], limit: int) -> Window | None:
    """A Window without asking anybody (tokens = upper bound), or None when it takes a closer look."""
    most = bound(messages)
    return Window(tokens=most, limit=limit, exact=False) if most + max(_ROOM, limit // 2) <= limit else None


async def count(client: AsyncOpenAI, endpoint: Endpoint, model: str, messages: Sequence[Message], limit: int) -> Window:
    """A Window by the server's tokenizer, or estimated where it has none."""
    body = {
        "model": model,
        "messages": [{"role": message.role, "content": message.content} for message in messages],
        "add_generation_prompt": True,
    }
    try:
        reply = await _json(client, "POST", f"{root(endpoint.base_url)}/tokenize", body)
        return Window(tokens=int(reply["count"]), limit=min(limit, reply.get("max_model_len") or limit), exact=True)
    except (APIStatusError, APIConnectionError, ValueError, KeyError, TypeError, AttributeError):
        tokens = sum(_TEMPLATE // 2 + estimate(_bytes(message)) for message in messages)
        return Window(tokens=tokens, limit=limit, exact=False)


async def served(client: AsyncOpenAI, endpoint: Endpoint, model: str) -> int:
    """Context length of a served model by `/v1/models`.

    Raises EngineUnreachable, EngineDenied, ModelNotServed or EngineFault.
    """
    where = public(endpoint.base_url)
    try:
        models = {entry["id"]: entry for entry in (await _json(client, "GET", "/models", None))["data"]}
    except APIStatusError as error:
        raise fault_of(error.status_code, error.body, where) from error
    except APIConnectionError as error:
        raise EngineUnreachable(f"no connection to {where}; is the engine running? See `octavo doctor`") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise EngineUnreachable(f"{where} does not answer as an OpenAI server does: {error!r}") from error
    if model not in models:
        raise ModelNotServed(f"{where} does not serve {model!r}, it serves {sorted(models)}; set OCTAVO_MODEL")
    return int(models[model].get("max_model_len") or UNKNOWN)


async def _json(client: AsyncOpenAI, method: str, path: str, body: object) -> dict[str, Any]:
    """One plain JSON exchange, with a short timeout."""
    if method == "GET":
        response = await client.get(path, cast_to=httpx2.Response, options={"timeout": 30.0})
    else:
        response = await client.post(path, body=body, cast_to=httpx2.Response, options={"timeout": 30.0})
    return dict(response.json())
