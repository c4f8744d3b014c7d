"""Following one run on stderr: a status line, or with `--stream` what every branch says.

Branches speak at the same time. Their words are not mixed: one branch is heard live, the others are kept until it has
ended; then whoever has ended is printed whole, and the next one is heard live.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from graph.terminal import one_line, visible

err = Console(stderr=True, highlight=False, soft_wrap=True)
STOPPING = "stopping; the best answer so far follows (Ctrl-C again leaves at once)"


class Speech:
    """Puts the words of several speakers in order; `say(source, text)` prints."""

    def __init__(self, say: Callable[[str, str], None]) -> None:
        self._say = say
        self._live: str | None = None
        self._kept: dict[str, list[str]] = {}
        self._ended: set[str] = set()

    def hear(self, source: str, text: str) -> None:
        """A piece of text."""
        if self._live is None and source not in self._kept:
            self._live = source
        if source == self._live:
            self._say(source, text)
        else:
            self._kept.setdefault(source, []).append(text)

    def end(self, source: str) -> None:
        """A speaker has ended."""
        self._ended.add(source)
        if source != self._live:
            return
        self._live = None
        for other in list(self._kept):
            self._say(other, "".join(self._kept.pop(other)))
            if other not in self._ended:
                self._live = other
                return


class Watcher:
    """Follows one run."""

    def __init__(self, stream: bool) -> None:
        self.events: list[Mapping[str, Any]] = []
        self._stream = stream
        self._status = err.status("routing")
        self._speech = Speech(self._say)
        self._speaking = ""

    def __enter__(self) -> Watcher:
        if not self._stream:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._status.stop()
        if self._speaking:
            err.print()

    def see(self, event: Mapping[str, Any]) -> None:
        """One event of the run."""
        if event["event"] == "text":
            if self._stream:
                self._speech.hear(event["source"], event["text"])
            return
        self.events.append(event)
        if event["event"] == "candidate":
            self._speech.end(event["candidate"]["source"])
        if line := line_of(event):
            self.tell(line)

    def tell(self, line: str) -> None:
        """Show one line: as a line of its own when streaming, else as the status."""
        if self._stream:
            err.print(Text(("\n" if self._speaking else "") + visible(line), style="cyan"))
            self._speaking = ""
        else:
            self._status.update(escape(visible(line)))

    def stopping(self) -> None:
        """Say that Ctrl-C was heard."""
        err.print(Text(("\n" if self._speaking else "") + STOPPING, style="yellow"))
        self._speaking = ""

    def last(self, kind: str) -> Mapping[str, Any] | None:
        """The latest event of a kind."""
        return next((event for event in reversed(self.events) if event["event"] == kind), None)

    def _say(self, source: str, text: str) -> None:
        if source != self._speaking:
            err.print(Text(("\n" if self._speaking else "") + f"[{source}] ", style="magenta"), end="")
            self._speaking = source
        err.print(Text(visible(text)), end="")


def line_of(event: Mapping[str, Any]) -> str:
    """One event in a few words; empty for those that need none."""
    kind = event["event"]
    if kind == "route":
        return f"route {event['route']['top']}, up to {event['route']['budget']} branches"
    if kind == "wave":
        return f"wave {event['number'] + 1}: {len(event['branches'])} branches"
    if kind == "candidate":
        found = event["candidate"]
        return f"{found['source']} {found['status']} {one_line(found['answer'])[:60]}".strip()
    if kind == "finding":
        return f"{event['finding']['specialist']}: {event['finding']['status']}"
    if kind == "decision":
        return f"judge: {event['decision']['next']} ({event['decision']['reason']})"
    if kind == "ballot":
        return f"second round: {event['ballot']['outcome']}"
    return ""
