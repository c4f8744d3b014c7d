"""From the bytes of an event stream to one `chat.completion` object. Pure: no network, no clock.

The client reads the stream itself, for three reasons: the exact JSON must be kept, a stream that just ends must not
pass for a reply, and building a typed object for every chunk costs more than everything else a call does. A reply is
whole only when the server named a finish_reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

LARGEST = 64 * 1024 * 1024
"""Bytes of one reply that are read at all; a server that sends more is broken."""
LONGEST = 4 * 1024 * 1024
"""Bytes of one line; an event of a completion has some hundreds."""
_FLOOR = -9999.0
"""vLLM's log-probability of a token that the grammar forbids; also stands for -inf, which JSON does not know."""
_BOM = b"\xef\xbb\xbf"
_JSON = json.JSONDecoder(parse_constant=lambda _: _FLOOR)
"""Reads `-Infinity` and `NaN`, which some servers send, as numbers that can be stored."""


class Unreadable(Exception):
    """The stream carries something that is no chunk of a completion."""


class ServerError(Exception):
    """The stream, or a reply with status 200, carries an `error` object instead of a completion."""

    def __init__(self, error: Any) -> None:
        super().__init__(str(error))
        self.error = error


class Lines:
    """Splits a byte stream into the payloads of its `data:` lines, however the network cut it."""

    def __init__(self) -> None:
        self._rest = b""
        self._size = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Payloads completed by `data`. Raises Unreadable when the stream or a line of it is too long."""
        self._size += len(data)
        if self._size == len(data):
            data = data.removeprefix(_BOM)  # the first bytes of a stream; a mark that is cut in two is no mark
        *lines, self._rest = (self._rest + data).split(b"\n")
        if self._size > LARGEST or len(self._rest) > LONGEST:
            raise Unreadable(f"more than {LARGEST} bytes, or than {LONGEST} in one line")
        return _payloads(lines)

    def end(self) -> Iterator[bytes]:
        """The payload of a last line without a line end."""
        return _payloads([self._rest])


def _payloads(lines: list[bytes]) -> Iterator[bytes]:
    for line in lines:
        if line.startswith(b"data:"):
            yield line[5:].strip()


class Assembly:
    """Collects the chunks of one streamed completion."""

    def __init__(self) -> None:
        self.finish = ""
        """The server's finish_reason, unchanged; empty until it came."""
        self.ended = False
        """True once `[DONE]` came."""
        self.usage: dict[str, Any] | None = None
        self._head: dict[str, Any] = {}
        self._choice: dict[str, Any] = {}
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._tokens: list[dict[str, Any]] = []
        self._ids: list[int] = []
        self._pieces = 0

    @property
    def begun(self) -> bool:
        """True once the server sent a chunk with something generated in it."""
        return self._pieces > 0

    def feed(self, payload: bytes) -> str:
        """Take one event and return the piece of text it adds. Raises Unreadable or ServerError."""
        if payload == b"[DONE]":
            self.ended = True
            return ""
        try:
            return self._chunk(_JSON.decode(payload.decode()))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise Unreadable(f"{type(error).__name__} at {payload[:200].decode('utf-8', 'replace')!r}") from error

    def _chunk(self, chunk: dict[str, Any]) -> str:
        """One chunk, in the order that matters: error, usage, finish_reason, text."""
        if chunk.get("error"):
            raise ServerError(chunk["error"])
        if isinstance(chunk.get("usage"), dict) and chunk["usage"]:
            self.usage = chunk["usage"]
        if not self._head:
            self._head = {key: chunk[key] for key in ("id", "created", "model") if key in chunk}
        if "system_fingerprint" in chunk:
            self._head["system_fingerprint"] = chunk["system_fingerprint"]
        for choice in chunk["choices"]:
            if choice.get("index", 0) == 0:
                return self._add(choice, choice.get("delta") or {})
        return ""

    def _add(self, choice: dict[str, Any], delta: dict[str, Any]) -> str:
        """The first choice of a chunk."""
        if choice.get("finish_reason"):
            self.finish = (
                str(choice["finish_reason"]).encode("utf-8", "replace").decode()
            )  # a lone surrogate is no text
            self._choice = {key: choice[key] for key in ("stop_reason",) if choice.get(key) is not None}
        text = delta.get("content") or ""
        thought = delta.get("reasoning") or delta.get("reasoning_content") or ""
        if not isinstance(text, str) or not isinstance(thought, str):
            raise TypeError("content is no text")
        logprobs = (choice.get("logprobs") or {}).get("content") or ()
        if text or thought or logprobs:
            self._pieces += 1
        if text:
            self._text.append(text)
        if thought:
            self._reasoning.append(thought)
        if logprobs:
            self._tokens.extend(map(compact, logprobs))
        if choice.get("token_ids"):
            self._ids.extend(choice["token_ids"])
        return text

    def response(self, prompt_bytes: int) -> dict[str, Any]:
        """The chunks as one `chat.completion`. Usage is estimated, and says so, when the server sent none."""
        message = {"role": "assistant", "content": "".join(self._text)}
        if self._reasoning:
            message["reasoning"] = "".join(self._reasoning)
        choice = {"index": 0, "message": message, "finish_reason": self.finish or None} | self._choice
        if self._tokens:
            choice["logprobs"] = {"content": self._tokens}
        if self._ids:
            choice["token_ids"] = self._ids
        return {"object": "chat.completion"} | self._head | {"choices": [choice], "usage": self._usage(prompt_bytes)}

    def _usage(self, prompt_bytes: int) -> dict[str, Any]:
        if self.usage is not None:
            return self.usage
        if not self.begun:
            return {"prompt_tokens": 0, "completion_tokens": 0, "estimated": True}
        completion = len(self._tokens) or self._pieces
        return {"prompt_tokens": estimate(prompt_bytes), "completion_tokens": completion, "estimated": True}


def whole(payload: bytes) -> dict[str, Any]:
    """A reply that is no stream: a `chat.completion` from a server that ignores `stream`. Raises as `feed` does."""
    try:
        body = _JSON.decode(payload.decode())
        if body.get("error"):
            raise ServerError(body["error"])
        choice = body["choices"][0]
        content = (choice.get("logprobs") or {}).get("content")
        if content:
            choice["logprobs"] = {"content": [compact(token) for token in content]}
        text = choice["message"].get("content") or ""
        if not isinstance(text, str):
            raise TypeError("content is no text")
        choice["message"]["content"] = text
        return dict(body)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise Unreadable(f"{type(error).__name__} at {payload[:200].decode('utf-8', 'replace')!r}") from error


def compact(token: dict[str, Any]) -> dict[str, Any]:
    """One token with its alternatives: numbers at 4 decimals, no byte lists (they repeat the text)."""
    top = [{"token": other["token"], "logprob": _round(other["logprob"])} for other in token.get("top_logprobs") or ()]
    return {"token": token["token"], "logprob": _round(token["logprob"]), "top_logprobs": top}


def _round(value: float) -> float:
    """Four decimals, no minus before a zero; anything that is no log-probability becomes the floor."""
    return round(value, 4) + 0.0 if _FLOOR < value < 1.0 else _FLOOR


def estimate(prompt_bytes: int) -> int:
    """Tokens of so many UTF-8 bytes, roughly: English has 4 to 5 bytes a token, Chinese about 4, code 3."""
    return -(-prompt_bytes // 3)
