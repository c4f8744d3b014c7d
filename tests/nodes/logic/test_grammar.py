"""English sentences and their formulas; what could mean something else, or more, is not understood (None)."""

from __future__ import annotations

import pytest

from nodes.logic.form import text
from nodes.logic.grammar import LONGEST, Grammar

SENTENCES: list[tuple[str, str | None]] = [
    (
        "No daughter of Ann is neither a niece of Bob nor a cousin of Cy",
        "all x: (daughter of ann(x) -> not (not niece of bob(x) and not cousin of cy(x)))",
    ),
    (
        "Every niece of Bob is a daughter of Ann or not a cousin of Cy",
        "all x: (niece of bob(x) -> (daughter of ann(x) or not cousin of cy(x)))",
    ),
    (
        "Everyone who is not a niece of Bob and not a cousin of Cy is a daughter of Ann",
        "all x: ((not niece of bob(x) and not cousin of cy(x)) -> daughter of ann(x))",
    ),
    (
        "Everyone who is not both a niece of Bob and a cousin of Cy is a daughter of Ann",
        "all x: (not (niece of bob(x) and cousin of cy(x)) -> daughter of ann(x))",
    ),
    (
        "Being a niece of Bob is necessary for being a cousin of Cy or being a daughter of Ann",
        "all x: ((cousin of cy(x) or daughter of ann(x)) -> niece of bob(x))",
    ),
    (
        "Being a niece of Bob and a cousin of Cy is sufficient for being a daughter of Ann",
        "all x: ((niece of bob(x) and cousin of cy(x)) -> daughter of ann(x))",
    ),
    (
        "Not being a niece of Bob is necessary for not being a cousin of Cy",
        "all x: (not cousin of cy(x) -> not niece of bob(x))",
    ),
    (
        "Being neither a niece of Bob nor a cousin of Cy is sufficient for being a daughter of Ann",
        "all x: ((not niece of bob(x) and not cousin of cy(x)) -> daughter of ann(x))",
    ),
    ("Someone who is a niece of Bob is not a cousin of Cy", "some x: (niece of bob(x) and not cousin of cy(x))"),
    (
        "There is somebody who is neither a niece of Bob nor a cousin of Cy",
        "some x: (not niece of bob(x) and not cousin of cy(x))",
    ),
    ("There is nobody who is a niece of Bob and a cousin of Cy", None),
    (
        "Some niece of Bob who is a cousin of Cy is a daughter of Ann",
        "some x: ((niece of bob(x) and cousin of cy(x)) and daughter of ann(x))",
    ),
    (
        "Not every niece of Bob who is a cousin of Cy is a daughter of Ann",
        "not (all x: ((niece of bob(x) and cousin of cy(x)) -> daughter of ann(x)))",
    ),
    (
        "Not every niece of Bob is a cousin of Cy or a daughter of Ann",
        "not (all x: (niece of bob(x) -> (cousin of cy(x) or daughter of ann(x))))",
    ),
    ("Whoever is a niece of Bob is not a cousin of Cy or a daughter of Ann", None),
    ("Kim is a niece of Bob or not a cousin of Cy", "niece of bob(kim) or not cousin of cy(kim)"),
    ("Kim is not a niece of Bob and not a cousin of Cy", "not niece of bob(kim) and not cousin of cy(kim)"),
    ("It is not the case that Kim is a niece of Bob or a cousin of Cy", "not (niece of bob(kim) or cousin of cy(kim))"),
    ("It is false that Kim is a niece of Bob, and Kim is a cousin of Cy", None),
    ("Every niece of Bob and every cousin of Cy is a daughter of Ann", None),
    ("Each niece of Bob or cousin of Cy is a daughter of Ann", None),
    ("No niece of Bob or cousin of Cy is a daughter of Ann", None),
    ("Everything that is an ingredient of A is an ingredient of B and an ingredient of C or an ingredient of D", None),
    ("Nobody is both a niece of Bob and a cousin of Cy", "all x: (not (niece of bob(x) and cousin of cy(x)))"),
    (
        "Nothing is an ingredient of A and not an ingredient of B",
        "all x: (not (ingredient of a(x) and not ingredient of b(x)))",
    ),
    (
        "Every niece of Bob who is not a cousin of Cy is either a daughter of Ann or an aunt of Di",
        "all x: ((niece of bob(x) and not cousin of cy(x)) -> (daughter of ann(x) or aunt of di(x)))",
    ),
    ("Every niece of Bob is also a cousin of Cy, unless she is a daughter of Ann", None),
    (
        "No niece of Bob who is a cousin of Cy is not a daughter of Ann",
        "all x: ((niece of bob(x) and cousin of cy(x)) -> daughter of ann(x))",
    ),
    ("Whoever is a niece of Bob but not a cousin of Cy is a daughter of Ann", None),
    (
        "Every niece of Bob is a cousin of Cy and every cousin of Cy is a daughter of Ann",
        "(all x: (niece of bob(x) -> cousin of cy(x))) and (all x: (cousin of cy(x) -> daughter of ann(x)))",
    ),
    ("Someone is a niece of Bob", "some x: (niece of bob(x))"),
    (
        "All nieces of Bob are cousins of Cy or daughters of Ann",
        "all x: (niece of bob(x) -> (cousin of cy(x) or daughter of ann(x)))",
    ),
    ("Kim and Lee are nieces of Bob", "niece of bob(kim) and niece of bob(lee)"),
    ("Exactly one of Kim and Lee is a niece of Bob", "exactly(1: niece of bob(kim), niece of bob(lee))"),
    (
        "If Kim is a niece of Bob, then Lee is a niece of Bob or Mo is a niece of Bob",
        "niece of bob(kim) -> (niece of bob(lee) or niece of bob(mo))",
    ),
    ("If Kim is a niece of Bob and Lee is not, then Mo is a niece of Bob", None),
    ("Kim is a niece of Bob if and only if Lee is not a niece of Bob", "niece of bob(kim) <-> not niece of bob(lee)"),
    ("Kim likes Lee and Mo", None),
    ("Kim likes tea and coffee", None),
    ("Kim likes tea or hates coffee", "like~ tea(kim) or hate~ coffee(kim)"),
    ("Kim is taller than Lee", None),
    ("Kim runs faster than Lee", None),
    ("Kim always comes", None),
    ("Kim often comes", None),
    ("Kim comes every day", None),
    ("Kim comes on Monday", "come~ on monday(kim)"),
    ("No one likes Kim", "all x: (not like~ kim(x))"),
    ("Everyone likes Kim", "all x: (like~ kim(x))"),
    ("Everyone likes someone", None),
    ("Kim does not like anyone", None),
    ("Kim likes only Lee", None),
    ("Only Kim likes Lee", None),
    ("Kim is the only niece", None),
    ("Kim is also a niece", "niece(kim)"),
    ("Kim is not only a niece but also a cousin", None),
    ("Kim has no car", None),
    ("Kim has two cars", None),
    ("There are no cars", None),
    ("There are three cars", None),
    ("Kim was a niece", "niece(kim)"),
    ("Kim might be a niece", None),
    ("Kim cannot be a niece", "not can niece(kim)"),
    ("Kim must be a niece", "niece(kim)"),
    ("Kim need not be a niece", None),
    ("Kim is probably a niece", None),
    ("Kim is a niece because Lee is a cousin", None),
    ("Kim is a niece although Lee is not", None),
    ("Kim used to be a niece", None),
    ("Kim wants to be a niece", None),
    ("Kim thinks Lee is a niece", None),
    ("Kim, who is a niece, is tall", None),
    ("Kim is a tall niece", "tall niece(kim)"),
    ("The first niece is tall", "tall(first niece)"),
    ("Kim is not tall enough", "not tall enough(kim)"),
    ("Kim is too tall", None),
    ("Kim never was a niece", "not niece(kim)"),
]


