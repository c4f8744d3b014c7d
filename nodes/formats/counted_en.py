"""English demands of a number: at most 40 words, exactly three sentences, two or three paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nodes.formats.constraints import Constraint, Kind, Scope
from nodes.formats.english import COUNT, OPERATOR, bounds, demand, number

_UNITS: tuple[tuple[str, Kind], ...] = (
    (r"words?", "words"),
    (r"characters?", "characters"),
    (r"sentences?", "sentences"),
    (r"paragraphs?", "paragraphs"),
    (r"bullet(?:[ -]?points?|s|ed points?| list items?)?", "bullets"),
    (r"(?:numbered|enumerated) (?:steps?|points?|items?)", "numbered"),
    (r"placeholders?", "placeholders"),
)
DIRECTED = re.compile(
    r"\b(?:your|the|entire|whole|this) (?:\w+ ){0,2}?(?:answer|response|reply|output|essay|poem|story|letter|article|"
    r"summary|text|report|post|email|speech|paragraph|song|rap|blog|biography|proposal|description|pitch|song|haiku)"
    r"|\b(?:your (?:\w+ )?(?:answer|response|reply))\b"
    r"|(?:^|[,;:.]|\b(?:please|and|then|also|but|you|to|should|must|can|could you|would you|"
    r"kindly|additionally|moreover)\b)"
    r"\s*,?\s*(?:write|answer|respond|reply|use|using|give|list|keep|make|summari[sz]e|"
    r"describe|explain|generate|create|"
    r"limit|highlight|italici[sz]e|bold|include|compose|draft|provide|produce|contain|"
    r"mention|mark|put|wrap|end|finish|"
    r"begin|start|present|format|structure|organi[sz]e|rewrite|name|tell|say|expand|elaborate|convert|turn|frame|"
    r"construct|restrict|repeat|refrain|avoid|ensure|separate|output|return|express|do not|"
    r"don't|suggest|add|mend|fix|repair|advertise|reply)\b"
    r"|\b(?:your|the|it|this|they) (?:\w+ )?(?:should|must|has to|have to|needs? to|can only|cannot)\b",
    re.IGNORECASE,
)
_EACH = re.compile(r"\b(?:each|every|per|no|any)\s+(?:\w+\s+){0,2}?(?P<what>\w+?)s?\b(?!-)", re.IGNORECASE)
_WHOLE = re.compile(
    r"\b(?:entire|whole) (?:answer|response|reply|output|text|essay|story|poem|letter)\b", re.IGNORECASE
)
_SCOPES: dict[str, Scope] = {"paragraph": "paragraph", "sentence": "sentence"}
_SAFE_AFTER_EACH = frozenset({"more", "less", "fewer", "longer", "comma", "word", "other"})
_BETWEEN = re.compile(
    r"\b(?:between\s+)?(?P<low>\d{1,5})\s*(?:-|–|to|and)\s*(?P<high>\d{1,5})[\s-]+words?\b", re.IGNORECASE
)
_TOTAL = re.compile(
    rf"\bwords?\s+(?:in|of)\b[^.;]{{0,40}}?\b(?:should|must) be\s+{COUNT}(?P<tail>\s*\+|\s+or\s+(?:more|less|fewer))",
    re.IGNORECASE,
)
_AS_BULLETS = re.compile(
    rf"\b{OPERATOR}\s+{COUNT}\s+[^.;,\d]{{1,60}}?\b(?:using|as|in|into|with)\s+(?:\w+\s+)?bullet points\b",
    re.IGNORECASE,
)


_COUNTED = [
    (
        re.compile(
            rf"(?:\b{OPERATOR}\s+(?:of\s+)?)?\b(?:{COUNT.replace('n>', 'from>')}\s*(?:or|to|-|–)\s*)?"
            rf"{COUNT}(?P<tail>\s*\+|\s+or\s+(?:more|less|fewer))?[\s-]+(?:(?!of\b|"
            rf"times\b|the\b|in\b|above\b|to\b|and\b)[a-z'-]+\s+){{0,2}}?(?:{unit})\b(?P<after>\s+or\s+(?:more|"
            rf"less|fewer))?",
            re.IGNORECASE,
        ),
        kind,
    )
    for unit, kind in _UNITS
]


def counted(sentence: str) -> Iterator[Constraint]:
    """The demands of a number in one sentence."""
    if (span := _BETWEEN.search(sentence)) and (each := _scope(sentence, span)) is not None:
        yield demand("words", span[0], each=each, found={"low": int(span["low"]), "high": int(span["high"])})
        return
    if match := _TOTAL.search(sentence):
        yield demand("words", match[0], found=bounds("", number(match["n"]), match["tail"]))
    if match := _AS_BULLETS.search(sentence):
        yield demand("bullets", match[0], found=bounds(match["op"] or "", number(match["n"])))
    for pattern, kind in _COUNTED:
        for match in pattern.finditer(sentence):
            each = _scope(sentence, match)
            if each is not None and _meant(kind, match, each, sentence):
                tail = (match["tail"] or "") + (match["after"] or "")
                found = bounds(match["op"] or "", number(match["n"]), tail)
                if match["from"]:
                    found = {"low": number(match["from"]), "high": number(match["n"])}
                yield demand(kind, match[0], each=each, found=found)


_ABOUT_WORDS = re.compile(r"\bwords?\s*[\"'“(:]|letter|syllable|capital|each of|from the")
_SOME = re.compile(r"\bfollow(?:ed|ing)|\b(?:first|last|second|next|regular)\b")


def _meant(kind: Kind, match: re.Match[str], each: Scope, sentence: str) -> bool:
    """True when the number limits the reply: "in one sentence", "200 words" or "the second paragraph" do not."""
    bare = not (match["op"] or match["tail"] or match["after"])
    if kind in ("words", "characters"):
        return not bare and not (kind == "words" and _ABOUT_WORDS.search(sentence[match.start() :]))
    if (kind in ("sentences", "paragraphs") and _SOME.search(match[0])) or number(match["n"]) > 200:
        return False
    if bare and kind != "bullets" and match["n"].lower() in ("one", "single"):
        return False
    return not (each and each.startswith(kind[:-1]))


def _scope(sentence: str, at: re.Match[str]) -> Scope | None:
    """What the bounds at a place are for: "" = the whole reply; None = parts that cannot be told apart."""
    before = sentence[: at.start()]
    before = before[max((one.end() for one in _WHOLE.finditer(before)), default=0) :]
    behind = re.match(r"\s*(?:for |in |of )?(?:each|every|per)\s+(?:\w+\s+)??(?P<what>\w+?)s?\b", sentence[at.end() :])
    for match in (*([behind] if behind else []), *reversed(list(_EACH.finditer(before)))):
        what = match["what"].lower()
        bare = re.match(r"\s*(?:no|any)\b", match[0], re.IGNORECASE) and what not in _SCOPES
        if what not in _SAFE_AFTER_EACH and not bare:
            return _SCOPES.get(what)
    return None if re.search(r"\b(?:followed by|consist(?:s|ing)? of|(?:two|three|the) regular)\b", before) else ""
