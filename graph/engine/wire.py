"""Small HTTP requests to a model server, and the errors they mean.

Completions of questions are the business of `graph/model.py`. httpx2 is the client that `openai` brings. For loopback
no proxy variable is honoured.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import httpx2

from nodes.errors import EngineDenied, EngineError, EngineFault, EngineTimeout, EngineUnreachable, ModelNotServed

_LOOPBACK = {"127.0.0.1", "localhost", "::1"}
_CREDENTIALS = re.compile(r"(?<=://)[^/?#\s]*@")


def root_of(base_url: str) -> str:
    """The server's address without `/v1`: health, metrics and version live there."""
    return base_url.rstrip("/").removesuffix("/v1")


def shown(text: str) -> str:
    """The text with user name and password of every address in it as `***`."""
    return _CREDENTIALS.sub("***@", text)


def ask(url: str, *, key: str | None = None, body: dict[str, Any] | None = None, timeout: float = 10) -> Any:
    """JSON of a GET, or of a POST when `body` is given. Raises an EngineError that names the address."""
    response = _send(url, key, body, timeout)
    try:
        return response.json()
    except ValueError as error:
        raise EngineFault(f"{shown(url)!r} answered {shown(response.text[:80])!r}, which is not JSON") from error


def text(url: str, *, timeout: float = 10) -> str:
    """Text of a GET. Raises an EngineError that names the address."""
    return str(_send(url, None, None, timeout).text)


def healthy(base_url: str, timeout: float = 5) -> bool:
    """Whether the server says that it is well; False when it is away, busy beyond `timeout`, or says no."""
    try:
        _send(f"{root_of(base_url)}/health", None, None, timeout)
    except EngineError:
        return False
    return True


def _send(url: str, key: str | None, body: dict[str, Any] | None, timeout: float) -> httpx2.Response:
    headers = {"authorization": f"Bearer {key}"} if key else {}
    try:
        parts = urlsplit(url)
        secure = parts.scheme == "https"  # without TLS no certificates are loaded, which takes longer than the request
        with httpx2.Client(trust_env=parts.hostname not in _LOOPBACK, timeout=timeout, verify=secure) as client:
            method = "GET" if body is None else "POST"
            response = client.request(method, url, json=body, headers=headers)
    except httpx2.TimeoutException as error:
        raise EngineTimeout(f"{shown(url)!r} did not answer within {timeout:g} s") from error
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
        raise EngineUnreachable(f"nobody answers at {shown(url)!r} ({shown(str(error))})") from error
    if response.status_code >= 400:
        raise _error(url, response)
    return response


def _error(url: str, response: httpx2.Response) -> EngineError:
    status, said = response.status_code, shown(response.text[:200])
    if status in {401, 403}:
        return EngineDenied(f"{shown(url)!r} refuses the key ({status}); check OCTAVO_API_KEY")
    if status == 404:
        return ModelNotServed(f"{shown(url)!r} answered 404: {said}")
    return EngineFault(f"{shown(url)!r} answered {status}: {said}", status)