@pytest.mark.parametrize(("sentence", "formula"), SENTENCES)
def test_sentences(sentence: str, formula: str | None) -> None:
    found = Grammar().sentence(sentence)
    assert (found and text(found)) == formula


def test_two_readings_of_either_and_unless() -> None:
    inclusive, exclusive = Grammar(), Grammar(exclusive=True)
    readings = [one.sentence("Either Ann or Bob came") for one in (inclusive, exclusive)]
    assert [one and text(one) for one in readings] == ["come~(ann) or come~(bob)", "come~(ann) xor come~(bob)"]
    assert inclusive.ambiguous
    assert exclusive.ambiguous
    one_way, two_way = Grammar(), Grammar(two_way=True)
    found = [one.sentence("Ann comes unless Bob sings") for one in (one_way, two_way)]
    assert [one and text(one) for one in found] == ["not sing~(bob) -> come~(ann)", "sing~(bob) xor come~(ann)"]


def test_a_pronoun_stands_for_the_last_thing() -> None:
    found = Grammar().sentence("If Ann is ill, then she sleeps")
    assert found is not None
    assert text(found) == "ill(ann) -> sleep~(ann)"


@pytest.mark.parametrize(
    "sentence", ["", "if " * 150, "and " * 120, "x" * (LONGEST + 1), "Ann is a b, and " * 30, "((((", "🙂"]
)
def test_hostile_sentences_are_not_understood(sentence: str) -> None:
    assert Grammar().sentence(sentence) is None
