"""Who tells the truth: chains of "X says Y lies", and knights and knaves. Every sentence must be understood.

A speaker tells the truth exactly when what he says is true, so each sentence is an equivalence of the typed form and
z3 decides the question; several speakers are tried as the answer to "who".
"""

from __future__ import annotations

import re

from nodes.contracts import Language
from nodes.logic.deciding import Theorist
from nodes.logic.form import Atom, Count, Formula, Join, Theory, both, either, negated, text
from nodes.logic.solved import Solved, Wording, wording

_TRUE = (
    r"(?:always )?(?:tells?|is telling|told|speaks?|is speaking) the truth|is (?:honest|truthful"
    r"|a truth-?teller|a knight)"
)
_FALSE = (
    r"(?:always )?(?:lies|lie|lied)|is (?:lying|a liar|dishonest|a knave)|does(?: not|n't) tell the truth"
    r"|(?:always )?tells? lies|is not telling the truth"
)
_NAME = r"[A-Z][\w'-]*"
_TRUE_ZH = r"(?:总是|一直|只|都)?(?:在)?(?:说的是|说|讲)(?:的)?(?:真话|实话)|是(?:诚实的|老实人|骑士|诚实人)"
_FALSE_ZH = (
    r"(?:总是|一直|只|都)?(?:在)?(?:说的是|说|讲)(?:的)?(?:假话|谎话)|(?:总是|在)?(?:说谎|撒谎)(?:了|话)?|是(?:骗子|无赖|说谎者)|没(?:有)?说(?:真话"
    r"|实话)|不说真话"
)
_NAME_ZH = r"(?:(?!说|讲)[\u4e00-\u9fff]){1,4}?"
_CLAIM = re.compile(rf"(?P<who>{_NAME}|I) (?:am a (?P<i>knight|knave)|(?P<t>{_TRUE})|(?P<f>{_FALSE}))", re.IGNORECASE)
_CLAIM_ZH = re.compile(rf"(?P<who>{_NAME_ZH}|我)(?:(?P<t>{_TRUE_ZH})|(?P<f>{_FALSE_ZH}))")
_SAYS = re.compile(rf"(?P<who>{_NAME}) (?:says|said|claims|states)(?: that)?[:,]?\s*[\"“']?(?P<what>[^\"”]+?)[\"”']?")
_SAYS_ZH = re.compile(
    rf"(?P<who>{_NAME_ZH})(?:说|声称|宣称)(?:道)?[：:，,]?\s*(?P<open>[“\"「])?(?P<what>[^”\"」]+?)[”\"」]?"
)
_ASKED = re.compile(
    rf"(?:(?:does|did|is|do) )(?P<who>{_NAME}) (?P<what>tell(?:ing)? the truth|lie|lying|an? \w+)", re.IGNORECASE
)
_ASKED_ZH = re.compile(
    rf"(?:那么|请问)?[，,]?(?P<who>{_NAME_ZH})(?:(?P<t>{_TRUE_ZH})|(?P<f>{_FALSE_ZH}))(?:吗|么|还是.*)?"
)
_WHO = re.compile(
    r"who (?:is (?:the|a) (?P<kind>knight|knave|liar|truth-?teller)|(?P<t>tells? the truth"
    r"|is telling the truth)|(?P<f>lies|is lying))",
    re.IGNORECASE,
)
_WHO_ZH = re.compile(
    r"(?:那么|请问)?[，,]?谁(?:是(?P<kind>骑士|无赖|骗子|老实人)|(?P<t>说(?:的是)?真话|说了真话)|(?P<f>说谎|撒谎|说(?:的是)?假话)(?:了|呢)?)"
)
_RULES = re.compile(
    r"(?:on an? island|knights? always|knaves? always|each (?:person|of them|always)|every(?:one|body)? (?:is|on)"
    r"|there are (?:two|three) (?:people|inhabitants)|you meet"
    r"|answer (?:with|yes|no)|please|explain|justify)\b.*"
    r"|(?:岛上|骑士(?:只|总)说|无赖(?:只|总)说|每个?人(?:要么|或者|不是|都)|只回答|请回答|请问).*",
    re.IGNORECASE,
)  # fmt: skip
_TOPIC = re.compile(r"tells? the truth|\blies\b|knave|\blying\b|说真话|说谎|撒谎|假话|无赖|骗子", re.IGNORECASE)
_PAIR = re.compile(
    rf"(?P<a>{_NAME}) and (?P<b>{_NAME}|I) are (?:both )?(?:(?P<same>knights|knaves)|(?P<of>the same|different"
    r"|of different (?:kinds|types)))",
    re.IGNORECASE,
)
_WE = re.compile(
    r"we (?:are )?(?P<all>both|all) (?:(?P<same>knights|knaves|truth-?tellers|liars)|(?P<true>tell the truth)"
    r"|(?P<false>lie))"
    r"|(?P<least>at least|exactly) one of us is a (?P<one>knight|knave|truth-?teller|liar)"
    r"|we are (?P<of>different|of different (?:kinds|types)|the same)",
    re.IGNORECASE,
)
_WE_ZH = re.compile(
    r"我们(?P<all>两个|俩)?(?:都|全)(?:都|全)?(?:是(?P<same>骑士|无赖|骗子|老实人)|(?:在)?(?P<true>说真话|说实话)|(?:在)?(?P<false>说谎|撒谎|说假话))"
    r"|我们(?:两个|俩)?(?:中|之中|当中)(?P<least>至少|恰好|恰)有一(?:个|人)(?:是)?(?P<one>骑士|无赖|骗子|老实人)"
    r"|我们(?:两个|俩)?是?(?P<of>不同类|不是同类|同类)(?:的)?(?:人)?"
)
_GOOD = frozenset(
    ("knight", "knights", "truth-teller", "truthteller", "truth-tellers", "truthtellers", "骑士", "老实人")
)
MOST = 12
"""Speakers."""


