"""One exchange with a model server: the exact request, the assembled reply, and what it cost.

The client makes it, the records keep it. A cancelled or failed exchange is data as well: its tokens were paid.
"""

from __future__ import annotations

from typing import Any, Literal

from nodes.contracts import Contract, Usage
from prompts import digest


class Exchange(Contract):
    """A row of `calls`."""

    id: str
    """UUID of the call."""
    run: str
    slot: str
    """Place in the run; with `request_digest` the key under which a reply is found again."""
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
        """Digest of the canonical request body: the replay key."""
        return digest(self.request)
