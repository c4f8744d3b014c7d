"""Markdown as GitHub reads it, by markdown-it-py: HTML, and the tables and headings that really come out.

Raw HTML stays text that is handed on, never run. Nested quotes and lists cost time that grows with their square, so
their depth is limited by the parser (`maxNesting`), and long texts by `LONGEST`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

LONGEST = 200_000
"""Characters that are parsed; what is beyond is left out."""
NESTING = 20


@dataclass(frozen=True)
class Heading:
    """One heading that renders."""

    level: int
    text: str
    first: int
    """Its first line, from 0."""
    last: int
    """Its last line: another one where it is underlined."""


@dataclass(frozen=True)
class Table:
    """One table that renders."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"maxNesting": NESTING}).enable(["table", "strikethrough"])


def html(text: str) -> str:
    """HTML of a Markdown text; alignment as GitHub writes it."""
    rendered = str(_parser().render(f"{text[:LONGEST]}\n"))
    return re.sub(r'<(t[hd]) style="text-align:(left|right|center)">', r'<\1 align="\2">', rendered)


def parsed(text: str) -> list[Token]:
    """The parser's tokens."""
    return _parser().parse(text[:LONGEST])


def tables(text: str) -> list[Table]:
    """The tables that render, in order."""
    found, rows, row = [], [], []
    for token in parsed(text):
        if token.type == "inline" and token.level >= 4:
            row.append(token.content.strip())
        elif token.type == "tr_open":
            row = []
        elif token.type == "tr_close":
            rows.append(tuple(row))
        elif token.type == "table_open":
            rows = []
        elif token.type == "table_close":
            found.append(Table(rows[0], tuple(rows[1:])))
    return found


def headings(text: str) -> list[Heading]:
    """The headings that render, in order."""
    return headings_of(parsed(text))


def headings_of(tokens: list[Token]) -> list[Heading]:
    """The headings among the parser's tokens."""
    found = []
    for one, after in pairwise(tokens):
        if one.type == "heading_open" and one.map:
            found.append(Heading(int(one.tag[1]), after.content.strip(), one.map[0], one.map[1] - 1))
    return found
