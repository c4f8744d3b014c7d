"""Repairs of syntax in a text that leaves: JSON where JSON was asked for, tables, headings, a fence left open.

What a text says never changes. A repair counts only when the letters and digits before and after are the same, in the
same order (`same_words`); otherwise the text stays as it was.
"""

from __future__ import annotations

import re

from nodes.contracts import Request
from nodes.formats import asked, headings, objects, tables
from nodes.formats.constraints import Constraint
from nodes.formats.faults import FormatFault
from nodes.formats.lines import open_fence

LONGEST = 50_000
"""Characters of a text that are mended."""
JSON_KINDS = frozenset({"json", "schema", "keys"})
_SURE = frozenset({
    "no_delimiter_row", "delimiter_too_long", "delimiter_too_short", "delimiter_underscores", "double_delimiter",
    "blank_line_inside", "fullwidth_pipes", "text_glued_above", "row_missing_cell", "one_line",
})  # fmt: skip
"""Defects of tables that are mended in a text that leaves; tabs may be meant, the others are not known for sure."""
_LITERALS = {"True": "true", "False": "false", "None": "null", "undefined": "null", "NaN": "null"}
_SHOWN = re.compile(r"\b(?:True|False|None|undefined|NaN)\b")
_WORDS = re.compile(r"[^\W_]+")


def mend(request: Request, text: str) -> tuple[str, tuple[str, ...]]:
    """The text with its syntax mended, and the names of the repairs; the same text when nothing was or is for sure.

    Twice is once: what comes out needs no further repair.
    """
    if not text or len(text) > LONGEST:
        return text, ()
    wanted = asked.read(request.question, request.language)
    if any(one.kind in JSON_KINDS for one in wanted):
        return _json(text)
    return _markdown(text, wanted)


def same_words(before: str, after: str) -> bool:
    """True when both texts have the same letters and digits in the same order; Python's literals count as JSON's."""
    return _words(before) == _words(after)


def _words(text: str) -> str:
    plain = _SHOWN.sub(lambda match: _LITERALS[match[0]], text)
    return "".join(_WORDS.findall(plain))


def _json(text: str) -> tuple[str, tuple[str, ...]]:
    """JSON repaired; nothing is taken away but a fence and commas."""
    inner, around = objects.unwrapped(text)
    if "text_around" in around or not inner.startswith(("{", "[")):
        return text, ()
    try:
        read = objects.repair(inner)
    except FormatFault:
        return text, ()
    if not read.repairs or not same_words(inner, read.text):
        return text, ()
    return text.replace(inner, read.text, 1), tuple(f"json:{one}" for one in read.repairs)


def _markdown(text: str, wanted: tuple[Constraint, ...]) -> tuple[str, tuple[str, ...]]:
    repairs: list[str] = []
    fence = open_fence(text)
    if fence:
        text, repairs = f"{text.rstrip()}\n{fence}", ["fence"]
    mended, found = tables.mend(text)
    kinds = {one.kind for one in found}
    asked_for = any(one.kind == "table" for one in wanted)
    sure = _SURE | ({"tabs_not_pipes"} if asked_for else set())
    # Lines of bars without a delimiter row may be a drawing or a formula: a table only where one is asked for.
    if kinds and kinds <= sure and (asked_for or "no_delimiter_row" not in kinds) and same_words(text, mended):
        text = mended
        repairs += [f"table:{one}" for one in sorted(kinds)]
    mended, found = headings.mend(text)
    if found and same_words(text, mended):
        text = mended
        repairs += [f"heading:{one}" for one in sorted({each.kind for each in found})]
    return text, tuple(repairs)
