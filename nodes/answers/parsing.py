"""From the words of an answer to its normal form.

`parse` tries the readers in the order below and takes the first that understands the whole text; plain text is the last
resort. It never raises and never hangs, whatever the text: every reader bounds its input, none evaluates code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache, partial

from nodes.answers import dates, expressions, folding, menu, quantities, relations, sequences, units
from nodes.answers.exact import Unreadable
from nodes.answers.values import Value, equal, quantity

LENGTH = 2000
DEPTH = 12

_PERCENT_ASKED = re.compile(r"percent|per cent|百分之几|百分之多少|百分比|百分率|百分数|%\s*[?？]", re.IGNORECASE)
_ORDER_ASKED = re.compile(
    r"\b(?:sort|order|arrange|rank|sequence|ascending|descending)|排序|排列|顺序|依次|从[小大高低早晚]", re.IGNORECASE
)
_NUMBERS = re.compile(r"(?<![\w.^*/])(?:\d{1,3}(?:,\d{3})+|\d{1,20})(?:\.\d{1,20})?(?![\w^*/]|\.\d)")
_YES = frozenset(
    ("yes", "true", "correct", "right", "是", "是的", "对", "对的", "对了", "正确", "真", "成立", "√", "✓", "✔")
)
_NO = frozenset(
    (
        "no",
        "false",
        "incorrect",
        "wrong",
        "否",
        "不是",
        "不对",
        "错",
        "错误",
        "错的",
        "不正确",
        "假",
        "不成立",
        "×",
        "✗",
        "✘",
    )
)
_LEAD = re.compile(
    r"^(yes|no|true|false|是的?|否|对的?|错误?|不是|不对|正确)(?:[,.;:!。!、]|\s+-\s)\s*\S", re.IGNORECASE | re.DOTALL
)
_PLAIN_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")
_STRING = re.compile(r"""(?:[rbu]?'((?:[^'\\]|\\.)*)'|[rbu]?"((?:[^"\\]|\\.)*)")""", re.DOTALL)
_LONE_LETTER = re.compile(r"[(\[]?([A-Za-z])[)\].:]?")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
_KNOWN_WORDS = re.compile(r"\\[A-Za-z]+|\b(?:sqrt|pi|exp|log|(?:arc)?(?:sin|cos|tan)h?)\b")


@dataclass(frozen=True)
class Context:
    """What the question says about how its answer is to be read."""

    question: str = ""
    offered: Mapping[str, str] = field(default_factory=dict)
    """The menu: letter to text; see `menu.choices`."""
    percent: bool = False
    """The question asks for a percentage, so a bare number counts hundredths."""
    ordered: bool = False
    """The question asks for an order, so an enumeration is not a set."""

    @classmethod
    def of(cls, question: str) -> Context:
        """Read the question once; share the result among all its candidates."""
        return cls(
            question=question,
            offered=menu.choices(question),
            percent=bool(_PERCENT_ASKED.search(question)),
            ordered=bool(_ORDER_ASKED.search(question)),
        )

    @cached_property
    def numbers(self) -> frozenset[Fraction]:
        """Numbers that stand in the question (its first 20,000 characters)."""
        found = _NUMBERS.findall(folding.fold(self.question[:20_000]))
        return frozenset(Fraction(number.replace(",", "")) for number in found)


PLAIN = Context()


def parse(answer: str, context: Context = PLAIN) -> Value:
    """Normal form of an answer as read; anything at all is accepted. What is equal: see `nodes.answers.values`."""
    if context.offered and len(answer) <= LENGTH:
        letter = menu.pick(answer, context.offered, same)
        if letter is not None:
            return Value("choice", letter, letter)
    value = _parse(answer, context, 0)
    if value.kind == "text" and len(answer) <= LENGTH:
        return _part_of(answer, context) or value
    return value


def same(a: str, b: str) -> bool:
    """Whether two texts are equal answers, whatever the question."""
    return equal(_plain(a), _plain(b))


@lru_cache(maxsize=1024)
def _plain(text: str) -> Value:
    """Normal form without a context; the options of a menu are asked for again with every candidate."""
    return _parse(text, PLAIN, 1)


def _parse(answer: str, context: Context, depth: int) -> Value:
    if len(answer) > LENGTH:
        return Value("text", folding.words(answer), answer)
    if _PLAIN_NUMBER.fullmatch(answer):  # most answers are; the readers below would find the same
        return quantities.plain(answer, context.percent)
    if (quoted := _quoted(answer.strip().strip("`$* "))) is not None:
        return quoted
    text = folding.unwrap(answer)
    deeper: Callable[[str], Value] = partial(_parse, context=PLAIN, depth=depth + 1)
    value = _boolean(text) or _moment(text) or quantities.read(text, context.percent)
    if value is None and depth < DEPTH:
        value = sequences.read(text, deeper, context.ordered) or relations.read(text, deeper)
    return value or _computed(text) or _text(text)


