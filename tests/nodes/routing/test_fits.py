"""Stage two: the features of REQUIREMENTS B2, and shares that move but keep their sum."""

from __future__ import annotations

import pytest

from nodes.contracts import Request
from nodes.routing.fits import Fit, generic, weighed
from nodes.specialists import LABELS, load

SCORES = dict.fromkeys(LABELS, 0.02) | {"numeric": 0.40, "logic": 0.42, "other": 0.06}


def asked(question: str) -> Request:
    return Request(run="r", question=question)


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("text", ["", "12 apples are more than 7", "如果不是，那么没有", "😀" * 1000])
def test_a_fit_is_a_share(label: str, text: str) -> None:
    assert 0 <= generic(label, text).score <= 1


def test_digits_and_comparisons_fit_numeric_connectives_and_negations_fit_logic() -> None:
    counted, argued = "3 pens cost 4 more than 5 caps", "If no A is B, then some C are not A, unless all are"
    assert generic("numeric", counted).score == 1
    assert generic("numeric", counted).score > generic("logic", counted).score
    assert generic("logic", argued).score > generic("numeric", argued).score


def test_the_leaders_move_and_the_sum_stays() -> None:
    question = asked("3 pens cost 4 more than 5 caps. How many pens?")
    moved = weighed(SCORES, question, {}, 2.0)
    assert max(moved, key=lambda label: moved[label]) == "numeric"
    assert sum(moved.values()) == pytest.approx(sum(SCORES.values()))
    assert weighed(SCORES, question, {}, 0.0) == SCORES


def test_a_specialist_may_bring_its_own() -> None:
    class Sure:
        def fit(self, request: Request) -> Fit:
            return Fit(1.0, {"said": float(bool(request.question))})

    specialists = dict(load()) | {"logic": Sure()}
    moved = weighed(SCORES, asked("?"), specialists, 5.0)  # type: ignore[arg-type]
    assert moved["logic"] > 0.7
