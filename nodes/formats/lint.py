"""Twelve rules of markdownlint for headings and tables, by the ids that its users know (DavidAnson/markdownlint).

MD001 heading levels go down one at a time; MD018-MD021 space behind and before hashes; MD022 blank lines around
headings; MD023 headings begin the line; MD024 no two headings alike; MD025 one title; MD055 one style of bars; MD056
the same number of cells; MD058 blank lines around tables. Comments in the text that switch rules on and off count.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nodes.formats.cells import cells
from nodes.formats.lines import Line, lines
from nodes.formats.markdown import Heading, headings_of, parsed

ALIASES = {
    "heading-increment": "MD001", "no-missing-space-atx": "MD018", "no-multiple-space-atx": "MD019",
    "no-missing-space-closed-atx": "MD020", "no-multiple-space-closed-atx": "MD021", "blanks-around-headings": "MD022",
    "heading-start-left": "MD023", "no-duplicate-heading": "MD024", "single-title": "MD025", "single-h1": "MD025",
    "table-pipe-style": "MD055", "table-column-count": "MD056", "blanks-around-tables": "MD058",
}  # fmt: skip
RULES = tuple(sorted(set(ALIASES.values())))
LONGEST = 50_000
"""Characters that are looked at."""
_COMMENT = re.compile(r"<!--\s*markdownlint-(configure-file|[a-z-]+)\s*((?:[^-]|-(?!->))*)-->", re.IGNORECASE)
_CLOSED_TIGHT = re.compile(r"(#{1,6})([ \t]*)([^# \t\\](?:[^#]*[^# \t\\])?)([ \t]*)(#+)\s*$")
_CLOSED = re.compile(r" {0,3}#{1,6}([ \t]+)[^#\s](?:.*\S)?([ \t]+)#+\s*$")
_FRONT = re.compile(r"\A---[ \t]*\n(?:(?!---).*\n)*---[ \t]*(?:\n|\Z)")


@dataclass(frozen=True, order=True)
class Violation:
    """One broken rule; the line is counted from 1, as markdownlint prints it."""

    line: int
    rule: str


@dataclass(frozen=True)
class _Text:
    """A text read once for all rules."""

    every: list[Line]
    headings: list[Heading]
    tables: list[tuple[int, int]]
    """First line and the line behind the last one."""
    config: dict[str, Any]
    titled: bool
    """The front matter has a title."""


def violations(text: str) -> list[Violation]:
    """Every broken rule, by line. Nothing for texts beyond `LONGEST` characters."""
    if len(text) > LONGEST:
        return []
    front = _FRONT.match(text)
    bare = "\n" * front[0].count("\n") + text[front.end() :] if front else text
    config = _configured(bare)
    tokens = parsed(bare)
    read = _Text(
        lines(bare),
        headings_of(tokens),
        [(token.map[0], token.map[1]) for token in tokens if token.type == "table_open" and token.map],
        config,
        bool(front and re.search(r"^title\s*[:=]", front[0], re.MULTILINE | re.IGNORECASE)),
    )
    found = {Violation(at + 1, rule) for check in _CHECKS for at, rule in check(read)}
    off = _switched_off(bare, config)
    return sorted(one for one in found if one.rule not in off.get(one.line, frozenset()))


# ---- comments that configure


def _named(words: str) -> set[str]:
    """Rules that a comment names; all of them when it names none."""
    names = {ALIASES.get(word.lower(), word.upper()) for word in words.split()}
    return names & set(RULES) if names else set(RULES)


def _configured(text: str) -> dict[str, Any]:
    """Settings by rule, from `markdownlint-configure-file`: False = off."""
    found: dict[str, Any] = {}
    for kind, body in _COMMENT.findall(text):
        if kind.lower() != "configure-file":
            continue
        try:
            settings = json.loads(body)
        except (ValueError, RecursionError):
            continue
        for name, value in settings.items() if isinstance(settings, dict) else ():
            if name == "default":
                found |= {rule: value for rule in RULES if rule not in found}
            else:
                found[ALIASES.get(name.lower(), name.upper())] = value
    return found


def _switched_off(text: str, config: dict[str, Any]) -> dict[int, frozenset[str]]:
    """Rules that are off, by line from 1."""
    off = {rule for rule in RULES if config.get(rule) is False}
    kept, result = set(off), {}
    single: dict[int, set[str]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        for kind, words in _COMMENT.findall(line):
            off, kept = _switch(kind.lower(), words, off, kept, single, number)
        result[number] = frozenset(off | single.get(number, set()))
    whole = [_named(words) for kind, words in _COMMENT.findall(text) if kind.lower() == "disable-file"]
    everywhere = frozenset().union(*whole)
    return {number: rules | everywhere for number, rules in result.items()}


def _switch(
    kind: str, words: str, off: set[str], kept: set[str], single: dict[int, set[str]], number: int
) -> tuple[set[str], set[str]]:
    if kind == "disable":
        off = off | _named(words)
    elif kind == "enable":
        off = off - _named(words)
    elif kind == "capture":
        kept = set(off)
    elif kind == "restore":
        off = set(kept)
    elif kind == "disable-line":
        single.setdefault(number, set()).update(_named(words))
    elif kind == "disable-next-line":
        single.setdefault(number + 1, set()).update(_named(words))
    return off, kept


def _setting(read: _Text, rule: str, name: str, default: Any) -> Any:
    settings = read.config.get(rule)
    return settings.get(name, default) if isinstance(settings, dict) else default


# ---- rules


def _increment(read: _Text) -> Iterator[tuple[int, str]]:
    last = 1 if read.titled else 0
    for heading in read.headings:
        if last and heading.level > last + 1:
            yield heading.first, "MD001"
        last = heading.level


def _spaces(read: _Text) -> Iterator[tuple[int, str]]:
    rendered = {heading.first for heading in read.headings}
    for line in read.every:
        text = line.text
        if line.code or (text.startswith(("    ", "\t")) and line.number not in rendered):
            continue
        if re.match(r"#{1,6}[^# \t]", text) and not re.search(r"#\s*$", text) and not text.startswith("#\ufe0f\u20e3"):
            yield line.number, "MD018"
        closed = _CLOSED.match(text)
        if closed and line.number in rendered and max(map(len, closed.groups())) > 1:
            yield line.number, "MD021"
        if not closed and re.match(r" {0,3}#{1,6}[ \t]{2,}", text) and line.number in rendered:
            yield line.number, "MD019"
        tight = _CLOSED_TIGHT.match(text)
        if tight and not (tight[2] and tight[4]):
            yield line.number, "MD020"


def _around_headings(read: _Text) -> Iterator[tuple[int, str]]:
    above, below = (_count(read, "MD022", name) for name in ("lines_above", "lines_below"))
    for heading in read.headings:
        topmost = heading.first < 5 and all(line.blank for line in read.every[: heading.first])
        around = read.every[heading.last + 1 : heading.last + 1 + below]
        if not topmost:
            around = [*around, *read.every[max(heading.first - above, 0) : heading.first]]
        if not all(map(_empty, around)):
            yield heading.first, "MD022"


def _count(read: _Text, rule: str, name: str) -> int:
    value = _setting(read, rule, name, 1)
    return max(0, min(value, 9)) if isinstance(value, int) else 1


def _empty(line: Line) -> bool:
    """True for an empty line: the marks of quotes and comments do not fill it."""
    return not re.sub(r"<!--.*?(?:-->|$)|^[>\s]+", "", line.text).strip()


def _left(read: _Text) -> Iterator[tuple[int, str]]:
    for heading in read.headings:
        if re.match(r" {1,3}\S", read.every[heading.first].text) and not re.match(
            r"\s*[->*+\d]", read.every[heading.first].text
        ):
            yield heading.first, "MD023"


def _alike(read: _Text) -> Iterator[tuple[int, str]]:
    siblings = bool(_setting(read, "MD024", "siblings_only", False))
    above: list[str] = []
    seen: set[tuple[str, ...]] = set()
    for heading in read.headings:
        above = [*above[: heading.level - 1], *[""] * (heading.level - 1 - len(above)), heading.text]
        key = tuple(above) if siblings else (heading.text,)
        if key in seen:
            yield heading.first, "MD024"
        seen.add(key)


def _one_title(read: _Text) -> Iterator[tuple[int, str]]:
    level = _setting(read, "MD025", "level", 1)
    tops = [heading for heading in read.headings if heading.level == level]
    if not tops:
        return
    leads = all(map(_empty, read.every[: tops[0].first]))
    if read.titled:
        yield from ((heading.first, "MD025") for heading in tops)
    elif leads:
        yield from ((heading.first, "MD025") for heading in tops[1:])


def _bars(read: _Text) -> Iterator[tuple[int, str]]:
    wanted: tuple[bool, bool] | None = None
    for first, behind in read.tables:
        width = len(cells(_bare(read.every[first].text)))
        for line in read.every[first:behind]:
            text = _bare(line.text)
            style = (text.startswith("|"), bool(re.search(r"(?<!\\)\|$", text)))
            wanted = wanted or style
            if style != wanted:
                yield line.number, "MD055"
            if len(cells(text)) != width:
                yield line.number, "MD056"


def _bare(text: str) -> str:
    return re.sub(r"^(?:\s*>)+", "", text).strip()


def _around_tables(read: _Text) -> Iterator[tuple[int, str]]:
    for first, behind in read.tables:
        if first and not _empty(read.every[first - 1]):
            yield first, "MD058"
        if behind < len(read.every) and not _empty(read.every[behind]):
            yield behind - 1, "MD058"


_CHECKS = (_increment, _spaces, _around_headings, _left, _alike, _one_title, _bars, _around_tables)
