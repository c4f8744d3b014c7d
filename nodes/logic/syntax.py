"""The compact syntax of the typed form: what a small model is asked to write, read strictly and totally.

    rain -> not match        a and b, a or b, a xor b, a <-> b, brackets
    all x: (poet(x) -> writer(x))      some x: (poet(x) and rich(x))      no x: (poet(x) and rich(x))
    exactly(1: kim, lou, max)          at_least(2: a, b, c)               at_most(1: a, b)
    ann < bob, ann = 2                 places in an order, 1 is the first

`and` binds closer than `or`, then `xor`, `->` (to the right) and `<->`. Other common signs are understood. Every text
either is a formula or raises ParseError with the text kept; length, nesting and numbers are bounded.
"""

from __future__ import annotations

import re
from typing import Literal

from nodes.errors import ParseError
from nodes.logic.form import (
    MOST_DEPTH,
    MOST_PARTS,
    Atom,
    Compare,
    Count,
    Formula,
    Join,
    Not,
    Quantified,
    negated,
)

LONGEST = 2_000
"""Characters of one formula."""
_TOKEN = re.compile(
    r"\s*(?:(?P<sign><->|<=>|->|=>|<=|>=|!=|==|&&|\|\||[()<>=,:;&|~!¬∧∨→↔⇒⇔⊕∀∃（）：，、；.])|(?P<number>\d{1,3}(?!\w))"
    r"|(?P<name>[^\W\d]\w{0,60}(?:-\w{1,40}){0,4}))"
)
_SAME = {
    "&": "and", "&&": "and", "∧": "and", "且": "and", "|": "or", "||": "or", "∨": "or", "或": "or", "~": "not",
    "!": "not", "¬": "not", "非": "not", "=>": "->", "→": "->", "⇒": "->", "implies": "->", "<=>": "<->",
    "↔": "<->", "⇔": "<->", "iff": "<->", "⊕": "xor", "==": "=", "∀": "all", "forall": "all", "every": "all",
    "∃": "some", "exists": "some", "（": "(", "）": ")", "：": ":", "，": ",", "、": ",", "；": ";", "none": "no",
}  # fmt: skip
_COUNTS: dict[str, Literal["at_least", "at_most", "exactly"]] = {
    name: name for name in ("at_least", "at_most", "exactly")
}
_RELATIONS: dict[str, Literal["<", ">", "=", "!=", "<=", ">="]] = {
    sign: sign for sign in ("<", ">", "=", "!=", "<=", ">=")
}
_WORDS = {"and", "or", "not", "xor", "->", "<->", "all", "some", "no"}
_JOINS: tuple[tuple[str, Literal["iff", "implies", "xor", "or", "and"]], ...] = (
    ("<->", "iff"), ("->", "implies"), ("xor", "xor"), ("or", "or"), ("and", "and"),
)  # fmt: skip


def parse(source: str) -> Formula:
    """The formula of a text. Raises ParseError, whatever the text."""
    reader = _Reader(source)
    formula = reader.joined(0, 0)
    if reader.at < len(reader.tokens):
        raise reader.fault(f"{reader.tokens[reader.at]!r} is not expected there")
    return formula


def _tokens(source: str) -> list[str]:
    if len(source) > LONGEST:
        raise ParseError(f"a formula has at most {LONGEST} characters", source[:LONGEST])
    found, at, stripped = [], 0, source.rstrip().rstrip(".。;；")
    while at < len(stripped):
        match = _TOKEN.match(stripped, at)
        if match is None:
            raise ParseError(f"{stripped[at : at + 10]!r} is no sign of the syntax", source)
        word = match[0].strip()
        found.append(_SAME.get(word.lower(), word.lower() if word.lower() in _WORDS | set(_COUNTS) else word))
        at = match.end()
    return found


class _Reader:
    def __init__(self, source: str) -> None:
        self.source = source
        self.tokens = _tokens(source)
        self.at = 0

    def fault(self, message: str) -> ParseError:
        return ParseError(f"no formula: {message}", self.source)

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        word = self.peek()
        if not word or (wanted and word != wanted):
            raise self.fault(f"{wanted or 'more'!r} is missing after {' '.join(self.tokens[: self.at])[-40:]!r}")
        self.at += 1
        return word

    def joined(self, level: int, nested: int) -> Formula:
        """A chain of one connective; `level` counts from the loosest binding."""
        if nested > MOST_DEPTH:
            raise self.fault("too deeply nested")
        if level == len(_JOINS):
            return self.single(nested)
        sign, kind = _JOINS[level]
        parts = [self.joined(level + 1, nested)]
        while self.peek() == sign:
            self.take()
            if kind == "implies":
                return Join(kind=kind, parts=(parts[0], self.joined(level, nested + 1)))
            parts.append(self.joined(level + 1, nested))
        if len(parts) > (2 if kind in ("iff", "xor") else MOST_PARTS):
            raise self.fault(f"too many parts joined by {sign!r}; use brackets")
        return parts[0] if len(parts) == 1 else Join(kind=kind, parts=tuple(parts))

    def single(self, nested: int) -> Formula:
        word = self.take()
        if word == "not":
            return Not(inner=self.deeper(nested))
        if word == "(":
            inner = self.joined(0, nested + 1)
            self.take(")")
            return inner
        if word in ("all", "some", "no"):
            return self.quantified(word, nested)
        if word in _COUNTS:
            return self.count(_COUNTS[word], nested)
        if self.peek() in _RELATIONS:
            return self.compare(word)
        return self.atom(word)

    def deeper(self, nested: int) -> Formula:
        if nested >= MOST_DEPTH:
            raise self.fault("too deeply nested")
        return self.single(nested + 1)

    def quantified(self, word: str, nested: int) -> Formula:
        variable = self.name(self.take())
        if self.peek() in (":", ".", ","):
            self.take()
        inner = self.joined(0, nested + 1)
        found = Quantified(kind="every" if word == "all" else "some", variable=variable, inner=inner)
        return negated(found) if word == "no" else found

    def count(self, kind: Literal["at_least", "at_most", "exactly"], nested: int) -> Formula:
        self.take("(")
        number = self.take()
        if not number.isdecimal() or int(number) > MOST_PARTS:
            raise self.fault(f"{number!r} is no number of parts")
        if self.peek() not in (":", ";", ","):
            raise self.fault("a colon is missing after the number")
        self.take()
        parts = [self.joined(0, nested + 1)]
        while self.peek() == ",":
            self.take()
            parts.append(self.joined(0, nested + 1))
        self.take(")")
        if len(parts) > MOST_PARTS:
            raise self.fault("too many parts")
        return Count(kind=kind, number=int(number), parts=tuple(parts))

    def compare(self, word: str) -> Formula:
        relation = _RELATIONS[self.take()]
        return Compare(relation=relation, left=self.side(word), right=self.side(self.take()))

    def side(self, word: str) -> str | int:
        return int(word) if word.isdecimal() else self.name(word)

    def atom(self, word: str) -> Formula:
        name = self.name(word)
        if self.peek() != "(":
            return Atom(name=name)
        self.take("(")
        terms = [self.name(self.take())]
        while self.peek() == ",":
            self.take()
            terms.append(self.name(self.take()))
        self.take(")")
        if len(terms) > 3:
            raise self.fault(f"{name!r} speaks of too many things")
        return Atom(name=name, terms=tuple(terms))

    def name(self, word: str) -> str:
        if not re.match(r"[^\W\d]", word) or word in _WORDS:
            raise self.fault(f"{word!r} is no name")
        return word
