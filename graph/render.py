"""What a person sees in the terminal: progress on stderr, results on stdout. Interface text is English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.progress import Progress as RichProgress
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from graph.engine.contracts import Progress as Event
from nodes.contracts import Answer

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False)
MARKS = {"answered": "green", "unreadable": "yellow", "truncated": "yellow", "pruned": "bright_black", "failed": "red"}


class Progress:
    """Bars of the engine's long steps: one line a phase, with sizes and times. Silent when nothing takes long."""

    def __init__(self) -> None:
        self._bars: RichProgress | None = None
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bars:
            self._bars.stop()

    def __call__(self, event: Event) -> None:
        """Show one event of a long step."""
        if event.phase == "ready":
            return
        if self._bars is None:
            columns = (
                SpinnerColumn(),
                TextColumn("{task.description}"),
                BarColumn(24),
                TextColumn("{task.fields[size]}"),
            )
            self._bars = RichProgress(*columns, TimeElapsedColumn(), console=err)
            self._bars.start()
        if event.phase not in self._tasks:
            for task in self._tasks.values():
                self._bars.update(task, total=1, completed=1)
                self._bars.stop_task(task)
            self._tasks[event.phase] = self._bars.add_task(event.phase, total=None, size="")
        words = escape(f"{event.phase}: {event.message}" if event.message else event.phase)
        self._bars.update(
            self._tasks[event.phase],
            description=words,
            completed=event.done,
            total=event.total or None,
            size=size_of(event),
        )


def size_of(event: Event) -> str:
    """How far a step is, in its own unit."""
    if event.unit == "bytes":
        return f"{event.done / 1e6:,.0f}/{event.total / 1e6:,.0f} MB" if event.total else f"{event.done / 1e6:,.0f} MB"
    return f"{event.done}/{event.total} {event.unit}" if event.total else ""


class Watcher:
    """Follows one run: a status line, or every branch's text when streaming."""

    def __init__(self, stream: bool) -> None:
        self.events: list[Mapping[str, Any]] = []
        self._stream = stream
        self._status = err.status("routing")
        self._speaking = ""

    def __enter__(self) -> Watcher:
        if not self._stream:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._status.stop()

    def see(self, event: Mapping[str, Any]) -> None:
        """One event of the run."""
        if event["event"] == "text":
            self._say(event["source"], event["text"])
            return
        self.events.append(event)
        line = self._line(event)
        if self._stream and line:
            err.print(Text(("\n" if self._speaking else "") + line, style="cyan"))
            self._speaking = ""
        elif line:
            self._status.update(escape(line))

    def _say(self, source: str, text: str) -> None:
        if not self._stream:
            return
        if source != self._speaking:
            err.print(Text(f"\n[{source}] ", style="magenta"), end="")
            self._speaking = source
        err.print(Text(text), end="")

    def _line(self, event: Mapping[str, Any]) -> str:
        kind = event["event"]
        if kind == "route":
            return f"route {event['route']['top']}, up to {event['route']['budget']} branches"
        if kind == "wave":
            return f"wave {event['number'] + 1}: {len(event['branches'])} branches"
        if kind == "candidate":
            found = event["candidate"]
            return f"{found['source']} {found['status']} {found['answer'][:60]}".strip()
        if kind == "finding":
            return f"{event['finding']['specialist']}: {event['finding']['status']}"
        if kind == "decision":
            return f"judge: {event['decision']['next']} ({event['decision']['reason']})"
        if kind == "ballot":
            return f"second round: {event['ballot']['outcome']}"
        return ""

    def last(self, kind: str) -> Mapping[str, Any] | None:
        """The latest event of a kind."""
        return next((event for event in reversed(self.events) if event["event"] == kind), None)


def answer(found: Answer, watcher: Watcher, records: Path) -> None:
    """The answer, then what it rests on."""
    if found.status == "answered":
        out.print(Text(found.answer))
    else:
        out.print(Text(f"no verdict ({found.cause})", style="red"))
    for notice in found.notices:
        out.print(Text(notice, style="yellow"))
    out.print()
    for name, value in facts(found, watcher):
        out.print(Text(f"{name:<11}", style="bright_black") + Text(value))
    out.print(Text(f"{'recorded':<11}", style="bright_black") + Text(f"{records}   octavo show {found.run[:8]}"))


def facts(found: Answer, watcher: Watcher) -> list[tuple[str, str]]:
    """Lines below an answer."""
    route, decision = watcher.last("route"), watcher.last("decision")
    verdict = (decision or {}).get("decision", {}).get("verdict") or {}
    counts = ", ".join(f"{count} {status}" for status, count in verdict.get("counts", {}).items())
    lines = []
    if found.partial:
        lines.append(("partial", f"cut short by the {found.partial}; the best answer so far"))
    names = "+".join(route["route"]["specialists"]) if route else ""
    reason = f"  {route['route']['reason']}" if route else ""
    lines.append(("route", f"{found.route}{f' ({names})' if names else ''}{reason}"))
    lines.append(("branches", f"{found.branches} of up to {found.budget}{f'  ({counts})' if counts else ''}"))
    decided = f"  decided by {verdict['decided_by']}" if verdict else ""
    cause = f"  {found.cause}" if found.cause and found.status == "answered" else ""
    lines.append(("agreement", f"{found.agreement:.0%}  confidence {found.confidence:.2f}{decided}{cause}"))
    lines.append(("tokens", f"{found.tokens:,}"))
    lines.append(("seconds", f"{found.seconds:.1f}"))
    lines.append(("run", found.run))
    return lines


