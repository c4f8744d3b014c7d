"""Arithmetic questions that need no model: an expression, a share, a conversion, a mean, a remainder, a growth rate.

A pattern must cover the whole question. A word too many, a second number, a unit of another kind: then it is left to
the model, because a value computed from half of a question is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from nodes.answers import units
from nodes.answers.numerals import chinese
from nodes.arithmetic import ArithmeticFault, evaluate, plain
from nodes.contracts import Language
from nodes.notation import plain_signs

LONGEST = 400
"""Characters of a question that is looked at."""
_CHINESE = "零〇一二两三四五六七八九十百千万亿点"
_N = rf"(?:[-−]?\d[\d,]*(?:\.\d+)?[万亿]?|[{_CHINESE}]+)"
_UNIT = r"[^\W\d_][^\d?？=，。,;]{0,24}?"
_ASK = r"(?:what(?:'s| is| are| does)|how much is|compute|calculate|evaluate|work out|find|simplify|determine|solve)"
_ASK_ZH = (
    r"(?:请|求出?|试|列式|直接)*(?:计算|算出|算一算|口算|求值|化简|求)?(?:下列|下面)?(?:算式|式子)?(?:的值|的结果)?"
)
_END = r"\s*[?？.。!！]*"
_END_ZH = r"\s*(?:[=＝]\s*)?(?:等于|是|的值是|的结果是|得)?\s*(?:多少|几)?" + _END
_SIGNS = re.compile(r"[\d\s.+\-*/^()%]+")
_OPERATOR = re.compile(r"[\d)%]\s*[-+*/^]")
_DATE = re.compile(r"\d{2,4}\s*([-/])\s*\d{1,2}\s*\1\s*\d{1,4}")


@dataclass(frozen=True)
class Sum:
    """What was computed."""

    value: Fraction
    expression: str
    """In plain signs; evaluates to the value."""
    unit: str = ""
    """Unit of the value, in the question's own words; `%` for a share."""

    @property
    def answer(self) -> str:
        """Exact where decimals end or a fraction says it; a share that does not end is given to four places."""
        text = plain(self.value)
        if self.unit == "%" and "/" in text:
            text = f"{float(self.value):.4g}"
        return f"{text}{'' if self.unit == '%' or not self.unit.isascii() else ' '}{self.unit}" if self.unit else text


Reader = Callable[[re.Match[str]], Sum | None]


def solve(question: str, language: Language) -> Sum | None:
    """The value that a question of one of these forms asks for; None for every other question, and where unsure."""
    text = " ".join(question.replace("$", " ").split()) if "\\" in question else " ".join(question.split())
    if not text or len(text) > LONGEST:
        return None
    for pattern, read in _EN if language == "en" else (*_ZH, *_EN[:1]):
        if (match := pattern.fullmatch(text)) and (found := _safely(read, match)):
            return found
    return None


def _safely(read: Reader, match: re.Match[str]) -> Sum | None:
    try:
        return read(match)
    except (ArithmeticFault, ZeroDivisionError):
        return None


def number(text: str) -> Fraction:
    """A number in digits (with 万, 亿) or Chinese numerals. Raises ArithmeticFault when it is none."""
    found = chinese(text.strip().replace(",", "").replace("−", "-"))
    if found is None:
        raise ArithmeticFault(f"{text!r} is no number")
    return found


def _expression(match: re.Match[str]) -> Sum | None:
    signs = " ".join(plain_signs(match["e"].replace("÷", "/").replace("×", "*")).text.split()).rstrip("= ")
    if not _SIGNS.fullmatch(signs) or not _OPERATOR.search(signs) or _DATE.search(signs):
        return None
    return Sum(evaluate(signs), signs)


def _share(match: re.Match[str]) -> Sum | None:
    part, whole = number(match["p"]), number(match["n"])
    return Sum(part * whole / 100, f"{plain(whole)} * {plain(part)} / 100")


def _conversion(match: re.Match[str]) -> Sum | None:
    wanted, found = units.read(match["to"]), [units.read(match["u"])]
    amounts = [number(match["n"])]
    if match["n2"]:
        amounts.append(number(match["n2"]))
        found.append(units.read(match["u2"]))
    if wanted is None or wanted.offset or not wanted.factor:
        return None
    total, terms = Fraction(0), []
    for amount, unit in zip(amounts, found, strict=True):
        if unit is None or unit.offset or unit.dimension != wanted.dimension:
            return None
        total += amount * unit.factor / wanted.factor
        terms.append(f"{plain(amount)} * {plain(unit.factor / wanted.factor)}")
    asked = match["to"].strip() if match[0][:7].casefold() == "convert" else ""  # "how many metres": a number
    return Sum(total, " + ".join(terms), asked)


