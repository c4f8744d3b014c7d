"""What the engine's parts tell each other and the world: small frozen records, some of them kept as JSON files.

`Order` goes from the caller to the watcher, `State` comes back through `state.json`, `Endpoint` is all that the rest
of Octavo needs to know about a model server. Sizes are bytes, times are seconds, moments are Unix time.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from pydantic import Field

from nodes.contracts import Contract

Precision = Literal["bf16", "int8"]
Phase = Literal[
    "plan",
    "install",
    "download",
    "join",
    "convert",
    "verify",
    "load",
    "probe",
    "ready",
    "restart",
    "stopping",
    "stopped",
    "resting",
    "failed",
]


class Endpoint(Contract):
    """An OpenAI endpoint that serves one model."""

    base_url: str
    """Ends in `/v1`, without credentials."""
    api_key: str | None = Field(default=None, repr=False)
    model: str
    """Served name to put into requests."""
    context: int
    """Context window in tokens, prompt and reply together; 0 = the server did not say."""
    supervised: bool
    """True = our own engine, restarted by its watcher after a crash."""
    version: str = ""
    """Version of vLLM, when known."""


class Progress(Contract):
    """One event of a long step."""

    phase: Phase
    message: str = ""
    done: int = 0
    total: int = 0
    """0 = unknown."""
    unit: Literal["", "bytes", "seconds", "%"] = ""


OnProgress = Callable[[Progress], None]


class Order(Contract):
    """What a caller wants the watcher to bring up."""

    home: Path
    port: int
    idle: float
    """Minutes without a request after which the engine stops; 0 = never."""
    torch_index: str | None = Field(default=None, repr=False)
    model: str | None = None
    precision: Precision | None = None


class State(Contract):
    """What the watcher last wrote to `state.json`. Trust it only while `supervisor` lives (or for a last error)."""

    supervisor: int
    """Process id of the watcher."""
    supervisor_born: float
    """When that process started; with the id it names one process for good."""
    started: float
    phase: Phase
    since: float
    """When the phase began."""
    message: str = ""
    done: int = 0
    total: int = 0
    unit: Literal["", "bytes", "seconds", "%"] = ""
    port: int
    idle: float
    asked: str | None = None
    """Model as the caller named it; None = the default."""
    model: str = ""
    """Served name."""
    precision: str = ""
    context: int = 0
    version: str = ""
    pid: int | None = None
    """Process id of vLLM's API server; it leads a session and a process group of its own."""
    born: float | None = None
    restarts: int = 0
    last_error: str = ""
    """Why the last restart or the end came about."""
    error_code: str = ""
    """`code` of the error that ended the watcher."""
    log: str = ""
    """Path of vLLM's log."""
    timings: dict[str, float] = Field(default_factory=dict)
    """Seconds spent in each phase since the watcher started."""

    @property
    def progress(self) -> Progress:
        """The same as an event."""
        return Progress(phase=self.phase, message=self.message, done=self.done, total=self.total, unit=self.unit)


class Probe(Contract):
    """What a server was found to do, asked with three small requests."""

    version: str = ""
    models: tuple[str, ...] = ()
    context: int = 0
    choice: bool = False
    """A structured `choice` was obeyed, with words the model would not say by itself."""
    logprobs: bool = False
    """Log-probabilities of the generated tokens and of alternatives came back."""
    cached: int = 0
    """Prompt tokens taken from the prefix cache when the same prompt was sent again."""
    prompt: int = 0
    """Tokens of that prompt."""
    seconds: float = 0.0
    faults: tuple[str, ...] = ()
    """Needed features that failed, in words."""


class Diagnosis(Contract):
    """One check of `octavo doctor`."""

    check: str
    ok: bool
    detail: str
    mend: str = ""
    """Command or act that mends it; empty when ok."""
