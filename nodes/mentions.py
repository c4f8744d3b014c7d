"""Mentions that rules can find: what has a form of its own needs no model.

Days and times, amounts of money, e-mail and web addresses, titles in 《》, names with a known ending (公司, 大学, Ltd,
University) and capitalised names. A span always comes from the text itself. Which capitalised name is a person and
which a firm is not decided here: it is a `name`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from nodes.contracts import Contract
from nodes.documents.claims import day_of

Kind = Literal[
    "person",
    "organisation",
    "place",
    "date",
    "time",
    "money",
    "email",
    "url",
    "title",
    "product",
    "event",
    "name",
    "other",
]
MOST = 200
"""Mentions that are kept."""
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)"
)
_HAN_NUMBER = "〇零一二三四五六七八九十"
_ONE_OR_TWO = rf"(?:\d{{1,2}}|[{_HAN_NUMBER}]{{1,3}})"
_CURRENCY = "美元|欧元|日元|港元|英镑|人民币|元|块钱"
_CAPITAL = r"[A-Z\u00c0-\u00de][\w\u00c0-\u024f'’&-]{0,30}"
_ORGANISATION = (
    r"Ltd|Limited|Inc|Corp|Corporation|GmbH|AG|LLC|PLC|plc|Co|Company|Group|Holdings|Bank|University|Institute|College|School"
    r"|Hospital|Agency|Foundation|Association|Council|Ministry|Museum|Society|Church|Party|Union|Committee"
)
_HAN_ORGANISATION = (
    "有限责任公司|股份有限公司|有限公司|公司|集团|银行|大学|学院|中学|小学|医院|研究所|研究院|委员会|协会|基金会|法院|博物馆"
    "|出版社|电视台|航天局|管理局"
)
_HAN_PLACE = "自治区|自治州|省|市|县|镇|乡|村|州|岛|河|江|湖|山|路|街"
_HAN_BREAK = "的是在和与及对从向由被把将为了到给于跟同了，。、；：“”（）《》"
_PARTICLE = "de|la|le|du|da|di|dos|el|den|van|von|der|al|bin|of"
_NO_NAME = (
    "The|A|An|This|That|These|Those|Then|After|Before|When|While|Where|Since|Because|Although|In|At|On|By|For|From|To|With|Of"
    "|He|She|It|They|We|You|I|His|Her|Their|Its|My|Our|Your|But|And|Or|If|As|So|Not|No|Dr|Mr|Mrs|Ms|Prof|Sir|Read|Text|Note"
    "|List|Find|Name|Which|Who|What|How|Each|Every|All|Only|Also|There|Here|Now|Later|Today|Yesterday|Assume|Passage|Message"
)
RULES: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("email", re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,6}[A-Za-z]{2,24}(?![\w@-])", re.ASCII)),
    ("url", re.compile(r"\b(?:https?://|www\.)[^\s<>\"'，。；）)]{2,500}(?<![.,;:!?])")),
    ("date", re.compile(
        rf"(?:\d{{4}}|[{_HAN_NUMBER}]{{4}})年(?:{_ONE_OR_TWO}月(?:{_ONE_OR_TWO}[日号])?)?"
        rf"|(?<!\d)\d{{1,2}}月\d{{1,2}}[日号]|(?<![\d-])\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?![\d-])"
        rf"|\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}\.?(?:,? \d{{4}})?\b"
        rf"|\b{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?\b"
        rf"|\b{_MONTH} \d{{4}}\b")),
    ("time", re.compile(
        r"(?<![\d:.])(?:[01]?\d|2[0-3])[:：][0-5]\d(?::[0-5]\d)?(?: ?[ap]\.?m\b)?(?![\d:])"
        r"|\b(?:1[0-2]|[1-9]) ?[ap]\.?m\b"
        r"|(?:凌晨|早上|上午|中午|下午|傍晚|晚上)\d{1,2}[点时](?:\d{1,2}分|半)?")),
    ("money", re.compile(
        r"(?:US|HK)?[$€£¥￥] ?\d(?:[\d,]{0,17}\d)?(?:\.\d{1,4})?(?: ?(?:million|billion|thousand|[kmb]n?\b))?"
        rf"|(?<![\d.,])\d[\d,]{{0,18}}(?:\.\d{{1,4}})?\s?[百千万亿]{{0,2}}(?:{_CURRENCY})"
        r"|(?<![\d.,])\d[\d,]{0,18}(?:\.\d{1,4})? (?:dollars|euros|pounds|yuan|yen|USD|EUR|GBP|CNY)\b")),
    ("title", re.compile(r"《[^《》\n]{1,80}》")),
    ("organisation", re.compile(
        rf"\b(?!(?:{_NO_NAME})\b)(?:{_CAPITAL} (?:of |for |and |& )?){{1,5}}(?:{_ORGANISATION})\b(?: of {_CAPITAL})?"
        rf"|\bUniversity of (?:the )?{_CAPITAL}")),
    ("organisation", re.compile(rf"(?!简称|称)[^\W\d_{_HAN_BREAK}]{{2,14}}?(?:{_HAN_ORGANISATION})")),
    ("place", re.compile(rf"[^\W\d_A-Za-z{_HAN_BREAK}]{{1,6}}?(?:{_HAN_PLACE})(?![\u4e00-\u9fff])")),
    ("name", re.compile(
        rf"\b(?!(?:{_NO_NAME})\b){_CAPITAL}(?: (?:(?:{_PARTICLE}) ){{0,2}}{_CAPITAL}){{0,5}}")),
)  # fmt: skip
_OPENER = re.compile(r"(?:^|[.!?:\n\"“]\s*)$")


class Mention(Contract):
    """One mention of something."""

    text: str
    """Exactly as it stands in the source."""
    kind: Kind
    start: int
    """Characters from the beginning of the source."""
    end: int
    canonical: str
    """One form for all mentions of the same thing: a date as YYYY-MM-DD, the full name for a short one."""
    knowledge: str = ""
    """Coordinate of its entry in the knowledge base, where there is one."""
    by: Literal["rule", "model"] = "rule"


def find(text: str, start: int = 0, end: int | None = None) -> tuple[Mention, ...]:
    """Every mention that a rule finds between two places of a text, in order; none overlaps another."""
    stop = len(text) if end is None else end
    taken = bytearray(max(0, stop - start))
    found: list[Mention] = []
    unsure: list[Mention] = []
    for kind, pattern in RULES:
        for at, to in _spans(pattern, text, start, stop):
            if not any(taken[at - start : to - start]):
                taken[at - start : to - start] = b"\1" * (to - at)
                where = unsure if kind == "name" and _accidental(text, at, to) else found
                where.append(mention(text, at, to, kind))
        if len(found) >= MOST:
            break
    parts = {part for one in found if one.kind == "name" for part in one.canonical.split()}
    found += [one for one in unsure if one.canonical in parts]
    return linked(sorted(found, key=lambda one: one.start)[:MOST], text)


def _spans(pattern: re.Pattern[str], text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    for match in pattern.finditer(text, start, stop):
        yield match.start(), match.end() - 2 * match[0].endswith(("'s", "’s"))


def _accidental(text: str, at: int, to: int) -> bool:
    """A single capitalised word at the beginning of a sentence is no name by its form."""
    return " " not in text[at:to] and bool(_OPENER.search(text[max(0, at - 4) : at]))


def mention(text: str, start: int, end: int, kind: Kind, by: Literal["rule", "model"] = "rule") -> Mention:
    """The mention at a span."""
    words = text[start:end]
    return Mention(text=words, kind=kind, start=start, end=end, canonical=canonical(words, kind), by=by)


def canonical(words: str, kind: Kind) -> str:
    """The form that is the same for all ways of writing one thing."""
    plain = " ".join(unicodedata.normalize("NFKC", words).split())
    if kind == "date":
        day = day_of(re.sub(r"(?<=\d)号", "日", re.sub(" of ", " ", _arabic(plain))))
        return day.isoformat() if day else plain
    if kind == "email":
        return plain.lower()
    if kind == "title":
        return plain.strip("《》")
    return re.sub(r"['’]s$", "", plain)


def _arabic(text: str) -> str:
    """Chinese digits of a date as Arabic ones: 二〇二四年七月三日, 十月二十一日."""

    def number(match: re.Match[str]) -> str:
        digits = match[0].replace("〇", "零")
        if "十" not in digits:
            return "".join(str("零一二三四五六七八九".index(one)) for one in digits)
        tens, _, ones = digits.partition("十")
        value = 10 * ("零一二三四五六七八九".index(tens[-1]) if tens else 1)
        return str(value + ("零一二三四五六七八九".index(ones[0]) if ones else 0))

    return re.sub(f"[{_HAN_NUMBER}]+(?=[年月日号])", number, text)


def known(found: Iterable[Mention], entry: Callable[[str], str]) -> tuple[Mention, ...]:
    """Mentions with the coordinate of their entry in a knowledge base; `entry` gives it for a name, or nothing."""
    return tuple(one.model_copy(update={"knowledge": entry(one.canonical) or entry(one.text)}) for one in found)


_SHORT = re.compile(r"\s?[（(](?:以?下?简称|即|called |the )?[“\"']?(?P<short>[^（）()\n“”\"']{2,30})[”\"']?[）)]")


def linked(found: list[Mention], text: str) -> tuple[Mention, ...]:
    """Short forms get the canonical form of the one full name that they stand for: "(LSA)", "简称江航局", "Vogt"."""
    short: dict[str, str] = {}
    for one in found:
        if one.kind in ("name", "person", "organisation", "place", "product") and (
            match := _SHORT.match(text, one.end, one.end + 50)
        ):
            short[match["short"]] = one.canonical
    full = {one.canonical for one in found if one.kind in ("name", "person") and " " in one.canonical}
    for one in found:
        owners = {name for name in full if one.kind in ("name", "person") and name.split()[-1] == one.canonical}
        if len(owners) == 1:
            short.setdefault(one.canonical, owners.pop())
    return tuple(one.model_copy(update={"canonical": short.get(one.canonical, one.canonical)}) for one in found)
