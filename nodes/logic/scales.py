"""The words that say where a thing stands in an order, in both languages: comparatives, superlatives, ordinals, sides.

Each word names the scales that it may speak of and a direction: -1 towards place 1 (left, old, dear, tall, first), +1
towards the last place. Words of one question must share a scale, else the question is not one order.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from nodes.logic.form import Compare, Formula, Join, Not

Resolve = Callable[[str], str | None]
"""From the words of a mention to the object; None when it names none or several."""


@dataclass(frozen=True)
class Place:
    """What is said about the place of some object, which is yet to be named."""

    scales: frozenset[str]
    relation: str
    """`<`, `>`, `=` or `next` as in Compare; `between`; `middle`, which only an odd number of places has."""
    right: str | int = 0
    """An object, or a place counted from the end that `direction` names."""
    direction: int = -1
    other: str = ""
    adjacent: bool = False
    negative: bool = False

    def claim(self, subject: str, size: int) -> Formula:
        """The formula for one object among `size`."""
        formula = self._plain(subject, size)
        return Not(inner=formula) if self.negative else formula

    def _plain(self, subject: str, size: int) -> Formula:
        if self.relation == "between":
            low = [
                Compare(relation="<", left=str(self.right), right=subject),
                Compare(relation="<", left=subject, right=self.other),
            ]
            high = [Compare(relation=">", left=one.left, right=one.right) for one in low]
            return Join(kind="or", parts=(Join(kind="and", parts=tuple(low)), Join(kind="and", parts=tuple(high))))
        if self.relation == "middle":
            return Compare(relation="=", left=subject, right=(size + 1) // 2 if size % 2 else 0)
        if self.relation == "=" and isinstance(self.right, int):
            place = self.right if self.direction < 0 else size + 1 - self.right
            return Compare(relation="=", left=subject, right=place)
        if self.relation == "next":
            return Compare(relation="next", left=subject, right=self.right)
        if self.adjacent:
            return Compare(relation="=", left=subject, right=self.right, by=self.direction)
        return Compare(relation="<" if self.direction < 0 else ">", left=subject, right=self.right)


_PAIRS = (
    ("age", "old elderly", "young new recent"),
    ("price", "expensive costly dear pricey valuable", "cheap"),
    ("height", "tall", "short"),
    ("length", "long", "short"),
    ("size", "big large", "small little"),
    ("weight", "heavy", "light"),
    ("rank speed", "fast quick", "slow"),
    ("rank time", "early", "late"),
    ("level", "high", "low"),
    ("strength", "strong powerful", "weak"),
    ("wealth", "rich wealthy", "poor"),
    ("heat", "hot warm", "cold cool"),
    ("depth", "deep", "shallow"),
    ("width", "wide broad", "narrow"),
    ("thickness", "thick", "thin"),
    ("brightness", "bright", "dark dim"),
    ("loudness", "loud", "quiet"),
    ("difficulty", "difficult hard", "easy simple"),
    ("popularity", "popular", ""),
    ("distance", "far", "near close"),
)
_IRREGULAR = {"far": ("farther", "farthest"), "little": ("littler", "littlest")}


def _degrees(word: str) -> tuple[str, str]:
    """Comparative and superlative of a short adjective."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    stem = word[:-1] + "i" if word.endswith("y") else word.removesuffix("e")
    if re.fullmatch(r"[^aeiou]*[aeiou][bdgmnt]", word):
        stem = word + word[-1]
    return stem + "er", stem + "est"


def _tables() -> tuple[
    dict[str, tuple[frozenset[str], int]], dict[str, tuple[frozenset[str], int]], dict[str, tuple[frozenset[str], int]]
]:
    plain: dict[str, tuple[frozenset[str], int]] = {}
    more: dict[str, tuple[frozenset[str], int]] = {}
    most: dict[str, tuple[frozenset[str], int]] = {}
    for scales, first, last in _PAIRS:
        for words, direction in ((first, -1), (last, 1)):
            for word in words.split():
                entry = (frozenset(scales.split()) | plain.get(word, (frozenset(), 0))[0], direction)
                plain[word] = entry
                comparative, superlative = _degrees(word)
                more[comparative], most[superlative] = entry, entry
    return plain, more, most


PLAIN, MORE, MOST = _tables()
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()  # noqa: SIM905
_ORDINAL = re.compile(rf"(?P<word>{'|'.join(_ORDINALS)})|(?P<digits>\d{{1,2}})(?:st|nd|rd|th)", re.IGNORECASE)
_NTH = rf"(?P<nth>{'|'.join(_ORDINALS)}|\d{{1,2}}(?:st|nd|rd|th))"
_SIDE = frozenset({"side"})
_RANK = frozenset({"rank", "time", "side", "level"})
_NEAR = r"(?P<near>immediately |directly |just |right )?"
_BEFORE = {"above": -1, "ahead of": -1, "before": -1, "in front of": -1, "below": 1, "behind": 1, "after": 1}


