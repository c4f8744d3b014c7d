"""Two recordings of the same questions, paired."""

from __future__ import annotations

import pytest

from evals import ablation
from evals.judging import questions
from nodes.errors import InputError
from tests.evals.pooled import branches, many


def test_two_settings_are_paired_by_question() -> None:
    alike, unlike = questions(many(6, ["8"] * 8)), questions(many(6, ["7", "7", "7", "7", "7", "8", "9", "6"]))
    found = ablation.settings(("a", alike), ("b", unlike), ["vote@8", "oracle@8"])
    vote = found.comparisons["vote@8"].total
    assert (vote.n, vote.difference.value, vote.rescues) == (6, 1.0, 6)
    assert found.entropy is not None
    assert (found.entropy.first, found.entropy.difference.value > 1) == (0.0, True)
    assert found.overlap is not None
    assert found.overlap.first == 1.0 > found.overlap.second


def test_a_setting_against_itself_claims_nothing() -> None:
    held = questions(many(6, ["7", "8", "7", "8", "7", "9", "7", "7"]))
    found = ablation.settings(("a", held), ("a", held), ablation.MODES)
    assert not any(one.total.differs for one in found.comparisons.values())


def test_a_wider_pool_is_cut_to_the_width_of_the_other() -> None:
    narrow, wide = questions(many(3, ["7"] * 8)), questions(many(3, ["7"] * 8 + ["8"] * 8))
    found = ablation.settings(("a", narrow), ("b", wide), ["vote@8"])
    assert found.entropy is not None
    assert found.entropy.difference.value == 0


def test_the_same_id_must_be_the_same_question() -> None:
    other = questions(branches(["7"] * 8, question="How many pears are there?"))
    with pytest.raises(InputError, match="another text"):
        ablation.settings(("a", questions(branches(["7"] * 8))), ("b", other), ["vote@8"])


def test_ties_by_length_are_held_against_the_first_seen() -> None:
    found = ablation.ties(questions(many(4, ["8", "8", "7", "7", "9", "6", "5", "4"])))
    assert list(found.comparisons) == ["longest@8", "shortest@8"]
    assert found.comparisons["longest@8"].total.n == 4
    assert found.entropy is None
