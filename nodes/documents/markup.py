"""HTML: its visible text and its tables, merged cells spread over every place they cover.

Tables follow the table model of the HTML Standard (4.9.12.1, forming a table): a cell with `rowspan` and `colspan`
covers several slots, `rowspan=0` reaches to the end of its row group. Tables are numbered in the order in which they
begin; a table inside a cell is one of its own. In a cell white space is folded as a browser does, `<br>` is a line
break. Text of tables is not in the document's text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from nodes.documents import tags
from nodes.documents.tables import MOST_CELLS, Table, padded
from nodes.documents.tags import Piece
from nodes.errors import InputError

_SILENT = frozenset({"script", "style", "template", "title"})
_BLOCKS = frozenset(
    re.findall(
        r"\w+",
        "address article aside blockquote body dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr"
        " html li main nav ol p pre section ul",
    )
)
_GROUPS = frozenset({"thead", "tbody", "tfoot"})
_BLANK = re.compile(r"[ \t\r\n\f]+")
WIDEST, HIGHEST = 1_000, 65_534
"""Limits of the HTML Standard for colspan and rowspan."""
DEEPEST = 100
"""Tables inside tables."""


@dataclass
class _Growing:
    """A table that is being read: slots filled so far."""

    number: int
    slots: dict[tuple[int, int], str] = field(default_factory=dict)
    row: int = -1
    col: int = 0
    to_the_end: list[tuple[int, int, str]] = field(default_factory=list)
    heads: bool = True
    cell: list[str] | None = None
    spans: tuple[int, int] = (1, 1)
    caption: list[str] | None = None
    captioned: str = ""

    def open_row(self) -> None:
        """Begin the next row, with what reaches into it from above."""
        self.close_cell()
        self.row, self.col = self.row + 1, 0
        for col, width, text in self.to_the_end:
            self._cover(self.row, col, 1, width, text)

    def open_cell(self, piece: Piece) -> None:
        """Begin a cell in the next free slot."""
        if self.row < 0:
            self.open_row()
        self.close_cell()
        while (self.row, self.col) in self.slots:
            self.col += 1
        if self.row == 0 and piece.tag == "td":
            self.heads = False
        self.spans = (min(piece.span("rowspan"), HIGHEST), max(1, min(piece.span("colspan"), WIDEST)))
        self.cell = []

    def close_cell(self) -> None:
        """Put the finished cell into the slots that it covers."""
        if self.cell is None:
            return
        text, (high, wide) = folded("".join(self.cell)), self.spans
        self.cell = None
        if high == 0:
            self.to_the_end.append((self.col, wide, text))
        self._cover(self.row, self.col, high or 1, wide, text)
        self.col += wide

    def end_group(self) -> None:
        """No cell reaches over the end of a row group."""
        self.close_cell()
        self.to_the_end.clear()
        for place in [place for place in self.slots if place[0] > self.row]:
            del self.slots[place]

    def finished(self) -> Table:
        """The table as a grid; slots that no cell covers are empty."""
        self.end_group()
        self.close_caption()
        width = 1 + max((col for _, col in self.slots), default=-1)
        if width * (self.row + 1) > MOST_CELLS:
            raise _too_big()
        rows = [[self.slots.get((row, col), "") for col in range(width)] for row in range(self.row + 1)]
        return Table(rows=padded(rows), caption=self.captioned, headed=self.heads)

    def close_caption(self) -> None:
        """Keep the caption."""
        if self.caption is not None:
            self.captioned, self.caption = folded("".join(self.caption)), None

    def _cover(self, row: int, col: int, high: int, wide: int, text: str) -> None:
        if len(self.slots) + high * wide > MOST_CELLS:
            raise _too_big()
        for down in range(high):
            for right in range(wide):
                self.slots.setdefault((row + down, col + right), text)


class _Reader:
    """Collects text and tables of one document."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.title: list[str] = []
        self.tables: dict[int, Table] = {}
        self.open: list[_Growing] = []
        self.silent = ""
        self.begun = 0

    def take(self, piece: Piece) -> None:
        """The next piece of the page."""
        if not piece.tag:
            self._say(piece.text)
        elif piece.tag in _SILENT:
            self.silent = "" if piece.end else piece.tag
        elif self.silent:
            return
        elif piece.end:
            self._end(piece.tag)
        elif piece.tag == "table":
            if len(self.open) >= DEEPEST:
                raise InputError(f"tables are nested deeper than {DEEPEST}", "too_big")
            self.begun += 1
            self.open.append(_Growing(self.begun))
        elif self.open:
            self._inside(self.open[-1], piece)
        elif piece.tag in _BLOCKS or piece.tag == "br":
            self.text.append("\n" if piece.tag in ("br", "li") else "\n\n")

    def _inside(self, table: _Growing, piece: Piece) -> None:
        if piece.tag == "tr":
            table.open_row()
        elif piece.tag in ("td", "th"):
            table.open_cell(piece)
        elif piece.tag in _GROUPS:
            table.end_group()
        elif piece.tag == "caption":
            table.caption = []
        elif table.cell is not None:
            table.cell.append("\v" if piece.tag == "br" else " " if piece.tag in _BLOCKS else "")

    def _end(self, tag: str) -> None:
        if not self.open:
            self.text.append("\n\n" if tag in _BLOCKS else "")
        elif tag == "table":
            table = self.open.pop()
            self.tables[table.number] = table.finished()
        elif tag in ("td", "th", "tr"):
            self.open[-1].close_cell()
        elif tag in _GROUPS:
            self.open[-1].end_group()
        elif tag == "caption":
            self.open[-1].close_caption()

    def _say(self, text: str) -> None:
        """Text goes to the title, the cell, the caption or the document."""
        if self.silent:
            if self.silent == "title":
                self.title.append(text)
        elif not self.open:
            self.text.append(_BLANK.sub(" ", text))
        elif self.open[-1].caption is not None:
            self.open[-1].caption.append(text)
        elif self.open[-1].cell is not None:
            self.open[-1].cell.append(text)

    def close(self) -> None:
        """End what a cut page left open."""
        while self.open:
            self._end("table")


def read(source: str) -> tuple[str, str, tuple[Table, ...]]:
    """Title, text and tables of a page. Raises InputError (`too_big`) for tables beyond the limits."""
    reader = _Reader()
    for piece in tags.pieces(source):
        reader.take(piece)
    reader.close()
    text = re.sub(r" ?\n ?", "\n", "".join(reader.text)).strip()
    tables = tuple(reader.tables[number] for number in sorted(reader.tables))
    return folded("".join(reader.title)), re.sub(r"\n{3,}", "\n\n", text), tables


def folded(text: str) -> str:
    """White space as a browser folds it; a line break for `<br>`."""
    return re.sub(r" ?\v ?", "\n", _BLANK.sub(" ", text)).strip()


def _too_big() -> InputError:
    return InputError(f"a table covers more than {MOST_CELLS} cells", "too_big")
