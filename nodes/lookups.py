"""Questions that one cell of a table answers, answered by the table: "Which price does the row Lamp, large give?"

The words outside the table name some of its cells and the heading of what is asked. When exactly one row holds every
cell that is named, and exactly one named column is left over, the cell where they cross is the answer. Anything more (a
comparison, a sum, a step from row to row, a word that stands in two columns) is not for a look-up: None.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nodes.coordinates import Coordinate
from nodes.documents import tables
from nodes.documents.tables import Table

MOST_ROWS = 2_000
"""Rows of a table in a question."""
LONGEST_ASK = 600
"""Characters outside the tables; more is a text of its own, not a question about a table."""
_MORE = re.compile(
    r"\b(?:highest|lowest|most|least|largest|smallest|biggest|more|less|fewer|greater|higher|lower|than|total|sum|average"
    r"|mean|median|how many|count|difference|compare|rank|sort|order|all|every|each|list|not|no|never|except|without|or"
    r"|maximum|minimum|max|min|first|last|earliest|latest|oldest|youngest|cheapest|second|between|growth|change|percent"
    r"|both|if|before|after|over|under|above|below)\b"
    r"|最|比|多少个|总|合计|平均|相差|差多少|排|几个|共|哪些|除了?|没有?|不|或者?|增长|变化|都|所有|全部|每|如果|之前|之后"
    r"|以上|以下|第[一二三四五六七八九十\d]",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    r"\b(?:what|which|who|whom|whose|where|when|is|are|was|were|does|do|did|has|have|had|the|an?|of|in|at|for|by|to|from"
    r"|on|with|and|it|its|his|her|their|that|this|table|row|column|cell|value|entry|line|listed|given|gives?|says?|shows?"
    r"|shown|according|data|below|above|following|please|tell|me|named|called|belongs?|stands?|holds?|find|look|up|s)\b"
    r"|请问|哪一?[个位种年项家名所]?|什么|多少|是|的|在|为|有|由|里|中|上|表格?|一[栏行列]|对应|值|谁|那个?|这个?|吗|呢|叫|根据|数据|照|回答"
)
"""Words of a question that is nothing but a look-up."""
_OTHER = re.compile(
    r"\d|%|[+*/=×÷]|\b(?:why|how|write|translate|explain|story|poem|times|twice|double|half|plus|minus|years?|ago|later|buy|pay"
    r"|off|discount|left|leaves?|leave|moved?|another|other|new|next|previous|then|true|false|yes|correct|one|two|three|four|five"
    r"|six|seven|eight|nine|ten|hundred)\b|加|减|乘|除|折|倍|再|写|译|故事|为什么|怎|换|另|[一二三四五六七八九十百]{2,}"
)
"""Signs that more is asked."""
LEFT, LEFT_HAN = 2, 4
"""Latin words and Han characters of a question that may be unknown: a verb, the kind of thing asked for."""
_NOISE = re.compile(
    r"\b(?:answer|reply|write (?:it|the answer))\b.{0,60}|照[^。？?]{0,12}|只[^。？?]{0,12}|用[^。？?]{0,12}回答",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Found:
    """A cell and the cells that led to it."""

    value: str
    """The raw cell."""
    place: str
    """Its coordinate."""
    row: str
    """What was named of its row, joined by ` / `."""
    column: str
    """Its heading."""
    by: tuple[str, ...]
    """Coordinates of the named cells."""


def look_up(question: str) -> Found | None:
    """The one cell that a question with a table asks for, or None."""
    found = tables.find(question)
    ask = _outside(question, found)
    if not found or not ask.strip() or len(ask) > LONGEST_ASK or _MORE.search(_NOISE.sub(" ", ask)):
        return None
    answers = [one for number, table in enumerate(found, 1) if (one := _in_table(ask, number, table))]
    return answers[0] if len(answers) == 1 else None


def _outside(question: str, found: Sequence[Table]) -> str:
    """The question without its tables."""
    parts, at = [], 0
    for table in found:
        if table.span:
            parts.append(question[at : table.span[0]])
            at = table.span[1]
    return "\n".join([*parts, question[at:]])


def _in_table(ask: str, number: int, table: Table) -> Found | None:
    heads = table.rows[0]
    if not 2 <= len(table.rows) <= MOST_ROWS or len(set(map(folded, heads))) != len(heads):
        return None
    said, rest = _named(ask, table)
    rows = Counter(row for row, _ in {(row, cell) for cell, places in said.items() for row, _ in places})
    whole = [row for row, count in rows.items() if count == len(said)]
    if not said or len(whole) != 1:
        return None
    row = whole[0]
    columns = {cell: [col for at, col in places if at == row] for cell, places in said.items()}
    if any(len(one) != 1 for one in columns.values()):
        return None
    used = {one[0] for one in columns.values()}
    asked = [col for col, head in enumerate(heads) if _times(rest, folded(head)) == 1]
    twice = any(_times(rest, folded(head)) > 1 for head in heads)
    left = [col for col in asked if col not in used]
    if len(left) != 1 or twice or not table.rows[row][left[0]].strip() or not _nothing_more(rest, heads):
        return None
    return _found(table, number, row, left[0], used)


def _found(table: Table, number: int, row: int, col: int, used: set[int]) -> Found:
    def place(column: int) -> str:
        return str(Coordinate(table=number, row=row + 1, col=column + 1))

    named = " / ".join(table.rows[row][one] for one in sorted(used))
    return Found(table.rows[row][col], place(col), named, table.rows[0][col], tuple(place(one) for one in sorted(used)))


def _named(ask: str, table: Table) -> tuple[dict[str, list[tuple[int, int]]], str]:
    """Cells of the body that the words name, longest first, with their places; and the words that are left."""
    places: dict[str, list[tuple[int, int]]] = {}
    for row, cells in enumerate(table.rows[1:], 1):
        for col, cell in enumerate(cells):
            if key := folded(cell):
                places.setdefault(key, []).append((row, col))
    heads = {folded(head) for head in table.rows[0]}
    rest, said = folded(ask), {}
    for key in sorted(_distinct(places, rest), key=len, reverse=True):
        if key not in heads and _times(rest, key):
            said[key] = places[key]
            rest = _bounded(key).sub(" ", rest)
    return said, rest


def _nothing_more(rest: str, heads: Sequence[str]) -> bool:
    """True when the words that name no cell and no heading are those of a plain look-up."""
    for head in sorted(map(folded, heads), key=len, reverse=True):
        rest = _bounded(head).sub(" ", rest) if head else rest
    rest = _NOISE.sub(" ", rest)
    if _OTHER.search(rest):
        return False
    unknown = _PLAIN.sub(" ", rest)
    return (
        len(re.findall(r"[^\W\d_\u4e00-\u9fff]+", unknown)) <= LEFT
        and len(re.findall(r"[\u4e00-\u9fff]", unknown)) <= LEFT_HAN
    )


def _distinct(places: dict[str, list[tuple[int, int]]], rest: str) -> Iterator[str]:
    return (key for key in places if key in rest)


def folded(text: str) -> str:
    """Words as they are compared: width, case, white space and quotes folded."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.sub(r"[\"'“”‘’「」*`_]+", " ", plain).split())


def _bounded(key: str) -> re.Pattern[str]:
    """The words, not inside longer Latin words or numbers; a plural s of a heading is let pass."""
    before = r"(?<![a-z0-9.])" if key[:1].isascii() else ""
    after = r"(?:e?s)?(?![a-z0-9])(?!\.\d)" if key[-1:].isascii() else ""
    return re.compile(before + re.escape(key) + after)


def _times(text: str, key: str) -> int:
    return len(_bounded(key).findall(text)) if key else 0
