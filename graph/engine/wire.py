"""Small HTTP requests to a model server, and the errors they mean.

Completions of questions are the business of `graph/model.py`. httpx2 is the client that `openai` brings. For loopback
no proxy variable is honoured.
"""

from __future__ import annotations

import json
import re
import time
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx2

from nodes.errors import (
    EngineDenied,
    EngineError,
    EngineFault,
    EngineTimeout,
    EngineUnreachable,
    ModelNotServed,
    SetupError,
)

LARGEST = 1024 * 1024
"""Bytes of a reply that are read; the longest honest ones, a list of models or metrics, have some ten thousand."""
_LOOPBACK = {"127.0.0.1", "localhost", "::1"}
_CREDENTIALS = re.compile(r"(?<=://)[^/?#\s]*@")


LEAST = 64
"""Tokens of a context window that could hold any prompt at all; a server that names less does not know its own."""


class Said(NamedTuple):
    """Status and body of a reply."""

    status: int
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", "replace")


def root_of(base_url: str) -> str:
    """The server's address without `/v1`: health, metrics and version live there."""
    return base_url.rstrip("/").removesuffix("/v1")


def shown(text: str) -> str:
    """The text with user name and password of every address in it as `***`."""
    return _CREDENTIALS.sub("***@", text)


def context_of(said: object) -> int:
    """Context window by the `max_model_len` of a model list, in tokens; 0 = not said, or not a size that can be."""
    try:
        tokens = int(said) if isinstance(said, int | float | str) and not isinstance(said, bool) else 0
    except (ValueError, OverflowError):
        return 0
    return tokens if LEAST <= tokens < 2**31 else 0


def nameable(name: object) -> bool:
    """True for the id of a model that can be asked for: text without lone surrogates."""
    return isinstance(name, str) and not any("\ud800" <= character <= "\udfff" for character in name)


def ask(url: str, *, key: str | None = None, body: dict[str, Any] | None = None, timeout: float = 10) -> Any:
    """JSON of a GET, or of a POST when `body` is given, whole within `timeout` seconds.

    Raises an EngineError that names the address.
    """
    said = _send(url, key, body, timeout)
    try:
        return json.loads(said.body)
    except (ValueError, RecursionError) as error:
        raise EngineFault(f"{shown(url)!r} answered {shown(said.text[:80])!r}, which is not JSON") from error


def text(url: str, *, timeout: float = 10) -> str:
    """Text of a GET. Raises an EngineError that names the address."""
    return _send(url, None, None, timeout).text


def healthy(base_url: str, timeout: float = 5) -> bool:
    """Whether the server says that it is well; False when it is away, busy beyond `timeout`, or says no."""
    try:
        _send(f"{root_of(base_url)}/health", None, None, timeout)
    except EngineError:
        return False
    return True


def _send(url: str, key: str | None, body: dict[str, Any] | None, timeout: float) -> Said:
    headers = {"accept-encoding": "identity"} | _authorization(key)
    try:
        parts = urlsplit(url)
        secure = parts.scheme == "https"  # without TLS no certificates are loaded, which takes longer than the request
        with httpx2.Client(trust_env=parts.hostname not in _LOOPBACK, timeout=timeout, verify=secure) as client:
            until = time.monotonic() + timeout
            with client.stream("GET" if body is None else "POST", url, json=body, headers=headers) as response:
                said = Said(response.status_code, _body(url, response, until))
    except (httpx2.TimeoutException, TimeoutError) as error:
        raise EngineTimeout(f"{shown(url)!r} did not answer within {timeout:g} s") from error
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
        raise EngineUnreachable(f"nobody answers at {shown(url)!r} ({shown(str(error))})") from error
    if said.status >= 400:
        raise _error(url, said)
    return said


def _authorization(key: str | None) -> dict[str, str]:
    """The header of a key. Raises SetupError for one that no header can carry; its text is not repeated."""
    key = (key or "").strip()
    if not (key.isascii() and key.isprintable()):
        raise SetupError("OCTAVO_API_KEY holds characters that no HTTP header can carry")
    return {"authorization": f"Bearer {key}"} if key else {}


def _body(url: str, response: httpx2.Response, until: float) -> bytes:
    """The body, read piece by piece: the client's time-out is one for each piece, and it knows no largest size.

    Of an error only the beginning is taken. Raises TimeoutError, or EngineFault for a body beyond `LARGEST`.
    """
    body = bytearray()
    for piece in response.iter_bytes():
        body += piece
        if time.monotonic() > until:
            raise TimeoutError
        if len(body) > LARGEST:
            if response.status_code >= 400:
                break
            raise EngineFault(f"{shown(url)!r} answered more than {LARGEST} bytes")
    return bytes(body[:LARGEST])


def _error(url: str, reply: Said) -> EngineError:
    status, said = reply.status, shown(reply.text[:200])
    if status in {401, 403}:
        return EngineDenied(f"{shown(url)!r} refuses the key ({status}); check OCTAVO_API_KEY")
    if status == 404:
        return ModelNotServed(f"{shown(url)!r} answered 404: {said}")
    return EngineFault(f"{shown(url)!r} answered {status}: {said}", status)
