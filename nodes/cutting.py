"""What of a text that was cut in the middle is finished: pure, in one pass.

The end is never made up. The text stops after its last whole sentence, paragraph, list item or table row, whichever is
last; a code block that was open keeps its whole lines and is closed, because the rest of the page would turn to code.
"""

from __future__ import annotations

import re

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n]*$", re.MULTILINE)
_CLOSING = r"[\"'”’」』）)\]*_]{0,8}"
_STOP = re.compile(rf"[。！？…]{_CLOSING}|[.!?]{_CLOSING}(?=\s|\Z)")
_BLOCK = re.compile(r"\n(?=[ \t]*\n|[ \t]*(?:[-*+•] |\d{1,9}[.)、]|#{1,6} |[|>]))")
"""A line end before an empty line, a list item, a heading, a table row or a quotation."""
_HEADING = re.compile(r"#{1,6} .*", re.DOTALL)
_NUMBERED = re.compile(r"(?:\A|\n)[ \t]*\d{1,9}\Z")
_WORD = re.compile(r"[A-Za-z.]{1,8}\Z")
_SHORT = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "st",
        "vs",
        "etc",
        "no",
        "fig",
        "eq",
        "sec",
        "ch",
        "vol",
        "approx",
        "dept",
        "est",
        "inc",
        "jr",
        "sr",
        "e.g",
        "i.e",
        "cf",
        "al",
    ]
)
_NEAR = 16
"""Characters around a full stop that tell whether it ends a sentence."""


def finished(text: str) -> str:
    """The longest finished beginning of a text without its end; empty when not even a line is whole."""
    opened, after = _fences(text)
    if opened is not None:
        start, mark = opened
        first, last = text.find("\n", start), text.rfind("\n")
        if text[first:last].strip():
            return f"{text[:last].rstrip()}\n{mark}"
        return _tidy(text[:start])
    ends = [after, _last_sentence(text, after)]
    ends += [block.start() for block in _BLOCK.finditer(text, after)]
    return _tidy(text[: max(ends) or max(text.rfind("\n"), 0)])


def _fences(text: str) -> tuple[tuple[int, str] | None, int]:
    """Place and mark of the code block that was never closed, and the end of the last one that was (0 without)."""
    opened: tuple[int, str] | None = None
    after = 0
    for fence in _FENCE.finditer(text):
        mark = fence[1]
        if opened is None:
            opened = fence.start(), mark
        elif mark.startswith(opened[1]) and fence[0].strip() == mark:
            opened, after = None, fence.end()
    return opened, after


def _last_sentence(text: str, after: int) -> int:
    """Where the last sentence behind `after` ends; `after` when none does."""
    end = after
    for stop in _STOP.finditer(text, after):
        if text[stop.start()] != "." or _ends_sentence(text, stop.start(), stop.end()):
            end = stop.end()
    return end


def _ends_sentence(text: str, at: int, end: int) -> bool:
    """False for the full stop of a number, a list item or an abbreviation."""
    before, behind = text[max(0, at - _NEAR) : at], text[end : end + _NEAR]
    if before[-1:].isdigit() and (not behind or _NUMBERED.search(before)):
        return False  # `3.` may be the beginning of 3.14
    word = _WORD.search(before)
    if word and (len(word[0]) == 1 or word[0].lower() in _SHORT):
        return False
    return not behind.lstrip(" ")[:1].islower()


def _tidy(text: str) -> str:
    """Without white space at the end, nor headings under which nothing is left."""
    lines = text.split("\n")
    while lines and (not (line := lines[-1].rstrip()) or _HEADING.fullmatch(line)):
        lines.pop()
    return "\n".join(lines).rstrip()
