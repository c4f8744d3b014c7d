"""Tables: rows of raw cells, found in a text or given by a file, and the look-up of a coordinate.

A raw cell is what the source says without the marks of its form: quotes of csv and escapes of Markdown pipes are gone,
everything else, blanks inside quotes included, is kept. In running text a table is recognised conservatively: a
Markdown table needs its delimiter line, a tab-separated one two lines with equally many tabs, a comma-separated one
two lines with equally many short fields that do not read like prose (three lines and fields, when blanks follow
commas).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nodes.coordinates import Coordinate, parse
from nodes.errors import InputError

MOST_CELLS = 2_000_000
"""Cells of one table; more is refused as too big."""
LONGEST_FIELD = 80
"""Characters of a comma-separated field in running text; prose has longer ones."""
INTRODUCTION = 3
"""Lines before a separated table that may have its number of separators."""
_DELIMITER_LINE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_PIPE = re.compile(r"(?<!\\)\|")
_SENTENCE_END = re.compile(r"[.。!！?？:：][\"”』）)]?\s*$")
_LINE = re.compile(r"[^\n]*\n?")


@dataclass(frozen=True)
class Table:
    """One table. `rows[0]` is row 1, the header where there is one."""

    rows: tuple[tuple[str, ...], ...]
    span: tuple[int, int] | None = None
    """Place in the text; None where the table comes from a file's structure."""
    caption: str = ""
    headed: bool = True
    """False when row 1 is already data."""

    @property
    def width(self) -> int:
        """Cells of the widest row."""
        return max(map(len, self.rows), default=0)

    def cell(self, row: int, col: int) -> str:
        """The raw cell; a row that is too short has empty cells at its end. Raises InputError outside the table."""
        cells = self.row(row)
        if col > self.width:
            raise InputError(f"there is no column {col}: the table has {self.width}", "unknown_coordinate")
        return cells[col - 1] if col <= len(cells) else ""

    def row(self, row: int) -> tuple[str, ...]:
        """All cells of a row. Raises InputError outside the table."""
        if row > len(self.rows):
            raise InputError(f"there is no row {row}: the table has {len(self.rows)}", "unknown_coordinate")
        return self.rows[row - 1]


def resolve(coordinate: str | Coordinate, text: str, tables: Sequence[Table]) -> str:
    """What stands at a place of one document: a cell, a span; a row as its cells joined by tabs, a table as its rows
    joined by line breaks; the whole text for the document itself.

    Raises InputError (`bad_coordinate`, `unknown_coordinate`).
    """
    place = parse(coordinate) if isinstance(coordinate, str) else coordinate
    if place.start is not None and place.end is not None:
        if place.end > len(text):
            raise InputError(f"{str(place)!r} ends outside the text of {len(text)} characters", "unknown_coordinate")
        return text[place.start : place.end]
    if place.table is None:
        return text
    if place.table > len(tables):
        raise InputError(f"{str(place)!r}: there are {len(tables)} tables", "unknown_coordinate")
    table = tables[place.table - 1]
    if place.row is None:
        return "\n".join("\t".join(row) for row in table.rows)
    return "\t".join(table.row(place.row)) if place.col is None else table.cell(place.row, place.col)


def find(text: str) -> tuple[Table, ...]:
    """Every table of a text, in reading order. Linear in the length of the text."""
    found: list[Table] = []
    for block in _blocks(text):
        found += _tables_of(block)
    return tuple(found)


@dataclass(frozen=True)
class _Line:
    text: str
    start: int
    end: int


