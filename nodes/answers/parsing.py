"""From the words of an answer to its normal form.

`parse` tries the readers in the order below and takes the first that understands the whole text; plain text is the last
resort. It never raises and never hangs, whatever the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from nodes.answers import dates, expressions, folding, menu, numerals, units
from nodes.answers.values import Value, equal, quantity, sequence

LENGTH = 2000
ITEMS = 200
DEPTH = 12

_PERCENT_ASKED = re.compile(r"percent|per cent|百分之几|百分比|百分率|百分数|%\s*\?", re.IGNORECASE)
_ORDER_ASKED = re.compile(
    r"\b(?:sort|order|arrange|rank|sequence|ascending|descending)|排序|排列|顺序|依次|从[小大高低早晚]", re.IGNORECASE
)


@dataclass(frozen=True)
class Context:
    """What the question says about how its answer is to be read."""

    question: str = ""
    offered: Mapping[str, str] = field(default_factory=dict)
    percent: bool = False
    ordered: bool = False

    @classmethod
    def of(cls, question: str) -> Context:
        """Read the question once; share it among all its candidates."""
        return cls(
            question,
            menu.choices(question),
            bool(_PERCENT_ASKED.search(question)),
            bool(_ORDER_ASKED.search(question)),
        )

    @cached_property
    def numbers(self) -> frozenset[Fraction]:
        """Numbers that stand in the question."""
        return frozenset(
            Fraction(number.replace(",", "")) for number in _NUMBERS.findall(folding.fold(self.question)[:20000])
        )


PLAIN = Context()

_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d{1,3}(?: \d{3})+(?!\d)|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?|\.\d+"
_NUMBERS = re.compile(r"(?<![\w.])\d{1,3}(?:,\d{3})+(?:\.\d{1,20})?(?!\w)|(?<![\w.])\d{1,20}(?:\.\d{1,20})?(?!\w)")
_SIGN = re.compile(r"^(?:约|大约|about|approximately|approx\.?|around|roughly|~|\\approx|=)\s*", re.IGNORECASE)
_CURRENCY = r"(?:US|HK|NT|CA|[ACac])?\s?\$|USD|CNY|RMB|EUR|GBP|JPY|人民币|[¥€£₩₹₽]"
_QUANTITY = re.compile(
    rf"^(?P<minus>[+-]?)\s*(?P<money>{_CURRENCY})?\s*(?P<minus2>-?)\s*(?P<number>{_NUMBER})\s*(?P<rest>.*)$", re.DOTALL
)
_SCALES = {
    "k": 10**3, "K": 10**3, "thousand": 10**3, "m": 10**6, "M": 10**6, "mn": 10**6, "million": 10**6, "b": 10**9, "B": 10**9, "bn": 10**9,
    "billion": 10**9, "t": 10**12, "T": 10**12, "trillion": 10**12, "hundred": 100, "dozen": 12, "score": 20, "十": 10, "百": 100,
    "千": 1000, "万": 10**4, "十万": 10**5, "百万": 10**6, "千万": 10**7, "亿": 10**8, "万亿": 10**12,
}  # fmt: skip
_SCALE = re.compile(
    r"^(thousand|million|billion|trillion|hundred|dozen|score|mn|bn|[kKmMbBtT]|万亿|[十百千]?万|亿|[十百千])(?![A-Za-z])\s*(.*)$",
    re.DOTALL,
)
_PERCENTS = {
    "%": 100,
    "percent": 100,
    "per cent": 100,
    "percents": 100,
    "pct": 100,
    "percentage": 100,
    "个百分比": 100,
    "‰": 1000,
    "per mille": 1000,
}
_YES = frozenset("yes true correct right yeah 是 是的 对 对的 正确 真 对了 成立 可以 能 会 有 √ ✓ ✔".split())
_NO = frozenset(
    "no false incorrect wrong nope 否 不是 不对 错 错误 错的 不正确 假 不成立 不可以 不能 不会 没有 不 × ✗ ✘".split()
)
_LEAD = re.compile(r"^([A-Za-z]+|[是否对错不正确误真假]{1,3})(?:[,.;:!，。；：！、]|\s+-\s)\s*\S", re.DOTALL)
_STRING = re.compile(r"""^(?:[rbu]?'((?:[^'\\]|\\.)*)'|[rbu]?"((?:[^"\\]|\\.)*)")$""", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


