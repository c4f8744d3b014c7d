"""What is wrong with the headings of a Markdown text, by name and line, and the text with it mended.

| defect | meaning | sure |
|---|---|---|
| no_space | `##Title` | yes |
| fullwidth_hash | `＃＃ Title` | yes |
| no_blank_after | text right below a heading | yes |
| skip_level | a level is left out on the way down | |
| starts_at_h2 | the first heading is not of level 1 | |
| two_h1 | a second heading of level 1 | |
| bold_as_heading | a bold line that stands where a heading should | |
| numbered_without_hash | a numbered line that stands where a heading should | |

Only the sure ones are mended in a text that leaves: they are slips of the pen, the others may be meant.
"""

from __future__ import annotations

import re

from nodes.formats.lines import Line, lines
from nodes.formats.tables import Defect

SURE = frozenset({"no_space", "fullwidth_hash", "no_blank_after"})
LONGEST = 100_000
"""Characters that are looked at."""
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(\S.*)|[ \t]*$)")
_TIGHT = re.compile(r"(#{1,6})(?=[^#\s\ufe0f!0-9])(?!.*#\s*$)\S")
_WIDE = re.compile(r"([#＃]{1,6})[ \t\u3000]*(?=[^#＃\s])")
_BOLD = re.compile(r"(\*\*|__)([^*_\n]{1,60})\1[ \t]*")
_NUMBERED = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2}){0,3}[.、．)]?|[一二三四五六七八九十]{1,3}、|[（(][一二三四五六七八九十]{1,3}[）)])"
    r"[ \t]*(\S[^\n]{0,59})"
)
_SENTENCE = re.compile(r"[.。!！?？;；,，:：…]\s*$")
_MARKED = re.compile(r"\s*(?:[-*+>|#]|\d+[.)、]|```|~~~)")


def defects(text: str) -> list[Defect]:
    """Every defect of the headings, in text order."""
    return inspect(text)[1]


def mend(text: str, kinds: frozenset[str] = SURE) -> tuple[str, list[Defect]]:
    """The text with the defects of these kinds mended, and those that were."""
    mended, found = inspect(text, kinds)
    return mended, [one for one in found if one.kind in kinds]


def inspect(text: str, kinds: frozenset[str] | None = None) -> tuple[str, list[Defect]]:
    """The text with all defects mended (or those of `kinds`), and every defect."""
    if len(text) > LONGEST or not re.search(r"^ {0,3}[#＃]", text, re.MULTILINE):
        return text, []
    every = lines(text)
    found: list[Defect] = []
    out: list[str] = []
    state = _State()
    for line in every:
        if line.code:
            out.append(line.text)
            continue
        kind, becomes = _written(line, every, state)
        if kind:
            found.append(Defect(kind, line.number, line.text[:200]))
        wanted = kind is None or kinds is None or kind in kinds
        heading = _HEADING.match(becomes)
        if heading and (heading[2] or not kind):
            becomes = _levelled(line, becomes, len(heading[1]), state, found, kinds)
        out.append(becomes if wanted else line.text)
        if heading and _text_below(every, line.number):
            found.append(Defect("no_blank_after", line.number, line.text[:200]))
            if kinds is None or "no_blank_after" in kinds:
                out.append("")
    return "\n".join(out), found


class _State:
    """Levels on the way through the text."""

    def __init__(self) -> None:
        self.first = 0
        """1 once there was a heading."""
        self.above: list[tuple[int, int]] = []
        """The headings that the next one stands under: level as written, level as it should be."""
        self.skipped = (0, 0)
        """The same of the last heading, where a level was left out: its siblings are not named again."""


def _text_below(every: list[Line], at: int) -> bool:
    below = every[at + 1] if at + 1 < len(every) else None
    return below is not None and not below.blank and not re.match(r" {0,3}(?:=+|-+|#.*|＃.*)\s*$", below.text)


def _alone(every: list[Line], at: int) -> bool:
    """True for a line between empty lines, with plain text as the next thing below."""
    if (at and not every[at - 1].blank) or at + 1 >= len(every) or not every[at + 1].blank:
        return False
    below = next((line for line in every[at + 1 : at + 6] if not line.blank), None)
    return below is not None and (bool(re.match(r"#{2,6} ", below.text)) or not _MARKED.match(below.text))


def _written(line: Line, every: list[Line], state: _State) -> tuple[str | None, str]:
    """A defect of how the line is written, and how it should be."""
    text = line.text
    if wide := ("＃" in text[:8] and _WIDE.match(text)):
        return "fullwidth_hash", f"{'#' * len(wide[1])} {text[wide.end() :]}"
    if tight := _TIGHT.match(text):
        if len(tight[1]) > 1 or any(_HEADING.match(one.text) for one in every[:400]):
            return "no_space", f"{tight[1]} {text[len(tight[1]) :]}"
        return None, text
    if state.first and _alone(every, line.number):
        bold = _BOLD.fullmatch(text)
        if bold and not _SENTENCE.search(bold[2]):
            return "bold_as_heading", f"## {bold[2].strip()}"
        numbered = _NUMBERED.fullmatch(text)
        if numbered and not _SENTENCE.search(text) and not text.startswith(" "):
            return "numbered_without_hash", f"## {numbered[1].strip()}"
    return None, text


def _levelled(
    line: Line, text: str, level: int, state: _State, found: list[Defect], kinds: frozenset[str] | None
) -> str:
    """The heading at the level where it belongs."""
    kind, becomes = _place(level, state)
    if kind and not (kind == "skip_level" and (level, becomes) == state.skipped):
        found.append(Defect(kind, line.number, line.text[:200]))
    state.skipped = (level, becomes) if kind == "skip_level" else (0, 0)
    if kind is None or (kinds is not None and kind not in kinds):
        return text
    return re.sub(r"#+", "#" * becomes, text, count=1)


def _place(level: int, state: _State) -> tuple[str | None, int]:
    """What is wrong with the level, and which it should be."""
    if not state.above:
        state.first = 1
        state.above.append((1, 1) if level > 1 else (level, level))
        return ("starts_at_h2" if level > 1 else None), 1
    if level == 1:
        state.above[1:] = [(2, 2)]
        return "two_h1", 2
    while len(state.above) > 1 and state.above[-1][0] >= level:
        state.above.pop()
    written, mended = state.above[-1]
    becomes = level if level <= written + 1 and written == mended else mended + 1
    state.above.append((level, becomes))
    return ("skip_level" if becomes != level else None), becomes
