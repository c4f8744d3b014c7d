"""Stage one: probabilities, the same alone and in a batch, meaning only where patterns are unsure or it is missing."""

from __future__ import annotations

import pytest

from nodes.routing import classifier, embedding
from nodes.specialists import LABELS

PLAIN = "Write a Python function that reverses a string."
VAGUE = "Tell me about the sea and the people who cross it."


def test_scores_are_probabilities_of_the_nine_labels() -> None:
    for one in classifier.read([PLAIN, VAGUE, ""]):
        assert tuple(one.scores) == LABELS
        assert sum(one.scores.values()) == pytest.approx(1)


def test_a_batch_says_what_each_says_alone() -> None:
    both = classifier.read([PLAIN, VAGUE])
    for one, text in zip(both, [PLAIN, VAGUE], strict=True):
        alone = classifier.read([text])[0]
        assert one.embedded == alone.embedded
        assert one.scores == pytest.approx(alone.scores, abs=1e-5)
    assert classifier.read([]) == []


def test_the_meaning_is_read_only_where_patterns_are_unsure() -> None:
    sure, unsure = classifier.read([PLAIN, VAGUE])
    assert (sure.embedded, unsure.embedded) == (False, embedding.available())
    assert not classifier.read([VAGUE], quick=True)[0].embedded


def test_it_does_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "available", lambda: False)
    one = classifier.read([VAGUE])[0]
    assert not one.embedded
    assert sum(one.scores.values()) == pytest.approx(1)


def test_what_spoke_is_named() -> None:
    assert any(name.startswith(("program", "language", "cue:code")) for name in classifier.read([PLAIN])[0].spoke)