def _text(surface: str) -> Value:
    letter = _LONE_LETTER.fullmatch(surface)
    if not any(char.isalnum() for char in surface):
        return Value("text", "".join(surface.split()), surface)
    return Value("text", letter[1].casefold() if letter else folding.words(surface), surface)


def _quoted(text: str) -> Value | None:
    match = _STRING.fullmatch(text) if text[:1] in "'\"rbu" and text[-1:] in "'\"" and len(text) > 1 else None
    if match is None:
        return None
    body = match[1] if match[1] is not None else match[2]
    body = re.sub(r"\\(.)", lambda escape: _ESCAPES.get(escape[1], escape[1]), body, flags=re.DOTALL)
    return Value("string", body, body)


def _boolean(text: str) -> Value | None:
    lead = _LEAD.match(text)
    word = (lead[1] if lead else text).casefold()
    return Value("boolean", word in _YES, text) if word in _YES or word in _NO else None


def _moment(text: str) -> Value | None:
    """A weekday, a date or a time of day."""
    if len(text) > 60:
        return None
    surface, text = text, dates.digits(text)
    if (number := dates.weekday(text)) is not None:
        return Value("weekday", number, surface)
    if (day := dates.day(text)) is not None:
        return Value("date", day, surface)
    if (year := dates.era_year(text)) is not None:
        return quantity(Fraction(year), surface, units.read("year"))
    if (moment := dates.clock(text)) is not None:
        seconds, certain = moment
        return Value("time", seconds, text, other=None if certain else relations.proportion(text))
    return None


def _computed(text: str) -> Value | None:
    """A mathematical expression, perhaps with a unit behind it."""
    if text.lstrip("+-").strip() in ("\\infty", "infinity"):
        return quantity(float("-inf" if text.startswith("-") else "inf"), text)
    if not re.search(r"[\d\\^*/+]|\w\(", text) or re.search(r"[A-Za-z]{3,}", _KNOWN_WORDS.sub(" ", text)):
        return _with_unit(text)
    try:
        found, letters = expressions.evaluate(text)
    except Unreadable:
        return _with_unit(text)
    value = found[0]
    if letters:
        return Value("symbolic", tuple(expressions.rounded(point) for point in found), text)
    if isinstance(value, Fraction):
        return quantity(value, text)
    if abs(value.imag) <= 1e-12 * max(1.0, abs(value.real)):
        return quantity(value.real, text)
    return Value("symbolic", (expressions.rounded(value),), text)


_UNIT_TAIL = re.compile(r"(?<=[\d})!°])\s*(?P<unit>[A-Za-z°一-鿿][A-Za-z°一-鿿/ ]*(?:\^\{?[23]\}?)?)$")


def _with_unit(text: str) -> Value | None:
    """`\\frac{41}{7} hours`, `15 cm^2`, `2\\sqrt{3} square units`."""
    tail = _UNIT_TAIL.search(text)
    unit = tail and quantities.measure(re.sub(r"\s*\^\s*", "^", tail["unit"]))
    if tail is None or unit is None:
        return None
    value = _computed(text[: tail.start()])
    return quantity(value.number, text, unit) if value is not None and value.number is not None else None


_PREDICATE = re.compile(
    r".*(?:\b(?:is|are|was|were|equals|it's)\s+|[是为])(?!not\b|no\b|不|没)([^.!?。]*(?:\.\d[^.!?。]*)?)", re.DOTALL
)


def _predicate(text: str, context: Context) -> Value | None:
    """`the total is 19`: what stands after the last verb, when that is a value."""
    match = _PREDICATE.match(text)
    if match is None or not match[1].strip():
        return None
    value = _parse(match[1], context, 1)
    return value if value.kind in ("number", "sequence", "date", "time", "weekday") else None


def _part_of(answer: str, context: Context) -> Value | None:
    """A sentence that holds one formula, or one number, or one number that the question does not hold already."""
    formulas = folding.formulas(answer)
    if len(formulas) == 1 and (formula := _parse(formulas[0], context, 1)).kind in ("number", "sequence"):
        return formula
    text = folding.unwrap(answer)
    if (value := _predicate(text, context)) is not None:
        return value
    found = list(_NUMBERS.finditer(text))
    fresh = [match for match in found if Fraction(match[0].replace(",", "")) not in context.numbers]
    chosen = found if len(found) == 1 else fresh
    if len(chosen) != 1:
        return None
    start, end = chosen[0].span()
    money = re.search(rf"(?:{quantities.CURRENCY})\s*$", text[:start])
    tail = re.match(r"[^\d.,;:()!?。,;]*", text[end:])
    cut = end + (tail.end() if tail else 0)
    return quantities.read(text[money.start() if money else start : cut].strip(), context.percent) or quantities.read(
        chosen[0][0], context.percent
    )
