"""What went wrong with a call, by name, and whether asking again can help. Pure.

Repeated are connection errors, 429 and 5xx; nothing else. A stream that ends without a finish_reason, unreadable
JSON and a time-out are not repeated: the tokens were paid, and the same request may well end the same way.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from nodes.errors import ContextExceeded, EngineDenied, EngineFault, ModelNotServed, OctavoError

LONGEST_PAUSE = 30.0
"""Seconds of a pause between two tries, whatever the server asks for."""
_CONTEXT = re.compile(r"maximum context length|context_length_exceeded|max_model_len|longer than the maximum model len")
_LIMIT = re.compile(r"(?:maximum context length is|max_model_len=|maximum model length of)\s*(\d+)")
_INPUT = re.compile(r"(\d+)\s+input tokens|\((\d+) in the messages|prompt \(length (\d+)\)|passed (\d+)")
_OUTPUT = re.compile(r"requested (\d+)\s+output tokens|(\d+) in the completion|max_tokens=(\d+)")


def fault_of(status: int, body: Any, where: str) -> OctavoError:
    """The named error of an HTTP status, or of an `error` object inside a stream (its `code` as status)."""
    error = body.get("error", body) if isinstance(body, dict) else body
    message = str(error.get("message", error) if isinstance(error, dict) else error)[:1000]
    code = str(error.get("code", "")) if isinstance(error, dict) else ""
    param = error.get("param") if isinstance(error, dict) else None
    if status == 400 and (code == "context_length_exceeded" or param == "input_tokens" or _CONTEXT.search(message)):
        return ContextExceeded(f"the prompt does not fit the model's context window: {message}", tokens_over(message))
    if status in (401, 403):
        return EngineDenied(f"{where} refused the key with {status}: {message}; set OCTAVO_API_KEY")
    if status == 404:
        return ModelNotServed(f"{where} answered 404: {message}; check OCTAVO_MODEL, and that the address ends in /v1")
    return EngineFault(f"{where} answered {status}: {message}", status)


def tokens_over(message: str) -> int | None:
    """How many tokens too many, prompt and reply together, read from the server's words; None when they do not say."""
    if "at least" in message:
        return None
    limit, given, wanted = (_number(pattern, message) for pattern in (_LIMIT, _INPUT, _OUTPUT))
    if limit is None or (given is None and wanted is None):
        return None
    over = (given or 0) + (wanted or 0) - limit
    return over if over > 0 else None


def _number(pattern: re.Pattern[str], text: str) -> int | None:
    match = pattern.search(text)
    return int(next(group for group in match.groups() if group)) if match else None


def status_of(error: Any) -> int:
    """HTTP status that an `error` object inside a stream stands for; 500 when it names none."""
    code = error.get("code") if isinstance(error, dict) else None
    try:
        status = int(code)  # type: ignore[arg-type]  # anything unreadable counts as 500
    except (TypeError, ValueError):
        return 400 if code == "context_length_exceeded" else 500
    return status if 400 <= status < 600 else 500


def again(fault: OctavoError) -> bool:
    """True for 429 and 5xx."""
    return broken(fault) or (isinstance(fault, EngineFault) and fault.status == 429)


def broken(fault: OctavoError) -> bool:
    """True for 5xx: a vLLM whose engine core died answers so until it exits."""
    return isinstance(fault, EngineFault) and fault.status is not None and fault.status >= 500


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds that the server asks to wait: `retry-after-ms`, or `retry-after` as seconds or date; None without one."""
    text = headers.get("retry-after", "")
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        return max(0.0, float(text)) if text else None
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(text) - (now or datetime.now(UTC))).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def pause(number: int, asked: float | None, backoff: float, jitter: float) -> float:
    """Seconds before try `number + 1`: exponential with full jitter, at least what the server asked for, capped.

    `jitter` is drawn from [0, 1): tries of many branches that failed together must not come back together.
    """
    return min(LONGEST_PAUSE, max(jitter * backoff * 2.0 ** (number - 1), asked or 0.0))
