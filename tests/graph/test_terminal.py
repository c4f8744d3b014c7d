"""Nothing that a terminal would act on gets through, and nothing else is changed."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.terminal import one_line, to_json, visible

ANY = st.text(st.characters(codec=None))  # surrogates included


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("\x9b2J", "\\x9b2J"),
        ("a\r\nb\tc\n", "a\nb\tc\n"),
        ("done\rFAKE", "done\\x0dFAKE"),
        ("\ud800", "\\ud800"),
        ("\u202eevil", "\\u202eevil"),
        ("只有张三 \U0001f600 é", "只有张三 \U0001f600 é"),
    ],
)
def test_examples(raw: str, shown: str) -> None:
    assert visible(raw) == shown


@given(ANY)
def test_no_control_character_is_left(text: str) -> None:
    shown = visible(text)
    assert not [c for c in shown if unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"} and c not in "\t\n"]
    shown.encode("utf-8")
    assert "\n" not in one_line(text)


@given(st.text(st.characters(exclude_categories=("C", "Zl", "Zp"), include_characters="\t\n")))
def test_ordinary_text_is_unchanged(text: str) -> None:
    assert visible(text) == text


@given(st.recursive(ANY | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(ANY, inner)))
def test_json_is_the_same_value_and_safe(value: object) -> None:
    line = to_json(value)
    assert json.loads(line) == value
    assert not [c for c in line if unicodedata.category(c) in {"Cc", "Cs"}]
    assert "\n" not in line
