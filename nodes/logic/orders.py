"""Ordering puzzles: who stands where, read from sentences about sides, ages, prices, ranks and the like.

Every sentence that mentions an object must be understood, all must speak of one scale, and the object that is asked for
must follow from the premises (z3 over the places 1 to n). The list of objects comes from the text (`three books: a red
book, ...`), else from the sentences themselves.
"""

from __future__ import annotations

import re

from nodes.answers import choices
from nodes.contracts import Language
from nodes.logic.deciding import Theorist
from nodes.logic.form import MOST_PLACES, Formula, Theory, text
from nodes.logic.scales import Place
from nodes.logic.scene import CLAUSE, VERB, Scene, listed, listed_zh, scene_of
from nodes.logic.solved import TOLD, Solved, lettered, wording

_WHICH = re.compile(
    rf"(?:which|what|who)(?: [\w-]+(?: of (?:the|them)(?: \w+)?)?)?(?: must)? {VERB} (?P<rest>.+)", re.IGNORECASE
)
_WHICH_ZH = re.compile(
    r"(?:请问|那么)?[，,]?(?:.{1,6}(?:中|里|之中|当中))?[，,]?(?:谁"
    r"|哪(?:一)?[个位名本辆只棵盆张座件条把][\u4e00-\u9fff]{0,3}?)(?:一定)?(?P<rest>.{1,14})"
)
_WHICH_ZH_LAST = re.compile(
    r"(?:请问|那么)?[，,]?(?:站|坐|放|排)?在?(?P<rest>(?:最|从?[左右]|第|倒数|正?中间).{0,12}?)(?:的)?(?:是)(?:谁"
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
    r"|以下段落.*|每个段落中的陈述.*|.*没有(?:并列|人同岁|相同).*|(?:请|只)回答.*|下列.*|以下.*)",
    re.IGNORECASE,
)
_RISKY = re.compile(
    r"\b(?:if|unless|only|except|either|or|not|no|never|every|each|immediately|next|between|adjacent|than)\b|如果"
    r"|除非|只有|或|不|没|比|都|相邻|之间",
    re.IGNORECASE,
)


def solve(question: str, language: Language) -> Solved | None:
    """The object, option or truth that an ordering puzzle asks for."""
    if len(question) > 4_000 or not re.search(
        r"than|left|right|finish|first|last|est\b|most|比|左|右|第|最|先|后", question
    ):
        return None
    body = re.split(r"(?:\n\s*|(?<=。))(?:Options|选项)\s*[:：]?|\n\s*[(（]?A[)）.、．]", question, maxsplit=1)[0]
    sentences = _sentences(body, language)
    while len(sentences) > 1 and TOLD.fullmatch(sentences[-1]):
        sentences.pop()
    scene = scene_of(sentences, language)
    if not 2 <= len(scene.objects) <= MOST_PLACES or len(sentences) > 40:
        return None
    menu = choices(question)
    asked = sentences[-1] if _asks(sentences[-1], bool(menu)) else ""
    premises = _premises(sentences[:-1] if asked else sentences, scene)
    if not premises:
        return None
    theorist = Theorist(Theory(premises=premises, order=scene.objects))
    scene.asking = True
    found = _from_menu(question, asked, scene, theorist) if menu else _asked(question, asked, scene, theorist)
    if found is None or not scene.one_scale():
        return None
    return found.model_copy(update={"premises": tuple(text(one) for one in premises)})


def _sentences(body: str, language: Language) -> list[str]:
    cut = r"[。；;！!\n]|(?<=[？?])" if language == "zh" else r"(?<=[\w)\"])[.;!](?=\s|$)|\n|(?<=\?)"
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


def _premises(sentences: list[str], scene: Scene) -> tuple[Formula, ...]:
    """The formulas of all sentences; none when a sentence about the objects is not understood."""
    found: list[Formula] = []
    listing = listed_zh if scene.language == "zh" else listed
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


def _statements(sentence: str, scene: Scene) -> list[Formula]:
    """One formula, or those of clauses joined by commas, `and` or `but`; none when it is not understood."""
    whole = scene.claim(sentence)
    if whole is not None:
        return [whole]
    if scene.language != "en":
        return []
    parts = [part for part in re.split(r",?\s+(?:and|but|while)\s+|,\s+", sentence) if part]
    if len(parts) > 1 and not scene.mentions(parts[0]) and not _RISKY.search(parts[0]):
        parts = parts[1:]  # In a queue of four people, ...
    claims: list[Formula] = []
    first = CLAUSE.fullmatch(parts[0])
    for part in parts[:MOST_PLACES]:
        claim = scene.claim(part) or (
            scene.claim(f"{first['who']} {first['verb']} {part}") if first and claims else None
        )
        if claim is None:
            return []
        claims.append(claim)
    return claims


def _from_menu(question: str, asked: str, scene: Scene, theorist: Theorist) -> Solved | None:
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


def _which(asked: str, scene: Scene) -> Place | None:
    """The place that `Which book is the leftmost?` asks for."""
    said = asked.strip().rstrip("?？ ")
    patterns = (_WHICH_ZH, _WHICH_ZH_LAST) if scene.language == "zh" else (_WHICH,)
    found = (scene.place(match["rest"]) for pattern in patterns if (match := pattern.fullmatch(said)))
    return next((place for place in found if place is not None), None)


def _asked(question: str, asked: str, scene: Scene, theorist: Theorist) -> Solved | None:
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


def _whether(asked: str, scene: Scene) -> Formula | None:
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


def _line(scene: Scene, theorist: Theorist) -> str:
    """The places that are certain, in words that no arithmetic check reads as a sum."""
    return "; ".join(f"{one}: {at}" for one, at in theorist.places(scene.objects).items())
