"""JSON: read strictly, or repaired with a list of what was repaired. Valid JSON is never altered.

Three readers, strictest first: the standard; one pass of our own over the tokens (`tidying`), which mends what has
one reading only; the `json-repair` library for the rest, on texts of bounded size, because its time is not linear.
Without an object or array the text is read as one scalar.
"""

from __future__ import annotations

import json
import logging
import re
from dataclasses import dataclass
from typing import Any, NoReturn

import json_repair

from nodes.formats import tidying
from nodes.formats.faults import FormatFault

LONGEST = 20_000
"""Characters that the library repairs."""
MOST_OPEN = 400
"""Opening brackets that the library repairs; its time grows with their square."""
DIGITS = 4_000
"""Digits of a number that are read; Python's own limit is 4,300."""
_FENCE = re.compile(
    r"^[ \t]*(?:```|~~~)[ \t]*(?:json5?|jsonc|javascript|js)?[ \t]*\n(.*?)^[ \t]*(?:```|~~~)", re.M | re.S
)
_LITERALS = {"true": True, "false": False, "null": None, "none": None, "undefined": None}
_CALLBACK = re.compile(r"[A-Za-z_$][\w$]*\((.*)\)[ \t]*;?", re.DOTALL)
_SERIES = re.compile(r"[^\s,]+(?:[ \t]*[,\n]\s*[^\s,]+)+[\s,]*")
_CUT_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")
_QUOTES = "\"'“”‘’`´"
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,300})(?:\.\d{1,300})?(?:[eE][+-]?\d{1,3})?")

logging.getLogger("json_repair").addHandler(logging.NullHandler())


@dataclass(frozen=True)
class Read:
    """A JSON value, its text, and the names of the repairs; no repairs = the text was valid and is unchanged."""

    value: Any
    text: str
    repairs: tuple[str, ...] = ()


def strict(text: str) -> Any:
    """The value of a valid JSON text (RFC 8259: no NaN). Raises FormatFault."""
    try:
        return json.loads(text, parse_constant=_constant, parse_int=_integer)
    except RecursionError as error:
        raise FormatFault("depth", "JSON nested too deeply to read") from error
    except FormatFault:
        raise
    except ValueError as error:
        raise FormatFault("syntax", str(error)) from error


def repair(text: str) -> Read:
    """Read a text that should be JSON, repaired where need be. Raises FormatFault when nothing can be made of it."""
    try:
        return Read(strict(text), text)
    except FormatFault as fault:
        if fault.kind != "syntax":
            raise
    inner, around = unwrapped(text)
    found = _valid(inner) or _tidied(inner) or _series(inner) or _scalar(inner) or _by_library(text)
    repairs = tuple(dict.fromkeys((*around, *found.repairs)))
    return Read(found.value, found.text, repairs)


def block(text: str) -> str | None:
    """The only fenced block of a text that is marked as JSON or unmarked; None when there is none, or more than one."""
    found = _FENCE.findall(text)
    return str(found[0]) if len(found) == 1 else None


def unwrapped(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without byte order mark, code fence and the words around it; and what was taken off."""
    bare = text.strip().removeprefix("\ufeff").strip()
    inner = block(bare)
    if inner is None:
        call = _CALLBACK.fullmatch(bare)
        return (call[1].strip(), ("callback",)) if call else (bare, ())
    return inner.strip(), ("fence",) if bare.startswith(("```", "~~~")) else ("fence", "text_around")


def dumped(value: Any, indent: int | None = None) -> str:
    """JSON text of a value, Chinese unescaped."""
    return json.dumps(value, ensure_ascii=False, indent=indent)


def _valid(text: str) -> Read | None:
    try:
        return Read(strict(text), text)
    except FormatFault:
        return None


def _tidied(text: str) -> Read | None:
    tidied = tidying.tidy(text)
    if tidied is None:
        return None
    return Read(strict(tidied.text), tidied.text, tidied.repairs)


def _series(text: str) -> Read | None:
    """Plain JSON values in a row, without the brackets of an array."""
    if len(text) > LONGEST or text.startswith(("{", "[")) or not _SERIES.fullmatch(text):
        return None
    values = [_valid(part.strip()) for part in re.split(r"[,\n]", text) if part.strip()]
    found = [one.value for one in values if one]
    return Read(found, dumped(found), ("bracket",)) if len(found) == len(values) else None


def _scalar(text: str) -> Read | None:
    """A text without brackets is one value: a literal, a number, or the words themselves."""
    if not text or re.search(r"[{\[]|\A\(", text) or len(text) > LONGEST:
        return None
    bare = text.rstrip(" \t\n,;")
    if bare.casefold() in _LITERALS:
        value: Any = _LITERALS[bare.casefold()]
    elif _NUMBER.fullmatch(bare):
        value = json.loads(bare)
    else:
        value = bare.removeprefix("\\").strip(_QUOTES).removesuffix("\\")
    return Read(value, dumped(value), ("scalar",))


def _by_library(text: str) -> Read:
    if len(text) > LONGEST or text.count("{") + text.count("[") > MOST_OPEN:
        raise FormatFault("size", f"broken JSON of more than {LONGEST} characters or {MOST_OPEN} brackets")
    try:
        value = json_repair.loads(_CUT_ESCAPE.sub("", text.rstrip()), skip_json_loads=True)
        dumped(value).encode()
    except (RecursionError, ValueError) as error:
        raise FormatFault("syntax", f"no JSON can be made of it: {error}") from error
    if value == "" or not re.search(r"[{\[(]", text):
        raise FormatFault("syntax", "there is no JSON in it")
    return Read(value, dumped(value), ("structure",))


def _constant(name: str) -> NoReturn:
    raise FormatFault("syntax", f"{name} is no JSON value")


def _integer(digits: str) -> int:
    if len(digits) > DIGITS:
        raise FormatFault("number", f"a number of {len(digits)} digits")
    return int(digits)
