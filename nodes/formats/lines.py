"""The lines of a Markdown text, and which of them are text: not inside a code fence, not indented code."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


@dataclass(frozen=True)
class Line:
    """One line."""

    number: int
    """From 0."""
    text: str
    code: bool
    """Inside a fence, or a fence itself."""

    @property
    def blank(self) -> bool:
        """Only white space."""
        return not self.text.strip()


def lines(text: str) -> list[Line]:
    """The lines of a text with the mark of fenced code. A fence that is never closed runs to the end."""
    found, fence = [], ""
    for number, line in enumerate(text.split("\n")):
        match = _FENCE.match(line)
        if fence:
            found.append(Line(number, line, True))
            if match and match[1].startswith(fence) and not match[2].strip():
                fence = ""
        elif match and not (match[1][0] == "`" and "`" in match[2]):
            fence = match[1]
            found.append(Line(number, line, True))
        else:
            found.append(Line(number, line, False))
    return found


def open_fence(text: str) -> str | None:
    """The fence that is still open at the end of the text, or None."""
    fence = None
    for line in text.split("\n"):
        match = _FENCE.match(line)
        if fence is None and match and not (match[1][0] == "`" and "`" in match[2]):
            fence = match[1]
        elif fence and match and match[1].startswith(fence) and not match[2].strip():
            fence = None
    return fence
