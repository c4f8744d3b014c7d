"""Numbers in words: Chinese (incl. financial and traditional forms, mixed with digits) and English.

Both readers take a whole text and give an exact Fraction, or None when anything in it is not part of a number.
They never guess: "三四万" (three or four ten thousands) is no number.
"""

from __future__ import annotations

import re
from fractions import Fraction

_PLAIN = str.maketrans(
    "零〇○洞一壹幺弌二贰貳弍两兩三叁參叄四肆五伍六陆陸七柒拐八捌九玖勾十拾百佰陌千仟阡万萬亿億负負点點又",
    "000011112222223333445566677788999十十百百百千千千万万亿亿负负点点又",
)
_UNITS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10**4, "亿": 10**8}
_ZH = re.compile(r"[0-9./十百千万亿负点又分之半廿卅-]+")
_ZH_MIXED = re.compile(r"([^又/]+)又(\d+)/(\d+)")
_ZH_TOKEN = re.compile(r"\d+(?:\.\d+)?|.")


def chinese(text: str) -> Fraction | None:
    """Value of a Chinese numeral such as 一百零五, 1.5万, 三分之一, 五又二分之一, 负三点二, 百分之五十."""
    text = text.replace(" ", "").translate(_PLAIN).replace("廿", "2十").replace("卅", "3十")
    if not text or len(text) > 120 or not _ZH.fullmatch(text):
        return None
    if text[0] in "负-":
        value = chinese(text[1:])
        return None if value is None else -value
    mixed = _ZH_MIXED.fullmatch(text)
    if mixed and int(mixed[3]):
        whole = _zh_decimal(mixed[1])
        return None if whole is None else whole + Fraction(int(mixed[2]), int(mixed[3]))
    return _zh_fraction(text) if "分之" in text else _zh_decimal(text)


def _zh_fraction(text: str) -> Fraction | None:
    whole, _, part = text.rpartition("又")
    below, _, above = part.partition("分之")
    if above.startswith("负"):
        return None
    values = [_zh_decimal(below), _zh_decimal(above), _zh_decimal(whole) if whole else Fraction(0)]
    if None in values or not values[0]:
        return None
    denominator, numerator, lead = (value for value in values if value is not None)
    return lead + numerator / denominator


def _zh_decimal(text: str) -> Fraction | None:
    if text == "半":
        return Fraction(1, 2)
    if text.endswith("半") and len(text) > 1:
        value = _zh_decimal(text[:-1])
        return None if value is None else value + Fraction(1, 2)
    head, point, tail = text.partition("点")
    if not point:
        return _zh_integer(text)
    scale = 1
    while tail and tail[-1] in _MYRIADS:
        scale *= _MYRIADS[tail[-1]]
        tail = tail[:-1]
    lead = _zh_integer(head) if head else Fraction(0)
    if lead is None or not tail.isdigit():
        return None
    return (lead + Fraction(int(tail), 10 ** len(tail))) * scale


def _zh_integer(text: str) -> Fraction | None:
    if re.fullmatch(r"\d+(?:\.\d+)?", text):
        return Fraction(text)
    total, section, last = Fraction(0), Fraction(0), 1
    number: Fraction | None = None
    zero = False
    for word in _ZH_TOKEN.findall(text):
        if word[0].isdigit():
            zero = len(word) > 1 and word[0] == "0" and word[1] != "."
            if number is not None and number != 0:
                return None
            zero = zero or number == 0
            number = Fraction(word)
        elif word in _UNITS:
            if last not in (1, *_MYRIADS.values()) and _UNITS[word] >= last:
                return None
            last = _UNITS[word]
            section += (Fraction(1) if number is None else number) * last
            number, zero = None, False
        elif word in _MYRIADS:
            section += number or 0
            last = _MYRIADS[word]
            total = (total + section) * last if word == "亿" else total + section * last
            if not total:
                return None
            section, number, zero = Fraction(0), None, False
        else:
            return None
    if number:
        section += number * (last // 10 if last >= 100 and not zero and number < 10 else 1)
    return total + section


_SMALL = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "nil": 0, "oh": 0, "o": 0, "nought": 0, "naught": 0,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90,
}  # fmt: skip
_LARGE = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12, "quadrillion": 10**15}
_GROUPS = {"dozen": 12, "dozens": 12, "score": 20, "gross": 144}
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12, "half": 2, "quarter": 4,
}  # fmt: skip
_EN_TOKEN = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?|[a-z]+|/|\S")


def begins(word: str) -> bool:
    """Whether an English numeral may begin with this word; spares longer attempts on plain prose."""
    word = word.casefold().rstrip(",;")
    known = word in _SMALL or word in _TENS or word in _LARGE or word in _GROUPS or _ordinal(word) is not None
    return known or word in ("a", "an", "hundred", "point", "minus", "negative") or word[:1].isdigit()


