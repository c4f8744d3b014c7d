"""When to restart, when to give up, when to rest: two small clocks, fed with the time instead of reading it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_COUNTED = re.compile(r"^(vllm:(?:request_success|prompt_tokens|generation_tokens)_total)(?:\{[^}]*\})? (\S+)$", re.M)
_GAUGED = re.compile(r"^(vllm:num_requests_(?:running|waiting))(?:\{[^}]*\})? (\S+)$", re.M)


HOPELESS = 2
"""Crashes after which a server that never became ready is given up."""


@dataclass
class Patience:
    """Waiting times between restarts; the end of it after several crashes in quick succession."""

    limit: int = 5
    """Fast crashes in a row after which we give up; 2 when it never became ready."""
    steady: float = 60.0
    """Seconds of readiness after which a crash counts as a first one again."""
    first: float = 1.0
    """Seconds before the first restart; doubled each time, at the most `longest`."""
    longest: float = 30.0
    crashes: int = 0

    ever_ready: bool = False

    def after_crash(self, ready_for: float) -> float | None:
        """Seconds to wait before the next start, None = give up. `ready_for` = 0 when it did not become ready.

        A server that never became ready at all is tried once more only: it will hardly mend by itself.
        """
        self.ever_ready = self.ever_ready or ready_for > 0
        self.crashes = 1 if ready_for >= self.steady else self.crashes + 1
        if self.crashes >= (self.limit if self.ever_ready else HOPELESS):
            return None
        return float(min(self.first * 2 ** (self.crashes - 1), self.longest))


@dataclass
class IdleClock:
    """Says when the engine has had nothing to do for long enough."""

    limit: float
    """Seconds; 0 = never."""
    since: float
    """Moment of the last sign of work."""
    _seen: float = field(default=-1.0, repr=False)

    def idle(self, metrics: str, now: float) -> bool:
        """Read vLLM's /metrics text. Counters that moved or requests in flight are work."""
        counted, in_flight = read_metrics(metrics)
        if counted != self._seen or in_flight > 0:
            self._seen, self.since = counted, now
        return self.limit > 0 and now - self.since >= self.limit


def read_metrics(text: str) -> tuple[float, float]:
    """Sum of vLLM's request and token counters, and requests running or waiting."""
    return sum(float(m[2]) for m in _COUNTED.finditer(text)), sum(float(m[2]) for m in _GAUGED.finditer(text))
