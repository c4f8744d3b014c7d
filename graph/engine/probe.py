"""What a server really does, asked before it counts as ready: servers ignore what they do not know, with HTTP 200.

Three small requests: the model list (key, name, context window); one completion that is forced to words the model
would never choose, with log-probabilities; the same once more, whose prompt must come from the prefix cache. They
warm the server up as well.
"""

from __future__ import annotations

import time
from typing import Any

from graph.engine import wire
from graph.engine.contracts import Endpoint, Probe
from nodes.errors import EngineError, EngineFault

CHOICES = ("zebra-17", "quartz-42")
LEAST_CONTEXT = 1024
PROMPT = (
    "Below is a list of household rules. Read it, then answer the question that stands under it. "
    + " ".join(f"Rule {n}: item number {n} stays on shelf {n % 4 + 1} unless it rains." for n in range(1, 13))
    + " Question: is item number 7 on the shelf today? Answer yes or no."
)
"""About 250 tokens, so that several whole cache blocks are shared."""


def probe(endpoint: Endpoint, timeout: float = 120) -> Probe:
    """Ask the server. Features that fail are in `faults`; an EngineError means that it could not be asked at all."""
    began = time.monotonic()
    models = served(endpoint.base_url, endpoint.api_key)
    context = models.get(endpoint.model, 0)
    first = _complete(endpoint, timeout)
    again = _complete(endpoint, timeout)
    usage = _mapping(again.get("usage"))
    found = Probe(
        version=version(endpoint.base_url),
        models=tuple(models),
        context=context,
        choice=_content(first) in CHOICES,
        logprobs=_has_logprobs(first),
        cached=_count(_mapping(usage.get("prompt_tokens_details")).get("cached_tokens")),
        prompt=_count(usage.get("prompt_tokens")),
        seconds=round(time.monotonic() - began, 3),
    )
    return found.model_copy(update={"faults": tuple(_faults(endpoint, found))})


def require(found: Probe) -> None:
    """Raise EngineFault when a feature that Octavo needs is missing."""
    if found.faults:
        raise EngineFault(f"the model server cannot do what is needed: {'; '.join(found.faults)}")


def served(base_url: str, key: str | None, timeout: float = 10) -> dict[str, int]:
    """Served models and the context window of each (0 = not said). Raises EngineError."""
    reply = wire.ask(f"{base_url.rstrip('/')}/models", key=key, timeout=timeout)
    try:
        listed = [(entry["id"], wire.context_of(entry.get("max_model_len"))) for entry in reply["data"]]
    except (KeyError, TypeError, AttributeError) as error:
        where = wire.shown(base_url)
        raise EngineFault(f"{where!r} lists its models in a form that cannot be read: {error!r}") from error
    return {name: context for name, context in listed if wire.nameable(name)}


def version(base_url: str) -> str:
    """vLLM's version, empty when the server does not say."""
    try:
        return str(wire.ask(f"{wire.root_of(base_url)}/version")["version"])
    except (EngineError, KeyError, TypeError):
        return ""


def _complete(endpoint: Endpoint, timeout: float) -> dict[str, Any]:
    body = {
        "model": endpoint.model,
        "messages": [{"role": "user", "content": PROMPT}],
        "temperature": 0,
        "max_tokens": 16,
        "logprobs": True,
        "top_logprobs": 2,
        "structured_outputs": {"choice": list(CHOICES)},
    }
    url = f"{endpoint.base_url.rstrip('/')}/chat/completions"
    reply = wire.ask(url, key=endpoint.api_key, body=body, timeout=timeout)
    if not isinstance(reply, dict):
        raise EngineFault(f"{wire.shown(url)!r} answered {str(reply)[:80]!r} instead of a completion")
    return reply


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(value: object) -> int:
    return value if isinstance(value, int) and 0 <= value < 2**53 else 0


def _content(reply: dict[str, Any]) -> str:
    try:
        return str(reply["choices"][0]["message"]["content"]).strip()
    except (KeyError, IndexError, TypeError):
        return ""


def _has_logprobs(reply: dict[str, Any]) -> bool:
    try:
        tokens = reply["choices"][0]["logprobs"]["content"]
        return bool(tokens) and all(token["logprob"] <= 0 and token["top_logprobs"] for token in tokens)
    except (KeyError, IndexError, TypeError):
        return False


def _faults(endpoint: Endpoint, found: Probe) -> list[str]:
    faults = []
    if endpoint.model not in found.models:
        faults.append(f"it serves {', '.join(found.models) or 'nothing'}, not {endpoint.model!r}")
    if not found.choice:
        faults.append("a structured `choice` is not obeyed (vLLM 0.12 or later is needed)")
    if not found.logprobs:
        faults.append("no log-probabilities come back")
    if 0 < found.context < LEAST_CONTEXT:
        faults.append(f"the context window has {found.context} tokens, {LEAST_CONTEXT} are needed")
    if endpoint.supervised and not found.cached:
        faults.append("the prefix cache is off: a prompt sent twice was computed twice")
    return faults
