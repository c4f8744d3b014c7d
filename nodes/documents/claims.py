"""Claims of a document: subject, attribute and a value that can be compared, each with its place.

From a table: the leading columns of names are the subject, the heading of a column of numbers or dates the attribute.
From a text: plain statements, "the price of X is 5", "X's capacity was 500 t", "X的价格为5元". What is not said that
plainly is no claim: a wrong claim would make a contradiction where there is none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from nodes.coordinates import Coordinate
from nodes.documents.files import Document
from nodes.documents.tables import Table

MOST_CLAIMS = 200_000
"""Claims of one document that are looked at."""
_VALUE_TEXT = (
    r"(?:[$€£¥￥]\s?)?[-−]?\d(?:[\d,]{0,20}\d)?(?:\.\d{1,12})?"
    r"(?:\s?(?:[%％‰]|million|billion|thousand|[万亿千百][万亿]?))?(?:\s?(?:(?!(?:per|in|and|as|of|to|by|on|at|for|from|with|or|an?|the|but)\b)[A-Za-z]{1,12}|[\u4e00-\u9fff]{1,3}))?"
    r"(?:(?: per |/)[A-Za-z]{1,12})?"
)
_MONTHS = {
    name: number
    for number, names in enumerate(
        ("jan january", "feb february", "mar march", "apr april", "may may", "jun june", "jul july", "aug august",
         "sep september", "oct october", "nov november", "dec december"), 1,
    )
    for name in names.split()
}  # fmt: skip
_ISO = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?")
_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th)? ([A-Za-z]{3,9})\.?,? (\d{4})")
_MONTH_FIRST = re.compile(r"([A-Za-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})")
_DATE_TEXT = (
    r"\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?|\d{1,2}(?:st|nd|rd|th)? [A-Z][a-z]{2,8},? \d{4}"
    r"|[A-Z][a-z]{2,8} \d{1,2}(?:st|nd|rd|th)?,? \d{4}"
)
_QUANTITY = re.compile(
    r"(?P<money>[$€£¥￥])?\s?(?P<number>[-−]?\d[\d,]*(?:\.\d+)?)\s?"
    r"(?P<scale>million|billion|thousand|[万亿千百][万亿]?)?\s?"
    r"(?P<unit>[%％‰]|(?!per )[A-Za-z]{1,12}|[\u4e00-\u9fff]{1,3})?"
    r"(?P<rate>(?: ?per |/)[A-Za-z]{1,12})?"
)
_SCALES = {
    "thousand": 10**3, "million": 10**6, "billion": 10**9, "百": 10**2, "千": 10**3, "万": 10**4, "百万": 10**6,
    "千万": 10**7, "亿": 10**8, "百亿": 10**10, "千亿": 10**11, "万亿": 10**12,
}  # fmt: skip
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_VERB = "is|was|were|are|stood at|amounts to|amounted to|reached"
_STATEMENTS = (
    re.compile(
        r"\b(?:[Tt]he )(?P<attribute>[a-z][a-z -]{1,40}?) of (?:the )?(?P<subject>[A-Z0-9][\w&.' -]{0,60}?)"
        rf" (?:{_VERB}) (?:about )?(?P<value>{_DATE_TEXT}|{_VALUE_TEXT})"
    ),
    re.compile(
        r"\b(?P<subject>[A-Z][\w&.-]{0,40}(?: [A-Z0-9][\w&.-]{0,40}){0,5})['’]s? (?P<attribute>[a-z][a-z -]{1,40}?)"
        rf" (?:{_VERB}) (?:about )?(?P<value>{_DATE_TEXT}|{_VALUE_TEXT})"
    ),
    re.compile(
        r"(?<![\u4e00-\u9fffA-Za-z0-9])(?P<subject>[\u4e00-\u9fffA-Za-z0-9]{1,24}?)的"
        r"(?P<attribute>[\u4e00-\u9fff]{1,12}?)(?:是|为|达到?|共|[：:])\s?"
        rf"(?P<value>{_DATE_TEXT}|{_VALUE_TEXT})"
    ),
)
_EVENT = (
    r"opened|founded|established|built|signed|launched|completed|closed|born|released|started|ended|published"
    r"|acquired|sold"
)
_EVENT_ZH = "成立|开业|创立|建成|签订|签署|发布|上市|竣工|开工|出生|投产|启动|结束"
_EVENTS = (
    re.compile(
        r"\b(?P<subject>[A-Z][\w&.-]{0,40}(?: [A-Za-z0-9][\w&.-]{0,40}){0,5}?) (?:(?:was|were) )?"
        r"(?:first |officially )?"
        rf"(?P<attribute>{_EVENT}) (?:on|in) (?P<value>{_DATE_TEXT}|(?:19|20)\d\d)(?!\d)"
    ),
    re.compile(
        r"(?<![\u4e00-\u9fffA-Za-z0-9])(?P<subject>[\u4e00-\u9fffA-Za-z]{2,24}?)(?:于|在|是)?"
        rf"(?P<value>\d{{4}}年\d{{1,2}}月\d{{1,2}}日)(?:正式)?(?P<attribute>{_EVENT_ZH})"
    ),
    re.compile(
        r"\b(?P<subject>[A-Z][\w&.-]{0,40}(?: [A-Z0-9][\w&.-]{0,40}){0,5}) (?:has|had|employs|employed) (?:about )?"
        r"(?P<value>\d[\d,]{0,12}(?:\.\d{1,6})?) (?P<attribute>[a-z]{3,20})\b"
    ),
    re.compile(
        r"(?<![\u4e00-\u9fffA-Za-z0-9])(?P<subject>[\u4e00-\u9fffA-Za-z]{2,24}?)(?:共|现|拥)?有"
        r"(?P<value>\d[\d,]{0,12})[名个家台间所位]?(?P<attribute>[\u4e00-\u9fff]{2,4})"
    ),
)
_ARTICLE = re.compile(r"^(?:the|a|an) ")


@dataclass(frozen=True)
class Claim:
    """One comparable value and where it stands."""

    subject: str
    attribute: str
    value: str
    """As it stands in the source."""
    source: str
    """Name of the document."""
    place: str
    """Coordinate of the value, with `doc:`."""


@dataclass(frozen=True, order=True)
class Measure:
    """A value as it is compared: an exact number in a unit, or a day."""

    number: Fraction
    unit: str
    step: Fraction
    """Place value of the last digit that is written."""


def claims(document: Document) -> Iterator[Claim]:
    """Every claim of a document, tables first."""
    for number, table in enumerate(document.tables, 1):
        yield from _of_table(document, number, table)
    if document.kind in ("md", "txt", "html", "pdf"):
        yield from _of_text(document)


def _of_table(document: Document, number: int, table: Table) -> Iterator[Claim]:
    header, body = table.rows[:1], table.rows[1:]
    if not header or not body:
        return
    names = _name_columns(table)
    for row, cells in enumerate(body, 2):
        subject = " / ".join(cells[col].strip() for col in names if cells[col].strip())
        for col, text in enumerate(cells):
            if subject and col not in names and header[0][col].strip() and measure(text):
                place = Coordinate(doc=document.name, table=number, row=row, col=col + 1)
                yield Claim(subject, header[0][col].strip(), text, document.name, str(place))


def _name_columns(table: Table) -> tuple[int, ...]:
    """The leading columns that name what a row is about: words or years; at least the first one."""
    names: list[int] = []
    for col in range(table.width):
        cells = [row[col] for row in table.rows[1:51] if row[col].strip()]
        values = sum(measure(cell) is not None and not _YEAR.fullmatch(cell.strip()) for cell in cells)
        if col and 2 * values >= len(cells):
            break
        names.append(col)
    return tuple(names[:3])


def _of_text(document: Document) -> Iterator[Claim]:
    for pattern in (*_STATEMENTS, *_EVENTS):
        for match in pattern.finditer(document.text):
            value, (start, end) = match["value"].rstrip(), match.span("value")
            if measure(value):
                place = Coordinate(doc=document.name, start=start, end=start + len(value))
                year = _year_near(document.text, match.start(), end)
                subject = f"{match['subject'].strip()} / {year}" if year else match["subject"].strip()
                yield Claim(subject, match["attribute"].strip(), value, document.name, str(place))


def _year_near(text: str, start: int, end: int) -> str:
    """The year that the sentence of a statement names outside its value."""
    left = max(text.rfind(sign, max(0, start - 200), start) for sign in ".。\n") + 1
    found = _YEAR.findall(text[max(left, start - 200) : start])
    after = re.match(r"[^.。\n]{0,40}?\b(?:in|for|by) ((?:19|20)\d\d)\b", text[end : end + 60])
    return found[-1] if found else after[1] if after else ""


def measure(text: str) -> Measure | None:
    """A cell or a phrase as a number in a unit or as a day; None for anything else."""
    text = unicodedata.normalize("NFKC", text).strip()
    if len(text) > 60 or not any(sign.isdigit() for sign in text):
        return None
    if day := day_of(text):
        return Measure(Fraction(day.toordinal()), "day", Fraction(1))
    found = _QUANTITY.fullmatch(text)
    if not found:
        return None
    digits = found["number"].replace(",", "").replace("−", "-")
    scale = _SCALES.get(found["scale"] or "", 1)
    step = Fraction(scale, 10 ** len(digits.partition(".")[2]))
    unit = (found["unit"] or found["money"] or "").lower().replace("￥", "¥").replace("元", "¥")
    rate = (found["rate"] or "").lower().replace(" ", "").replace("per", "/")
    return Measure(Fraction(digits) * scale, (unit.rstrip("s") or unit) + rate, step)


def day_of(text: str) -> date | None:
    """A day in the usual forms of both languages; None for anything else and for days that do not exist."""
    if found := _ISO.fullmatch(text):
        year, month, day = int(found[1]), int(found[2]), int(found[3])
    elif found := _DAY_FIRST.fullmatch(text):
        year, month, day = int(found[3]), _MONTHS.get(found[2].lower(), 0), int(found[1])
    elif found := _MONTH_FIRST.fullmatch(text):
        year, month, day = int(found[3]), _MONTHS.get(found[1].lower(), 0), int(found[2])
    else:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def key(text: str) -> str:
    """A subject or attribute as it is compared: folded, without articles and marks."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _ARTICLE.sub("", re.sub(r"[^\w%/]+", " ", folded).strip())
