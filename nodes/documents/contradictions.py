"""Contradictions between documents: one subject, one attribute, two values that cannot both hold.

Deterministic and conservative. Values of different units are not compared, nor is what one document itself says in two
ways; a rounding of the other value is no contradiction. Documents whose names carry different years may both be right:
they are listed with a note.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from nodes.documents.claims import MOST_CLAIMS, Claim, Measure, claims, key, measure
from nodes.documents.files import Document

MOST = 1_000
"""Contradictions that are listed."""
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True)
class Contradiction:
    """Two claims about the same thing, in the order of their documents."""

    subject: str
    attribute: str
    first: Claim
    second: Claim
    note: str = ""
    """`different years` when the documents' names say that both may be right."""


def contradictions(documents: Iterable[Document]) -> list[Contradiction]:
    """Every pair of documents that gives different values for one subject and attribute; at most `MOST`."""
    told: dict[tuple[str, str], dict[str, list[Claim]]] = defaultdict(lambda: defaultdict(list))
    for document in documents:
        for claim in islice(claims(document), MOST_CLAIMS):
            told[key(claim.subject), key(claim.attribute)][document.name].append(claim)
    found: list[Contradiction] = []
    for by_document in told.values():
        single = [one for said in by_document.values() if (one := _one_voice(said))]
        found += islice(_differing(single), MOST - len(found))
    return found


def _one_voice(said: Sequence[Claim]) -> Claim | None:
    """What a document says, when it says one thing only."""
    first = measure(said[0].value)
    agreed = first and all((other := measure(one.value)) and not _differ(first, other) for one in said[1:])
    return said[0] if agreed else None


def _differing(said: Sequence[Claim]) -> Iterable[Contradiction]:
    for one, other in combinations(said, 2):
        a, b = measure(one.value), measure(other.value)
        if a and b and _differ(a, b) and _same_matter(one, other):
            yield Contradiction(one.subject, one.attribute, one, other, _note(one.source, other.source, one.subject))


def _differ(a: Measure, b: Measure) -> bool:
    """True when neither is a rounding of the other; a missing unit fits any."""
    if a.unit != b.unit and a.unit and b.unit:
        return False
    return abs(a.number - b.number) > max(a.step, b.step) / 2


def _same_matter(one: Claim, other: Claim) -> bool:
    """A subject that is nothing but a year belongs to the matter of its document, which the names must share."""
    if not _YEAR.fullmatch(key(one.subject)):
        return True
    words = [set(_WORD.findall(claim.source.rpartition(".")[0].casefold())) for claim in (one, other)]
    return bool(words[0] & words[1])


def _note(first: str, second: str, subject: str) -> str:
    years = [set(_YEAR.findall(name)) for name in (first, second)]
    dated = bool(_YEAR.search(subject))
    return "different years" if all(years) and years[0] != years[1] and not dated else ""
