"""Replies of the scripted server: what a vLLM would send, as bytes, rendered once and cached.

The shape of every chunk was taken from recorded streams of vLLM 0.32 (`tests/graph/replies/`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

MODEL = "default"
CONTEXT = 32_768
CREATED = 1_796_000_000
_PIECE = re.compile(r"\s*\S{1,6}|\s+")


def event(data: Any) -> bytes:
    """One server-sent event."""
    return b"data: " + json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n\n"


def count(messages: Sequence[Mapping[str, Any]]) -> int:
    """Prompt tokens by a fixed rule: one for three bytes, eight for each message."""
    return sum(8 + len(str(message.get("content", "")).encode("utf-8", "surrogatepass")) // 3 for message in messages)


def split(text: str, chunks: int | None) -> list[str]:
    """Cut `text` into exactly `chunks` pieces (the last ones empty when it is short), or into word-like tokens."""
    if chunks is None:
        return _PIECE.findall(text) or [""]
    step = max(1, -(-len(text) // chunks))
    pieces = [text[at : at + step] for at in range(0, len(text), step)]
    return pieces + [""] * (chunks - len(pieces))


def _logprobs(token: str, alternatives: int) -> dict[str, Any]:
    """Log-probabilities of one token; the sampled one leads."""
    names = [token, *(f"alt{i}" for i in range(1, alternatives))]
    top = [
        {"token": name, "logprob": -0.05123456789 - 2.5 * rank, "bytes": list(name.encode())}
        for rank, name in enumerate(names)
    ]
    return {"content": [{**top[0], "top_logprobs": top[: max(alternatives, 0)]}]}


def _chunk(choices: list[dict[str, Any]], usage: dict[str, Any] | None, model: str) -> bytes:
    head = {"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": CREATED, "model": model}
    return event(head | {"choices": choices} | ({"usage": usage} if usage else {}))


def _usage(prompt: int, completion: int) -> dict[str, Any]:
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": prompt // 32 * 32 // 2},
    }


@lru_cache(maxsize=4096)
def stream(
    text: str, chunks: int | None, alternatives: int | None, prompt: int, model: str, finish: str, usage: bool
) -> tuple[bytes, ...]:
    """The events of one streamed reply; `alternatives` None = no log-probabilities, `usage` = after every chunk."""
    pieces = split(text, chunks)
    events = [_chunk([_choice({"role": "assistant", "content": ""}, None, None)], None, model)]
    for number, piece in enumerate(pieces, start=1):
        logprobs = None if alternatives is None else _logprobs(piece, alternatives)
        ending = finish if number == len(pieces) else None
        choice = _choice({"content": piece}, logprobs, ending)
        events.append(_chunk([choice], _usage(prompt, number) if usage else None, model))
    events.append(_chunk([], _usage(prompt, len(pieces)), model))
    return (*events, b"data: [DONE]\n\n")


def _choice(delta: dict[str, Any], logprobs: dict[str, Any] | None, finish: str | None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "logprobs": logprobs, "finish_reason": finish}


def whole(text: str, alternatives: int | None, prompt: int, model: str, finish: str) -> bytes:
    """The reply to a request that did not ask for a stream."""
    pieces = split(text, None)
    content = None if alternatives is None else [_logprobs(p, alternatives)["content"][0] for p in pieces]
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": text},
        "logprobs": None if content is None else {"content": content},
        "finish_reason": finish,
    }
    body = {"id": "chatcmpl-scripted", "object": "chat.completion", "created": CREATED, "model": model}
    return json.dumps(body | {"choices": [choice], "usage": _usage(prompt, len(pieces))}).encode()


def obey(body: Mapping[str, Any], otherwise: str) -> str:
    """Text that respects `structured_outputs` and `response_format`; `otherwise` for free text."""
    structured = body.get("structured_outputs") or {}
    if structured.get("choice"):
        return str(structured["choice"][0])
    schema = ((body.get("response_format") or {}).get("json_schema") or {}).get("schema") or structured.get("json")
    return json.dumps(instance(schema, schema)) if schema else otherwise


def instance(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """The smallest value of a plain JSON schema (object, array, string, enum, integer, number, boolean, $ref)."""
    if "$ref" in schema:
        return instance(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    for branch in ("anyOf", "oneOf"):
        if branch in schema:
            return instance(schema[branch][0], root)
    match schema.get("type"):
        case "object":
            properties = schema.get("properties", {})
            return {name: instance(properties[name], root) for name in schema.get("required", properties)}
        case "array":
            return [instance(schema.get("items", {}), root) for _ in range(schema.get("minItems", 0))]
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "boolean":
            return False
        case "null":
            return None
    return "x" * schema.get("minLength", 1)
