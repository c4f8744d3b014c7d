"""What a rewriting must keep: numbers, names, code, addresses. Found in the source, looked for in the rewriting.

A number survives in another spelling (3 = three = 三 = ３; 1,200 = 1200). Names are words with a capital inside a
sentence and what stands in 《》 「」 or “”. Where survival cannot be told (a name that is translated), nothing is said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["code", "url", "number", "name"]
LONGEST = 20_000
"""Characters of a source or a rewriting that are looked at."""
_CODE = re.compile(r"```[^\n]*\n(?P<block>.*?)```|`(?P<span>[^`\n]+)`", re.DOTALL)
_URL = re.compile(
    r"(?:https?://|www\.)[^\s<>\"'，。；！？、）)》」]+|(?<![\w.])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+"
)
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])\d+(?:[,，]\d{3})*(?:\.\d+)?(?![A-Za-z_]{3,})")
_TITLE = re.compile(r"《([^《》\n]{1,40})》|「([^「」\n]{1,40})」|『([^『』\n]{1,40})』")
_NAME = re.compile(r"(?<=[a-z0-9,;:)\"'] )(?:[A-Z][\w’'.-]*[\w])(?: (?:[A-Z][\w’'-]+|\d+))*")
_MIXED = re.compile(r"(?<![A-Za-z0-9_`/.])[A-Z][A-Za-z0-9+-]*(?: (?:[A-Z][A-Za-z0-9+-]*|\d+))*(?![A-Za-z_`])")
_COMMON = frozenset(
    [
        *("I", "A", "Mr", "Mrs", "Ms", "Dr", "OK", "AM", "PM", "The", "This", "That", "It", "He", "She", "We", "They"),
        *("You", "Please", "Dear", "Hi", "Hello", "Thanks", "Regards", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
        *("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "January", "February", "March"),
        *("April", "May", "June", "July", "August", "September", "October", "November", "December"),
    ]
)
_ENGLISH = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_WORDS = {word: str(value) for value, word in enumerate(_ENGLISH)}
_WORDS |= {"first": "1", "second": "2", "third": "3", "twice": "2", "once": "1", "dozen": "12"}
_CHINESE = {sign: str(value) for value, sign in enumerate("零一二三四五六七八九十")} | {"两": "2"}


@dataclass(frozen=True)
class Kept:
    """One thing that must survive."""

    kind: Kind
    text: str
    """As it stands in the source."""


def kept(source: str) -> tuple[Kept, ...]:
    """What must survive of a source, each once, in the order code, addresses, numbers, names."""
    text = source[:LONGEST]
    found: dict[tuple[Kind, str], Kept] = {}

    def add(kind: Kind, one: str) -> str:
        if one.strip():
            found.setdefault((kind, one.strip()), Kept(kind, one.strip()))
        return " "

    text = _CODE.sub(lambda match: add("code", match["block"] or match["span"] or ""), text)
    text = _URL.sub(lambda match: add("url", match[0].rstrip(".,;:!?")), text)
    for match in _TITLE.finditer(text):
        add("name", next(filter(None, match.groups())))
    for match in _NUMBER.finditer(text):
        add("number", match[0])
    for name in _names(text):
        add("name", name)
    return tuple(found.values())


def lost(source: str, rewriting: str, kinds: frozenset[Kind] | None = None) -> tuple[Kept, ...]:
    """What of the source does not stand in the rewriting; of these kinds, or of all."""
    folded = _folded(rewriting[:LONGEST])
    numbers = _numbers(rewriting[:LONGEST])
    wanted = (one for one in kept(source) if kinds is None or one.kind in kinds)
    return tuple(one for one in wanted if not _survives(one, folded, numbers))


def _survives(one: Kept, folded: str, numbers: frozenset[str]) -> bool:
    if one.kind == "number":
        return _plain(one.text) in numbers
    if one.kind == "name":
        return _folded(one.text) in folded or all(_folded(part) in folded for part in one.text.split())
    return _folded(one.text) in folded


def _folded(text: str) -> str:
    """Without white space, case and the kind of quotation mark."""
    return re.sub(r"\s+", "", text).casefold().replace("’", "'")


def _plain(number: str) -> str:
    """A number without separators and without zeros that say nothing."""
    bare = re.sub(r"[,，]", "", number)
    return (bare.rstrip("0").rstrip(".") if "." in bare else bare).lstrip("0") or "0"


def _numbers(text: str) -> frozenset[str]:
    """Every number of a text, number words and single Chinese numerals included."""
    found = {_plain(match) for match in re.findall(r"\d+(?:[,，]\d{3})*(?:\.\d+)?", text)}
    found |= set(re.findall(r"\d+", text))
    found |= {_WORDS[word] for word in re.findall(r"[a-z]+", text.casefold()) if word in _WORDS}
    return frozenset(found | {_CHINESE[sign] for sign in text if sign in _CHINESE})


def _names(text: str) -> list[str]:
    """Names in a text: capitalised words inside an English sentence, Latin ones among Chinese."""
    chinese = len(re.findall(r"[\u4e00-\u9fff]", text)) > len(re.findall(r"[A-Za-z]{2,}", text))
    found = (_MIXED if chinese else _NAME).findall(text)
    shouted = text.upper() == text
    return [] if shouted else [one for one in found if one.split()[0] not in _COMMON and len(one) > 1]