def solve(question: str, language: Language) -> Solved | None:
    """Whether the named person tells the truth, or who does."""
    if len(question) > 4_000 or not _TOPIC.search(question):
        return None
    sentences = _sentences(question, language)
    if not 2 <= len(sentences) <= 40:
        return None
    *stated, asked = sentences
    people = tuple(dict.fromkeys(name for one in stated if (name := _speaker(one, language))))
    if not 1 <= len(people) <= MOST:
        return None
    premises = [_premise(one, people, language) for one in stated]
    known = tuple(one for one in premises if one is not None)
    if len(known) != len(premises):
        return None
    theorist = Theorist(Theory(premises=known))
    words = tuple(text(one) for one in known)
    return _who(asked, people, theorist, words, language) or _whether(asked, theorist, words, question, language)


def _sentences(question: str, language: Language) -> list[str]:
    """Statements and, last, the question; rules of the island are left out."""
    body = re.sub(r"^\s*(?:question|问题|题目)\s*[:：]\s*", "", question, flags=re.IGNORECASE)
    body = re.sub(r"\n\s*(?:options|选项)\s*[:：].*", "", body, flags=re.IGNORECASE | re.DOTALL)
    cut = r"(?<=[.。?？!！;；\n])[\"”」]?\s*" if language == "en" else r"[.。!！;；\n][”\"」]?\s*|(?<=[?？])"
    found = [one.strip().rstrip(".。;；!！?？").strip() for one in re.split(cut, body)]
    kept = [one for one in found if one.strip('”"」 ') and not _RULES.fullmatch(one)]
    return [one + "”" if one.count("“") > one.count("”") else one for one in kept]


def _speaker(sentence: str, language: Language) -> str | None:
    says, claim = (_SAYS_ZH, _CLAIM_ZH) if language == "zh" else (_SAYS, _CLAIM)
    match = (
        (says.fullmatch(sentence) if language == "en" else None)
        or claim.fullmatch(sentence)
        or says.fullmatch(sentence)
    )
    return match["who"] if match else None


