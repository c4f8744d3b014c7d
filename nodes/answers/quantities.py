"""Numbers with what stands around them: sign, currency, scale word, percent, unit, counter, in digits or in words.

`read` takes the whole text or nothing: `-1,234.50`, `$2M`, `3 kg`, `5 feet 2 inches`, `3角5分`, `1.5万`, `七五折`,
`two thirds`, `18 apples`, `77 dollars left for her clothing`.
"""

from __future__ import annotations

import itertools
import re
from fractions import Fraction
from typing import NamedTuple

from nodes.answers import numerals, units
from nodes.answers.units import Unit
from nodes.answers.values import Value, quantity

NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,3}(?: \d{3})+(?!\d)|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,3}(?![\dA-Za-z]))?|\.\d+"
CURRENCY = r"(?:US|HK|NT|CA|[ACac])?\s?\$|USD|CNY|RMB|EUR|GBP|JPY|人民币|[¥€£₩₹₽]"
COUNTER = Unit("", Fraction(1))
"""The unit of words that only count."""
POINTS = Unit("points", Fraction(1))

_DECIMAL_COMMA = re.compile(r"^(-?(?:0|\d{4,})),(\d+)$")
"""0,5 and 1000,99: the comma groups no thousands here, and a list has a space or more members."""
_APPROXIMATELY = re.compile(r"^(?:约|大约|about|approximately|approx\.?|around|roughly|~|\\approx|=)\s*", re.IGNORECASE)
_SIGN = re.compile(r"^(?:(?P<minus>-|负|minus\b|negative\b)|\+)\s*", re.IGNORECASE)
_MONEY = re.compile(rf"^(?:{CURRENCY})\s*", re.IGNORECASE)
_DIGITS = re.compile(rf"^(?:{NUMBER})")
_CHINESE = re.compile(
    r"^(?:第)?[\d.零〇○一二三四五六七八九十百千万亿两点又分之半廿卅壹贰叁肆伍陆柒捌玖拾佰仟萬億點兩幺]+"
)
_ENGLISH_WORDS = 24
_SCALES = {
    "k": 10**3, "thousand": 10**3, "m": 10**6, "mn": 10**6, "million": 10**6, "b": 10**9, "bn": 10**9, "billion": 10**9,
    "t": 10**12, "trillion": 10**12, "hundred": 100, "dozen": 12, "score": 20, "千": 1000, "万": 10**4, "十万": 10**5,
    "百万": 10**6, "千万": 10**7, "亿": 10**8, "万亿": 10**12, "打": 12,
}  # fmt: skip
_SCALE = re.compile(
    r"^\s*(thousand|million|billion|trillion|hundred|dozen|score|mn|bn|[kmbt]|[十百千]?万|万?亿|打)(?![A-Za-z/^])\s*",
    re.IGNORECASE,
)
_NEXT_AMOUNT = re.compile(
    r"[\s,]*(?:and\s+|零|又)?(?=[\d零一二三四五六七八九十两半]"
    r"|\b(?:a |half|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty)\b)"
)
_PERCENT = re.compile(r"^\s*(?:%|percent(?:age|s)?\b(?! points?)|per cents?\b|pct\b|(‰|per mille\b))\s*", re.IGNORECASE)
_POINTS = re.compile(r"^\s*(?:percentage points?|个?百分点|個?百分點)", re.IGNORECASE)
_WORDS = re.compile(r"[A-Za-z一-鿿][A-Za-z一-鿿\s'’,.;-]*")
_DISCOUNT = re.compile(r"打?([\d.点一二两三四五六七八九十]{1,5})(折|成)([\d一二三四五六七八九半]?)")
_GROWTH = re.compile(
    r"(?P<way>增长|增加|上升|提高|上涨|下降|减少|降低|下跌)(?P<to>到|至|为)?(?:原来的)?了?(?P<amount>.+?)(?P<fold>倍)?"
)
_RATE = re.compile(
    r"每(?P<per>小时|分钟|秒钟?|天|日|周|年|公里|千米|米|升|千克|公斤|斤|元)(?P<amount>[\d零一二两三四五六七八九十百千万点.].*)"
)
_DOUBLING = re.compile(r"翻了?(?P<times>[一二两三四五六七八九十\d]+)番")


class _Lead(NamedTuple):
    """A number at the start of a text, and what follows it."""

    number: Fraction
    step: Fraction | None
    digits: int
    rest: str


