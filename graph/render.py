"""What a person sees in the terminal: results on stdout, progress of long steps on stderr. Interface text is English.

On a terminal lines are cut or wrapped to its width; in a pipe every line is whole, without control characters.
Questions, answers and error texts pass `terminal.visible` before they are printed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleDimensions
from rich.markup import escape
from rich.progress import BarColumn, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as RichProgress
from rich.text import Text
from rich.tree import Tree

from graph.engine.contracts import Progress as Event
from graph.terminal import one_line, visible
from graph.watching import Watcher, err
from nodes.contracts import Answer

MARKS = {"answered": "green", "unreadable": "yellow", "truncated": "yellow", "pruned": "bright_black", "failed": "red"}
LINE = 10_000
"""Width of a pipe: nothing is cut there."""
ROOM_FOR_BARS = 110
"""Columns from which the waterfall of calls is drawn."""


class Page(Console):
    """A console that never cuts a line in a pipe."""

    @property
    def size(self) -> ConsoleDimensions:
        """Columns and rows."""
        return super().size if self.is_terminal else ConsoleDimensions(LINE, 25)

    @size.setter
    def size(self, new: tuple[int, int]) -> None:
        self._width, self._height = new


out = Page(highlight=False, soft_wrap=True)


class Progress:
    """Bars of the engine's long steps: one line a phase, with sizes and times. Silent when nothing takes long.

    In a pipe there are no bars: one line when a phase begins.
    """

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
        words = one_line(f"{event.phase}: {event.message}" if event.message else event.phase)
        if not err.is_terminal:
            if event.phase not in self._tasks:
                err.print(Text(f"{words}  {size_of(event)}".rstrip()))
                self._tasks[event.phase] = TaskID(0)
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
        self._bars.update(
            self._tasks[event.phase],
            description=escape(words),
            completed=event.done,
            total=event.total or None,
            size=size_of(event),
        )


def size_of(event: Event) -> str:
    """How far a step is, in its own unit."""
    if event.unit == "bytes":
        return f"{event.done / 1e6:,.0f}/{event.total / 1e6:,.0f} MB" if event.total else f"{event.done / 1e6:,.0f} MB"
    return f"{event.done}/{event.total} {event.unit}" if event.total else ""


def clip(text: str | None, columns: int) -> str:
    """Text on one line of at most `columns` columns; a Chinese character takes two."""
    line = one_line(text or "")
    return line if cell_len(line) <= columns else set_cell_size(line, columns - 1).rstrip() + "…"


def answer(found: Answer, watcher: Watcher, records: Path) -> None:
    """The answer, then what it rests on."""
    if found.status == "answered":
        out.print(Text(visible(found.answer)))
    else:
        out.print(Text(f"no verdict ({found.cause})", style="red"))
    for notice in found.notices:
        out.print(Text(visible(notice), style="yellow"))
    out.print()
    for name, value in [*facts(found, watcher), ("recorded", f"{records}   octavo show {found.run[:8]}")]:
        out.print(Text.assemble((f"{name:<11}", "bright_black"), visible(value)))


def facts(found: Answer, watcher: Watcher) -> list[tuple[str, str]]:
    """Lines below an answer."""
    route, decision = watcher.last("route"), watcher.last("decision")
    verdict = (decision or {}).get("decision", {}).get("verdict") or {}
    counts = ", ".join(f"{count} {status}" for status, count in verdict.get("counts", {}).items())
    lines = []
    if found.partial:
        why = "the deadline was over" if found.partial == "deadline" else "it was interrupted"
        lines.append(("partial", f"{why}; this is the best so far"))
    names = "+".join(route["route"]["specialists"]) if route else ""
    reason = f"  {route['route']['reason']}" if route else ""
    lines.append(("route", f"{found.route}{f' ({names})' if names else ''}{reason}"))
    lines.append(
        ("branches", f"{found.branches} of up to {found.budget}{f'  (all candidates: {counts})' if counts else ''}")
    )
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
    out.print(Text(visible(found["reason"])))
    for label, score in sorted(found["scores"].items(), key=lambda item: -item[1]):
        mark = "*" if label in found["specialists"] else " "
        out.print(Text(f"  {mark} {label:<9} {score:5.2f} {'▇' * round(score * 30)}".rstrip()))


LAST, SMALLEST = 24, 8
"""Columns that the last column of a table is left before another one is given up, and those it always has."""
RUNS = {"run": 0, "when (UTC)": 1, "mode": 3, "status": 0, "answer": 0, "tokens": 4, "seconds": 5, "question": 0}
"""Columns of `octavo runs`; where they do not fit, the one with the highest number goes first, 0 stays."""


def runs(found: Sequence[Mapping[str, Any]]) -> None:
    """A table of runs."""
    rows = []
    for row in found:
        when = str(row["created"])[:16].replace("T", " ")
        numbers = (f"{row['tokens'] or 0:,}", f"{row['seconds'] or 0:.1f}")
        rows.append((row["id"][:8], when, row["mode"], row["status"], clip(row["answer"], 24), *numbers))
    lines = columns(RUNS, [(*row, clip(one["question"], 60)) for row, one in zip(rows, found, strict=True)], out.width)
    for number, line in enumerate(lines):
        out.print(Text(line, style="" if number else "bold"))


def columns(head: Mapping[str, int], rows: Sequence[Sequence[str]], room: int) -> list[str]:
    """Lines of a table, header first; the last column takes what is left of `room`, the columns of the terminal."""
    table = [dict(zip(head, row, strict=True)) for row in (tuple(head), *rows)]
    wide = {name: max(cell_len(row[name]) for row in table) for name in head}
    *fixed, last = head
    needed = min(wide[last], LAST)
    while sum(wide[name] + 2 for name in fixed) + needed > room and any(head[name] for name in fixed):
        fixed.remove(max(fixed, key=lambda name: head[name]))
    left = max(SMALLEST, room - sum(wide[name] + 2 for name in fixed))
    return [
        "".join(set_cell_size(row[name], wide[name]) + "  " for name in fixed) + clip(row[last], left) for row in table
    ]


def run(found: Mapping[str, Any], unfold: bool) -> None:
    """Everything recorded of one run, as a tree; texts are folded unless `unfold`."""
    head = found["run"]
    tree = Tree(Text(f"run {head['id']}  {head['status']}  {head['mode']}  {str(head['created'])[:19]}", style="bold"))
    tree.add(Text(f"question  {visible(head['question']) if unfold else clip(head['question'], 160)}"))
    if found.get("route"):
        decided = found["route"]
        chosen = "+".join(decided["specialists"]) or "no specialist"
        tree.add(line(f"route  {decided['top']}  {chosen}  budget {decided['budget']}  {decided['reason']}"))
    for finding in found.get("findings", ()):
        said = clip(finding.get("answer") or finding.get("error"), 160)
        tree.add(line(f"finding  {finding['specialist']}  {finding['status']}  {said}"))
    branches = tree.add(line(f"candidates  {len(found.get('candidates', ()))}"))
    for one in found.get("candidates", ()):
        leaf = branches.add(candidate_line(one))
        for check in one.get("checks", ()):
            if check["outcome"] != "unsure":
                leaf.add(line(f"{check['specialist']} {check['outcome']}: {check['claim']} {check['found']}"))
        if unfold and one.get("text"):
            leaf.add(Text(visible(one["text"]), style="bright_black"))
    for tally in found.get("tallies", ()):
        camps = "  ".join(f"{clip(camp['answer'], 24)} x{camp['votes']}" for camp in tally["camps"])
        tree.add(line(f"tally {tally['wave'] + 1}  {tally['next']}: {tally['reason']}   {camps}"))
    for ballot in found.get("ballots", ()):
        tree.add(line(f"second round  {ballot['outcome']}  {'/'.join(ballot['choices'])}"))
    if found.get("verdict"):
        verdict = found["verdict"]
        words = f"verdict  {clip(verdict['answer'], 160) or '-'}  decided by {verdict['decided_by']}"
        tree.add(line(f"{words}  agreement {verdict['agreement']:.0%}  {verdict['cause'] or ''}", style="bold"))
    if head.get("error"):
        tree.add(line(f"error  {head['error']}", style="red"))
    tree.add(waterfall(found.get("calls", ()), 40 if out.width >= ROOM_FOR_BARS else 0))
    out.print(tree, soft_wrap=False)


def line(text: str, style: str = "") -> Text:
    """One line of a tree."""
    return Text(one_line(text.rstrip()) if "\n" in text else visible(text.rstrip()), style=style)


def candidate_line(one: Mapping[str, Any]) -> Text:
    """One candidate on one line."""
    flags = " ".join(one.get("flags") or ())
    words = f"{one['source']}  {one.get('stance') or ''}  {one['status']}  {clip(one.get('answer'), 40)}"
    rest = f"{one.get('reading') or ''}  {flags}  {clip(one.get('error'), 160)}"
    return line(f"{words}  {rest}", MARKS.get(one["status"], ""))


def waterfall(calls: Sequence[Mapping[str, Any]], bars: int) -> Tree:
    """Calls on a common time axis of `bars` columns."""
    tree = Tree(Text(f"calls  {len(calls)}"))
    if not calls:
        return tree
    start = min(call["started"] for call in calls)
    span = max(call["started"] + (call["seconds"] or 0) for call in calls) - start or 1.0
    for call in calls:
        left = int((call["started"] - start) / span * bars)
        bar = "▇" * max(1, round((call["seconds"] or 0) / span * bars))
        drawn = f"{' ' * left}{bar:<{bars - left}} " if bars else ""
        tokens = f"{call['prompt_tokens']}+{call['completion_tokens']} tokens, {call['cached_tokens']} cached"
        tree.add(line(f"{call['slot']:<20} {drawn}{call['seconds'] or 0:6.1f} s  {tokens}  {call['status']}"))
    return tree


def diagnosis(found: Sequence[Mapping[str, Any]]) -> None:
    """Ordered findings of the doctor, each with the command that mends it."""
    for finding in found:
        mark = Text("ok  ", style="green") if finding["ok"] else Text("FAIL", style="red")
        out.print(mark, Text(visible(f"{finding['check']:<12} {finding['detail']}")))
        if not finding["ok"] and finding.get("mend"):
            out.print(Text(visible(f"     mend: {finding['mend']}"), style="yellow"))
