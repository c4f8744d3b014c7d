"""The form of the answer on extremes; its ordinary cases stand in `tests/nodes/test_router.py`."""

from __future__ import annotations

import pytest

from nodes.routing.form import form_of
from nodes.specialists import NAMES

NOTHING = dict.fromkeys(NAMES, 0.0)


@pytest.mark.parametrize("text", ["", "?", "```" * 5_000, "A) " * 5_000, "天" * 6_000])
def test_any_text_has_a_form(text: str) -> None:
    assert form_of(text, NOTHING) in ("open", "closed")


def test_words_inside_code_ask_for_nothing() -> None:
    assert form_of("What does it print?\n```\nwrite('explain')\n```", NOTHING) == "closed"
