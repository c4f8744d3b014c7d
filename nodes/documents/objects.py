"""JSON as tables: an array of objects has its keys as header, an array of arrays is a table as it stands, and every
scalar that is in no such array is a row of a last table, path and value. Scalars stay as they are written: `1.50`,
`true`, `null`; a structure inside a cell is compact JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from nodes.documents.tables import Table, padded
from nodes.errors import InputError

MOST_COLUMNS = 2_000
"""Different keys of one array of objects."""


class _Raw(str):
    """A number or a constant as the file writes it."""

    __slots__ = ()


def read(text: str) -> tuple[Table, ...]:
    """Tables of a JSON text, in reading order. Raises InputError (`bad_json`, `too_big`)."""
    try:
        value = json.loads(text, parse_float=_Raw, parse_int=_Raw, parse_constant=_Raw)
        loose: list[tuple[str, str]] = []
        tables = list(_tables(value, "", loose))
    except RecursionError:
        raise InputError("it is nested too deeply", "bad_json") from None
    except ValueError as error:
        raise InputError(f"it is not JSON: {error}", "bad_json") from error
    if loose:
        tables.append(Table(rows=(("path", "value"), *loose), caption=""))
    return tuple(tables)


def _tables(value: Any, path: str, loose: list[tuple[str, str]]) -> Iterator[Table]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _tables(inner, f"{path}.{key}" if path else key, loose)
    elif isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        yield _of_objects(value, path)
    elif isinstance(value, list) and len(value) > 1 and all(isinstance(one, list) for one in value):
        yield Table(rows=padded([[cell(one) for one in row] for row in value]), caption=path)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _tables(inner, f"{path}[{place}]", loose)
    else:
        loose.append((path, cell(value)))


def _of_objects(rows: list[dict[str, Any]], path: str) -> Table:
    header = list(dict.fromkeys(key for row in rows for key in row))
    if len(header) > MOST_COLUMNS:
        raise InputError(f"an array of objects has {len(header)} keys: {MOST_COLUMNS} at most", "too_big")
    body = [[cell(row[key]) if key in row else "" for key in header] for row in rows]
    return Table(rows=padded([header, *body]), caption=path)


def cell(value: Any) -> str:
    """A value as a raw cell."""
    text = str(value) if isinstance(value, str) else _dumped(value)
    return text if _encodable(text) else json.dumps(text)[1:-1]


def _dumped(value: Any) -> str:
    """Compact JSON in which numbers stand as they were written."""
    if isinstance(value, _Raw):
        return str(value)
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{json.dumps(key, ensure_ascii=False)}: {_dumped(one)}" for key, one in value.items())
            + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_dumped, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _encodable(text: str) -> bool:
    """False for a lone surrogate, which JSON can escape and no file can hold."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
