"""Reads the sides of an equality: what stands left and right of `=` as plain arithmetic, or nothing.

A side is numbers, signs, brackets and units behind numbers. The left one begins where nothing before it belongs to it;
the right one ends where nothing after it changes its meaning. A letter as a factor makes a side algebra: no side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

_TOKEN = re.compile(
    r"(?P<num>\d+(?:\.\d+)?)|(?P<skip>[<>!:=]=|=>|->)|(?P<eq>[=≈])|(?P<op>[-+*/^])|(?P<lp>\()|(?P<rp>\))|(?P<pct>%)"
    r"|(?P<word>[A-Za-z]+)|(?P<han>[\u4e00-\u9fff]+)|(?P<other>\S)"
)
_WORDS = ("word", "han")
_BEFORE_UNSAFE = re.compile(
    r"(?:of|twice|thrice|double|triple|half|third|quarter|square|cube|root|sqrt|log|ln|sin|cos|tan|mod|minus|plus|times"
    r"|by|subtract|subtracting|from|than|divide|dividing|average)$",
    re.IGNORECASE,
)
_BEFORE_UNSAFE_HAN = "的除倍之分加减乘以半约"
_SAFE_BEFORE = frozenset(":,;.([\"'“”‘’、，。：；（|→⇒—•‣。！？!?…")
_AFTER_UNSAFE = frozenset("!?？°_\\{}√:^<>~")
_SCALES = re.compile(r"(?:million|thousand|hundred|billion|dozen|[kKMB])$|^[万亿千百十多几]")
_DOUBT = re.compile(r"^(?:remainder|rem|[rR]|wrong|incorrect|not|false|error|instead)$|余|错|不对|不等")
_ENDS = frozenset(".。;；")


@dataclass(frozen=True)
class Token:
    """One piece of the rewritten text. `glued` = no space before it."""

    kind: str
    text: str
    start: int
    end: int
    glued: bool

    @property
    def letter(self) -> bool:
        """True for a single Latin letter, which may be a variable."""
        return self.kind == "word" and len(self.text) == 1


@dataclass
class Side:
    """One side of an equality: what stands there, as arithmetic."""

    first: Token
    last: Token
    expression: str = ""
    operators: int = 0
    units: list[str] = field(default_factory=list)
    percent: bool = False
    bullet: bool = False
    """True when the mark of a list stands before it, which may be a minus sign."""
    value: Fraction = Fraction(0)

    @property
    def places(self) -> int:
        """Decimal places of a side that is one number."""
        return len(self.expression.partition(".")[2].rstrip("% )"))


def lines(text: str) -> Iterator[list[Token]]:
    """Tokens of each line that states an equality; most lines do not, and are not read."""
    start = 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if text.find("=", start, end) >= 0 or text.find("≈", start, end) >= 0:
            yield _tokens(text, start, end)
        start = end + 1


def _tokens(text: str, start: int, end: int) -> list[Token]:
    line, last = [], start
    for match in _TOKEN.finditer(text, start, end):
        line.append(Token(str(match.lastgroup), match[0], match.start(), match.end(), match.start() == last))
        last = match.end()
    return line


def left_side(line: list[Token], start: int, end: int) -> Side | None:
    """The longest arithmetic that ends at `end`, begins at `start` or later, and belongs to nothing before it."""
    for place in range(start, end):
        before = line[place - 1] if place > start else None
        if line[place].kind in ("num", "lp", "op") and _may_begin(line, place, before):
            read = _Reader(line, place, end).read()
            if read and read[1] == end:
                read[0].bullet = before is not None and before.text == "‣"
                return read[0]
    return None


def right_side(line: list[Token], start: int, end: int) -> Side | None:
    """The arithmetic that begins at `start`, unless what follows says it means something else."""
    read = _Reader(line, start, end).read()
    if not read:
        return None
    side, stop = read
    while line[stop - 1].kind in _WORDS:  # words behind the last number are looked at here, not taken as its unit
        stop -= 1
    rest = line[stop:end]
    if _changes_meaning(rest):
        return None
    side.units += [one.text for one in rest[:1] if one.kind in _WORDS]
    return side


def _may_begin(line: list[Token], place: int, before: Token | None) -> bool:
    """True when the token at `place` may begin an expression after `before`."""
    here = line[place]
    if before is None:
        return True
    if here.kind == "op":
        return before.kind == "other" and before.text in _SAFE_BEFORE
    if before.kind == "word":
        variable = before.letter and before.text not in "aAI"
        return not (here.glued or variable or _BEFORE_UNSAFE.match(before.text) or _after_operator(line, place))
    if before.kind == "han":
        return before.text[-1] not in _BEFORE_UNSAFE_HAN and not _after_operator(line, place)
    if before.kind == "other" and before.text in _SAFE_BEFORE:
        inside = place > 1 and line[place - 2].kind == "num" and before.glued and here.glued
        return not (inside and before.text in ",.:")  # 9:30, 1,5
    return before.kind == "lp" and not before.glued


def _after_operator(line: list[Token], place: int) -> bool:
    """True when the words before `place` follow an operator: `+ bananas 2`."""
    while place > 0 and line[place - 1].kind in _WORDS:
        place -= 1
    return place > 0 and line[place - 1].kind == "op"


def _changes_meaning(rest: list[Token]) -> bool:
    """True when the tokens behind a right side make it something else: a remainder, a question, a larger quantity."""
    if rest and ((rest[0].glued and rest[0].letter) or rest[0].text in _AFTER_UNSAFE or _scaled(rest[0])):
        return True  # 9x, 5!, 3 million
    for place, token in enumerate(rest):
        words_so_far = all(one.kind in _WORDS for one in rest[:place])
        if token.text in ("?", "？") or (token.kind == "num" and place <= 3 and words_so_far):
            return True  # is it?, 8 hours 30 minutes
        if place < 6 and token.kind in _WORDS and _DOUBT.search(token.text):
            return True
        if token.text in _ENDS and place:
            return False
    return False


def _scaled(token: Token) -> bool:
    return token.kind in _WORDS and _SCALES.search(token.text) is not None


class _Reader:
    """Takes arithmetic from one place of a line on, as far as it goes."""

    def __init__(self, line: list[Token], start: int, end: int) -> None:
        self.line, self.start, self.place, self.end = line, start, start, end
        self.depth = 0
        self.wants_number = True

    def read(self) -> tuple[Side, int] | None:
        """The side and where it stops; None when it breaks off in the middle or goes on as something else."""
        if self.start >= self.end:
            return None
        side = Side(self.line[self.start], self.line[self.start])
        while self.place < self.end and (self._number(side) if self.wants_number else self._behind_number(side)):
            pass
        if self.wants_number or self.depth or self._goes_on():
            return None
        return side, self.place

    def _number(self, side: Side) -> bool:
        """Where a number is due: the number, an opening bracket or a sign."""
        token = self.line[self.place]
        signed = token.text in "+-" and (self.place == self.start or self.line[self.place - 1].kind in ("lp", "op"))
        if token.kind == "num":
            self.wants_number = False
        elif token.kind == "lp":
            self.depth += 1
        elif not signed:
            return False
        return self._take(side)

    def _behind_number(self, side: Side) -> bool:
        """Behind a number: per cent, a closing bracket, an operator, a factor in brackets, or a unit."""
        token = self.line[self.place]
        if token.kind in _WORDS or (token.kind == "op" and self._per()):
            return self._unit(side)
        if token.kind == "pct":
            side.percent = True
        elif token.kind == "rp" and self.depth:
            self.depth -= 1
        elif token.kind == "op" or (
            token.kind == "lp" and token.glued and self.line[self.place - 1].kind in ("num", "rp")
        ):
            self.depth += token.kind == "lp"
            self.wants_number = True
            side.operators += 1
        else:
            return False
        return self._take(side)

    def _take(self, side: Side) -> bool:
        side.last = self.line[self.place]
        side.expression += side.last.text
        self.place += 1
        return True

    def _per(self) -> bool:
        """True for the slash of a unit: dollars/hour."""
        around = self.line[self.place - 1], self.line[self.place + 1] if self.place + 1 < self.end else None
        return self.line[self.place].text == "/" and all(one is not None and one.kind in _WORDS for one in around)

    def _unit(self, side: Side) -> bool:
        """Skip the words between a number and an operator, a bracket or the end; False when they are no unit."""
        after = self.place + (self.line[self.place].kind == "op")
        words: list[Token] = []
        while after < self.end and self.line[after].kind in _WORDS and len(words) < 3:
            words.append(self.line[after])
            after += 1
        if any(one.letter or (one.kind == "han" and len(one.text) > 4) for one in words):
            return False
        if after < self.end and self.line[after].kind not in ("op", "rp"):
            return False
        side.units += [one.text for one in words]
        self.place = after
        return True

    def _goes_on(self) -> bool:
        """True when a number or a bracket with numbers follows directly: the expression is not understood."""
        if self.place >= self.end or self.line[self.place].kind not in ("num", "lp"):
            return False
        inside = self.line[self.place + 1] if self.place + 1 < self.end else None
        return self.line[self.place].kind == "num" or inside is None or inside.kind not in _WORDS
