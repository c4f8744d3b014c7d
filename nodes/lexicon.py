"""The lexicon: how well each label fits a text, by cues (`cues.toml`) and surface features after REQUIREMENTS B2.

Cues and features are joined by noisy-or, so that every score is 0 to 1, one strong cue nearly suffices and weak ones
add up. Of a long text the head, the middle and the tail are read.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import prod
from pathlib import Path

from nodes.specialists import NAMES, OTHER

PIECE = 2_000
"""Characters that are read at the head, in the middle and at the tail of a long text."""
STRONG, WEAK = 0.45, 0.12
"""Weight of one cue in the noisy-or."""
INCIDENTAL = 0.75
"""Factor on weak cues and features of a label without a strong cue."""


@dataclass(frozen=True)
class Cues:
    """The compiled words of one label."""

    strong: re.Pattern[str]
    weak: re.Pattern[str]


def sample(text: str) -> str:
    """Head, middle and tail of a long text; a short one as it is."""
    if len(text) <= 3 * PIECE:
        return text
    middle = (len(text) - PIECE) // 2
    return "\n".join((text[:PIECE], text[middle : middle + PIECE], text[-PIECE:]))


@cache
def _lexicon() -> dict[str, Cues]:
    raw = tomllib.loads((Path(__file__).parent / "cues.toml").read_text(encoding="utf-8"))
    return {label: compiled(tuple(raw[label]["strong"]), tuple(raw[label]["weak"])) for label in NAMES}


@cache
def compiled(strong: tuple[str, ...], weak: tuple[str, ...] = ()) -> Cues:
    """The cues of one label, compiled once; a specialist beyond the eight brings its own."""
    return Cues(_compile(strong), _compile(weak))


def _compile(cues: tuple[str, ...]) -> re.Pattern[str]:
    """One alternation; Latin cues at word boundaries, Chinese ones anywhere; nothing matches no cues."""
    if not cues:
        return re.compile(r"(?!)")
    latin = [cue for cue in cues if cue.isascii()]
    other = [cue for cue in cues if not cue.isascii()]
    branches = [rf"(?<![A-Za-z])(?:{'|'.join(latin)})(?![A-Za-z])"] if latin else []
    return re.compile("|".join(branches + other), re.IGNORECASE)


def score(text: str, more: Mapping[str, Cues] | None = None) -> tuple[dict[str, float], dict[str, list[str]]]:
    """Score of every label, 0 to 1, and the cues found, strong ones first; `more` are labels beyond the eight."""
    scores: dict[str, float] = {}
    found: dict[str, list[str]] = {}
    features = _features(text)
    for label, cues in (_lexicon() | dict(more or {})).items():
        strong = distinct(cues.strong, text)
        weak = [cue for cue in distinct(cues.weak, text) if not any(cue in word for word in strong)]
        # What no strong cue asks for is incidental: a text about money is full of numbers.
        asked = 1.0 if strong else INCIDENTAL
        missed = [1 - STRONG] * min(len(strong), 4) + [1 - WEAK * asked] * min(len(weak), 5)
        missed.append(1 - features.get(label, 0.0) * asked)
        scores[label] = round(1 - prod(missed), 3)
        found[label] = strong + weak
    if found["relation"] and scores["relation"] >= STRONG:  # a relation is asked for between entities
        scores["entity"] = min(scores["entity"], round(scores["relation"] - 0.001, 3))
    scores[OTHER] = round(max(0.0, 0.45 - 0.3 * max(scores.values())), 3)
    found[OTHER] = []
    return scores, found


def distinct(pattern: re.Pattern[str], text: str) -> list[str]:
    """What matched, each once, in order of appearance."""
    return list(dict.fromkeys(match[0].lower().strip() for match in pattern.finditer(text)))


_NUMBER = re.compile(r"\d+(?:[.,]\d+)*|[一二两三四五六七八九十百千万]+(?=[个只元天年本人岁米次倍斤])")
_OPERATOR = re.compile(r"(?<=[\d)\s])[+*/×÷=^](?=[\d(\s])|\d\s*[-−]\s*\d|\\(?:frac|times|div|sqrt|cdot)|[%％‰$￥€£]")
_COMPARISON = re.compile(
    r"\b(?:more|less|fewer|greater|higher|lower|than|twice|half)\b|同比|环比|比|超过|增长|下降", re.IGNORECASE
)
_CONNECTIVE = re.compile(
    r"\b(?:if|then|only if|unless|either|or|therefore|all|every|some|who)\b|如果|那么|只有|才|除非|或|所有|有些|因此",
    re.IGNORECASE,
)
_NEGATION = re.compile(r"\b(?:not|no|none|never|neither|nor|cannot)\b|n't\b|不|没|无|非", re.IGNORECASE)
_PROPER = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+)*")
_CODE = re.compile(
    r"```|^[ \t]*(?:def|class|import|from|public|private|func|fn|#include|function|return|const|let|var)\b"
    r"|[{};][ \t]*$|=>|->|\w\(\w*(?:, ?\w+)*\):|==|!=|&&",
    re.MULTILINE,
)


def _features(text: str) -> dict[str, float]:
    """Features by label, 0 to 1; after B2: digits x 0.5 + comparison x 0.5, connectives x 0.6 + negations x 0.4."""

    def some(pattern: re.Pattern[str], enough: int) -> float:
        return min(len(pattern.findall(text)) / enough, 1.0)

    numbers, operators = some(_NUMBER, 3), some(_OPERATOR, 2)
    return {
        "numeric": 0.6 * max(0.5 * numbers + 0.5 * some(_COMPARISON, 2), operators * numbers),
        "logic": 0.6 * (0.6 * some(_CONNECTIVE, 6) + 0.4 * some(_NEGATION, 3)),
        "entity": 0.3 * some(_PROPER, 6),
        "relation": 0.1 * some(_PROPER, 3),
        "code": 0.8 * some(_CODE, 4),
    }