def ordinal(word: str) -> int:
    """2 of `second` or `2nd`."""
    match = _ORDINAL.fullmatch(word)
    if match is None:
        raise ValueError(f"{word!r} is no ordinal")
    return int(match["digits"]) if match["digits"] else _ORDINALS.index(word.lower()) + 1


_TO_SIDE = re.compile(rf"{_NEAR}(?:to |on )?(?:the )?(?P<close>immediate )?(?P<side>left|right) (?:side )?of (?P<m>.+)")
_THAN = re.compile(r"(?:(?P<grade>more|less) )?(?P<word>\w+) than (?P<m>.+)")
_RELATIVE = re.compile(rf"{_NEAR}(?P<word>{'|'.join(_BEFORE)}) (?P<m>.+)")
_NEXT = re.compile(r"(?:right |directly |immediately )?(?:next to|adjacent to|beside) (?P<m>.+)")
_BETWEEN = re.compile(r"(?:somewhere )?between (?P<m>.+?) and (?P<o>.+)")
_FROM = re.compile(rf"(?:the )?{_NTH}(?: \w+)? from (?:the )?(?P<side>left|right|top|bottom|front|back)")
_FAR = re.compile(
    r"(?:at |on |the )*(?:(?:far |very |extreme )?(?P<side>left|right)(?:most)?(?: end| side| position| one)?"
    r"|(?P<most>left|right)-?most)(?: \w+)?"
)
_TO_LAST = re.compile(rf"(?:the )?(?:in )?(?:{_NTH}[- ](?:to|from)[- ](?:the[- ])?)?last(?: place)?(?: \w+)?")
_PLACED = re.compile(rf"(?:the )?(?:in )?{_NTH}(?: place| overall| one)?")
_SUPER = re.compile(
    rf"(?:the )?(?:{_NTH}[- ])?(?:(?P<grade>most|least) (?P<plain>\w+)|(?P<word>\w+))(?: of .{{1,40}}| one| \w+"
    rf"| in .{{1,40}})?"
)
_MIDDLE = re.compile(r"(?:in |at )?(?:the )?(?:very )?(?:middle|centre|center)(?: one| place| position| \w+)?")
_ENDS = {"left": -1, "top": -1, "front": -1, "right": 1, "bottom": 1, "back": 1}


def english(words: str, resolve: Resolve) -> Place | None:
    """What the words behind a verb say, for example `older than the truck`, `the second from the left`, `not last`."""
    said = words.strip().lower().rstrip(".?! ")
    if said.startswith(("not ", "never ")):
        found = english(said.partition(" ")[2], resolve)
        return None if found is None or found.negative else _negative(found)
    return _relation(said, resolve) or _absolute(said)


def _negative(place: Place) -> Place:
    return Place(place.scales, place.relation, place.right, place.direction, place.other, place.adjacent, True)


def _relation(said: str, resolve: Resolve) -> Place | None:
    """Words that name another object."""
    if match := _BETWEEN.fullmatch(said):
        first, second = resolve(match["m"]), resolve(match["o"])
        return Place(frozenset(), "between", first, other=second) if first and second else None
    if match := _NEXT.fullmatch(said):
        first = resolve(match["m"])
        return Place(frozenset(), "next", first) if first else None
    if match := _TO_SIDE.fullmatch(said):
        near, scales, direction = bool(match["near"] or match["close"]), _SIDE, _ENDS[match["side"]]
    elif match := _THAN.fullmatch(said):
        entry = (PLAIN if match["grade"] else MORE).get(match["word"])
        if entry is None:
            return None
        near, (scales, direction) = False, entry
        direction = -direction if match["grade"] == "less" else direction
    elif match := _RELATIVE.fullmatch(said):
        near, scales, direction = bool(match["near"]), _RANK, _BEFORE[match["word"]]
    else:
        return None
    other = resolve(match["m"])
    return Place(scales, "<", other, direction, adjacent=near) if other else None


def _absolute(said: str) -> Place | None:
    """Words that name a place."""
    if _MIDDLE.fullmatch(said):
        return Place(frozenset(), "middle")
    if match := _FROM.fullmatch(said):
        scales = _SIDE if match["side"] in ("left", "right") else _RANK
        return Place(scales, "=", ordinal(match["nth"]), _ENDS[match["side"]])
    if match := _FAR.fullmatch(said):
        return Place(_SIDE, "=", 1, _ENDS[match["side"] or match["most"]])
    if match := _TO_LAST.fullmatch(said):
        return Place(_RANK, "=", ordinal(match["nth"]) if match["nth"] else 1, 1)
    if match := _PLACED.fullmatch(said):
        return Place(_RANK, "=", ordinal(match["nth"]), -1)
    match = _SUPER.fullmatch(said)
    entry = match and (PLAIN.get(match["plain"]) if match["grade"] else MOST.get(match["word"]))
    if match is None or entry is None:
        return None
    direction = -entry[1] if match["grade"] == "least" else entry[1]
    return Place(entry[0], "=", ordinal(match["nth"]) if match["nth"] else 1, direction)
