"""How different the branches are, and what is visibly wrong with one of them: pure functions on texts and votes.

Flags never drop a candidate; they tell the judge and the records what to look at. A committee whose branches all say
the same words is one branch paid for eight times (pseudo-parallel, REQUIREMENTS A6): over an API there are no hidden
states to compare, so the overlap of word n-grams and the entropy of the answers stand in, calibrated on recorded
branches.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, groupby

from nodes.contracts import Language

GRAM = 3
"""Words of the n-grams that two reasonings are compared by."""
ALIKE = 0.6
"""Overlap from which two branches count as saying the same thing. Of the pairs of one question in the recorded pools
(eight stances, temperature 0.7) half lie below 0.20 and 95 % below 0.51; of pairs of different questions 99 % lie below
0.12."""
TAIL = 600
"""Tokens at the end of a text in which a loop is looked for."""
LOOPED = 40
"""Tokens that a loop must cover."""
TURNS = 4
"""Times that a loop must come round."""
LONG_GRAM = 12
REPEATED = 0.6
"""Share of 12-grams that stand elsewhere in the text too, from which it repeats itself."""
ENOUGH = 120
"""Tokens below which repeated n-grams say nothing."""
SAMPLE = 4_000
"""Characters from either end of a long text whose language is looked at."""
RUN = 100
"""Equal characters in a row that no sound text has."""

_PIECE = re.compile(r"\n+|(?<=[.!?])\s+|(?<=[。！？])")
_LETTER = re.compile(r"[^\W\d_]")
_TOKEN = re.compile(r"[一-鿿]|[^\W一-鿿]+|[^\w\s]")
_RUN = re.compile(rf"([^\s\-=_*#.|~+]{{1,4}}?)\1{{{RUN - 1}}}")
_FORMULA = re.compile(
    r"```.*?(?:```|\Z)|\$\$.*?\$\$|\$[^$\n]*\$|\\\[.*?\\\]|\\\(.*?\\\)|\\[A-Za-z]+|https?://\S+|`[^`\n]*`", re.DOTALL
)
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")
_HAN = re.compile(r"[一-鿿]")
_LATIN_RUN = re.compile(r"(?:[A-Za-z][A-Za-z'-]*[ ,;:]+){5,}[A-Za-z][A-Za-z'-]*")
_MARK = re.compile(r"(?:\\boxed|answer\W|答案)[^\n]*$", re.IGNORECASE | re.MULTILINE)
_STEP = re.compile(
    r"\d\s*[-+*/×÷=<>]\s*\S|[.。!！?？;；]\s|\n|\b(?:because|since|so|therefore|if|then)\b|因为|所以|因此|如果|那么|设",
    re.IGNORECASE,
)


def tokens(text: str) -> list[str]:
    """Words, single Han characters and punctuation marks, casefolded."""
    return _TOKEN.findall(text.casefold())


def repeating(text: str) -> bool:
    """True when a text runs in a loop at its end, or consists mostly of passages that it says more than once.

    Tables and code share short pieces but seldom twelve tokens in a row, so they do not count.
    """
    if _RUN.search(text):
        return True
    found = tokens(text)
    whole = found[-TAIL:-1]  # the last word may be cut
    if _stutters(text) or _loops(whole, TURNS) or _loops(_uncounted(whole), 2 * TURNS):
        return True
    if len(found) < ENOUGH:
        return False
    pieces = [tuple(found[at : at + LONG_GRAM]) for at in range(len(found) - LONG_GRAM + 1)]
    counted = Counter(piece for piece in pieces if sum(word.isalpha() for word in piece) > 2)
    return sum(times for times in counted.values() if times > 1) > REPEATED * len(pieces)


def _stutters(text: str) -> bool:
    """One line or sentence with words, more than `TURNS` times on end, anywhere in the text."""
    pieces = (piece.strip() for piece in _PIECE.split(text))
    runs = (len(list(same)) for piece, same in groupby(filter(None, pieces)) if len(_LETTER.findall(piece)) > 3)
    return any(run > TURNS for run in runs)


def _uncounted(found: Sequence[str]) -> list[str]:
    """The tokens with every number alike, for loops that count."""
    return ["0" if word.isdigit() else word for word in found]


def _loops(tail: Sequence[str], turns: int) -> bool:
    """The end of the text is one unit with words, said `turns` times or more (prefix function, Knuth-Morris-Pratt)."""
    backwards = list(reversed(tail))
    border = [0] * len(backwards)
    for at in range(1, len(backwards)):
        length = border[at - 1]
        while length and backwards[at] != backwards[length]:
            length = border[length - 1]
        border[at] = length + (backwards[at] == backwards[length])
        covered, period = at + 1, at + 1 - border[at]
        if covered >= LOOPED and covered >= turns * period and any(word.isalpha() for word in backwards[:period]):
            return True
    return False


def mixed_language(text: str, language: Language) -> bool:
    """True when the prose slips into another language than the one asked for.

    Formulas, code, addresses and single names do not count: in Chinese text only runs of six or more Latin words or a
    majority of Latin words do, in English text a share of Han characters that is more than a quotation.
    """
    sample = text if len(text) <= 2 * SAMPLE else f"{text[:SAMPLE]}\n{text[-SAMPLE:]}"
    prose = _FORMULA.sub(" ", sample)
    han, latin = len(_HAN.findall(prose)), len(_LATIN_WORD.findall(prose))
    if language == "zh":
        running = sum(len(_LATIN_WORD.findall(match[0])) for match in _LATIN_RUN.finditer(prose))
        return latin >= 6 and (running * 2 > han or running >= 24)
    return han >= 4 and han * 12 > latin


def no_steps(text: str) -> bool:
    """True when nothing but the marked answer is there: "analyse first, then answer" was not followed."""
    rest = _MARK.sub(" ", text).strip()
    return len(tokens(rest)) < 12 and not _STEP.search(rest)


def entropy(votes: Sequence[int]) -> float:
    """Shannon entropy of the camps in bits: 0 when all agree, log2(n) when n camps are of equal size."""
    total = sum(votes)
    shares = [count / total for count in votes if count > 0] if total > 0 else []
    return max(0.0, -sum(share * math.log2(share) for share in shares))


def grams(text: str, size: int = GRAM) -> frozenset[tuple[str, ...]]:
    """The distinct n-grams of a text's tokens."""
    found = tokens(text)
    return frozenset(tuple(found[at : at + size]) for at in range(len(found) - size + 1))


def overlap(a: str, b: str, size: int = GRAM) -> float:
    """Jaccard overlap (0-1) of the n-grams of two texts; two texts too short for one n-gram are compared whole."""
    first, second = grams(a, size), grams(b, size)
    if not first or not second:
        return float(tokens(a) == tokens(b))
    return len(first & second) / len(first | second)


def pseudo_parallel(texts: Sequence[str], threshold: float = ALIKE) -> float:
    """Share (0-1) of the pairs of branches that say the same thing; 0 for fewer than two branches."""
    pairs = list(combinations(texts, 2))
    return sum(overlap(a, b) >= threshold for a, b in pairs) / len(pairs) if pairs else 0.0
