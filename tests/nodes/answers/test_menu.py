"""Choices that a question offers, and which of them an answer names."""

import pytest

from nodes.answers import Context, choices, equal, parse


@pytest.mark.parametrize(
    ("question", "letters"),
    [
        ("Pick.\nOptions:\n(A) red\n(B) blue", "AB"),
        ("Pick.\nA) red\nB) blue\nC) green", "ABC"),
        ("下列正确的是（）\nA. 甲\nB. 乙\nC. 丙\nD. 丁", "ABCD"),
        ("正确的是（ ） A. 1 B. 2 C. 3 D. 4", "ABCD"),
        ("选出正确项\nA、甲\nB、乙", "AB"),
        ("How far? Answer Choices: (A) 21 (B) 21.5 (C) 22 (D) 22.5", "ABCD"),
        ("How far is it from A. to B.?", ""),
        ("Alice (A) and Bob (B) meet.", ""),
        ("学生制作了A，B，C，D四张卡片", ""),
        ("[asy] dot(A); dot(B); dot(C); label(D) [/asy]", ""),
        ("", ""),
    ],
)
def test_choices(question: str, letters: str) -> None:
    assert "".join(choices(question)) == letters


def test_texts_of_choices() -> None:
    assert choices("Which?\nA. $1$\nB. 2, 3\n\nThink first.") == {"A": "$1$", "B": "2, 3"}


QUESTION = "What share is it?\n(A) 1/4\n(B) 0.5\n(C) 75 %\n(D) none of the above"


@pytest.mark.parametrize(
    ("said", "letter"),
    [
        ("B", "B"),
        ("(B)", "B"),
        ("b", "B"),
        ("B.", "B"),
        ("B) 0.5", "B"),
        ("**(B)** 0.5", "B"),
        ("选B", "B"),
        ("Option B", "B"),
        (r"\text{(B)}", "B"),
        ("B is correct", "B"),
        ("1/2", "B"),
        ("25%", "A"),
        (r"\frac{3}{4}", "C"),
        ("it is none of the above", "D"),
    ],
)
def test_every_wording_of_a_choice_is_its_letter(said: str, letter: str) -> None:
    context = Context.of(QUESTION)
    value = parse(said, context)
    assert (value.kind, value.key) == ("choice", letter)


def test_several_letters_are_not_one_of_them() -> None:
    context = Context.of(QUESTION)
    several = parse("(A), (C), and (D)", context)
    assert not equal(several, parse("A", context))
    assert equal(several, parse("D, C and A", context))


def test_two_options_of_equal_value_are_not_guessed() -> None:
    context = Context.of("Which?\n(A) 0.5\n(B) 1/2\n(C) 2")
    assert parse("50%", context).kind == "number"
    assert parse("1/2", context).key == "B"