def _blocks(text: str) -> Iterator[list[_Line]]:
    """Runs of lines without a blank line or a fence between them."""
    block: list[_Line] = []
    at = 0
    for raw in _LINE.findall(text):
        line = _Line(raw.rstrip("\r\n"), at, at + len(raw.rstrip("\r\n")))
        at += len(raw)
        if line.text.strip() and not line.text.lstrip().startswith(("```", "~~~")):
            block.append(line)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _tables_of(block: list[_Line]) -> Iterator[Table]:
    """Markdown tables of a block; in what is left between them, separated ones."""
    at = begin = 0
    while at + 1 < len(block):
        if _heads_markdown(block[at], block[at + 1]):
            yield from _separated(block[begin:at])
            stop = at + 2
            while stop < len(block) and "|" in block[stop].text:
                stop += 1
            yield _markdown(block[at:stop])
            at = begin = stop
        else:
            at += 1
    yield from _separated(block[begin:])


def _heads_markdown(head: _Line, rule: _Line) -> bool:
    if "|" not in head.text or "-" not in rule.text or not _DELIMITER_LINE.fullmatch(rule.text):
        return False
    return len(pipe_cells(head.text)) == len(pipe_cells(rule.text))


def _markdown(lines: list[_Line]) -> Table:
    rows = [pipe_cells(line.text) for line in (lines[0], *lines[2:])]
    return Table(rows=padded(rows), span=(lines[0].start, lines[-1].end))


def pipe_cells(line: str) -> list[str]:
    """Cells of one line of a Markdown table (GFM 4.10): split at pipes that no backslash escapes."""
    parts = _PIPE.split(line.strip())
    if parts and not parts[0].strip() and line.lstrip().startswith("|"):
        parts = parts[1:]
    if len(parts) > 1 and not parts[-1].strip():
        parts = parts[:-1]
    return [part.strip().replace("\\|", "|") for part in parts]


def _separated(block: list[_Line]) -> Iterator[Table]:
    """Runs of lines with equally many fields, by tab, comma or semicolon."""
    at = tries = 0
    while at < len(block):
        for separator in "\t,;":
            stop = _run(block, at, separator)
            rows = _fields(block[at:stop], separator)
            if rows and _is_table(rows, separator):
                yield Table(rows=padded(rows), span=(block[at].start, block[stop - 1].end))
                at, tries = stop, 0
                break
        else:  # an introduction may have as many commas as the table under it
            tries += 1
            at = at + 1 if tries <= INTRODUCTION else max(at + 1, *(_run(block, at, one) for one in "\t,;"))
            tries %= INTRODUCTION + 1


def _run(block: list[_Line], at: int, separator: str) -> int:
    """Where the run of lines ends that have the separator and as many fields as the first."""
    wanted, stop = _count(block[at].text, separator), at
    while wanted and stop < len(block) and _count(block[stop].text, separator) == wanted:
        stop += 1
    return stop


def _count(line: str, separator: str) -> int:
    """Separators of a line that stand outside quotes."""
    return sum(part.count(separator) for part in line.split('"')[::2])


def _fields(lines: list[_Line], separator: str) -> list[list[str]]:
    try:
        return list(csv.reader((line.text for line in lines), delimiter=separator))
    except csv.Error:
        return []


def _is_table(rows: list[list[str]], separator: str) -> bool:
    width = len(rows[0])
    if width < 2 or any(len(row) != width for row in rows):
        return False
    if separator == "\t":
        return len(rows) >= 2
    cells = [cell for row in rows for cell in row]
    spaced = any(cell.startswith(" ") for row in rows for cell in row[1:])
    sentences = sum(bool(_SENTENCE_END.search(row[-1])) for row in rows)
    prose = 2 * sentences > len(rows) or any(len(cell) > LONGEST_FIELD for cell in cells)
    return not prose and len(rows) >= 2 and (not spaced or (width >= 3 and len(rows) >= 3))


def padded(rows: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Rows of one width, short ones filled with empty cells. Raises InputError when the table is too big."""
    width = max(map(len, rows), default=0)
    if width * len(rows) > MOST_CELLS:
        raise InputError(
            f"a table of {len(rows)} rows and {width} columns is too big: {MOST_CELLS} cells at most", "too_big"
        )
    return tuple((*row, *[""] * (width - len(row))) for row in rows)
