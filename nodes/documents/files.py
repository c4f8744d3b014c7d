"""A folder of files becomes documents, all of them or none: one that cannot be read is named and ends it.

csv, tsv, md, txt, json, html and pdf are read, anything else and hidden files are left alone. A document's hash is
that of the bytes that were read; its `text` is what `chars` coordinates count in: the decoded file, and for html and
pdf the text that is visible, pages of a pdf divided by form feeds.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nodes.documents import markup, objects
from nodes.documents.encodings import decode
from nodes.documents.tables import Table, find, padded
from nodes.errors import InputError

KINDS = {
    ".csv": "csv", ".tsv": "csv", ".md": "md", ".markdown": "md", ".txt": "txt", ".json": "json",
    ".html": "html", ".htm": "html", ".pdf": "pdf",
}  # fmt: skip
MOST_FILES = 2_000
LARGEST_FILE = 20_000_000
"""Bytes of one file."""
LARGEST_FOLDER = 60_000_000
"""Bytes of all files."""
HEAD = 20_000
"""Characters from which the delimiter of a csv file is told."""
PAGES = "\n\f\n"
"""Between the pages of a pdf."""
Pages = Callable[[bytes], list[str]]
_TITLE = re.compile(r"^\s{0,3}#\s+(.{1,200}?)\s*#*\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Document:
    """One source."""

    name: str
    """Path inside the folder, with `/`."""
    kind: str
    digest: str
    """SHA-256 of the file's bytes, 64 hex digits: its version."""
    size: int
    """Bytes."""
    text: str
    tables: tuple[Table, ...] = ()
    title: str = ""


def read(folder: Path, pages: Pages) -> tuple[Document, ...]:
    """Every document below `folder`, by name. `pages` takes the bytes of a pdf and gives the text of each page.

    Raises InputError: unknown_folder, no_sources, unreadable_file, too_big, bad_csv, bad_json, broken_pdf.
    """
    return tuple(document(name, data, pages) for name, data in load(folder))


def load(folder: Path) -> list[tuple[str, bytes]]:
    """Name and bytes of every file that can be a source, by name."""
    paths = _paths(folder)
    if len(paths) > MOST_FILES:
        raise InputError(f"{str(folder)!r} holds {len(paths)} files: {MOST_FILES} at most", "too_big")
    found = [(path.relative_to(folder).as_posix(), _bytes(path)) for path in paths]
    if (total := sum(len(data) for _, data in found)) > LARGEST_FOLDER:
        raise InputError(f"{str(folder)!r} holds {total} bytes: {LARGEST_FOLDER} at most", "too_big")
    return found


def _paths(folder: Path) -> list[Path]:
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "does not exist"
        raise InputError(f"the knowledge folder {str(folder)!r} {what}: name a folder of documents", "unknown_folder")
    found = []
    for root, folders, files in os.walk(folder, onerror=_unreadable):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(root, name) for name in files if not name.startswith(".") and _kind(name)]
    if not found:
        raise InputError(f"{str(folder)!r} holds no {', '.join(sorted(set(KINDS.values())))} file", "no_sources")
    return sorted(found)


def _kind(name: str) -> str | None:
    return KINDS.get(Path(name).suffix.lower())


def _unreadable(error: OSError) -> None:
    raise InputError(f"cannot read {error.filename!r}: {error.strerror}", "unreadable_file") from error


def _bytes(path: Path) -> bytes:
    """The file's bytes, no more than allowed; what is no regular file (a pipe would never end) is refused."""
    try:
        if not path.is_file():
            raise InputError(f"cannot read {str(path)!r}: it is no regular file", "unreadable_file")
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror or error}", "unreadable_file") from error
    if len(data) > LARGEST_FILE:
        raise InputError(f"{str(path)!r} is larger than {LARGEST_FILE} bytes", "too_big")
    return data


def document(name: str, data: bytes, pages: Pages) -> Document:
    """One document from its bytes. Raises InputError that begins with its name."""
    kind = _kind(name) or "txt"
    try:
        text, tables, title = _content(name, kind, data, pages)
    except InputError as error:
        raise error if name in str(error) else InputError(f"{name!r}: {error}", error.code) from error
    digest = hashlib.sha256(data).hexdigest()
    return Document(name=name, kind=kind, digest=digest, size=len(data), text=text, tables=tables, title=title)


def _content(name: str, kind: str, data: bytes, pages: Pages) -> tuple[str, tuple[Table, ...], str]:
    if kind == "pdf":
        text = PAGES.join(pages(data))
        if not text.strip("\n\f "):
            raise InputError("the pdf holds no text; scanned pages are not read", "broken_pdf")
        return text, find(text), ""
    text = decode(data, name)
    if kind == "csv":
        return text, (separated(text, "\t" if name.lower().endswith(".tsv") else None),), ""
    if kind == "json":
        return text, objects.read(text), ""
    if kind == "html":
        title, text, tables = markup.read(text)
        return text, tables, title
    heading = _TITLE.search(text) if kind == "md" else None
    return text, find(text), heading[1] if heading else ""


def separated(text: str, delimiter: str | None = None) -> Table:
    """The table of a csv file (RFC 4180): rows as they stand, blank lines left out."""
    delimiter = delimiter or guessed(text)
    try:
        rows = _rows(text, delimiter, strict=True)
    except csv.Error as error:
        if "unexpected end" in str(error):
            raise InputError("a quoted field is never closed", "bad_csv") from error
        try:  # characters behind a closing quote: common, and harmless
            rows = _rows(text, delimiter, strict=False)
        except csv.Error as again:
            raise InputError(f"it cannot be read as csv: {again}", "bad_csv") from again
    return Table(rows=padded(rows), span=(0, len(text)))


def _rows(text: str, delimiter: str, *, strict: bool) -> list[list[str]]:
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=strict)
    return [row for row in lines if row]


def guessed(text: str) -> str:
    """The delimiter: which of comma, semicolon, tab and bar cuts most of the first rows into equally many fields; of
    several the one that makes more fields."""
    head = text[:HEAD]
    if len(text) > HEAD:
        head = head[: head.rfind("\n") + 1] or head
    return max(",;\t|", key=lambda delimiter: _regular(head, delimiter))


def _regular(head: str, delimiter: str) -> tuple[float, int]:
    """Share of the rows that have the commonest number of fields, when it is over one, and that number."""
    try:
        widths = [len(row) for row in _rows(head, delimiter, strict=False)]
    except csv.Error:
        return 0.0, 0
    width, count = Counter(widths).most_common(1)[0] if widths else (0, 0)
    return (count / len(widths), width) if width > 1 else (0.0, 0)