def route(found: Mapping[str, Any]) -> None:
    """One routing decision."""
    out.print(Text(found["top"], style="bold"), Text(f"  budget {found['budget']}  form {found['form']}"))
    if found["blocked"]:
        out.print(Text(f"blocked by rule {found['blocked']}", style="red"))
    out.print(Text(found["reason"]))
    for label, score in sorted(found["scores"].items(), key=lambda item: -item[1]):
        mark = "*" if label in found["specialists"] else " "
        out.print(Text(f"  {mark} {label:<9} {score:5.2f} {'▇' * round(score * 30)}"))


def runs(found: Sequence[Mapping[str, Any]]) -> None:
    """A table of runs."""
    table = Table(
        "run", "when (UTC)", "mode", "status", "answer", "tokens", "seconds", "question", box=None, pad_edge=False
    )
    for row in found:
        cells = (row["id"][:8], str(row["created"])[:19], row["mode"], row["status"], clip(row["answer"], 24))
        numbers = (f"{row['tokens'] or 0:,}", f"{row['seconds'] or 0:.1f}")
        table.add_row(*(escape(str(cell)) for cell in (*cells, *numbers, clip(row["question"], 48))))
    out.print(table)


def clip(text: str | None, width: int) -> str:
    """Text on one line, at most `width` characters."""
    line = " ".join((text or "").split())
    return line if len(line) <= width else line[: width - 1] + "…"


def run(found: Mapping[str, Any], unfold: bool) -> None:
    """Everything recorded of one run, as a tree; texts are folded unless `unfold`."""
    head = found["run"]
    tree = Tree(Text(f"run {head['id']}  {head['status']}  {head['mode']}  {str(head['created'])[:19]}", style="bold"))
    tree.add(Text(f"question  {head['question'] if unfold else clip(head['question'], 160)}"))
    if found.get("route"):
        decided = found["route"]
        chosen = "+".join(decided["specialists"]) or "no specialist"
        tree.add(Text(f"route  {decided['top']}  {chosen}  budget {decided['budget']}  {decided['reason']}"))
    for finding in found.get("findings", ()):
        tree.add(
            Text(
                f"finding  {finding['specialist']}  {finding['status']}  "
                f"{finding.get('answer') or finding.get('error') or ''}"
            )
        )
    branches = tree.add(Text(f"candidates  {len(found.get('candidates', ()))}"))
    for one in found.get("candidates", ()):
        leaf = branches.add(candidate_line(one))
        for check in one.get("checks", ()):
            if check["outcome"] != "unsure":
                leaf.add(Text(f"{check['specialist']} {check['outcome']}: {check['claim']} {check['found']}".rstrip()))
        if unfold and one.get("text"):
            leaf.add(Text(one["text"], style="bright_black"))
    for tally in found.get("tallies", ()):
        camps = "  ".join(f"{clip(camp['answer'], 24)} x{camp['votes']}" for camp in tally["camps"])
        tree.add(Text(f"tally {tally['wave'] + 1}  {tally['next']}: {tally['reason']}   {camps}"))
    for ballot in found.get("ballots", ()):
        tree.add(Text(f"second round  {ballot['outcome']}  {'/'.join(ballot['choices'])}"))
    if found.get("verdict"):
        verdict = found["verdict"]
        words = f"verdict  {verdict['answer'] or '-'}  decided by {verdict['decided_by']}"
        tree.add(Text(f"{words}  agreement {verdict['agreement']:.0%}  {verdict['cause'] or ''}", style="bold"))
    tree.add(waterfall(found.get("calls", ())))
    out.print(tree)


def candidate_line(one: Mapping[str, Any]) -> Text:
    """One candidate on one line."""
    flags = " ".join(one.get("flags") or ())
    words = f"{one['source']}  {one.get('stance') or ''}  {one['status']}  {clip(one.get('answer'), 40)}"
    return Text(
        f"{words}  {one.get('reading') or ''}  {flags}  {one.get('error') or ''}".rstrip(),
        style=MARKS.get(one["status"], ""),
    )


def waterfall(calls: Sequence[Mapping[str, Any]], width: int = 40) -> Tree:
    """Calls on a common time axis."""
    tree = Tree(Text(f"calls  {len(calls)}"))
    if not calls:
        return tree
    start = min(call["started"] for call in calls)
    span = max(call["started"] + (call["seconds"] or 0) for call in calls) - start or 1.0
    for call in calls:
        left = int((call["started"] - start) / span * width)
        bar = "▇" * max(1, round((call["seconds"] or 0) / span * width))
        tokens = f"{call['prompt_tokens']}+{call['completion_tokens']} tokens, {call['cached_tokens']} cached"
        tree.add(
            Text(
                f"{call['slot']:<20} {' ' * left}{bar:<{width - left}} {call['seconds'] or 0:6.1f} s"
                f"  {tokens}  {call['status']}"
            )
        )
    return tree


def diagnosis(found: Sequence[Mapping[str, Any]]) -> None:
    """Ordered findings of the doctor, each with the command that mends it."""
    for finding in found:
        mark = Text("ok  ", style="green") if finding["ok"] else Text("FAIL", style="red")
        out.print(mark, Text(f"{finding['check']:<18} {finding['detail']}"))
        if not finding["ok"] and finding.get("mend"):
            out.print(Text(f"     mend: {finding['mend']}", style="yellow"))
