"""Questions made on the spot, with exact gold: as many as wanted, in both languages, at three difficulties.

Each module is one family: `LABELS` (the specialists that fit) and `make(rng, difficulty, language) -> Draft`. A
question depends on family, seed, difficulty, language and its number only, so a longer list begins with the shorter
one, and the same arguments give the same bytes. No two texts of a list are equal, and a gold that has to be worked out
does not stand in its question.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import cast

from evals.contracts import Case
from evals.generators.draft import Draft, shows
from nodes.contracts import Language
from nodes.errors import InputError

FAMILIES = (
    "arithmetic",
    "last_letters",
    "booleans",
    "dates",
    "units",
    "word_problems",
    "tables",
    "bugs",
    "documents",
    "extraction",
    "classification",
    "translation",
)
DIFFICULTIES = (1, 2, 3)
MOST = 100_000
"""Questions of one list at the most."""
_TRIES = 200
"""Drafts for one question, until it is new and hides its gold."""
Make = Callable[[random.Random, int, Language], Draft]


def generate(
    family: str, n: int, *, seed: int = 0, language: Language = "en", difficulty: int = 1, start: int = 0
) -> list[Case]:
    """Questions number `start` .. `n` - 1 of a family.

    Raises InputError for an unknown family, difficulty or language, `n` out of range, and a family that has not so
    many different questions.
    """
    _check(family, n, language, difficulty)
    stream = f"{family}:{seed}:{difficulty}:{language}"
    name = family.replace("_", "-")
    cases = []
    for number, draft in enumerate(_drafts(family, stream, n, language, difficulty)):
        cases.append(
            Case(
                id=f"gen-{name}-{language}-d{difficulty}-s{seed}-{number}",
                text=draft.text,
                gold=draft.gold,
                accepted=draft.accepted,
                family=f"gen-{name}" + ("-zh" if language == "zh" else ""),
                lang=language,
                labels=labels(family),
                meta={"difficulty": difficulty, "seed": seed, **draft.meta},
            )
        )
    return cases[start:]


def _check(family: str, n: int, language: str, difficulty: int) -> None:
    if family not in FAMILIES:
        raise InputError(f"unknown family {family!r}: one of {', '.join(FAMILIES)}", "unknown_family")
    if language not in ("en", "zh"):
        raise InputError(f"unknown language {language!r}: en or zh", "unknown_language")
    if difficulty not in DIFFICULTIES:
        raise InputError(f"unknown difficulty {difficulty!r}: 1, 2 or 3", "unknown_difficulty")
    if not 0 <= n <= MOST:
        raise InputError(f"bad number of questions {n}: 0 to {MOST}", "bad_limit")


def _drafts(family: str, stream: str, n: int, language: Language, difficulty: int) -> Iterator[Draft]:
    """`n` drafts, all different. Each number has random numbers of its own, whatever came before."""
    make = cast(Make, import_module(f"{__name__}.{family}").make)
    seen: set[str] = set()
    for number in range(n):
        for attempt in range(_TRIES):
            rng = random.Random(f"{stream}:{number}:{attempt}")  # noqa: S311 - questions, not secrets
            draft = make(rng, difficulty, language)
            if draft.text not in seen and not (draft.hidden and shows(draft.text, draft.gold)):
                seen.add(draft.text)
                yield draft
                break
        else:
            raise InputError(
                f"{family!r} ({language}, difficulty {difficulty}) has no {n} different questions: the first"
                f" {number} are all that {_TRIES} tries each could find",
                "too_many_cases",
            )


def labels(family: str) -> tuple[str, ...]:
    """Specialists that fit a family."""
    return cast(tuple[str, ...], import_module(f"{__name__}.{family}").LABELS)


def line(case: Case) -> str:
    """A case as a line of a data file; `evals.cases.load` reads it back unchanged."""
    fields: dict[str, object] = {"id": case.id, "source": "generated", "licence": "CC0", "lang": case.lang}
    fields |= {"text": case.text, "gold": case.gold, "labels": case.labels}
    if case.accepted:
        fields["accepted"] = case.accepted
    return json.dumps(fields | {"meta": {"set": case.family, "group": case.group, **case.meta}}, ensure_ascii=False)
