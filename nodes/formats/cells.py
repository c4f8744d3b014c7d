"""Rows of Markdown tables: cells, delimiter rows, and how well a row fits the others."""

from __future__ import annotations

import re
from collections.abc import Sequence

BAR = re.compile(r"(?<!\\)\|")
_DELIMITER = re.compile(r"\s*:?-+:?\s*")
_ODD = re.compile(r"\s*:?(?:_+|=+|\*{2,}|[-—–－‐‑−─]+):?\s*")
_KINDS = (
    (re.compile(r"\s*"), "empty"),
    (re.compile(r"[-+−]?\s*[$€£¥￥]?\s*\d[\d,.]*\s*[%％]?"), "number"),
    (re.compile(r"\d{2,4}[-/.年]\d{1,2}(?:[-/.月]\d{1,4}日?)?"), "date"),
    (re.compile(r"[-+]?\d[\d,.]*\s*[^\d\s]{1,8}"), "quantity"),
    (re.compile(r".*[\u4e00-\u9fff].*"), "chinese"),
)


def cells(line: str) -> list[str]:
    """The cells of a row, spaces around them taken off; a bar behind a backslash belongs to its cell."""
    inner = line.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.strip() for cell in BAR.split(inner)]


def row(found: Sequence[str]) -> str:
    """A row of cells in the plain style."""
    return f"| {' | '.join(found)} |"


def delimiter(columns: int) -> str:
    """A delimiter row."""
    return row(["---"] * columns)


def is_row(line: str) -> bool:
    """True for a line that begins and goes on with bars."""
    return line.lstrip().startswith("|") and len(BAR.findall(line)) > 1


def is_delimiter(line: str) -> bool:
    """True for a row of dashes and colons."""
    return ("|" in line or ":" in line or "---" in line) and all(_DELIMITER.fullmatch(cell) for cell in cells(line))


def is_odd_delimiter(line: str) -> bool:
    """True for a delimiter row of other signs than dashes."""
    return "|" in line and not is_delimiter(line) and all(_ODD.fullmatch(cell) for cell in cells(line))


def kind(cell: str) -> str:
    """What a cell looks like."""
    return next((name for pattern, name in _KINDS if pattern.fullmatch(cell)), "word")


def fit(found: Sequence[str], others: Sequence[Sequence[str]]) -> float:
    """Mean share of the other rows whose cell in the same column looks alike; 0 without others."""
    if not others or not found:
        return 0.0
    same = sum(kind(cell) == kind(other[at]) for other in others for at, cell in enumerate(found) if at < len(other))
    return same / (len(others) * len(found))
