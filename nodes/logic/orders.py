"""Ordering puzzles: who stands where, read from sentences about sides, ages, prices, ranks and the like.

Every sentence that mentions an object must be understood, all must speak of one scale, and the object that is asked for
must follow from the premises (z3 over the places 1 to n). The list of objects comes from the text (`three books: a red
book, ...`), else from the sentences themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from nodes.answers import choices
from nodes.contracts import Language
from nodes.logic.deciding import Theorist
from nodes.logic.form import MOST_PLACES, Compare, Formula, Theory, text
from nodes.logic.scales import Place, english
from nodes.logic.scales_zh import chinese
from nodes.logic.solved import Solved, lettered, wording

_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = {w: n for n, w in enumerate(_DIGITS)} | {
    "两": 2, **dict(zip("一二三四五六七八九十", range(1, 11), strict=True))}  # fmt: skip
_VERB = (
    r"(?:is|are|was|were|finished|finishes|finish|came in|came|come|comes|placed|places|ranked|ranks|arrived"
    r"|arrives|arrive"
    r"|stands|stand|stood|sits|sit|sat|ended up|costs|cost|lives|live)"
)
_CLAUSE = re.compile(rf"(?P<who>.{{1,60}}?) (?P<verb>{_VERB}) (?P<rest>.+)", re.IGNORECASE)
_WHICH = re.compile(
    rf"(?:which|what|who)(?: [\w-]+(?: of (?:the|them)(?: \w+)?)?)?(?: must)? {_VERB} (?P<rest>.+)", re.IGNORECASE
)
_WHICH_ZH = re.compile(
    r"(?:请问|那么)?[，,]?(?:.{1,6}(?:中|里|之中|当中))?[，,]?(?:谁"
    r"|哪(?:一)?[个位名本辆只棵盆张座件条把][\u4e00-\u9fff]{0,3}?)(?:一定)?(?P<rest>.{1,14})"
)
_WHICH_ZH_LAST = re.compile(
    r"(?:请问|那么)?[，,]?(?:站|坐|放|排)?在?(?P<rest>(?:最|从?[左右]|第|倒数).{1,12}?)(?:的)?(?:是)(?:谁"
    r"|哪(?:一)?[个位名本辆只棵盆张座件条把][\u4e00-\u9fff]{0,3}|什么.{0,3})"
)
_WHETHER = re.compile(r"(?:is|are|was|were|did|does|must) (?P<body>.+)", re.IGNORECASE)
_CLAIMED = re.compile(
    r"(?:does it (?:necessarily |logically )?follow(?: that)?|is it (?:true|certain|the case) that|can (?:we"
    r"|it be) (?:conclude|concluded|infer|inferred) that|conclusion)\s*:?\s*(?P<claim>.+)",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"(?:the following paragraphs? .*|the statements are logically consistent.*|answer\b.*|options"
    r"|which (?:of the following|statement|option)\b.*"
    r"|what is (?:true|the correct).*|premises|no two .*|there (?:are|were) no ties.*|is the conclusion.*"
    r"|.*没有(?:并列|人同岁|相同).*|(?:请|只)回答.*|下列.*|以下.*)",
    re.IGNORECASE,
)
_RISKY = re.compile(
    r"\b(?:if|unless|only|except|either|or|not|no|never|every|each|immediately|next|between|adjacent|than)\b|如果"
    r"|除非|只有|或|不|没|比|都|相邻|之间",
    re.IGNORECASE,
)
_LIST_EN = re.compile(r"(?P<intro>[^:.]*?)(?::| are| were)\s*(?P<items>[^.:?]+)$", re.IGNORECASE)
_LIST_ZH = re.compile(
    r"(?P<n>[一二两三四五六七八九十\d])(?:[个位名本辆只棵盆张座件条把种]|人)(?P<noun>[\u4e00-\u9fff]{0,4}?)(?:[：:，,]|分别是|为"
    r"|是)?(?P<items>[\u4e00-\u9fffA-Za-z]{1,6}(?:、[\u4e00-\u9fffA-Za-z]{1,6})+(?:(?:和|与"
    r"|以及)[\u4e00-\u9fffA-Za-z]{1,6})?)"
)
_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)


@dataclass
class _Scene:
    """The objects and what is understood so far."""

    language: Language
    objects: tuple[str, ...] = ()
    listed: bool = False
    scales: list[frozenset[str]] = field(default_factory=list)

    def resolve(self, mention: str) -> str | None:
        """The object that a mention names."""
        words = _key(mention)
        if words in self.objects:
            return words
        if self.language == "zh" or not words:
            return None
        said = set(words.split())
        if said & {"and", "or"}:
            return None
        fits = [one for one in self.objects if set(one.split()) <= said or said <= set(one.split())]
        return fits[0] if len(fits) == 1 and len(said) <= 5 else None

    def place(self, rest: str) -> Place | None:
        """What the words behind a subject say; its scale is noted."""
        found = (chinese if self.language == "zh" else english)(rest, self.resolve)
        if found is None or (isinstance(found.right, int) and not 0 <= found.right <= len(self.objects)):
            return None
        if found.scales:
            self.scales.append(found.scales)
        return found

    def claim(self, clause: str) -> Formula | None:
        """The formula of a whole clause."""
        subject, rest = self._split(clause.strip().rstrip(".。?？！! "))
        place = self.place(rest) if subject else None
        return place.claim(subject, len(self.objects)) if place and subject else None

    def _split(self, clause: str) -> tuple[str | None, str]:
        if self.language == "zh":
            subject = next((one for one in sorted(self.objects, key=len, reverse=True) if clause.startswith(one)), None)
            return subject, clause[len(subject) :] if subject else ""
        match = _CLAUSE.fullmatch(clause)
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


def solve(question: str, language: Language) -> Solved | None:
    """The object, option or truth that an ordering puzzle asks for."""
    if len(question) > 4_000 or not re.search(
        r"than|left|right|finish|first|last|est\b|most|比|左|右|第|最|先|后", question
    ):
        return None
    body = re.split(r"\n\s*(?:Options|选项)\s*[:：]?|\n\s*[(（]?A[)）.、．]", question, maxsplit=1)[0]
    sentences = _sentences(body, language)
    scene = _scene(sentences, language)
    if not 2 <= len(scene.objects) <= MOST_PLACES or len(sentences) > 40:
        return None
    menu = choices(question)
    asked = sentences[-1] if _asks(sentences[-1], bool(menu)) else ""
    premises = _premises(sentences[:-1] if asked else sentences, scene)
    if not premises:
        return None
    theorist = Theorist(Theory(premises=premises, order=scene.objects))
    found = _from_menu(question, asked, scene, theorist) if menu else _asked(question, asked, scene, theorist)
    if found is None or not scene.one_scale():
        return None
    return found.model_copy(update={"premises": tuple(text(one) for one in premises)})


def _sentences(body: str, language: Language) -> list[str]:
    cut = r"[。；;！!\n]|(?<=[？?])" if language == "zh" else r"(?<=[a-z0-9)\"])[.;!](?=\s|$)|\n|(?<=\?)"
    parts = [part.strip() for part in re.split(cut, body)]
    if language == "zh":
        parts = [clause for part in parts for clause in _clauses_zh(part)]
    return [part for part in parts if part.strip(".。,， ")]


def _clauses_zh(sentence: str) -> list[str]:
    """A Chinese sentence at its commas, where it lists no objects."""
    return [sentence] if "：" in sentence else [part.strip() for part in re.split("[，,]", sentence)]


def _asks(sentence: str, menu: bool) -> bool:
    return (
        sentence.rstrip().endswith(("?", "？"))
        or bool(_CLAIMED.match(sentence))
        or (menu and bool(re.match(r"(?:which|who|what|下列|以下|哪)", sentence, re.IGNORECASE)))
    )


def _scene(sentences: list[str], language: Language) -> _Scene:
    for sentence in sentences:
        found = (_listed_zh if language == "zh" else _listed)(sentence)
        if found:
            return _Scene(language, found, listed=True)
    return _Scene(language, tuple(_mentioned(sentences, language)))


def _listed(sentence: str) -> tuple[str, ...]:
    """The objects of `there are three books: a red book, a blue book, and a green book`."""
    match = _LIST_EN.fullmatch(sentence.strip())
    if match is None or "," not in match["items"]:
        return ()
    items = tuple(_key(item) for item in re.split(r",\s*(?:and\s+)?|\s+and\s+", match["items"]) if item.strip())
    number = [
        _NUMBERS[word] for word in re.findall(r"[a-z]+", match["intro"].lower()) if word in _NUMBERS and word != "one"
    ]
    plain = all(len(item.split()) <= 3 for item in items) and len(set(items)) == len(items) >= 2
    return items if plain and (not number or number[-1] == len(items)) and (number or ":" in sentence) else ()


def _listed_zh(sentence: str) -> tuple[str, ...]:
    """四本书：红书、蓝书、绿书和黄书; 五位选手甲、乙、丙、丁、戊参加长跑. The number tells where the last name ends."""
    match = _LIST_ZH.search(sentence)
    if match is None:
        return ()
    items = re.split("、|和|与|以及", match["items"])
    number = _NUMBERS.get(match["n"]) or int(match["n"] if match["n"].isdecimal() else 0)
    width = max(len(item) for item in items[1:-1] or items[:1])
    items[-1] = items[-1] if sentence.rstrip().endswith(items[-1]) else items[-1][:width]
    return tuple(items) if number == len(items) == len(set(items)) else ()


def _mentioned(sentences: Iterable[str], language: Language) -> list[str]:
    """Objects that only the comparisons name: `Ann is older than Ben`, 小明比小红高."""
    found: dict[str, None] = {}
    for sentence in sentences:
        said = sentence.rstrip("?？.。 ")
        if language == "zh":
            pairs = re.findall(
                r"([\u4e00-\u9fffA-Z]{1,3}?)(?:一定|肯定)?比([\u4e00-\u9fffA-Z]{1,3}?)(?=[高矮年老贵便重轻快慢先后早晚长短多少胖瘦大小强弱])",
                said,
            )
        else:
            match = re.fullmatch(
                rf"(?:(?:is|was) )?(?P<a>(?:the )?[A-Z]?[\w'-]+(?: \w+)?) (?:{_VERB} )?(?:(?:more"
                r"|less) )?\w+ than (?P<b>(?:the )?[\w'-]+(?: \w+)?)",
                said,
                re.IGNORECASE,
            )
            pairs = [(match["a"], match["b"])] if match and (_CLAUSE.match(said) or sentence.endswith("?")) else []
        for pair in pairs:
            found.update(dict.fromkeys(map(_key, pair)))
    return list(found)


def _premises(sentences: list[str], scene: _Scene) -> tuple[Formula, ...]:
    """The formulas of all sentences; none when a sentence about the objects is not understood."""
    found: list[Formula] = []
    listing = _listed_zh if scene.language == "zh" else _listed
    for sentence in sentences:
        clean = re.sub(
            r"^(?:and|also|finally|moreover|in addition|此外|另外|并且|而且|已知)[,，：:]?\s*",
            "",
            sentence,
            flags=re.IGNORECASE,
        )
        if listing(clean) == scene.objects or _FRAME.fullmatch(clean):
            continue
        parts = _statements(clean, scene)
        if parts:
            found += parts
        elif scene.mentions(clean) or _RISKY.search(clean):
            return ()
    return tuple(found)


def _statements(sentence: str, scene: _Scene) -> list[Formula]:
    """One formula, or those of two clauses joined by `and` or `but`; none when it is not understood."""
    whole = scene.claim(sentence)
    if whole is not None:
        return [whole]
    parts = re.split(r",?\s+(?:and|but|while)\s+|,\s+", sentence)
    claims = [scene.claim(part) for part in parts] if len(parts) == 2 and scene.language == "en" else []
    return [one for one in claims if one is not None] if claims and None not in claims else []


def _from_menu(question: str, asked: str, scene: _Scene, theorist: Theorist) -> Solved | None:
    """The one option that follows; options are clauses, or objects that answer the question."""
    place = _which(asked, scene) if asked else None
    if asked and place is None and not _FRAME.fullmatch(asked.rstrip("?？ ")):
        return None
    if re.search(r"\b(?:false|not true|cannot|could|except)\b|不可能|可能|错误|不正确", asked):
        return None

    def right(option: str) -> bool | None:
        subject = scene.resolve(option) if place else None
        claim = place.claim(subject, len(scene.objects)) if place and subject else scene.claim(option)
        return theorist.holds(claim) if claim is not None else None

    answer = lettered(question, right)
    if answer is None:
        return None
    return Solved(reader="order", answer=answer, status="entailed", conclusion=answer, working=_line(scene, theorist))


def _which(asked: str, scene: _Scene) -> Place | None:
    """The place that `Which book is the leftmost?` asks for."""
    said = asked.strip().rstrip("?？ ")
    patterns = (_WHICH_ZH, _WHICH_ZH_LAST) if scene.language == "zh" else (_WHICH,)
    found = (scene.place(match["rest"]) for pattern in patterns if (match := pattern.fullmatch(said)))
    return next((place for place in found if place is not None), None)


def _asked(question: str, asked: str, scene: _Scene, theorist: Theorist) -> Solved | None:
    """Which object stands there, or whether something is so."""
    place = _which(asked, scene)
    if place is not None:
        right = [one for one in scene.objects if theorist.holds(place.claim(one, len(scene.objects)))]
        if len(right) != 1:
            return None
        name = _spelled(right[0], question)
        return Solved(
            reader="order",
            answer=name,
            status="entailed",
            conclusion=f"{name}: {asked}",
            working=_line(scene, theorist),
            rivals=tuple(one for one in scene.objects if one != right[0]),
        )
    claim = _whether(asked, scene)
    status = theorist.status(claim) if claim is not None else "undecided"
    if claim is None or status not in ("entailed", "contradicted", "unknown"):
        return None
    answer = wording(question, scene.language).of(status)
    if answer is None:
        return None
    return Solved(reader="order", answer=answer, status=status, conclusion=text(claim), working=_line(scene, theorist))


def _whether(asked: str, scene: _Scene) -> Formula | None:
    said = asked.strip().rstrip("?？ ")
    if scene.language == "zh":
        said = re.sub(r"(?:吗|么|是吗|对吗)$", "", re.sub(r"^(?:那么|请问|由此能推出|能否断定)[，,“]?", "", said))
        return scene.claim(said.strip("“”"))
    if match := _CLAIMED.fullmatch(said):
        return scene.claim(match["claim"])
    match = _WHETHER.fullmatch(said)
    words = match["body"].split() if match else []
    for cut in range(min(len(words) - 1, 5), 0, -1):
        subject = scene.resolve(" ".join(words[:cut]))
        rest = re.sub(r"^(?:be|finish|come|rank|arrive|stand|sit)\s+", "", " ".join(words[cut:]), flags=re.IGNORECASE)
        place = scene.place(rest) if subject else None
        if subject and place:
            return place.claim(subject, len(scene.objects))
    return None


def _spelled(name: str, question: str) -> str:
    """The name as the question writes it."""
    found = re.search(re.escape(name), question, re.IGNORECASE)
    return found[0] if found else name


def _line(scene: _Scene, theorist: Theorist) -> str:
    """The places that are certain, in words that no arithmetic check reads as a sum."""
    size = len(scene.objects)
    places = [
        f"{one}: {at}"
        for one in scene.objects
        for at in range(1, size + 1)
        if theorist.holds(Compare(relation="=", left=one, right=at))
    ]
    return "; ".join(places)
