"""Text that remembers where its characters came from: a finding in rewritten text has a span in the original."""

from __future__ import annotations

import re
from collections.abc import Callable


class Traced:
    """A text under rewriting. `origin[i]` is the place in the original of character `i`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.origin = list(range(len(text)))

    def sub(self, pattern: re.Pattern[str], replacement: str | Callable[[re.Match[str]], str]) -> None:
        """Replace like `re.sub`; template groups (`\\1`) are honoured."""
        pieces, origin, last = [], [], 0
        for match in pattern.finditer(self.text):
            start, end = match.span()
            pieces.append(self.text[last:start])
            origin.extend(self.origin[last:start])
            new = match.expand(replacement) if isinstance(replacement, str) else replacement(match)
            pieces.append(new)
            # Blank space put in front has no place of its own: the first sign stands where the old text began.
            lead = len(new) - len(new.lstrip())
            old = self.origin[start:end] or self.origin[start : start + 1] or [len(self.origin)]
            origin.extend(old[min(max(index - lead, 0), len(old) - 1)] for index in range(len(new)))
            last = end
        if pieces:
            pieces.append(self.text[last:])
            origin.extend(self.origin[last:])
            self.text, self.origin = "".join(pieces), origin

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Start and end in the original of a stretch of the present text."""
        return self.origin[start], self.origin[end - 1] + 1