def parse(answer: str, context: Context = PLAIN) -> Value:
    """Normal form of an answer as read; anything at all is accepted. See `nodes.answers.values` for what is equal."""
    return _parse(answer, context, 0)


def _parse(answer: str, context: Context, depth: int) -> Value:
    if len(answer) > LENGTH:
        return _text(answer, folding.words(answer))
    if (quoted := _quoted(answer.strip().strip("`"))) is not None:
        return quoted
    text = folding.unwrap(answer)
    if context.offered and not depth:
        letter = menu.pick(answer, context.offered, _same)
        if letter is not None:
            return Value("choice", letter, letter)
    for reader in (
        _boolean,
        _dated,
        _plain_number,
        _collected,
        _spoken,
        _related,
        _computed,
        _measured_sum,
        _mentioned,
    ):
        value = reader(text, context, depth)
        if value is not None:
            return value
    return _text(text, folding.words(text))


def _same(a: str, b: str) -> bool:
    return equal(_parse(a, PLAIN, 1), _parse(b, PLAIN, 1))


def _text(surface: str, words: str) -> Value:
    letter = re.fullmatch(r"\(?([a-z])\)?", words)
    key = letter[1] if letter else words or surface.strip()
    return Value("text", key, surface)


def _quoted(text: str) -> Value | None:
    match = _STRING.match(text) if text[:1] in "'\"rbu" and len(text) > 1 else None
    if match is None:
        return None
    body = match[1] if match[1] is not None else match[2]
    body = re.sub(r"\\(.)", lambda escape: _ESCAPES.get(escape[1], escape[1]), body, flags=re.DOTALL)
    return Value("string", body, body)


def _boolean(text: str, context: Context, depth: int) -> Value | None:  # noqa: ARG001
    word = text.casefold()
    lead = _LEAD.match(text)
    if lead and lead[1].casefold() in (
        "yes",
        "no",
        "true",
        "false",
        "是",
        "否",
        "对",
        "错",
        "不是",
        "不对",
        "正确",
        "错误",
    ):
        word = lead[1].casefold()
    if word in _YES or word in _NO:
        return Value("boolean", word in _YES, text)
    return None


def _dated(text: str, context: Context, depth: int) -> Value | None:  # noqa: ARG001
    if len(text) > 60:
        return None
    if (number := dates.weekday(text)) is not None:
        return Value("weekday", number, text)
    if (day := dates.day(text)) is not None:
        return Value("date", day, text)
    if (moment := dates.clock(text)) is not None:
        ratio = None if moment[1] else _ratio(text)
        return Value("time", moment[0], text, other=ratio)
    return None


def _ratio(text: str) -> Value | None:
    """`3:4`, `3 to 4`, `3比4`, reduced."""
    match = re.fullmatch(rf"({_NUMBER})\s*(?::|比)\s*({_NUMBER})", text)
    if match is None:
        return None
    above, below = (Fraction(part.replace(",", "").replace(" ", "")) for part in match.groups())
    return Value("relation", ("ratio", above / below), text) if below else None


def _plain_number(text: str, context: Context, depth: int) -> Value | None:  # noqa: ARG001
    """`-1,234.50`, `$10`, `3 kg`, `50 %`, `1.5万`, `18 apples`; also `77 dollars left for her`."""
    text = _SIGN.sub("", text)
    match = _QUANTITY.match(text)
    if match is None:
        return _ratio(text)
    rest = match["rest"].strip()
    number, step, digits = _decimal(match["number"])
    if match["minus"] == "-" or match["minus2"]:
        number = -number
    if scale := _SCALE.match(rest):
        if (unit := _unit(rest)) is None or units.read(rest) is None or match["money"]:
            number, step, rest = number * _SCALES[scale[1]], step and step * _SCALES[scale[1]], scale[2].strip()
    if match["money"]:
        unit = units.read(match["money"].replace(" ", ""))
        if rest and units.read(rest) is None and not _words_only(rest):
            return None
        return quantity(number, text, unit, step, digits)
    if rest.casefold() in _PERCENTS:
        share = _PERCENTS[rest.casefold()]
        return quantity(number / share, text, None, step and step / share, digits)
    if not rest:
        return _bare(number, text, context, step, digits)
    unit = _unit(rest)
    return None if unit is None else quantity(number, text, unit, step, digits)


