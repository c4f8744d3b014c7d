"""Coordinates: where a cell or a span of text stands, as one short string that outlives the prompt it was cited in.

    doc:<name>                                   a whole document
    [doc:<name>,]table:2                         a table, counted in reading order
    [doc:<name>,]table:2,row:5                   one of its rows
    [doc:<name>,]table:2,row:5,col:3             one of its cells
    [doc:<name>,]chars:120-180                   a span of text

Tables, rows and columns are counted from 1, and the header is row 1, as in a spreadsheet; the delimiter line of a
Markdown table and blank lines are no rows. A merged cell answers at every place that it covers. `chars` counts
characters from 0 and leaves out the last one, like every span in the contracts: `chars:0-3` are the first three.
Without `doc:` the question's own text is meant. In a name `%` and `,` are written `%25` and `%2C`.

The model cites; code looks up. What a coordinate resolves to is never asked of a model.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from nodes.errors import InputError

LONGEST = 1_000
"""Characters of a coordinate."""
_FORM = re.compile(
    r"(?:doc:(?P<doc>[^,\n]+)(?:,(?=table:|chars:)|$))?"
    r"(?:table:(?P<table>\d{1,9})(?:,row:(?P<row>\d{1,9})(?:,col:(?P<col>\d{1,9}))?)?"
    r"|chars:(?P<start>\d{1,12})-(?P<end>\d{1,12}))?"
)
_SPACES = re.compile(r"[ \t]*([,:])[ \t]*(?=table|row|col|chars|doc|\d|$)")
CITED = re.compile(
    r"(?:doc:[^,\s\[\]（）()<>\"'“”]+,)?"
    r"(?:table:\d{1,9}(?:, ?row:\d{1,9}(?:, ?col:\d{1,9})?)?|chars:\d{1,12}-\d{1,12})"
)
"""A coordinate inside running text; document names with blanks are only read on their own."""


@dataclass(frozen=True, slots=True)
class Coordinate:
    """One place. At least one of `doc`, `table` and `start` is set."""

    doc: str | None = None
    table: int | None = None
    row: int | None = None
    col: int | None = None
    start: int | None = None
    end: int | None = None

    def __str__(self) -> str:
        parts = [] if self.doc is None else [f"doc:{escaped(self.doc)}"]
        parts += [
            f"{name}:{value}"
            for name, value in (("table", self.table), ("row", self.row), ("col", self.col))
            if value is not None
        ]
        if self.start is not None:
            parts.append(f"chars:{self.start}-{self.end}")
        return ",".join(parts)


def parse(text: str) -> Coordinate:
    """Read a coordinate. Raises InputError (`bad_coordinate`) for anything else."""
    plain = text.strip() if len(text) <= LONGEST else ""
    found = _FORM.fullmatch(plain) or _FORM.fullmatch(_SPACES.sub(r"\1", plain))
    if not found or not found[0]:
        raise InputError(
            f"{text[:200]!r} is no coordinate: write table:2,row:5,col:3 or chars:120-180, with doc:<name>, before it"
            " for a document",
            "bad_coordinate",
        )
    numbers = {name: int(value) for name, value in found.groupdict().items() if value and name != "doc"}
    if 0 in (numbers.get("table"), numbers.get("row"), numbers.get("col")):
        raise InputError(f"{text!r} is no coordinate: tables, rows and columns are counted from 1", "bad_coordinate")
    if numbers.get("start", 0) > numbers.get("end", 0):
        raise InputError(f"{text!r} is no coordinate: its span ends before it begins", "bad_coordinate")
    return Coordinate(doc=unquote(found["doc"]) if found["doc"] else None, **numbers)


def escaped(name: str) -> str:
    """A document's name as it stands in a coordinate."""
    return name.replace("%", "%25").replace(",", "%2C")


def cited(text: str) -> list[tuple[str, tuple[int, int]]]:
    """Coordinates that a text cites, with their spans."""
    return [(match[0], match.span()) for match in CITED.finditer(text)]