def english(text: str) -> Fraction | None:
    """Value of an English numeral: "one hundred and five", "two thirds", "half a million", "minus three point two"."""
    tokens = _EN_TOKEN.findall(text.casefold().replace("-", " "))
    if not tokens or len(tokens) > 60 or not any(word.isalpha() for word in tokens):
        return None
    if tokens[0] in ("minus", "negative"):
        value = _en_sum(tokens[1:])
        return None if value is None else -value
    return _en_sum(tokens)


def _en_sum(tokens: list[str]) -> Fraction | None:
    """`n`, `n and a half`, `half a million`, `three quarters`, `four over five`."""
    if not tokens:
        return None
    for word in ("over", "/"):
        if word in tokens:
            at = tokens.index(word)
            above, below = _en_sum(tokens[:at]), _en_sum(tokens[at + 1 :])
            return above / below if above is not None and below else None
    value = _en_cardinal(tokens)
    if value is not None:
        return value
    if "and" in tokens:
        at = len(tokens) - 1 - tokens[::-1].index("and")
        lead, part = _en_cardinal(tokens[:at]), _en_fraction(tokens[at + 1 :])
        if lead is not None and part is not None:
            return lead + part * _scale_of(tokens[at - 1])
    return _en_fraction(tokens) or _en_ordinal(tokens)


def _scale_of(word: str) -> int:
    return _LARGE.get(word, 1)


def _ordinal(word: str) -> tuple[int, bool] | None:
    """Value and whether it is a plural (`thirds`)."""
    plural = word.endswith("s") and word != "s"
    word = {"halves": "half"}.get(word, word[:-1] if plural else word)
    if word in _ORDINALS:
        return _ORDINALS[word], plural
    if word.endswith("ieth") and word[:-4] + "y" in _TENS:
        return _TENS[word[:-4] + "y"], plural
    stem = word[:-2] if word.endswith("th") else ""
    known = _SMALL | _LARGE | {"hundred": 100}
    return (known[stem], plural) if stem in known else None


def _en_fraction(tokens: list[str]) -> Fraction | None:
    """`a half`, `three quarters`, `five eighths`, `half a million`, `a quarter of a million`."""
    for at, word in enumerate(tokens):
        found = _ordinal(word)
        if found is None or (at == 0 and word not in ("half", "quarter")):
            continue
        lead = tokens[:at]
        above = Fraction(1) if lead in ([], ["a"], ["an"], ["one"]) else _en_cardinal(lead)
        rest = [word for word in tokens[at + 1 :] if word not in ("of", "a", "an")]
        times = _en_cardinal(["one", *rest]) if rest else Fraction(1)
        if above is None or times is None or found[0] < 2 or (above != 1) != (found[1] or word == "halves"):
            return None
        if found[0] == 2 and word.startswith("second"):
            return None
        return above / found[0] * times
    return None


def _en_ordinal(tokens: list[str]) -> Fraction | None:
    found = _ordinal(tokens[-1])
    if found is None or found[1] or tokens[-1] in ("half", "quarter"):
        return None
    if tokens[-1].endswith(("thousandth", "hundredth", "illionth")):
        return (_en_cardinal(tokens[:-1]) or Fraction(1)) * found[0] if tokens[:-1] else Fraction(found[0])
    lead = _en_cardinal([*tokens[:-1], "zero"]) if tokens[:-1] else Fraction(0)
    return None if lead is None else lead + found[0]


def _en_cardinal(tokens: list[str]) -> Fraction | None:
    total, current = Fraction(0), Fraction(0)
    seen = False
    for at, word in enumerate(tokens):
        if word[0].isdigit():
            if seen and current:
                return None
            current += Fraction(word.replace(",", ""))
        elif word in _SMALL:
            if current % 10 or (current % 100 and _SMALL[word] > 9):
                return None
            current += _SMALL[word]
        elif word in _TENS:
            if current % 100:
                return None
            current += _TENS[word]
        elif word == "hundred":
            current = (current or Fraction(1)) * 100
        elif word in _GROUPS:
            current = (current or Fraction(1)) * _GROUPS[word]
        elif word in _LARGE:
            total, current = total + (current or 1) * _LARGE[word], Fraction(0)
        elif word == "point" and at + 1 < len(tokens):
            return _en_point(total + current, tokens[at + 1 :])
        elif word in ("and", "a", "an") and at + 1 < len(tokens) and (seen or word != "and"):
            continue
        else:
            return None
        seen = True
    return total + current if seen else None


def _en_point(lead: Fraction, tokens: list[str]) -> Fraction | None:
    scale = 1
    while tokens and tokens[-1] in _LARGE:
        scale *= _LARGE[tokens.pop()]
    digits = "".join(str(_SMALL[word]) if word in _SMALL else word for word in tokens)
    return (
        (lead + Fraction(int(digits), 10 ** len(digits))) * scale if digits.isdecimal() and digits.isascii() else None
    )
