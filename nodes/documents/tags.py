"""Tags of an HTML page in one pass. Python's own parser takes minutes for 100 kB of unclosed tags; this one never looks
at a character a third time: what is not closed swallows the rest, as the HTML Standard says for the end of a file.
"""

from __future__ import annotations

import html
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass

_NAME = re.compile(r"/?([A-Za-z][^\s/>]*)")
_PLAIN = re.compile(r"[^>\"']*")
_RAW = {
    name: re.compile(f"</{name}(?![A-Za-z0-9])", re.IGNORECASE) for name in ("script", "style", "title", "textarea")
}
"""Elements in which nothing but their own end is a tag."""
_SPAN = re.compile(r"(?<![\w-])(rowspan|colspan)\s*=\s*[\"']?\s*(\d{1,9})", re.IGNORECASE)


@dataclass(frozen=True)
class Piece:
    """Text (`tag` is empty), a start tag, or an end tag."""

    tag: str = ""
    text: str = ""
    """Text with its entities decoded; of a start tag its attributes as they stand."""
    end: bool = False

    def span(self, name: str) -> int:
        """`rowspan` or `colspan`; 1 where there is none."""
        return next((int(number) for found, number in _SPAN.findall(self.text) if found.lower() == name), 1)


def pieces(source: str) -> Iterator[Piece]:
    """Text and tags in order; comments and declarations are left out."""
    at = 0
    while at < len(source):
        opening = source.find("<", at)
        stop = len(source) if opening < 0 else opening
        if stop > at:
            yield Piece(text=html.unescape(source[at:stop]))
        if opening < 0:
            return
        if source[opening + 1 : opening + 2] in ("!", "?"):
            at = _behind(source, opening)
        elif name := _NAME.match(source, opening + 1):
            at = yield from _tag(source, opening, name)
        else:
            yield Piece(text="<")
            at = opening + 1


def _behind(source: str, opening: int) -> int:
    """Where a comment or declaration ends."""
    mark = "-->" if source.startswith("<!--", opening) else ">"
    found = source.find(mark, opening + 2)
    return len(source) if found < 0 else found + len(mark)


def _tag(source: str, opening: int, name: re.Match[str]) -> Generator[Piece, None, int]:
    """One tag, and for an element of raw text all of it. Returns where it ends."""
    at = _closed(source, name.end())
    tag = name[1].lower()
    if source[opening + 1] == "/":
        yield Piece(tag=tag, end=True)
        return at
    yield Piece(tag=tag, text=source[name.end() : at])
    if tag in _RAW:
        found = _RAW[tag].search(source, at)
        stop = found.start() if found else len(source)
        yield Piece(text=html.unescape(source[at:stop]))
        return stop
    return at


def _closed(source: str, at: int) -> int:
    """The place behind the `>` of a tag; quoted attributes may hold one. The end of the text when there is none."""
    while True:
        at = _PLAIN.match(source, at).end()  # type: ignore[union-attr]  # it matches the empty text too
        if at >= len(source):
            return at
        if source[at] == ">":
            return at + 1
        closing = source.find(source[at], at + 1)
        if closing < 0:  # a quote that opens nothing
            found = source.find(">", at)
            return len(source) if found < 0 else found + 1
        at = closing + 1
