"""One exchange with a model server: the exact request, the assembled reply, and what it cost.

The client makes it, the records keep it. A cancelled or failed exchange is data as well: its tokens were paid.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from nodes.contracts import Contract, Usage
from prompts import digest


class Exchange(Contract):
    """A row of `calls`."""

    id: str
    """UUID of the call."""
    run: str
    slot: str
    """Place in the run; with `key` that under which a reply is found again."""
    prompt: str
    """Digest of the prompt and its parameters."""
    endpoint: str
    """Base URL the call went to, without credentials."""
    model: str
    request: dict[str, Any]
    """Exact JSON body that was sent."""
    response: dict[str, Any] | None = None
    """The stream, assembled to one `chat.completion` object; log-probabilities included. Partial when cancelled."""
    status: Literal["ok", "cancelled", "failed"]
    finish: str = ""
    error: str = ""
    """`code: message`."""
    http_status: int | None = None
    attempts: int = 1
    usage: Usage = Usage()
    started: float = 0.0
    """Unix time in seconds."""
    seconds: float = 0.0
    first_token: float | None = None
    """Seconds until the first token."""

    @property
    def request_digest(self) -> str:
        """Digest of the canonical request body, under which it is stored."""
        return digest(self.request)

    @property
    def key(self) -> str:
        """As `key_of`, of this request."""
        return key_of(self.request)


def key_of(request: Mapping[str, Any]) -> str:
    """Replay key of a request: its digest without the token cap.

    The cap is lowered to what the server says is left of its window. Where the server counts otherwise, or cannot be
    asked, the same question comes with another cap, and the reply that was paid for still answers it.
    """
    return digest({name: value for name, value in request.items() if name != "max_tokens"})
