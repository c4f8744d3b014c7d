"""Words are brought to one form, and words that build sentences are never part of a phrase."""

from __future__ import annotations

import pytest

from nodes.logic import words
from nodes.logic.words import VERBS, key, noun, verb, verb_key


@pytest.mark.parametrize(
    ("form", "stem"),
    [
        ("came", "come"),
        ("has", "have"),
        ("running", "run"),
        ("stopped", "stop"),
        ("flies", "fly"),
        ("taught", "teach"),
        ("brought", "bring"),
        ("bought", "buy"),
        ("studied", "study"),
        ("passes", "pass"),
        ("makes", "make"),
        ("lies", None),
        ("says", None),
        ("table", None),
        ("", None),
    ],
)
def test_verbs(form: str, stem: str | None) -> None:
    assert verb(form) == stem


def test_every_irregular_form_has_a_known_stem() -> None:
    assert set(words._IRREGULAR.values()) <= VERBS
    assert not {form for form in words._IRREGULAR if form in VERBS} - {"read"}


@pytest.mark.parametrize(
    ("word", "one"),
    [
        ("companies'", "company"),
        ("gentlemen", "gentleman"),
        ("boxes", "box"),
        ("CEOs", "ceo"),
        ("people", "person"),
        ("glass", "glass"),
    ],
)
def test_nouns(word: str, one: str) -> None:
    assert noun(word) == one


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("a regular user of Dove soap", "regular user of dove soap"),
        ("an ugly person", "ugly"),
        ("owner of a Bumble and bumble shampoo", "owner of bumble and bumble shampoo"),
        ("an ingredient of All Wrapped Up", "ingredient of all wrapped up"),
        ("a cat and a dog", None),
        ("cat who sleeps", None),
        ("", None),
        ("word " * 30, None),
    ],
)
def test_keys(phrase: str, expected: str | None) -> None:
    assert key(phrase) == expected


def test_keys_of_verbs() -> None:
    assert [verb_key(one) for one in ("likes music", "came", "has it", "table", "likes every cat")] == [
        "like~ music",
        "come~",
        "have~ it",
        None,
        None,
    ]