def _premise(sentence: str, people: tuple[str, ...], language: Language) -> Formula | None:
    """A fact about a person, or the equivalence between a speaker and his words."""
    fact = (_CLAIM_ZH if language == "zh" else _CLAIM).fullmatch(sentence)
    says = (_SAYS_ZH if language == "zh" else _SAYS).fullmatch(sentence)
    if fact and fact["who"] in people:
        return _claim(sentence, "", people, language)
    if says is None:
        return None
    said = _claim(says["what"].strip().rstrip(".。"), says["who"], people, language)
    return said and Join(kind="iff", parts=(Atom(name=says["who"]), said))


def _claim(words: str, speaker: str, people: tuple[str, ...], language: Language) -> Formula | None:
    """What is said about who tells the truth."""
    match = (_CLAIM_ZH if language == "zh" else _CLAIM).fullmatch(words)
    if match:
        name = speaker if match["who"] in ("I", "我") else match["who"]
        good = bool(match["t"]) or match.groupdict().get("i") == "knight"
        if name in people:
            return Atom(name=name) if good else negated(Atom(name=name))
    return _together(words, speaker, people, language)


def _together(words: str, speaker: str, people: tuple[str, ...], language: Language) -> Formula | None:
    """What is said about two people, or about all of them."""
    pair = _PAIR.fullmatch(words) if language == "en" else None
    match = pair or (_WE_ZH if language == "zh" else _WE).fullmatch(words)
    if match is None or not speaker:
        return None
    named = (match["a"], speaker if match["b"] == "I" else match["b"]) if pair else people
    if not set(named) <= set(people) or len(set(named)) < 2 or (match["of"] and len(named) != 2):
        return None
    whole = [Atom(name=name) for name in named]
    bad = [negated(one) for one in whole]
    said = match.groupdict()
    if said.get("all") in ("both", "两个", "俩") and len(named) != 2:
        return None
    if said["same"] or said.get("true") or said.get("false"):
        return both(*whole) if said.get("true") or (said["same"] or "").lower() in _GOOD else both(*bad)
    if match["of"]:
        alike = match["of"] in ("the same", "同类")
        return Join(kind="iff" if alike else "xor", parts=(whole[0], whole[1]))
    parts = tuple(whole if match["one"].lower() in _GOOD else bad)
    return either(*parts) if match["least"] in ("at least", "至少") else Count(kind="exactly", number=1, parts=parts)


def _who(
    asked: str, people: tuple[str, ...], theorist: Theorist, words: tuple[str, ...], language: Language
) -> Solved | None:
    match = (_WHO_ZH if language == "zh" else _WHO).fullmatch(asked)
    if match is None:
        return None
    good = bool(match["t"]) or (match["kind"] or "").lower() in _GOOD
    claims = {name: Atom(name=name) if good else negated(Atom(name=name)) for name in people}
    statuses = {name: theorist.status(claim) for name, claim in claims.items()}
    right = [name for name, status in statuses.items() if status == "entailed"]
    if not right or set(statuses.values()) - {"entailed", "contradicted"}:
        return None
    answer = ("、" if language == "zh" else ", ").join(right)
    return Solved(
        reader="lies",
        answer=answer,
        status="entailed",
        conclusion=asked,
        premises=words,
        working=str(answer),
        rivals=tuple(one for one in people if one not in right),
    )


def _whether(
    asked: str, theorist: Theorist, words: tuple[str, ...], question: str, language: Language
) -> Solved | None:
    match = (_ASKED_ZH if language == "zh" else _ASKED).fullmatch(asked)
    if match is None:
        return None
    good = bool(match["t"]) if language == "zh" else bool(re.search(r"truth|knight", match["what"], re.IGNORECASE))
    claim = Atom(name=match["who"]) if good else negated(Atom(name=match["who"]))
    status = theorist.status(claim)
    said: Wording = wording(question, language)
    answer = said.of(status)
    offered = said.unknown is not None and said.unknown in question
    if answer is None or not (status in ("entailed", "contradicted") or (status == "unknown" and offered)):
        return None
    return Solved(
        reader="lies",
        answer=answer,
        status=status,
        conclusion=text(claim),
        premises=words,
        working=f"{text(claim)}: {status}",
    )
