"""What is read of a text: all of a short one, pieces across its length of a long one.

Instructions stand at either end of a request, material in the middle. The embedding costs about a millisecond a token,
so it gets few tokens; patterns cost microseconds a character, so they get a few thousand characters.
"""

from __future__ import annotations

import re
import unicodedata

HEAD, TAIL, INNER, INNER_PIECES = 900, 900, 240, 5
"""Characters that patterns read: at the head, at the tail, and in each of so many pieces spread over the middle."""
CUT = " … "

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_LOOK_ALIKES = str.maketrans(
    "аеорсухіјѕԁԛԝАВЕКМНОРСТХІЈЅαοεινρτυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxijsdqwABEKMHOPCTXIJSaoeivptuABEZHIKMNOPTYX",
)
"""Cyrillic and Greek letters that look Latin; used on words that mix them with Latin letters only."""
_MIXED = re.compile(r"[A-Za-z\u0370-\u03ff\u0400-\u052f]+")
_SCRIPTS = re.compile(r"[A-Za-z].*[\u0370-\u052f]|[\u0370-\u052f].*[A-Za-z]")
_SENTENCE = re.compile(r"[^\n.!?。！？]+[\n.!?。！？]?")
_ADDRESSED = re.compile(r"\b(?:router|routing|specialists?)\b|路由|专家", re.IGNORECASE)
_ORDERED = re.compile(
    r"\b(?:ignore|disregard|send|hand|assign|classify|label|route|set|choose|pick|forward)\b[^\n]{0,60}"
    r"\b(?:to|as|above|previous|this|it|top|question|label|budget)\b|(?:交给|分给|派给|转给|选择?|归为|标为|忽略|无视)",
    re.IGNORECASE,
)


def spread(text: str) -> str:
    """Head, tail and evenly spaced pieces of the middle of a long text, joined by line breaks; a short one as it is."""
    room = HEAD + TAIL + INNER * INNER_PIECES
    if len(text) <= room:
        return text
    gap = (len(text) - HEAD - TAIL - INNER) / (INNER_PIECES - 1)
    starts = [HEAD + round(gap * piece) for piece in range(INNER_PIECES)]
    return "\n".join((text[:HEAD], *(text[start : start + INNER] for start in starts), text[-TAIL:]))


def plain(text: str) -> str:
    """The text as a reader sees it: compatibility forms folded, invisible and direction marks gone, look-alikes Latin.

    Sentences that order the router about are left out. To be used on what `spread` returns.
    """
    folded = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    if _ADDRESSED.search(folded):
        folded = _SENTENCE.sub(lambda one: "" if _order(one[0]) else one[0], folded)
    if folded.isascii():
        return folded
    return _MIXED.sub(lambda word: word[0].translate(_LOOK_ALIKES) if _SCRIPTS.search(word[0]) else word[0], folded)


def _order(sentence: str) -> bool:
    """Whether a sentence tells the router what to do; one about a router in a network does not."""
    return bool(_ADDRESSED.search(sentence) and _ORDERED.search(sentence))


def tokens(character: str) -> float:
    """Roughly how many tokens of the embedding's vocabulary (XLM-R) one character costs; measured on both languages."""
    if character.isspace():
        return 0.02
    if "\u3400" <= character <= "\u9fff":
        return 0.7
    return 0.23 if character.isalpha() and character.isascii() else 0.7


def ends(text: str, head: float, tail: float) -> str:
    """The first `head` and the last `tail` tokens, roughly; all of a text that is no longer. White space is folded."""
    room = round((head + tail) * 50)
    pieces = (text,) if len(text) <= 2 * room else (text[:room], text[-room:])
    front, back = " ".join(pieces[0].split()), " ".join(pieces[-1].split())
    if len(pieces) == 1 and sum(map(tokens, front)) <= head + tail:
        return front
    return front[: _reach(front, head)] + CUT + back[len(back) - _reach(back[::-1], tail) :]


def _reach(text: str, budget: float) -> int:
    """How many leading characters the budget pays."""
    spent = 0.0
    for at, character in enumerate(text):
        spent += tokens(character)
        if spent > budget:
            return at
    return len(text)
