"""English words of statements, brought to one form: verbs to their stem, nouns to the singular, names left alone.

A predicate's key is what is left of its words: `is a regular user of Dove soap` and `regular users of Dove soap` share
one. Words that build sentences (and, unless, every, who ...) are never part of a key: where one is left over, the
sentence was not understood.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

_DATA = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
VERBS = frozenset(_DATA["verbs"].split())
BUILDING = frozenset(_DATA["building"].split())
"""Words that build sentences."""


def _irregular() -> dict[str, str]:
    """Stem by irregular form."""
    groups = [group.split() for group in _DATA["forms"].split(",")]
    return {form: stem for stem, *forms in groups for form in forms}


_IRREGULAR = _irregular()
_NOUNS = {
    "people": "person", "men": "man", "women": "woman", "children": "child", "mice": "mouse", "geese": "goose",
    "feet": "foot", "teeth": "tooth", "wolves": "wolf", "leaves": "leaf", "knives": "knife", "lives": "life",
    "wives": "wife", "oxen": "ox", "this": "this", "is": "is", "was": "was", "has": "has", "gas": "gas", "bus": "bus",
}  # fmt: skip
_ARTICLES = frozenset(("a", "an", "the", "this", "these", "those"))
EMPTY = frozenset(("person", "thing", "one", "object", "individual"))
"""Nouns that say no more than that there is something."""


def verb(word: str) -> str | None:
    """The stem of a finite or other form of a known verb."""
    low = word.lower()
    if low in VERBS:
        return low
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    for ending, fills in (
        ("ies", ("y",)),
        ("ied", ("y",)),
        ("es", ("", "e")),
        ("s", ("",)),
        ("ed", ("", "e")),
        ("ing", ("", "e")),
    ):
        if low.endswith(ending):
            stem = low[: -len(ending)]
            doubled = stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] else stem
            for candidate in (*(stem + fill for fill in fills), doubled):
                if candidate in VERBS:
                    return candidate
    return None


def noun(word: str) -> str:
    """The singular, in small letters."""
    low = word.lower().removesuffix("'s").rstrip("'")
    if low in _NOUNS:
        return _NOUNS[low]
    if low.endswith("men") and len(low) > 3:
        return low[:-2] + "an"
    if low.endswith("ies") and len(low) > 4:
        return low[:-3] + "y"
    if re.search(r"(?:ss|sh|ch|x|z)es$", low):
        return low[:-2]
    return low[:-1] if re.search(r"[^siu]s$", low) and len(low) > 3 else low


def key(words: str) -> str | None:
    """The key of a noun phrase, an adjective or a prepositional phrase; None where it is no plain phrase."""
    parts = words.split()
    if not parts or len(parts) > 14 or re.search(r"[;:?!\"“”()\[\]]", words):
        return None
    if any(part.strip(",") in BUILDING or part.endswith(",") for at, part in enumerate(parts) if not _named(parts, at)):
        return None  # in this very spelling: `All Wrapped Up` is a name
    kept = [noun(part) for at, part in enumerate(parts) if (part if at else part.lower()) not in _ARTICLES]
    if len(kept) > 1 and kept[-1] in EMPTY:
        kept.pop()  # an ugly person is ugly
    return " ".join(kept) or None


def _named(parts: list[str], at: int) -> bool:
    """Whether an `and` is part of a name: `Stop and Stare`, `Bumble and bumble`."""
    if parts[at] not in ("and", "or") or not 0 < at < len(parts) - 1 or not parts[at - 1][:1].isupper():
        return False
    return parts[at + 1][:1].isupper() or parts[at + 1].lower() == parts[at - 1].lower()


def verb_key(words: str) -> str | None:
    """The key of a verb with what follows it."""
    first, _, rest = words.partition(" ")
    stem = verb(first)
    if stem is None:
        return None
    if not rest.strip():
        return f"{stem}~"
    pronoun = rest.strip().lower()
    tail = pronoun if pronoun in ("it", "them") else key(rest)
    return f"{stem}~ {tail}" if tail and not {"and", "or"} & {*tail.split()} else None
