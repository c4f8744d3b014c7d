"""Stage two: how well the request's own features fit each of the three leaders of stage one (REQUIREMENTS B2).

Entity: names x 0.7 + proper nouns x 0.3; numeric: digits x 0.5 + comparison words x 0.5; logic: connectives x 0.6 +
negations x 0.4; the other five after the same pattern. A specialist may bring its own `fit(request) -> Fit`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import exp

from nodes.contracts import Request, Specialist
from nodes.routing.excerpt import plain, spread
from nodes.routing.features import signals

LEADERS = 3
"""How many labels of stage one are looked at again."""


@dataclass(frozen=True)
class Fit:
    """How well one request fits one specialist."""

    score: float
    """0 to 1."""
    features: Mapping[str, float]
    """Name -> what it found, 0 to 1, before its weight."""


_NAMED = re.compile(
    r"\b(?:name|person|people|place|location|organi[sz]ation|compan|entit|mention|keyword|date)\w*\b|名|实体|机构|地点|人物",
    re.I,
)
_PROPER = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+|[“「《][^”」》]{1,12}[”」》]")
_DIGITS = re.compile(r"\d+|[一二两三四五六七八九十百千万]+(?=[个只元天年本人岁米次倍斤分])")
_COMPARED = re.compile(
    r"\b(?:more|less|fewer|than|twice|half|total|each|times|per)\b|比|多|少|倍|共|每|超过|同比|环比", re.I
)
_CONNECTED = re.compile(
    r"\b(?:if|then|unless|either|or|all|some|every|therefore|only)\b|如果|那么|只有|除非|或者|所有|有的|因此|且", re.I
)
_NEGATED = re.compile(r"\b(?:not|no|none|never|neither|nor|cannot)\b|n't\b|不|没|非|无", re.I)

PARTS: dict[str, tuple[tuple[str, float, int], tuple[str, float, int]]] = {
    "relation": (("relate", 0.6, 2), ("cause", 0.4, 2)),
    "code": (("program", 0.6, 3), ("language", 0.4, 1)),
    "style": (("tone", 0.5, 2), ("rewrite", 0.5, 1)),
    "safety": (("harm", 0.5, 1), ("crime", 0.5, 1)),
    "format": (("exact", 0.5, 2), ("structure", 0.5, 3)),
}
"""Label -> two signals of `signals.toml`, each with its weight and how many distinct matches are enough."""


def _full(pattern: re.Pattern[str], text: str, enough: int) -> float:
    return min(len({match.group().lower() for match in pattern.finditer(text)}) / enough, 1.0)


def _pair(
    first: re.Pattern[str], second: re.Pattern[str], weights: tuple[float, float], enough: tuple[int, int]
) -> Callable[[str], Fit]:
    def measure(text: str) -> Fit:
        one, two = _full(first, text, enough[0]), _full(second, text, enough[1])
        return Fit(weights[0] * one + weights[1] * two, {"first": one, "second": two})

    return measure


GENERIC: dict[str, Callable[[str], Fit]] = {
    "entity": _pair(_NAMED, _PROPER, (0.7, 0.3), (2, 3)),
    "numeric": _pair(_DIGITS, _COMPARED, (0.5, 0.5), (3, 2)),
    "logic": _pair(_CONNECTED, _NEGATED, (0.6, 0.4), (3, 2)),
}


def generic(label: str, text: str) -> Fit:
    """The fit by features alone; 0.3 for `other`, which nothing speaks for but that nothing else does."""
    seen = plain(spread(text))
    if label in GENERIC:
        return GENERIC[label](seen)
    if label not in PARTS:
        return Fit(0.3, {})
    found = {name: _full(signals()[name], seen, enough) for name, _, enough in PARTS[label]}
    return Fit(sum(weight * found[name] for name, weight, _ in PARTS[label]), found)


def weighed(
    scores: Mapping[str, float], request: Request, specialists: Mapping[str, Specialist], weight: float
) -> dict[str, float]:
    """The scores with the leaders' shares moved by their fits; their sum stays. `weight` 0 leaves all as it is."""
    if not weight:
        return dict(scores)
    leaders = sorted(scores, key=lambda label: -scores[label])[:LEADERS]
    fits = {label: _fit(label, request, specialists) for label in leaders}
    moved = {label: scores[label] * exp(weight * fits[label].score) for label in leaders}
    factor = sum(scores[label] for label in leaders) / max(sum(moved.values()), 1e-12)
    return {**scores, **{label: score * factor for label, score in moved.items()}}


def _fit(label: str, request: Request, specialists: Mapping[str, Specialist]) -> Fit:
    own: Callable[[Request], Fit] | None = getattr(specialists.get(label), "fit", None)
    return own(request) if own else generic(label, request.question)
