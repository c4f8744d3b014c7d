"""Figures as plain text for a terminal: columns that line up, intervals beside every figure."""

from __future__ import annotations

from collections.abc import Sequence

from evals.reports import ModeReport, Report
from evals.statistics import Estimate

LEAST = 60
"""Questions from which a family's figure may carry a claim (issue 4); below it is shown, and no more."""


def share(estimate: Estimate) -> str:
    """`57.0 % [45, 69]`."""
    return f"{100 * estimate.value:.1f} % [{100 * estimate.low:.0f}, {100 * estimate.high:.0f}]"


def points(estimate: Estimate) -> str:
    """`+2.5 [-1.0, +6.0]`, in points."""
    return f"{100 * estimate.value:+.1f} [{100 * estimate.low:+.1f}, {100 * estimate.high:+.1f}]"


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows under a heading, first column to the left, all others to the right."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if not at else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def report(found: Report) -> str:
    """A whole report."""
    pool = found.pool
    status = ", ".join(f"{count} {name}" for name, count in pool.statuses.items())
    head = f"{pool.name}  {pool.digest}  {pool.questions} questions, {pool.samples} samples: {status}"
    if pool.ungraded:
        head += f"; {pool.ungraded} questions without a gold are left out"
    parts = [head, modes(found.modes)]
    names = sorted({name for one in found.modes for name in one.families})
    if len(names) > 1:
        parts.append(families(found.modes, names))
    if any(one.folds for one in found.modes):
        parts.append(folds(found.modes))
    if found.selection:
        parts.append(selection(found))
    return "\n\n".join(parts)


def modes(reports: Sequence[ModeReport]) -> str:
    """One line a mode."""
    head = (
        "mode",
        "n",
        "right, 95 %",
        "of completed",
        "answered",
        "agree",
        "sure",
        "tokens",
        "s median",
        "s p95",
        "branches",
    )
    rows: list[Sequence[str]] = [head]
    for one in reports:
        total = one.total
        rest = "-" if total.of_completed is None else f"{100 * total.of_completed:.1f} % of {total.completed:.0f}"
        rows.append(
            (
                one.mode,
                str(total.n),
                share(total.accuracy),
                rest,
                f"{100 * total.answered:.0f} %",
                f"{total.agreement:.2f}",
                f"{total.confidence:.2f}",
                f"{total.tokens:.0f}",
                f"{total.seconds_median:.1f}",
                f"{total.seconds_p95:.1f}",
                f"{total.branches:.1f}",
            )
        )
    return table(rows)


def families(reports: Sequence[ModeReport], names: Sequence[str]) -> str:
    """Accuracy by family; too few questions for a claim are marked."""
    rows: list[Sequence[str]] = [("by family", *(one.mode for one in reports))]
    for name in names:
        cells = []
        for one in reports:
            part = one.families.get(name)
            few = "" if part is None or part.n >= LEAST else "*"
            cells.append(f"{share(part.accuracy)} n={part.n}{few}" if part else "-")
        rows.append((name, *cells))
    small = any(part.n < LEAST for one in reports for part in one.families.values())
    return table(rows) + (f"\n* fewer than {LEAST} questions: reported only" if small else "")


def folds(reports: Sequence[ModeReport]) -> str:
    """Accuracy by fold."""
    count = max(len(one.folds) for one in reports)
    rows: list[Sequence[str]] = [("by fold", *map(str, range(count)))]
    for one in reports:
        rows.append((one.mode, *("-" if value is None else f"{100 * value:.0f} %" for value in one.folds)))
    return table(rows)


def selection(found: Report) -> str:
    """The gap that selection could still close."""
    gap = found.selection
    if gap is None:
        return ""
    text = f"selection gap (any of n minus vote): {points(gap.gap)} points, n = {gap.gap.n}"
    if gap.closed is not None:
        text += f"; the judge closes {100 * gap.closed:.0f} % of it"
        text += f" [{100 * gap.interval[0]:.0f}, {100 * gap.interval[1]:.0f}]" if gap.interval else ""
    return text
