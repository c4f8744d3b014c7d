"""A translation by the model counts when it is tied to the text and agrees with the model's own answer."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.logic.solved import Solved
from nodes.logic.translation import Translation, Unstable, decided

GARDEN = "Mia waters the garden whenever the soil is dry and nobody else is home. The soil is dry. Will Mia water it?"
MENU = GARDEN + "\n(A) Mia waters the garden\n(B) The soil is wet"


def read(premises: str, claim: str, verdict: str, question: str = GARDEN) -> Solved:
    return decided(Translation(premises=premises, claim=claim, verdict=verdict), question, "en")


@pytest.mark.parametrize(
    ("premises", "claim", "verdict", "status", "answer"),
    [
        ("dry and home -> waters; dry; home", "waters", "yes", "entailed", "Yes"),
        ("dry and home -> waters; dry", "waters", "unknown", "unknown", "Cannot be determined"),
        ("dry -> not waters; dry", "waters", "No.", "contradicted", "No"),
        ("soil_dry; all x: (dry(x) -> watered(x)); dry(garden)", "watered(garden)", "true", "entailed", "Yes"),
    ],
)
def test_a_stable_translation_is_decided(premises: str, claim: str, verdict: str, status: str, answer: str) -> None:
    solved = read(premises, claim, verdict)
    assert (solved.status, solved.answer, solved.reader) == (status, answer, "model")
    assert solved.premises


def test_options() -> None:
    solved = read("dry -> waters; dry", "A: waters; B: wet", "A", MENU)
    assert solved.answer == "(A) Mia waters the garden"


@pytest.mark.parametrize(
    ("premises", "claim", "verdict", "why"),
    [
        ("dry -> waters; dry", "waters", "no", "the model answers 'no', its translation says entailed"),
        ("dry -> waters; dry", "waters", "perhaps", "the model answers 'perhaps'"),
        ("p -> q; p", "q", "yes", "is no word of the question"),
        ("dry; not dry", "dry", "yes", "the premises are inconsistent"),
        ("dry", "waters", "unknown", "the claim speaks of what no premise mentions"),
        ("dry ->", "dry", "yes", "no formula"),
        ("", "dry", "yes", "0 premises"),
        ("; ".join(["dry"] * 40), "dry", "yes", "40 premises"),
        ("dry", "the soil is dry", "yes", "no formula"),
        ("dry", "dry", "y" * 500, "the model answers"),
    ],
)
def test_an_unstable_one_says_why(premises: str, claim: str, verdict: str, why: str) -> None:
    with pytest.raises(Unstable, match=why.replace("(", r"\(")):
        read(premises, claim, verdict)


@pytest.mark.parametrize(
    ("claim", "verdict", "why"),
    [
        ("A: waters; B: wet", "B", "its translation 'A'"),
        ("A: waters; B: waters", "A", "2 options follow"),
        ("waters", "A", "no claim for each option"),
        ("A: wet; B: soil", "A", "0 options follow"),
        ("C: waters; D: soil", "C", "1 options follow"),
    ],
)
def test_unstable_options(claim: str, verdict: str, why: str) -> None:
    with pytest.raises(Unstable, match=why):
        read("dry -> waters; dry; not wet -> home", claim, verdict, MENU.replace("wet", "wet and Mia is home"))


def test_chinese_names_and_places() -> None:
    question = "甲排在乙前面，乙排在丙前面。甲是第一吗？"
    translation = Translation(premises="甲 < 乙; 乙 < 丙; 丙 = 3", claim="甲 = 1", verdict="yes")
    assert decided(translation, question, "zh").answer == "是"


@given(st.text(max_size=200), st.text(max_size=80), st.text(max_size=10))
def test_any_text_is_decided_or_unstable(premises: str, claim: str, verdict: str) -> None:
    with suppress(Unstable):
        assert read(premises, claim, verdict).answer
