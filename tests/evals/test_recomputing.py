"""A slip is carried through to the answer; a sound derivation is never touched."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals import judging, recomputing
from evals.modes import mode
from tests.evals.pooled import sample


def answer(text: str, said: str) -> str:
    one = sample(0, "", text=f"{text}\nANSWER: {said}", question="How much is it?")
    (question,) = judging.questions([one])
    return recomputing.recomputed(question.branches[0]).answer


@pytest.mark.parametrize(
    ("text", "said", "given"),
    [
        ("3 * 12 = 38", "38", "36"),
        ("3 * 12 = 38\n38 + 4 = 42", "42", "40"),
        ("3 × 12 = 38. So 2 × 38 = 76, and $76 - $6 = $70.", "$70", "66"),
        (r"\[ 27 + 12 = 49 \] \[ 49 - 8 = 41 \]", "41", "31"),
        ("1,200 * 3 = 3,900\n3,900 + 100 = 4,000", "4,000", "3700"),
        ("7 / 2 = 3\n3 + 1.25 = 4.25", "4.25", "4.25"),  # cut at its last place: not counted as wrong
        ("10 / 4 = 3.5\n3.5 * 2 = 7", "7", "5"),
    ],
)
def test_a_slip_is_carried_through(text: str, said: str, given: str) -> None:
    assert answer(text, said) == given


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("3 * 12 = 36\n36 + 4 = 40", "40"),
        ("3 * 12 = 38", "40"),  # no step leads there
        ("3 * 12 = 38\nWait: 2 * 19 = 38", "38"),  # later shown by a sound step
        ("x + 3 = 12", "12"),
        ("no step at all", "five"),
        ("3 * 12 = 38", r"\frac{1}{3}"),
        ("", "38"),
    ],
)
def test_nothing_else_is_touched(text: str, said: str) -> None:
    assert answer(text, said) == said


def test_non_answers_and_open_answers_stay() -> None:
    cut = sample(0, "", text="3 * 12 = 38", finish_reason="length")
    prose = sample(1, "", text="3 * 12 = 38", form="open")
    for one in (cut, prose):
        (question,) = judging.questions([one])
        assert recomputing.recomputed(question.branches[0]) is question.branches[0].candidate


def test_the_mode_votes_on_what_was_recomputed() -> None:
    texts = ["3 + 4 = 8\nANSWER: 8", "3 + 4 = 8\nANSWER: 8", "3 + 4 = 7\nANSWER: 7"]
    (question,) = judging.questions([sample(n, "", text=text) for n, text in enumerate(texts)])
    assert mode("vote@3").answer(question).answer == "8"
    found = mode("recomputed@3").answer(question)
    assert (found.answer, found.right, found.agreement) == ("7", 1.0, 1.0)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 999), st.integers(2, 999), st.integers(2, 99), st.integers(1, 50))
def test_any_slip_in_a_sum_is_mended(a: int, b: int, c: int, slip: int) -> None:
    wrong = a + b + slip
    if wrong in (a, b, c):  # a value that is also a given would be replaced there, too
        return
    text = f"{a} + {b} = {wrong}\n{wrong} * {c} = {wrong * c}"
    assert Fraction(answer(text, str(wrong * c))) in ((a + b) * c, wrong * c)
    assert answer(text.replace(f"= {wrong}", f"= {a + b}").replace(f"{wrong} *", f"{a + b} *"), "5") == "5"


@settings(max_examples=40, deadline=None)
@given(st.text(alphabet="0123456789+-*/=≈().,$ \n{}x", max_size=200), st.integers(-99, 999))
def test_no_text_breaks_it(text: str, said: int) -> None:
    assert answer(text, str(said))
