"""The objects of an ordering puzzle, and its clauses as formulas about their places."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from nodes.contracts import Language
from nodes.logic.form import Formula
from nodes.logic.scales import Place, english
from nodes.logic.scales_zh import chinese
from nodes.logic.words import BUILDING

_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = {w: n for n, w in enumerate(_DIGITS)} | {
    "两": 2, **dict(zip("一二三四五六七八九十", range(1, 11), strict=True))}  # fmt: skip
VERB = (
    r"(?:is|are|was|were|finished|finishes|finish|came in|came|come|comes|placed|places|ranked|ranks|arrived"
    r"|arrives|arrive"
    r"|stands|stand|stood|sits|sit|sat|ended up|costs|cost|lives|live)"
)
CLAUSE = re.compile(rf"(?P<who>.{{1,60}}?) (?P<verb>{VERB}) (?P<rest>.+)", re.IGNORECASE)
_LIST_EN = re.compile(r"(?P<intro>[^:.]*?)(?::| are| were)\s*(?P<items>[^.:?]+)$", re.IGNORECASE)
_ITEM = r"[^、，,。：:；;和与及\s]{1,8}"
_COUNT = r"(?P<n>[一二两三四五六七八九十\d])(?:[个位名本辆只棵盆张座件条把种]|人)"
_LIST_ZH = re.compile(
    rf"{_COUNT}(?P<noun>[\u4e00-\u9fff]{{0,4}}?)(?:[：:，,]|分别是|为|是)?(?P<items>{_ITEM}(?:、{_ITEM})+(?:(?:和|与"
    rf"|以及){_ITEM})?)"
)
_LIST_ZH_BEFORE = re.compile(rf"(?P<items>{_ITEM}(?:、{_ITEM})+?(?:(?:和|与|以及){_ITEM}?)?){_COUNT}.{{0,8}}")
_AUXILIARY = re.compile(r"\b(?:did|does|do)(?: not|n't) (?:finish|come|place|rank|arrive|stand|sit|live|be) ")
_NAMED = re.compile(
    r".*?\b(?P<n>two|three|four|five|six|seven|eight|nine|ten) [\w ]+?(?:,| named| called|:) "
    r"(?P<items>[A-Z]\w*(?:, [A-Z]\w*)*,? and [A-Z]\w*)(?:,.*|)",
    re.IGNORECASE | re.DOTALL,
)
_CLASSED = re.compile(r"^一(?:[个位名本辆只棵盆张座件条把种])(?=.)")
_THAN = re.compile(
    r"(?:(?<!\w)\w+ than|ahead of|behind|before|after|above|below|in front of|(?:left|right) of) "
    r"((?:[Tt]he )?[\w'-]+(?: (?!and\b|but\b|or\b)[\w'-]+)?)"
)
_IS_THAN = re.compile(
    r"(?:is|was|are) (?P<a>(?:the )?[\w'-]+(?: [\w'-]+)??) (?P<rest>(?:(?:more|less) )?\w+ than .+)", re.IGNORECASE
)
_NAME_ZH = r"((?:(?![一定肯不没是比])[\u4e00-\u9fffA-Z]){1,3}?)"
_THAN_ZH = re.compile(
    rf"{_NAME_ZH}(?:一定|肯定|不|没有?|是)?比{_NAME_ZH}(?=[高矮年老贵便重轻快慢先后早晚长短多少胖瘦大小强弱])"
)
_DID = re.compile(r"(?:did|does|is|was) (?P<a>(?:the )?[\w'-]+) (?P<rest>.+)", re.IGNORECASE)
_OBJECT = re.compile(r"[A-Z][\w'-]*|[Tt]he [\w'-]+(?: [\w'-]+)?")
_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)


@dataclass
class Scene:
    """The objects and what is understood so far."""

    language: Language
    objects: tuple[str, ...] = ()
    listed: bool = False
    """The text lists the objects, so there are no others, and their places are all different."""
    asking: bool = False
    """What is read is what the question asks, not a premise."""
    scales: list[frozenset[str]] = field(default_factory=list)

    def resolve(self, mention: str) -> str | None:
        """The object that a mention names."""
        words = _key(mention)
        if words in self.objects:
            return words
        if self.language == "zh" or not words:
            return None
        said = set(words.split())
        if said & BUILDING:
            return None
        fits = [one for one in self.objects if set(one.split()) <= said or said <= set(one.split())]
        return fits[0] if len(fits) == 1 and len(said) <= 5 else None

    def place(self, rest: str) -> Place | None:
        """What the words behind a subject say; its scale is noted."""
        found = (chinese if self.language == "zh" else english)(rest, self.resolve)
        if found is not None and not self.listed and self._open(found):
            return None
        if found is None or (isinstance(found.right, int) and not 0 <= found.right <= len(self.objects)):
            return None
        if found.scales:
            self.scales.append(found.scales)
        return found

    def _open(self, place: Place) -> bool:
        """Whether it is no safe statement where nothing says that there are no other objects, and no ties."""
        absolute = isinstance(place.right, int) and (place.right != 1 or not self.asking)
        return absolute or place.negative or place.adjacent or place.relation == "next"

    def claim(self, clause: str) -> Formula | None:
        """The formula of a whole clause."""
        subject, rest = self._split(clause.strip().rstrip(".。?？！! "))
        place = self.place(rest) if subject else None
        return place.claim(subject, len(self.objects)) if place and subject else None

    def _split(self, clause: str) -> tuple[str | None, str]:
        if self.language == "zh":
            subject = next((one for one in sorted(self.objects, key=len, reverse=True) if clause.startswith(one)), None)
            return subject, clause[len(subject) :] if subject else ""
        match = CLAUSE.fullmatch(_AUXILIARY.sub("is not ", clause))
        return (self.resolve(match["who"]), match["rest"]) if match else (None, "")

    def mentions(self, sentence: str) -> bool:
        """Whether any object is named."""
        low = sentence.lower()
        if self.language == "zh":
            return any(one in low for one in self.objects)
        return any(re.search(rf"\b{re.escape(one)}\b", low) for one in self.objects)

    def one_scale(self) -> bool:
        """Whether everything that was said can be about the same order."""
        return not self.scales or bool(frozenset.intersection(*self.scales))


def _key(mention: str) -> str:
    return _ARTICLE.sub("", mention.strip().rstrip(".,;").strip()).lower().removesuffix(" one")


def scene_of(sentences: list[str], language: Language) -> Scene:
    """The objects of the first sentence that lists some, else those that the comparisons name."""
    for sentence in sentences:
        found = (listed_zh if language == "zh" else listed)(sentence)
        if found:
            return Scene(language, found, listed=True)
    return Scene(language, tuple(_mentioned(sentences, language)))


def listed(sentence: str) -> tuple[str, ...]:
    """The objects of `there are three books: a red book, a blue book, and a green book`."""
    match = _LIST_EN.fullmatch(sentence.strip())
    if match is None or "," not in match["items"]:
        return _named(sentence)
    items = tuple(_key(item) for item in re.split(r",\s*(?:and\s+)?|\s+and\s+", match["items"]) if item.strip())
    number = [
        _NUMBERS[word] for word in re.findall(r"[a-z]+", match["intro"].lower()) if word in _NUMBERS and word != "one"
    ]
    plain = all(len(item.split()) <= 3 for item in items) and len(set(items)) == len(items) >= 2
    return items if plain and (not number or number[-1] == len(items)) and (number or ":" in sentence) else ()


def _named(sentence: str) -> tuple[str, ...]:
    """The objects of `Three friends, Ann, Ben and Cat, compare their ages`."""
    match = _NAMED.fullmatch(sentence.strip())
    items = tuple(_key(item) for item in re.split(r",\s*(?:and\s+)?|\s+and\s+", match["items"])) if match else ()
    return items if match and len(set(items)) == _NUMBERS[match["n"].lower()] else ()


def listed_zh(sentence: str) -> tuple[str, ...]:
    """四本书：红书、蓝书、绿书和黄书; 五位选手甲、乙、丙、丁、戊参加长跑. The number tells where the last name ends."""
    match = _LIST_ZH_BEFORE.fullmatch(sentence) or _LIST_ZH.search(sentence)
    if match is None:
        return ()
    items = [_CLASSED.sub("", item) for item in re.split("、|和|与|以及", match["items"])]
    number = _NUMBERS.get(match["n"]) or int(match["n"] if match["n"].isdecimal() else 0)
    width = max(len(item) for item in items[1:-1] or items[:1])
    items[-1] = items[-1] if sentence.rstrip().endswith(items[-1]) else items[-1][:width]
    return tuple(items) if number == len(items) == len(set(items)) else ()


def _mentioned(sentences: Iterable[str], language: Language) -> list[str]:
    """Objects that only the comparisons name: `Ann is older than Ben`, 小明比小红高."""
    found: dict[str, None] = {}
    for sentence in sentences:
        said = sentence.rstrip("?？.。 ")
        pairs = _THAN_ZH.findall(said) if language == "zh" else _compared(said)
        for pair in pairs:
            found.update(dict.fromkeys(map(_key, pair)))
    return list(found)


def _compared(said: str) -> list[tuple[str, str]]:
    """The two objects of `Ann is older than Ben` or `Is Ann older than Ben`; each a name or a definite phrase."""
    asked = _IS_THAN.fullmatch(said) or _DID.fullmatch(said)
    match = CLAUSE.fullmatch(said)
    first = asked["a"] if asked else match["who"] if match else ""
    others = [one.strip() for one in _THAN.findall(asked["rest"] if asked else match["rest"] if match else "")]
    known = bool(others) and all(_OBJECT.fullmatch(one) for one in (first, *others))
    return [(first, other) for other in others] if known else []