def read(text: str, percent: bool = False) -> Value | None:
    """The amount that `text` states; None when it is no amount. `percent`: a bare number counts hundredths."""
    text = _DECIMAL_COMMA.sub(r"\1.\2", _APPROXIMATELY.sub("", text).strip())
    if not text or len(text) > 200:
        return None
    rate = _RATE.fullmatch(text)
    if rate:
        text = f"{rate['amount']}/{rate['per']}"
    special = _discount(text) or _growth(text)
    if special is not None:
        return special
    sign = _SIGN.match(text)
    body = text[sign.end() :] if sign else text
    amount = _amount(body, text, percent)
    if amount is not None and sign and sign["minus"]:
        second = amount.other.unit if amount.other else None
        negative = None if amount.number is None else -amount.number
        return (
            negative if negative is None else quantity(negative, text, amount.unit, amount.step, amount.digits, second)
        )
    return amount


def decimal(written: str) -> tuple[Fraction, Fraction | None, int]:
    """Value, place value of the last digit, and significant digits of a written number."""
    plain = written.replace(",", "").replace(" ", "")
    mantissa, _, exponent = plain.casefold().partition("e")
    if "." not in mantissa:
        return Fraction(plain), None, 0
    places = len(mantissa.split(".")[1])
    step = Fraction(10) ** (int(exponent or 0) - places)
    return Fraction(plain), step, len(mantissa.lstrip("-").replace(".", "").lstrip("0"))


def plain(written: str, percent: bool) -> Value:
    """A number in digits without anything around it."""
    number, step, digits = decimal(written)
    hundred = 100 if percent else 1
    return quantity(number / hundred, written, None, step and step / hundred, digits)


def _amount(body: str, text: str, percent: bool) -> Value | None:
    money = _MONEY.match(body)
    lead = _lead(body[money.end() :] if money else body)
    if lead is None:
        return None
    number, step, digits, rest = _scaled(lead, bool(money))
    if money:
        unit = units.read(money[0].strip().replace(" ", ""))
        second = units.second(money[0])
        return quantity(number, text, unit, step, digits, second) if not rest or measure(rest) else None
    if share := _PERCENT.match(rest):
        hundred = 1000 if share[1] else 100
        tail = rest[share.end() :]
        return (
            quantity(number / hundred, text, None, step and step / hundred, digits)
            if not tail or _plain(tail)
            else None
        )
    if _POINTS.match(rest):
        return quantity(number, text, POINTS, step, digits)
    if not rest:
        hundred = 100 if percent else 1
        return quantity(number / hundred, text, None, step and step / hundred, digits)
    return _measured(_Lead(number, step, digits, rest), text)


def _lead(text: str) -> _Lead | None:
    """Digits, a Chinese numeral or English number words at the start; the longest that can be read."""
    digits = _DIGITS.match(text)
    chinese = _CHINESE.match(text)
    end = chinese.end() if chinese else 0
    while end > (digits.end() if digits else 0):
        number = numerals.chinese(text[:end].removeprefix("第"))
        if number is not None and not (text[end - 1] == "两" and end > 1):
            rest = text[end:].strip()
            return None if text[0] == "第" and len(rest) > 1 else _Lead(number, None, 0, rest)
        end -= 1
    if digits:
        return _Lead(*decimal(digits[0]), text[digits.end() :].strip())
    words = text.replace("-", " ").split()[:_ENGLISH_WORDS]
    for count in range(len(words) if words and numerals.begins(words[0]) else 0, 0, -1):
        number = numerals.english(" ".join(words[:count]).rstrip(",;"))
        if number is not None:
            return _Lead(number, None, 0, " ".join(text.replace("-", " ").split()[count:]))
    return None


def _scaled(lead: _Lead, money: bool) -> _Lead:
    """Apply k, million and the like, unless the letter is a unit here (`5 m`)."""
    scale = _SCALE.match(lead.rest)
    if scale is None or (
        len(scale[1]) < 3 and not money and units.read(lead.rest) is not None and scale[1] not in "kK"
    ):
        return lead
    if scale[1] in ("m", "t") and not money:
        return lead
    times = _SCALES[scale[1].casefold()]
    return _Lead(lead.number * times, lead.step and lead.step * times, lead.digits, lead.rest[scale.end() :])