def _bare(number: Fraction, text: str, context: Context, step: Fraction | None, digits: int) -> Value:
    if context.percent:
        return quantity(number / 100, text, None, step and step / 100, digits)
    return quantity(number, text, None, step, digits)


def _decimal(written: str) -> tuple[Fraction, Fraction | None, int]:
    """Value, place value of the last digit, and significant digits of a written number."""
    plain = written.replace(",", "").replace(" ", "")
    mantissa, _, exponent = plain.casefold().partition("e")
    if "." not in mantissa:
        return Fraction(plain), None, 0
    places = len(mantissa.split(".")[1])
    step = Fraction(10) ** (int(exponent or 0) - places)
    return Fraction(plain), step, len(mantissa.replace(".", "").lstrip("0"))


COUNTER = units.Unit("", Fraction(1))


def _unit(rest: str) -> units.Unit | None:
    """A known unit; `COUNTER` for words that only count (apples, 个, "left for her"); None for anything else."""
    known = units.read(rest)
    if known is not None:
        return known
    if rest[0] in units.COUNTERS and re.fullmatch(r"[一-鿿]{1,12}", rest):
        return COUNTER
    if not _words_only(rest):
        return None
    first = re.match(r"^(\S+(?: \S+)?)(?:\s|$)", rest)
    if first:
        for words in (first[1], first[1].split()[0]):
            if (known := units.read(words.rstrip(",;."))) is not None:
                return known
    return COUNTER


def _words_only(rest: str) -> bool:
    """Words without digits, operators or brackets."""
    return bool(re.fullmatch(r"[A-Za-z一-鿿][A-Za-z一-鿿\s'’,.;-]*", rest))


def _spoken(text: str, context: Context, depth: int) -> Value | None:  # noqa: ARG001
    if len(text) > 160:
        return None
    compact = text.replace(" ", "")
    for pattern, share in ((r"(.+)%$|百分之(.+)", 100), (r"(.+)‰$|千分之(.+)", 1000)):
        match = re.fullmatch(pattern, compact)
        part = match and numerals.chinese(match[1] or match[2])
        if part is not None and match:
            return quantity(Fraction(part) / share, text)
    number = numerals.chinese(compact.removeprefix("第")) if re.search("[一-鿿]", compact) else numerals.english(text)
    if number is not None:
        return quantity(number, text)
    ordinal = re.fullmatch(r"第?(\d+)(?:st|nd|rd|th)?", compact.replace(",", ""))
    if ordinal:
        return quantity(Fraction(int(ordinal[1])), text)
    return _spoken_unit(text)


def _spoken_unit(text: str) -> Value | None:
    """A numeral in words with a unit: 三千元, two square meters, 二十个."""
    if re.search("[一-鿿]", text):
        for at in range(len(text) - 1, 0, -1):
            number = numerals.chinese(text[:at])
            rest = text[at:].strip()
            if number is not None and rest:
                known = units.read(rest) or (COUNTER if rest[0] in units.COUNTERS and len(rest) < 5 else None)
                if known:
                    return quantity(number, text, known)
        return None
    words = text.split()
    for at in range(len(words) - 1, 0, -1):
        number = numerals.english(" ".join(words[:at]))
        if number is not None:
            rest = " ".join(words[at:])
            if rest.casefold() in _PERCENTS:
                return quantity(number / _PERCENTS[rest.casefold()], text)
            unit = _unit(rest)
            return None if unit is None else quantity(number, text, unit)
    return None


_PAIRS = {"(": ")", "[": "]", "{": "}", "\\{": "\\}"}


def _collected(text: str, context: Context, depth: int) -> Value | None:
    """Lists, tuples, sets, intervals, mappings, and bare enumerations."""
    if depth >= DEPTH:
        return None
    text = folding.tidy(text) if "\\" in text else text
    text = text.replace("\\{", "{").replace("\\}", "}").replace("\\lbrace", "{").replace("\\rbrace", "}")
    inside, shape = text, ""
    if text[:1] in "([{" and text[-1:] in ")]}" and len(text) > 1 and _wraps(text):
        inside, shape = text[1:-1].strip(), text[0] + text[-1]
    parts = _split(inside)
    if parts is None or len(parts) > ITEMS:
        return None
    if shape == "{}" and parts and all(_colon(part) > 0 for part in parts):
        return _mapping(parts, context, depth, text)
    if len(parts) < 2 and not (shape in ("[]", "{}") or (shape == "()" and inside.endswith(","))):
        return None
    if not shape and not _enumeration(parts):
        return None
    items = [_parse(part, PLAIN, depth + 1) for part in parts]
    numeric = all(item.kind in ("number", "symbolic", "sequence") for item in items)
    if not shape and not numeric and any(len(part.split()) > 4 for part in parts):
        return None
    return sequence(items, shape, text, ordered=bool(shape) or not numeric or context.ordered)


