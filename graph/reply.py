"""From a recorded exchange to a Reply: one function for live and replayed calls, so both read the same bytes alike."""

from __future__ import annotations

import math
from typing import Any

from graph.exchange import Exchange
from nodes.contracts import Reply, Usage
from nodes.errors import EngineFault
from nodes.thinking import separate

_CAP = 20.0
"""Largest distance in log-probability that is reported; exp(-20) is below what a quantised model can mean."""


def reply_of(exchange: Exchange, replayed: bool = False) -> Reply:
    """Read the assembled response of an exchange. Raises EngineFault when it holds no completion."""
    try:
        return _read(exchange, exchange.response or {}, replayed)
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        raise EngineFault(f"call {exchange.id!r} holds no readable completion: {error!r}") from error


def _read(exchange: Exchange, response: dict[str, Any], replayed: bool) -> Reply:
    choice = response["choices"][0]
    finish = str(choice.get("finish_reason") or "")
    message = choice["message"]
    thinking = separate(message.get("content") or "")
    reasoning = message.get("reasoning") or message.get("reasoning_content") or thinking.reasoning
    content = (choice.get("logprobs") or {}).get("content") or []
    return Reply(
        call=exchange.id,
        text=thinking.answer,
        reasoning=reasoning,
        finish=finish,
        usage=usage_of(response),
        tokens=tuple(token["token"] for token in content),
        logprobs=tuple(min(0.0, token["logprob"]) for token in content),
        margins=tuple(map(margin, content)),
        first=_alternatives(content[0]) if content else {},
        model=str(response.get("model") or exchange.model),
        seconds=exchange.seconds,
        first_token=exchange.first_token,
        replayed=replayed,
    )


def _alternatives(token: dict[str, Any]) -> dict[str, float]:
    """Log-probability by text; of two tokens with the same text, the likelier."""
    found: dict[str, float] = {}
    for other in token.get("top_logprobs") or ():
        found[other["token"]] = max(other["logprob"], found.get(other["token"], other["logprob"]))
    return found


def usage_of(response: dict[str, Any]) -> Usage:
    """Tokens of one response; what the server does not say, or says wrongly, counts as 0.

    Thinking that the server does not count gets its share of the completion by characters.
    """
    usage = _mapping(response.get("usage"))
    completion = _count(usage.get("completion_tokens"))
    thought = _count(_mapping(usage.get("completion_tokens_details")).get("reasoning_tokens"))
    return Usage(
        prompt=_count(usage.get("prompt_tokens")),
        completion=completion,
        cached=_count(_mapping(usage.get("prompt_tokens_details")).get("cached_tokens")),
        reasoning=min(completion, thought or _thought(response, completion)),
        calls=1,
    )


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(value: Any) -> int:
    return value if isinstance(value, int) and 0 <= value < 2**53 else 0


def _thought(response: dict[str, Any], completion: int) -> int:
    """Completion tokens of the thinking text, estimated."""
    choices = response.get("choices")
    first = _mapping(choices[0]) if isinstance(choices, list) and choices else {}
    message = _mapping(first.get("message"))
    content, given = message.get("content"), message.get("reasoning") or message.get("reasoning_content")
    if not isinstance(content, str) or not (given or "</think>" in content or "<think>" in content):
        return 0
    thinking = separate(content)
    thought = len(given) if isinstance(given, str) else len(thinking.reasoning)
    total = thought + len(thinking.answer)
    return round(completion * thought / total) if total else 0


def margin(token: dict[str, Any]) -> float:
    """Log-probability of a token minus that of the best other one, within +-20.

    When the server names no other token, the rest of the probability mass stands in: the margin is then at least this.
    """
    chosen: float = min(0.0, token["logprob"])
    others = [other["logprob"] for other in token.get("top_logprobs") or ()]
    if chosen in others:
        others.remove(chosen)
    rest = -math.expm1(chosen)
    best = max(others, default=math.log(rest) if rest > 0 else -math.inf)
    return round(max(-_CAP, min(_CAP, chosen - best)), 4)
