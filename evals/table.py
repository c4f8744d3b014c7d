"""The README's table of claims, written from `evals/results/*.json` and from nothing else.

Every row carries n, interval, model, commit and the command that prints its figures. The block stands between two
markers in both READMEs; a test holds them against the results.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from evals import pools
from evals.claims import Figure, Row
from evals.statistics import Estimate
from nodes.contracts import Language
from nodes.errors import SetupError

RESULTS = Path(__file__).parent / "results"
PAGES: dict[Language, str] = {"en": "README.md", "zh": "README.zh.md"}
START, END = "[//]: # (eval-table)", "[//]: # (/eval-table)"
"""Markdown's invisible lines; everything between them is written here."""
HEADS: dict[Language, tuple[str, ...]] = {
    "en": ("claim", "the article says", "ours", "difference that decides, 95 %", "n", "model", "commit", "command"),
    "zh": ("编号", "文章的说法", "我们的结果", "起决定作用的差值，95 %", "n", "模型", "提交", "命令"),
}
_ID = re.compile(r"([A-Z]+)(\d+)")


def rows(folder: Path = RESULTS) -> list[Row]:
    """Every result, by claim and pool. Raises SetupError for a file that is none."""
    found = []
    for path in sorted(folder.glob("*.json")):
        try:
            found.append(Row.model_validate_json(path.read_bytes()))
        except ValidationError as error:
            raise SetupError(f"{str(path)!r} is no result: {error.errors()[0]['msg']}") from error
    return sorted(found, key=lambda row: (_place(row.claim), row.pool))


def _place(claim: str) -> tuple[str, int]:
    match = _ID.fullmatch(claim)
    return (match[1], int(match[2])) if match else (claim, 0)


def save(row: Row, folder: Path = RESULTS) -> Path:
    """Keep a result: one file for each claim and pool."""
    path = folder / f"{row.claim}-{re.sub(r'[^A-Za-z0-9]+', '-', row.pool.split('.jsonl')[0]).strip('-')}.json"
    pools.replace(path, row.model_dump_json(indent=1).encode() + b"\n")
    return path


def block(found: Sequence[Row], language: Language) -> str:
    """The Markdown table."""
    head = HEADS[language]
    lines = [_line(head), _line(["---"] * len(head))]
    for row in found:
        ours = ", ".join(_figure(figure, row) for figure in row.figures)
        gap = row.contrast.estimate
        lines.append(
            _line(
                (
                    row.claim,
                    row.article[language],
                    ours,
                    f"{row.contrast.label}: {_points(gap)}",
                    str(row.n),
                    row.model,
                    row.commit,
                    f"`{row.command}`",
                )
            )
        )
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _figure(figure: Figure, row: Row) -> str:
    label, estimate = figure.label, figure.estimate
    if figure.kind == "share":
        text = f"{label} {100 * estimate.value:.1f} % [{100 * estimate.low:.0f}, {100 * estimate.high:.0f}]"
    else:
        text = f"{label} {_points(estimate)}"
    return text if estimate.n == row.n else f"{text} (n = {estimate.n})"


def _points(gap: Estimate) -> str:
    return f"{100 * gap.value:+.1f} [{100 * gap.low:+.1f}, {100 * gap.high:+.1f}]"


def renewed(page: str, found: Sequence[Row], language: Language) -> str:
    """A page with its block written anew. Raises SetupError for a page without both markers, in order, once."""
    if page.count(START) != 1 or page.count(END) != 1 or page.index(START) > page.index(END):
        raise SetupError(f"the page needs one line {START!r} and after it one {END!r}")
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n\n{block(found, language)}\n\n{END}{after}"


def differing(root: Path, folder: Path = RESULTS) -> list[str]:
    """Names of the pages that do not show what the results say."""
    found = rows(folder)
    pages = {name: (root / name).read_text(encoding="utf-8") for name in PAGES.values()}
    return [name for language, name in PAGES.items() if renewed(pages[name], found, language) != pages[name]]


def write(root: Path, folder: Path = RESULTS) -> list[str]:
    """Write every page that differs; returns their names."""
    found, changed = rows(folder), differing(root, folder)
    for language, name in PAGES.items():
        if name in changed:
            page = (root / name).read_text(encoding="utf-8")
            pools.replace(root / name, renewed(page, found, language).encode())
    return changed