def _mean(match: re.Match[str]) -> Sum | None:
    listed = [part for part in re.split(r"\s*(?:,\s*and\b|,|，|、|\band\b|和)\s*", match["list"]) if part]
    values = [number(part) for part in listed]
    if len(values) < 2:
        return None
    return Sum(sum(values, Fraction(0)) / len(values), f"({' + '.join(map(plain, values))}) / {len(values)}")


def _remainder(match: re.Match[str]) -> Sum | None:
    a, b = number(match["a"]), number(match["b"])
    if a.denominator != 1 or b.denominator != 1 or a < 0 or b <= 0:
        return None
    return Sum(a % b, f"{a} - {b} * {a // b}")


def _growth(match: re.Match[str]) -> Sum | None:
    before, after = number(match["a"]), number(match["b"])
    if before <= 0 or (match["ua"] or "") != (match["ub"] or match["ua"] or ""):
        return None
    change = (after - before) / before * 100
    falls = bool(match["down"])
    if falls != (after < before) or after == before:
        return None
    signed = bool(match["signed"])
    size = change if signed else abs(change)
    sides = (after, before) if signed or not falls else (before, after)
    return Sum(size, f"({plain(sides[0])} - {plain(sides[1])}) / {plain(before)} * 100", "%")


def _patterns(*pairs: tuple[str, Reader]) -> tuple[tuple[re.Pattern[str], Reader], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), read) for pattern, read in pairs)


_MEASURE = rf"(?P<n>{_N})\s*(?P<u>{_UNIT})(?:\s*(?:and\s*|,\s*|零)?(?P<n2>{_N})\s*(?P<u2>{_UNIT}))?"
_ROSE = r"(?:rose|grew|increased|went up|climbed)|(?P<down>fell|dropped|decreased|declined|went down)"
_GREW = (
    rf"[^\d.?]{{0,60}}?\b(?:{_ROSE}) from [$€£]?(?P<a>{_N})(?P<ua> [a-z]+)? to [$€£]?(?P<b>{_N})(?P<ub> [a-z]+)?"
    r"(?: [a-z]+)?[.,;] (?:by )?what (?:was the |is the )?"
    rf"(?:percentage|percent|(?P<signed>change in (?:percent|%)))[^\d?]{{0,40}}{_END}"
)
_ROSE_ZH = r"(?:增加|增长|上升|提高|上涨|涨)|(?P<down>减少|下降|降低|下跌|跌|降)"
_GREW_ZH = (
    rf"[^\d。？?]{{0,40}}?从(?P<a>{_N})(?P<ua>[^\d\s]{{0,4}}?)(?:{_ROSE_ZH})(?:到|至|为)"
    rf"(?P<b>{_N})(?P<ub>[^\d\s，,]{{0,4}})[，,。](?P<signed>变化)?[^\d？?]{{0,12}}?"
    rf"(?:百分之几|百分之多少|幅(?:度)?是(?:多少|百分之几)|率是(?:多少|百分之几)){_END}"
)
_EN = _patterns(
    (
        rf"(?:{_ASK}\b\s*:?)?(?:\s*the (?:value|result) of\b)?(?P<e>[^=?]+?)(?: equal(?: to)?| as (?:a|one) fraction)?"
        rf"\s*=?{_END}",
        _expression,
    ),
    (rf"{_ASK}\s+(?P<p>{_N})\s*(?:%|percent|per cent)\s+of\s+(?P<n>{_N}){_END}", _share),
    (rf"convert\s+{_MEASURE}\s+(?:in)?to\s+(?P<to>{_UNIT}){_END}", _conversion),
    (
        rf"how many (?P<to>{_UNIT})\s+(?:are there in|are in|is|are|make(?: up)?|equals?)\s+{_MEASURE}{_END}",
        _conversion,
    ),
    (rf"{_ASK} the (?:average|(?:arithmetic )?mean) of (?:the numbers )?(?P<list>[^?？]+?){_END}", _mean),
    (rf"{_ASK} the remainder (?:when|if|of) (?P<a>{_N}) (?:is )?divided by (?P<b>{_N}){_END}", _remainder),
    (_GREW, _growth),
)
_ZH = _patterns(
    (rf"{_ASK_ZH}[:：]?(?P<e>[^=＝?？]+?){_END_ZH}", _expression),
    (rf"(?P<n>{_N})的(?:(?P<p>\d+(?:\.\d+)?)\s*[%％]){_END_ZH}", _share),
    (
        rf"{_MEASURE}\s*(?:[=＝]|等于|合|是|换算成)\s*(?:多少|[(（]\s*[)）]|几)\s*个?(?P<to>{_UNIT}){_END}",
        _conversion,
    ),
    (
        rf"(?P<list>{_N}(?:\s*[、，,和]\s*{_N})+)(?:这?[两二三四五六七八九十\d]+个数)?的平均(?:数|值){_END_ZH}",
        _mean,
    ),
    (rf"(?P<a>{_N})除以(?P<b>{_N})[，,]?(?:的|所得的?)?余数{_END_ZH}", _remainder),
    (_GREW_ZH, _growth),
)
