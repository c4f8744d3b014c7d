"""Passages and terms: what is searched, and by which words.

A passage is one row of a table with its headings, or a paragraph of text, cut at the ends of sentences when it is long.
Terms are folded words and numbers; Chinese, which has no blanks, is taken as overlapping pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from nodes.contracts import Contract
from nodes.coordinates import Coordinate
from nodes.documents.files import Document
from nodes.documents.tables import Table

LONGEST = 600
"""Characters of a passage of text."""
LONGEST_ROW = 1_200
"""Characters of a row as it is shown; the cells themselves are resolved from their coordinates, whole."""
_PARAGRAPH = re.compile(r"[^\n\f](?:[^\n\f]|\n(?![ \t]*[\n\f]))*")
_SENTENCE = re.compile(r".+?(?:[。！？!?；]|\.(?=\s)|\n|\Z)\s*", re.DOTALL)
_LETTERS = r"[^\W\d_\u3400-\u4dbf\u4e00-\u9fff]+"
_TERM = re.compile(rf"[\u3400-\u4dbf\u4e00-\u9fff]+|\d+(?:[.,]\d+)*|{_LETTERS}(?:['’]{_LETTERS})?")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s[^\n]*")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
LONGEST_TERM = 40


class Passage(Contract):
    """A piece of a source that a question may be answered from."""

    place: str
    """Coordinate, with `doc:`; resolves to the raw text or row."""
    text: str
    """What is shown to the model: the span as it stands, or a row as `heading: cell | ...`."""
    source: str
    """Name of the document."""
    version: str
    """First 12 hex digits of the SHA-256 of the document's bytes."""
    score: float = 0.0
    """BM25 score for the question, >= 0."""


def passages(document: Document) -> Iterator[Passage]:
    """Everything of a document that can be found, in reading order: text, then tables."""
    version = document.digest[:12]
    if document.kind not in ("csv", "json"):
        inside = [table.span for table in document.tables if table.span]
        for start, end in spans(document.text):
            if not any(begin <= start and end <= stop for begin, stop in inside):
                place = str(Coordinate(doc=document.name, start=start, end=end))
                yield Passage(place=place, text=document.text[start:end], source=document.name, version=version)
    for number, table in enumerate(document.tables, 1):
        for row in range(1 + (table.headed and len(table.rows) > 1), len(table.rows) + 1):
            place = str(Coordinate(doc=document.name, table=number, row=row))
            yield Passage(place=place, text=shown(table, row), source=document.name, version=version)


def shown(table: Table, row: int) -> str:
    """A row with its headings; empty cells are left out."""
    cells, heads = table.row(row), table.rows[0] if table.headed and row > 1 else ("",) * table.width
    named = (f"{head}: {cell}" if head else cell for head, cell in zip(heads, cells, strict=True) if cell.strip())
    return " | ".join(named)[:LONGEST_ROW]


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Spans of everything that can be seen, in order (`_pieces`)."""
    return ((start, end) for start, end in _pieces(text) if end > start)


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the paragraphs of a text, a heading with what follows it; of long ones, spans of whole sentences."""
    start = end = -1
    for match in _PARAGRAPH.finditer(text):
        start, end = match.start() if start < 0 else start, match.end()
        if _HEADING.fullmatch(text, match.start(), end) and end - start <= LONGEST:
            continue
        yield from [_tight(text, start, end)] if end - start <= LONGEST else _packed(text, start, text[start:end])
        start = -1
    if start >= 0:
        yield _tight(text, start, end)


def _packed(text: str, at: int, paragraph: str) -> Iterator[tuple[int, int]]:
    """Sentences put together up to the limit; one that is longer still is cut."""
    start = end = at
    for sentence in _SENTENCE.findall(paragraph):
        if end + len(sentence) - start > LONGEST and end > start:
            yield _tight(text, start, end)
            start = end
        end += len(sentence)
        while end - start > LONGEST:
            yield _tight(text, start, start + LONGEST)
            start += LONGEST
    if end > start:
        yield _tight(text, start, end)


def _tight(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space at its ends."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - len(piece) + len(piece.rstrip())


def terms(text: str) -> list[str]:
    """Search terms of a text in order: folded words, numbers without thousands separators, pairs of Han characters."""
    found: list[str] = []
    for match in _TERM.finditer(unicodedata.normalize("NFKC", text).casefold()):
        word = match[0]
        if _HAN.match(word):
            found += [word[at : at + 2] for at in range(len(word) - 1)] or [word]
        elif word[0].isdigit():
            found.append(re.sub(r",(?=\d{3}(?!\d))", "", word)[:LONGEST_TERM])
        else:
            found.append(_singular(word)[:LONGEST_TERM])
    return found


def _singular(word: str) -> str:
    """A plural or possessive s cut off, so that `revenues` finds `revenue`."""
    word = re.sub(r"['’]s?$|['’]", "", word)
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
