"""What is wrong with the Markdown tables of a text, by name and line, and the text with it mended where that is sure.

| defect | meaning | mended |
|---|---|---|
| no_delimiter_row | rows of bars without a row of dashes | yes |
| delimiter_too_long, delimiter_too_short | other columns than the header | yes |
| delimiter_underscores | a delimiter row of other signs than dashes | yes |
| double_delimiter | two delimiter rows | yes |
| blank_line_inside | an empty line between the rows | yes |
| fullwidth_pipes | ｜ in place of bars | yes |
| tabs_not_pipes | columns kept apart by tabs | yes |
| one_line | the rows run together in one line | yes |
| text_glued_above | words right above the header | yes |
| row_missing_cell | a row with fewer cells than the header | empty cells are added |
| row_extra_cell | a row with more cells | no: which one to drop would be a guess |
| unescaped_pipe_in_cell | a row with more cells, where joining two makes it fit | the bar is escaped |
| truncated | the last row breaks off | no: what is missing is not known |
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from nodes.formats.cells import cells, delimiter, fit, is_delimiter, is_odd_delimiter, is_row, row
from nodes.formats.lines import Line, lines

LONGEST = 100_000
"""Characters that are looked at."""
_GAP = re.compile(r"\|[ \t]*\|")
_ONE_LINE = re.compile(r"\|[ \t]*\|[ \t]*:?-+:?[ \t]*(?:\||$)|\|[ \t]*:?-{3,}:?[ \t]*\|[ \t]*\|")


@dataclass(frozen=True)
class Defect:
    """One defect."""

    kind: str
    line: int
    """From 0, in the text as it was."""
    claim: str
    """The line."""


@dataclass
class _Found:
    """The lines as they become, with the defects that were met."""

    out: list[str]
    defects: list[Defect]
    more: bool = True
    """False at the last line of the text that is not empty: what stands there may be cut off."""

    def note(self, kind: str, line: int, claim: str) -> None:
        self.defects.append(Defect(kind, line, claim[:200]))


def defects(text: str) -> list[Defect]:
    """Every defect of every table, in text order; empty for sound tables and for a text without one."""
    return inspect(text)[1]


def mend(text: str) -> tuple[str, list[Defect]]:
    """The text with its tables mended, and all defects that were met; the same text when there is none."""
    return inspect(text)


def inspect(text: str) -> tuple[str, list[Defect]]:
    """Mended text and defects."""
    if len(text) > LONGEST or not re.search(r"[|｜\t]", text):
        return text, []
    found = _Found([], [])
    block: list[tuple[int, str]] = []
    plain = [replace(line, code=line.code or line.text.startswith(("    ", "\t"))) for line in lines(text)]
    for line in plain:
        if line.code or line.blank:
            if line.blank and block and _goes_on(plain, line.number, block):
                block.append((line.number, ""))
                continue
            _close(block, found)
            block = []
            found.out.append(line.text)
        else:
            block.append((line.number, line.text))
    found.more = not block
    _close(block, found)
    return "\n".join(found.out), sorted(found.defects, key=lambda one: one.line)


def _bars(text: str) -> str:
    """The line with its full-width bars made plain, where it has no plain one."""
    return text.replace("｜", "|") if "｜" in text and "|" not in text else text


def _goes_on(every: list[Line], at: int, block: list[tuple[int, str]]) -> bool:
    """True when a table of the same width goes on behind one empty line, without a header of its own."""
    above = [_bars(text) for _, text in block]
    if at + 1 >= len(every) or not is_row(above[-1]) or every[at + 1].code:
        return False
    below = _bars(every[at + 1].text)
    after = _bars(every[at + 2].text) if at + 2 < len(every) else ""
    if not is_row(below) or is_delimiter(after) or is_odd_delimiter(after):
        return False
    headed = any(is_delimiter(one) and is_row(one) for one in above)
    return len(cells(below)) == len(cells(above[-1])) and (headed or is_delimiter(below))


def _close(block: list[tuple[int, str]], found: _Found) -> None:
    """Look at one run of lines."""
    if not block:
        return
    tabbed = _tabbed(block)
    if tabbed:
        found.note("tabs_not_pipes", block[0][0], block[0][1])
        head, *body = [[cell.strip() for cell in text.split("\t")] for _, text in block]
        found.out += [row(head), delimiter(len(head)), *map(row, body)]
        return
    start = next((at for at, (_, text) in enumerate(block) if _begins(block, at)), None)
    if start is None:
        found.out += [text for _, text in block]
        return
    above, rest = block[:start], block[start:]
    found.out += [text for _, text in above]
    if above and not re.match(r"\s*(?:[-*+>]|\d+[.)])\s", rest[0][1]):
        found.note("text_glued_above", rest[0][0], above[-1][1])
        found.out.append("")
    _table(rest, found)


def _begins(block: list[tuple[int, str]], at: int) -> bool:
    """True when a table begins at this line."""
    text = _bars(block[at][1])
    if _ONE_LINE.search(text) and text.count("|") > 5:
        return True
    below = _bars(block[at + 1][1]) if at + 1 < len(block) else ""
    if "|" in text and ("|" in below) and (is_delimiter(below) or is_odd_delimiter(below)):
        return True
    return is_row(text) and is_row(below) and len(cells(text)) == len(cells(below)) > 1


def _tabbed(block: list[tuple[int, str]]) -> bool:
    counts = {text.count("\t") for _, text in block}
    return len(block) > 1 and len(counts) == 1 and min(counts) > 0 and not any("|" in text for _, text in block)


def _table(block: list[tuple[int, str]], found: _Found) -> None:
    """Look at one table: its header stands first."""
    number, first = block[0]
    if "｜" in first and "|" not in first:
        found.note("fullwidth_pipes", number, first)
        block = [(at, _bars(text)) for at, text in block]
        first = block[0][1]
    if _ONE_LINE.search(first) and first.count("|") > 5:
        found.note("one_line", number, first)
        found.out += _split(first)
        found.out += [text for _, text in block[1:]]
        return
    for at, text in block:
        if not text:
            found.note("blank_line_inside", at, "")
    block = [(at, text) for at, text in block if text]
    columns = len(cells(first))
    found.out.append(first)
    body = _head(block, columns, found)
    _body(body, columns, found)


def _head(block: list[tuple[int, str]], columns: int, found: _Found) -> list[tuple[int, str]]:
    """Check the delimiter row; the rows below it."""
    rest = block[1:]
    at, text = rest[0] if rest else (block[0][0], "")
    if not (is_delimiter(text) or is_odd_delimiter(text)) or "|" not in text + block[0][1]:
        found.note("no_delimiter_row", block[0][0], block[0][1])
        found.out.append(delimiter(columns))
        return rest
    width = len(cells(text))
    if is_odd_delimiter(text):
        found.note("delimiter_underscores", at, text)
    elif width != columns:
        found.note("delimiter_too_long" if width > columns else "delimiter_too_short", at, text)
    sound = is_delimiter(text) and width == columns
    found.out.append(text if sound else delimiter(columns))
    rest = rest[1:]
    while rest and is_delimiter(rest[0][1]) and "|" in rest[0][1]:
        found.note("double_delimiter", *rest[0])
        rest = rest[1:]
    return rest


def _body(body: list[tuple[int, str]], columns: int, found: _Found) -> None:
    """Check the rows below the delimiter; a row without a bar ends the table."""
    barred = [text for _, text in body if "|" in text]
    whole = [cells(text) for text in barred if len(cells(text)) == columns]
    ends = bool(body) and not found.more and len(whole) > 0
    style = bool(barred) and barred[0].rstrip().endswith("|")
    for place, (at, text) in enumerate(body):
        last = place == len(body) - 1
        if "|" not in text and not (last and columns == 1):
            found.out += [line for _, line in body[place:]]
            return
        width = len(cells(text))
        if last and ((style and not text.rstrip().endswith("|")) or (ends and width < columns)):
            found.note("truncated", at, text)
        elif width < columns:
            found.note("row_missing_cell", at, text)
            text = row([*cells(text), *[""] * (columns - width)])
        elif width > columns:
            text = _wide(at, text, columns, whole, found)
        found.out.append(text)


def _wide(at: int, text: str, columns: int, others: list[list[str]], found: _Found) -> str:
    """A row with too many cells: one too many at its end, or a bar inside a cell."""
    have = cells(text)
    cut = fit(have[:columns], others)
    over = len(have) - columns
    joined = [[*have[:i], "\\|".join(have[i : i + over + 1]), *have[i + over + 1 :]] for i in range(columns)]
    # The joined cell itself says nothing about the fit: only its neighbours do.
    scores = [fit([*one[:i], *one[i + 1 :]], [[*o[:i], *o[i + 1 :]] for o in others]) for i, one in enumerate(joined)]
    best = max(range(columns), key=lambda i: scores[i]) if columns > 1 else 0
    lone = _lone_word(have, others) if over == 1 and scores[best] >= cut else 0
    best = lone - 1 if lone else best
    if (scores[best] > cut and best < columns - 1) or lone:
        found.note("unescaped_pipe_in_cell", at, text)
        return row(joined[best])
    found.note("row_extra_cell", at, text)
    return text


def _lone_word(have: list[str], others: list[list[str]]) -> int:
    """Where all columns look alike: the place of the one inner cell in small letters among capitalised ones, or 0."""
    small = [at for at, cell in enumerate(have) if cell[:1].islower()]
    rest = [cell for one in others for cell in one if cell[:1].islower()]
    return small[0] if len(small) == 1 and not rest and 0 < small[0] < len(have) - 1 else 0


def _split(text: str) -> list[str]:
    """The rows of a table that runs in one line: its delimiter cells say how wide it is."""
    have = cells(_GAP.sub("|", text))
    rule = [at for at, cell in enumerate(have) if re.fullmatch(r":?-+:?", cell)]
    width = len(rule)
    if not width or rule != list(range(rule[0], rule[0] + width)) or rule[0] != width or len(have) % width:
        return [text]
    return [row(have[at : at + width]) for at in range(0, len(have), width)]