def _measured(lead: _Lead, text: str) -> Value | None:
    """One amount with a unit, or a sum of falling units: 5 feet 2 inches."""
    unit = None if lead.rest.startswith("个半") else measure(lead.rest)
    if unit is not None:
        return quantity(lead.number, text, unit, lead.step, lead.digits, units.second(lead.rest))
    parts = _parts(lead)
    if parts is None or len({unit.dimension for _, unit in parts}) > 1:
        return None
    factors = [unit.factor for _, unit in parts]
    if not factors[0] or any(small >= large for large, small in itertools.pairwise(factors)):
        return None
    total = sum((number * unit.factor for number, unit in parts), Fraction(0))
    return quantity(total / factors[0], text, parts[0][1])


def _parts(lead: _Lead | None) -> list[tuple[Fraction, Unit]] | None:
    """`number unit number unit ...` to the end of the text."""
    found: list[tuple[Fraction, Unit]] = []
    while lead is not None and len(found) < 5:
        if lead.rest.startswith("个半") and (unit := units.read(lead.rest[2:])):
            return [*found, (lead.number + Fraction(1, 2), unit)]
        cut = _NEXT_AMOUNT.search(lead.rest, 1)
        name = lead.rest[: cut.start()] if cut else lead.rest
        unit = _follow(name.strip(), found[-1][1] if found else None)
        if unit is None or not unit.dimension:
            return None
        found.append((lead.number, unit))
        if cut is None:
            return found
        rest = lead.rest[cut.end() :]
        if rest == "半":
            return [*found[:-1], (lead.number + Fraction(1, 2), unit)]
        lead = _lead(rest)
        if lead is not None and not lead.rest:
            return [*found, (lead.number, Unit(unit.dimension, unit.factor / 10))] if unit.dimension == "cny" else None
    return None


def _follow(name: str, before: Unit | None) -> Unit | None:
    """分 is a hundredth of a yuan after 角 and a minute after 小时; alone it only counts."""
    if name == "分" and before is not None:
        return units.read("分钟" if before.dimension == "time" else "fen")
    return units.read(name)


def measure(rest: str) -> Unit | None:
    """A known unit; `COUNTER` for words that only count (apples, 个, "left for her"); None for anything else."""
    known = units.read(rest)
    if known is not None:
        return known
    if rest[0] in units.COUNTERS and re.fullmatch(r"[一-鿿]{1,12}", rest):
        return COUNTER
    if not _plain(rest):
        return None
    words = rest.split()
    for count in range(min(4, len(words)), 0, -1):
        known = units.read(" ".join(words[:count]).rstrip(",;."))
        if known is not None:
            return known
    return COUNTER if re.match(r"[A-Za-z]{2,}|[一-鿿]", rest) else None


def _plain(rest: str) -> bool:
    """Words without digits, operators or brackets, and not a number in words."""
    return bool(_WORDS.fullmatch(rest)) and _lead(rest) is None


def _discount(text: str) -> Value | None:
    """七五折 = 75 %, 三成 = 30 %, 三成五 = 35 %."""
    match = _DISCOUNT.fullmatch(text)
    if match is None or (match[2] == "折" and match[3]):
        return None
    figures = numerals.chinese(match[1])
    if figures is None:
        return None
    if match[2] == "折":
        return quantity(figures / (10 if figures < 10 else 100), text)
    rest = Fraction(1, 2) if match[3] == "半" else numerals.chinese(match[3]) if match[3] else Fraction(0)
    return None if rest is None else quantity((figures + (rest if rest < 1 else rest / 10)) / 10, text)


def _growth(text: str) -> Value | None:
    """翻了一番 = 增长100% = 增长到2倍, as a share of what there was."""
    doubled = _DOUBLING.fullmatch(text)
    if doubled:
        times = numerals.chinese(doubled["times"])
        return (
            quantity(Fraction(2) ** int(times) - 1, text, units.GROWTH) if times is not None and times <= 64 else None
        )
    match = _GROWTH.fullmatch(text)
    amount = match and _amount(match["amount"], text, False)
    if not match or amount is None or amount.unit or not isinstance(amount.number, Fraction):
        return None
    if not match["fold"] and "%" not in text and "分之" not in text:
        return None
    share = amount.number - 1 if match["to"] else amount.number
    return quantity(
        -share if match["way"] in ("下降", "减少", "降低", "下跌") and not match["to"] else share, text, units.GROWTH
    )