def _wraps(text: str) -> bool:
    """The first bracket closes at the very end (round and square may mix: intervals)."""
    depth = 0
    for index, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if depth == 0:
            return index == len(text) - 1
    return False


def _split(text: str) -> list[str] | None:
    """Top-level parts between commas, semicolons, 、 and the words and / or; None when brackets do not match."""
    if not text.strip():
        return []
    parts, depth, start, quote = [], 0, 0, ""
    for index, char in enumerate(text):
        if quote:
            quote = "" if char == quote and text[index - 1] != "\\" else quote
        elif char in "'\"" and (index == 0 or not text[index - 1].isalnum()):
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif depth == 0 and char in ",;、" and not _thousands(text, index):
            parts.append(text[start:index])
            start = index + 1
        if depth < 0:
            return None
    if depth or quote:
        return None
    parts.append(text[start:])
    split = [piece for part in parts for piece in re.split(r"\s+(?:and|or)\s+|(?<=\))(?:and|or)(?=\()|和|或", part)]
    return [part.strip() for part in split if part.strip()]


def _thousands(text: str, index: int) -> bool:
    return bool(
        re.match(r"\d{3}(?!\d)", text[index + 1 : index + 5]) and re.search(r"(?<!\d)\d{1,3}(?:,\d{3})*$", text[:index])
    )


def _enumeration(parts: list[str]) -> bool:
    return all(len(part) <= 80 for part in parts)


def _colon(part: str) -> int:
    quoted = re.match(r"""\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^'"\s:]+)\s*:""", part)
    return quoted.end() - 1 if quoted else -1


def _mapping(parts: list[str], context: Context, depth: int, text: str) -> Value:
    pairs = []
    for part in parts:
        at = _colon(part)
        pair = [_parse(side, PLAIN, depth + 1) for side in (part[:at], part[at + 1 :])]
        pairs.append(sequence(pair, "()", part))
    return Value("mapping", frozenset((pair.kind, pair.key) for pair in pairs), text, items=tuple(pairs), shape="{}")


def _related(text: str, context: Context, depth: int) -> Value | None:  # noqa: ARG001
    return None


def _computed(text: str, context: Context, depth: int) -> Value | None:  # noqa: ARG001
    """A mathematical expression."""
    if re.search(r"(?<![\\A-Za-z])[A-Za-z]{3,}", re.sub(r"\b(?:sqrt|sin|cos|tan|log|exp|arc\w+)\b", "", text)):
        return None
    if not re.search(r"[\d\\^*/+(]", text):
        return None
    try:
        found, letters = expressions.evaluate(text)
    except expressions.Unreadable:
        return None
    if letters:
        return Value("symbolic", tuple(_point(value) for value in found), text)
    value = found[0]
    if isinstance(value, Fraction):
        return quantity(value, text)
    if abs(value.imag) <= 1e-12 * max(1.0, abs(value.real)):
        return quantity(value.real, text)
    return Value("symbolic", (_point(value),), text)


def _point(value: Fraction | complex) -> complex:
    value = complex(value)
    return complex(float(f"{value.real:.10g}"), float(f"{value.imag:.10g}")) + 0


def _measured_sum(text: str, context: Context, depth: int) -> Value | None:  # noqa: ARG001
    return None


def _mentioned(text: str, context: Context, depth: int) -> Value | None:
    """A sentence that holds one number, or one that the question does not hold already."""
    if depth:
        return None
    found = list(_NUMBERS.finditer(text))
    fresh = [match for match in found if Fraction(match[0].replace(",", "")) not in context.numbers]
    chosen = found if len(found) == 1 else fresh
    if len(chosen) != 1:
        return None
    start = chosen[0].start()
    money = re.search(rf"({_CURRENCY})\s*$", text[:start])
    return _plain_number(text[money.start() if money else start :].split(". ")[0], context, depth) or _plain_number(
        chosen[0][0], context, depth
    )
