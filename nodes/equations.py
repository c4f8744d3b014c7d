"""Finds the arithmetic that a text claims, and recomputes it. Precision first: silent wherever it may mean another thing.

A claim is two neighbouring sides of an equality that are both plain numbers and signs; units may stand behind numbers.
Algebra (a letter as a factor, `100 - 10 = 9x`), code, dates, clock times, ratios, remainders, questions and conversions
of units are left alone. A stated number is right when it is the exact value rounded or cut at its own last place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from nodes.arithmetic import ArithmeticFault, evaluate
from nodes.notation import plain_signs

Outcome = Literal["pass", "fail", "unsure"]
_TOKEN = re.compile(
    r"(?P<num>\d+(?:\.\d+)?)|(?P<skip>[<>!:=]=|=>|->)|(?P<eq>[=≈])|(?P<op>[-+*/^])|(?P<lp>\()|(?P<rp>\))|(?P<pct>%)"
    r"|(?P<word>[A-Za-z]+)|(?P<han>[\u4e00-\u9fff]+)|(?P<nl>\n)|(?P<other>\S)"
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
_NOISE = Fraction(1, 10**12)
"""Relative error of binary floating point that models copy: 6.0000000000000005."""
_CONVERSIONS = frozenset(
    Fraction(number) for number in (7, 10, 12, 16, 24, 28, 30, 31, 52, 60, 100, 365, 1_000, 3_600, 10_000, 1_000_000)
)


@dataclass(frozen=True)
class Token:
    """One piece of the rewritten text. `glued` = no space before it."""

    kind: str
    text: str
    start: int
    end: int
    glued: bool


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
    value: Fraction = Fraction(0)

    @property
    def places(self) -> int:
        """Decimal places of a side that is one number."""
        return len(self.expression.partition(".")[2].rstrip("% )"))


@dataclass(frozen=True)
class Claim:
    """One recomputed equality, with its place in the original text."""

    span: tuple[int, int]
    exact: Fraction
    outcome: Outcome


def claims(text: str) -> list[Claim]:
    """Every arithmetic equality in `text` that can be recomputed, in order."""
    traced = plain_signs(text)
    found = []
    for line in _lines(traced.text):
        for left, right, sign in _pairs(line):
            span = traced.span(left.first.start, right.last.end)
            found.append(Claim(span, left.value, judge(left, right, sign)))
    return found


def _lines(text: str) -> Iterator[list[Token]]:
    """Tokens of each line that holds an equality."""
    line: list[Token] = []
    last = 0
    for match in _TOKEN.finditer(text):
        kind = str(match.lastgroup)
        if kind == "nl":
            yield line
            line = []
        else:
            line.append(Token(kind, match[0], match.start(), match.end(), match.start() == last))
        last = match.end()
    yield line


def _pairs(line: list[Token]) -> Iterator[tuple[Side, Side, str]]:
    """Neighbouring sides that are both arithmetic, the first of them with an operator."""
    signs = [place for place, token in enumerate(line) if token.kind == "eq"]
    if any(token.kind == "skip" and token.text == "==" for token in line):
        return
    bounds = [-1, *signs, len(line)]
    for before, sign, end in zip(bounds, signs, bounds[2:], strict=False):
        left = _suffix(line, before + 1, sign)
        right = _prefix(line, sign + 1, end)
        if left and left.operators and right and _evaluated(left) and _evaluated(right):
            yield left, right, line[sign].text


def _evaluated(side: Side) -> bool:
    try:
        side.value = evaluate(side.expression)
    except ArithmeticFault:
        return False
    return True


def _suffix(line: list[Token], start: int, end: int) -> Side | None:
    """The longest arithmetic that ends at `end` and begins where nothing before it belongs to it."""
    for place in range(start, end):
        before = line[place - 1] if place > start else None
        if line[place].kind in ("num", "lp", "op") and _may_follow(line, place, before):
            read = _read(line, place, end)
            if read and read[1] == end:
                side = read[0]
                side.bullet = before is not None and before.text == "‣"
                return side
    return None


def _may_follow(line: list[Token], place: int, before: Token | None) -> bool:
    """True when the token at `place` may begin an expression after `before`."""
    if before is None or before.kind in ("eq", "skip"):
        return before is None or before.kind == "eq"
    here = line[place]
    if here.kind == "op":
        return before.kind == "other" and before.text in _SAFE_BEFORE
    if before.kind == "word":
        single = len(before.text) == 1 and before.text not in "aAI"
        return (
            not here.glued and not single and not _BEFORE_UNSAFE.match(before.text) and not _after_operator(line, place)
        )
    if before.kind == "han":
        return before.text[-1] not in _BEFORE_UNSAFE_HAN and not _after_operator(line, place)
    if before.kind == "other" and before.text in _SAFE_BEFORE:
        digits = place > 1 and line[place - 2].kind == "num" and before.glued and here.glued
        return not (digits and before.text in ",.:")
    return before.kind == "lp" and not before.glued


def _after_operator(line: list[Token], place: int) -> bool:
    """True when the words before `place` follow an operator: `+ bananas 2`."""
    while place > 0 and line[place - 1].kind in _WORDS:
        place -= 1
    return place > 0 and line[place - 1].kind == "op"


def _prefix(line: list[Token], start: int, end: int) -> Side | None:
    """The arithmetic that begins at `start`, unless what follows says it means something else."""
    read = _read(line, start, end)
    if not read:
        return None
    side, stop = read
    rest = line[stop:end]
    for place, token in enumerate(rest):
        if token.kind == "num" and place <= 3 and all(one.kind in _WORDS for one in rest[:place]):
            return None  # 8 hours 30 minutes
        if (place == 0 and token.text in _AFTER_UNSAFE) or token.text in ("?", "？"):
            return None
        if place == 0 and token.text == ":" and stop + 1 < end and rest[1].kind == "num":
            return None
        if token.text in (".", "。", ";", "；") and place:
            break
        if place < 6 and token.kind in _WORDS and _DOUBT.search(token.text):
            return None
        if place == 0 and (
            _SCALES.search(token.text) or (token.kind == "word" and token.glued and len(token.text) == 1)
        ):
            return None
    if rest and [one.text for one in rest[:3]] == [".", ".", "."]:
        rest = rest[3:]
    side.units += [one.text for one in rest[:1] if one.kind in _WORDS]
    return side


def _read(line: list[Token], start: int, end: int) -> tuple[Side, int] | None:
    """Arithmetic from `start` on, and where it stops; None when it breaks off in the middle or holds a variable."""
    side = Side(line[start], line[start]) if start < end else None
    depth, wants, place = 0, True, start
    while side and place < end:
        token = line[place]
        if wants and token.kind == "num":
            wants = False
        elif wants and token.kind == "lp":
            depth += 1
        elif (
            wants
            and token.kind == "op"
            and token.text in "+-"
            and (place == start or line[place - 1].kind in ("lp", "op"))
        ):
            pass
        elif not wants and token.kind == "pct":
            side.percent = True
        elif not wants and token.kind == "rp" and depth:
            depth -= 1
        elif not wants and token.kind == "op":
            unit = _per(line, place, end)
            if unit:
                side.units.append(line[place + 1].text)
                place += 2
                continue
            wants = True
            side.operators += 1
        elif not wants and token.kind == "lp" and token.glued and line[place - 1].kind in ("num", "rp"):
            depth += 1
            wants = True
            side.operators += 1
        elif not wants and token.kind in _WORDS:
            after = _unit(line, place, end)
            if after is None:
                break
            side.units += [one.text for one in line[place:after]]
            place = after
            continue
        else:
            break
        side.expression += token.text
        side.last = token
        place += 1
    if not side or wants or depth:
        return None
    if place < end and line[place].kind in ("num", "lp") and not _comment(line, place, end):
        return None
    return side, place


def _per(line: list[Token], place: int, end: int) -> bool:
    """True for the slash of a unit: dollars/hour."""
    return (
        line[place].text == "/"
        and place + 1 < end
        and line[place + 1].kind in _WORDS
        and line[place - 1].kind in _WORDS
    )


def _unit(line: list[Token], place: int, end: int) -> int | None:
    """Where the words end that stand between a number and an operator; None when they are no unit."""
    after = place
    while after < end and line[after].kind in _WORDS and after - place < 3:
        after += 1
    single = any(one.kind == "word" and len(one.text) == 1 for one in line[place:after])
    long = any(one.kind == "han" and len(one.text) > 4 for one in line[place:after])
    if single or long or (after < end and line[after].kind not in ("op", "rp")):
        return None
    return after


def _comment(line: list[Token], place: int, end: int) -> bool:
    """True when the bracket at `place` holds words: `= 8 (approximately)`."""
    return line[place].kind == "lp" and place + 1 < end and line[place + 1].kind in _WORDS


def judge(left: Side, right: Side, sign: str) -> Outcome:
    """Is the stated right side what the left side gives? `unsure` where another reading makes it right."""
    exact, stated = left.value, right.value
    if any(_rounds(value, right) for value in _readings(left, right)):
        return "pass"
    if sign == "≈":
        near = abs(exact - stated) <= abs(exact) * Fraction(5, 100)
        return "pass" if near else "fail" if abs(exact - stated) > abs(exact) * Fraction(3, 10) else "unsure"
    return "unsure" if _doubtful(left, right) else "fail"


def _readings(left: Side, right: Side) -> list[Fraction]:
    """Values that the left side may stand for, in the terms of the right side's number."""
    values = [left.value]
    if left.percent or right.percent:
        values += [left.value * 100, left.value / 100]
    if left.bullet and not left.expression.startswith(("-", "(")):
        values.append(left.value - 2 * evaluate(re.match(r"[\d.]+", left.expression)[0]))  # type: ignore[index]
    return values


