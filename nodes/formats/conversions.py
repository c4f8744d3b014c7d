"""Data from one notation into another, without a model: JSON, YAML, CSV, Markdown tables.

`parse` reads a text as whatever it is; `write` renders plain data. What does not fit a notation (nested data in a
table) is a FormatFault `columns`.
"""

from __future__ import annotations

import csv
import io
import re
from typing import Any, Literal

import yaml

from nodes.formats import markdown, objects, tables
from nodes.formats.cells import row
from nodes.formats.faults import FormatFault

Notation = Literal["json", "yaml", "csv", "table"]
LONGEST = 20_000
"""Characters that are converted."""
_ALIAS = re.compile(r"(?:^|[\s\[{,:-])[&*][A-Za-z0-9_]", re.MULTILINE)


def parse(text: str, notation: Notation) -> tuple[Any, tuple[str, ...]]:
    """The data in a text of this notation, and what had to be repaired. Raises FormatFault."""
    if len(text) > LONGEST:
        raise FormatFault("size", f"more than {LONGEST} characters")
    if notation == "json":
        read = objects.repair(text)
        return read.value, read.repairs
    if notation == "yaml":
        return _yaml(text), ()
    if notation == "csv":
        return _csv(text), ()
    mended, defects = tables.mend(text)
    found = markdown.tables(mended)
    if len(found) != 1:
        raise FormatFault("syntax", f"{len(found)} tables")
    head = found[0].columns
    return [dict(zip(head, each, strict=False)) for each in found[0].rows], tuple(one.kind for one in defects)


def write(value: Any, notation: Notation) -> str:
    """The data in this notation. Raises FormatFault `columns` where it has no room for it."""
    if notation == "json":
        return objects.dumped(value, indent=2)
    if notation == "yaml":
        return str(yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=1_000)).rstrip("\n")
    head, rows = _rows(value)
    if notation == "table":
        return "\n".join([row(head), row(["---"] * len(head)), *(row([_cell(cell) for cell in each]) for each in rows)])
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([head, *rows])
    return out.getvalue().rstrip("\n")


def _cell(text: str) -> str:
    return re.sub(r"\s*\n\s*", " ", text).replace("\\|", "|").replace("|", "\\|")


def _yaml(text: str) -> Any:
    if _ALIAS.search(text):
        raise FormatFault("work", "YAML with anchors is not read: a few lines could stand for any amount of data")
    try:
        value = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise FormatFault("syntax", str(error).split("\n")[0]) from error
    if not isinstance(value, dict | list):
        raise FormatFault("syntax", "no mapping and no sequence")
    return value


def _csv(text: str) -> list[dict[str, str]]:
    """Rows by the names in the first one; every value is text."""
    try:
        rows = [[cell.strip() for cell in each] for each in csv.reader(io.StringIO(text.strip())) if each]
    except csv.Error as error:
        raise FormatFault("syntax", str(error)) from error
    if len(rows) < 2 or len(rows[0]) < 2 or any(len(each) != len(rows[0]) for each in rows):
        raise FormatFault("columns", "rows of different length")
    if len(set(rows[0])) < len(rows[0]):
        raise FormatFault("columns", "two columns have the same name")
    return [dict(zip(rows[0], each, strict=True)) for each in rows[1:]]


def _rows(value: Any) -> tuple[list[str], list[list[str]]]:
    """Header and rows of a list of flat objects."""
    rows = [value] if isinstance(value, dict) else value
    if not isinstance(rows, list) or not rows or not all(isinstance(one, dict) and one for one in rows):
        raise FormatFault("columns", "no list of objects")
    head = list(dict.fromkeys(key for one in rows for key in one))
    if any(isinstance(cell, dict | list) for one in rows for cell in one.values()):
        raise FormatFault("columns", "nested values do not fit a table")
    return head, [[_shown(one.get(key)) for key in head] for one in rows]


def _shown(value: Any) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
