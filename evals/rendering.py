"""Figures as plain text for a terminal: columns that line up, intervals beside every figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evals import weighing
from evals.ablation import Ablation
from evals.compare import LEAST, Comparison, Part
from evals.gate import Gate
from evals.reports import ModeReport, Pool, Report
from evals.scoring import Scored, discrimination
from evals.signals import SIGNALS
from evals.statistics import Estimate
from evals.weighing import Worth


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


def comparison(found: Comparison) -> str:
    """Two runs side by side."""
    total = found.total
    lines = [
        f"{total.second.name} against {total.first.name}, {total.n} questions paired"
        + (f", {found.unpaired} that only one of them has" if found.unpaired else ""),
        f"  {total.first.name}: {share(total.first.accuracy)}   {total.second.name}: {share(total.second.accuracy)}",
        f"  difference {points(total.difference)} points, {total.rescues} rescues, {total.regressions} regressions"
        + ("" if total.p is None else f", McNemar p = {total.p:.3g}"),
        f"  tokens {times(total.tokens, total.tokens_interval)}, time {times(total.seconds, total.seconds_interval)}",
        f"  {verdict(total)}",
    ]
    if len(found.families) > 1:
        lines += ["", by_family(found.families)]
    return "\n".join(lines)


def verdict(part: Part) -> str:
    """What may be said."""
    if not part.differs:
        return "no difference can be claimed"
    return f"{part.second.name} is {'better' if part.difference.value > 0 else 'worse'}"


def times(value: float | None, interval: tuple[float, float] | None) -> str:
    """`0.57 times [0.52, 0.61]`."""
    if value is None:
        return "-"
    return f"{value:.2f} times" + (f" [{interval[0]:.2f}, {interval[1]:.2f}]" if interval else "")


def by_family(parts: Mapping[str, Part]) -> str:
    """One line a family."""
    rows: list[Sequence[str]] = [("family", "n", "first", "second", "difference", "p (Holm)", "tokens", "")]
    for name, part in parts.items():
        rows.append(
            (
                name,
                str(part.n),
                f"{100 * part.first.accuracy.value:.1f} %",
                f"{100 * part.second.accuracy.value:.1f} %",
                points(part.difference),
                "-" if part.p is None else f"{part.p:.3g}",
                "-" if part.tokens is None else f"{part.tokens:.2f}",
                f"fewer than {LEAST}: reported only" if part.n < LEAST else verdict(part),
            )
        )
    return table(rows)


def setting(pool: Pool) -> str:
    """How a pool was recorded."""
    heat = ", ".join(map(str, pool.temperatures)) or "unknown"
    prompts = len(pool.prompts)
    return f"{pool.name}  {pool.questions} questions, temperature {heat}, {prompts or 'unknown'} prompts"


def ablation(found: Ablation) -> str:
    """Every comparison, then how different the branches were."""
    parts = [comparison(one) for one in found.comparisons.values()]
    for name, spread in (("answer entropy, bits", found.entropy), ("n-gram overlap", found.overlap)):
        if spread:
            gap = spread.difference
            parts.append(
                f"{name}: {spread.first:.3f} and {spread.second:.3f},"
                f" difference {gap.value:+.3f} [{gap.low:+.3f}, {gap.high:+.3f}], n = {gap.n}"
            )
    return "\n\n".join(parts)


def gate(found: Gate) -> str:
    """Colour, figures, causes."""
    head = f"{'green' if found.green else 'RED'}: {found.mode} on {found.n} questions"
    lines = [head, *(f"  {reason}" for reason in found.reasons), ""]
    rows: list[Sequence[str]] = [("figure", "baseline", "now", "difference, 99 %", "")]
    for name, one in found.figures.items():
        gap = one.difference
        rows.append(
            (
                name,
                f"{one.before:.3f}",
                f"{one.now:.3f}",
                f"{gap.value:+.3f} [{gap.low:+.3f}, {gap.high:+.3f}]",
                "RED" if one.red else "",
            )
        )
    lines.append(table(rows))
    lines.append("\nchanged since the baseline:" if found.changed else "\nnothing that is tracked has changed")
    lines += [f"  {name}: {before or 'absent'} -> {now or 'absent'}" for name, (before, now) in found.changed.items()]
    return "\n".join(lines)


def signals(found: Sequence[Scored], ties: Sequence[Sequence[str]], weights: Sequence[Sequence[str]]) -> str:
    """Every signal alone, then the asked combinations."""
    base = sum(weighing.vote(one) for one in found)
    best = sum(any(one.right) for one in found)
    head = f"n = {len(found)} questions, vote right {base:.0f}, any right {best}"
    rows: list[Sequence[str]] = [("signal", "AUC, 95 %", "pairs", "differ", "breaks ties", "weighs (held out)")]
    for name in SIGNALS:
        one = discrimination(found, name)
        if one.auc is None or one.interval is None:
            rows.append((name, "-", "0", "-", "-", "-"))
            continue
        auc = f"{one.auc:.3f} [{one.interval[0]:.2f}, {one.interval[1]:.2f}]"
        rows.append(
            (
                name,
                auc,
                str(one.pairs),
                f"{100 * one.decided:.0f} %",
                worth(weighing.worth_of_tie_break(found, [name])),
                worth(weighing.worth_of_weights(found, [name])),
            )
        )
    lines = [head, "", table(rows)]
    lines += [f"ties by {', '.join(names)}: {worth(weighing.worth_of_tie_break(found, names))}" for names in ties]
    lines += [f"weights of {', '.join(names)}: {worth(weighing.worth_of_weights(found, names))}" for names in weights]
    return "\n".join(lines)


def worth(found: Worth) -> str:
    """`+3.8 [+0.0, +8.8] (+3 -0)`: points against the vote, rescues and regressions."""
    return f"{points(found.difference)} (+{found.changes.rescues} -{found.changes.regressions})"
