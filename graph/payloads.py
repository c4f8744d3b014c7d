"""Big texts of the records, content-addressed: each is stored once, whatever refers to it.

A payload is a text under the digest of that text. Most are stored as they are. A long request is stored in parts, cut
from the left at fixed places: the calls of one question begin alike (system text, question, documents), so they share
all parts but the last ones. Log-probabilities are compressed. Every text comes back byte for byte.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import zlib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import orjson

WHOLE = 2_048
"""Characters up to which a request is stored in one piece, readable in its row."""
PART = 1_024
"""Characters of the first parts of a longer one; later parts grow, so that a long document has few."""
PLAIN = 1_024
"""Characters up to which log-probabilities stay readable."""
_MARK = secrets.token_hex(16)
_SURROGATE = re.compile("[\ud800-\udfff]")


class Payload(NamedTuple):
    """A row of `payloads`."""

    digest: str
    kind: str
    body: str | bytes
    encoding: str


class Split(NamedTuple):
    """A response without its log-probabilities; `at` counts the characters before the `null` that stands for them."""

    body: str
    logprobs: Any
    at: int | None


def canonical(value: Any) -> str:
    """Canonical JSON as SQLite can store it: the text that `prompts.digest` hashes, lone surrogates escaped."""
    return storable(_dump(value))


def keyed(value: Any) -> tuple[str, str]:
    """`prompts.digest` of a value and its canonical JSON, made in one go."""
    text = _dump(value)
    return key(text), storable(text)


def storable(text: str) -> str:
    """The text with each lone surrogate as the six characters of its JSON escape; SQLite stores UTF-8 only."""
    return text if text.isascii() else _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def key(text: str) -> str:
    """Digest of a text: SHA-256, first 16 hex digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _dump(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def whole(kind: str, text: str) -> Payload:
    """A payload stored as it is."""
    return Payload(key(text), kind, text, "text")


def compressed(kind: str, value: Any) -> Payload:
    """JSON stored compressed where that pays: not always canonical, but it decodes to the same value."""
    text = _quick(value)
    if len(text) <= PLAIN:
        return whole(kind, canonical(value))
    return Payload(hashlib.sha256(text).hexdigest()[:16], kind, zlib.compress(text, 1), "zlib")


def _quick(value: Any) -> bytes:
    """JSON with sorted keys, fifteen times faster than `json`; it writes NaN as null, so with `null` `json` does it."""
    try:
        text = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # a lone surrogate, or a number over 64 bits
        return canonical(value).encode()
    return canonical(value).encode() if b"null" in text else text


def in_parts(kind: str, text: str, digest: str) -> list[Payload]:
    """A payload in parts when it is long; parts come first, because the last row lists their digests."""
    if len(text) <= WHOLE:
        return [Payload(digest, kind, text, "text")]
    parts = [whole("part", piece) for piece in cut(text)]
    return [*parts, Payload(digest, kind, json.dumps([part.digest for part in parts]), "parts")]


def cut(text: str) -> list[str]:
    """Cut from the left into pieces of 1 kB, then of an eighth of what came before."""
    pieces, at = [], 0
    while at < len(text):
        size = max(PART, at // 8)
        pieces.append(text[at : at + size])
        at += size
    return pieces


def split_response(response: Mapping[str, Any]) -> Split:
    """Take the log-probabilities of the first choice out of a response, whatever shape it has."""
    choices = response.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict) or not first.get("logprobs"):
        return Split(canonical(response), None, None)
    assert isinstance(choices, list)
    marked = canonical({**response, "choices": [{**first, "logprobs": _MARK}, *choices[1:]]})
    before, _, after = marked.partition(f'"{_MARK}"')
    return Split(f"{before}null{after}", first["logprobs"], len(before))


def join_response(split: Split) -> str:
    """The canonical JSON of the whole response."""
    if split.at is None:
        return split.body
    return f"{split.body[: split.at]}{canonical(split.logprobs)}{split.body[split.at + len('null') :]}"


def content_of(response: Mapping[str, Any] | None) -> str:
    """The message text of the first choice; empty where there is none."""
    choices = (response or {}).get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    return content if isinstance(content, str) else ""


def text_of(body: str | bytes, encoding: str, parts: Mapping[str, str]) -> str:
    """The text of a stored payload; `parts` holds the bodies of its parts, if it has any."""
    if isinstance(body, bytes):
        return zlib.decompress(body).decode()
    return "".join(parts[digest] for digest in json.loads(body)) if encoding == "parts" else body


def part_digests(payloads: Iterable[tuple[str | bytes, str]]) -> list[str]:
    """Digests of the parts that payloads (body, encoding) consist of."""
    return [digest for body, encoding in payloads if encoding == "parts" for digest in json.loads(body)]