def _rounds(exact: Fraction, right: Side) -> bool:
    """True when the right side is `exact`, or one number that is `exact` rounded or cut at its own last place."""
    if abs(exact - right.value) <= abs(exact) * _NOISE:
        return True
    if right.operators:
        return False
    step = Fraction(1, 10**right.places)
    scaled = right.value * 100 if right.percent else right.value
    for value in (exact, exact * 100) if right.percent else (exact,):
        ends = (value / step).denominator == 1
        if not ends and abs(value - scaled) < step:
            return True
    return False


def _doubtful(left: Side, right: Side) -> bool:
    """True when a mismatch may be a habit of writing and no error."""
    exact, stated = left.value, right.value
    if right.operators and _begins_with(right, exact):
        return True  # a run-on chain: 5 + 3 = 8 + 2 = 10
    if left.operators and right.operators and abs(exact - stated) <= abs(exact) / 50:
        return True
    if stated in (-exact, -exact + 1) and "-" in left.expression:
        return True  # a difference without its sign, or a range of pages
    if exact and stated and (abs(exact / stated) == abs(1 / exact * 1 / stated) or exact * stated == 1):
        return True
    return _units_differ(left, right)


def _begins_with(side: Side, value: Fraction) -> bool:
    first = re.match(r"[(\s]*(\d+(?:\.\d+)?)", side.expression)
    return first is not None and Fraction(first[1]) == value


def _units_differ(left: Side, right: Side) -> bool:
    """True when a conversion of units may stand between the sides, or unlike things are added."""
    if left.percent and re.search(r"[-+]", left.expression):
        return True
    units = {unit.lower().rstrip("s") for unit in left.units}
    if len(units) > 1 and re.search(r"[-+]", left.expression):
        return True
    if not (left.units or right.units) or not left.value or not right.value:
        return False
    ratio = abs(left.value / right.value)
    return ratio in _CONVERSIONS or 1 / ratio in _CONVERSIONS
