"""Rewriting to plain signs keeps track of where everything came from."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.notation import RULES, _arabic, plain_signs
from nodes.traced import Traced


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("5 × 3 ÷ 2", "5 * 3 / 2"),
        ("\\frac{1}{2}", "((1)/(2))"),
        ("\\dfrac{\\frac{1}{2}}{3}", "(( ((1)/(2)))/(3))"),
        ("1,234,567", "1234567"),
        ("1, 234", "1, 234"),
        ("$5 and ￥6", "5 and 6"),
        ("三乘以五等于十五", "3*5=15"),
        ("两百零三加一", "203+1"),
        ("万一", "万一"),
        ("5 plus 3", "5 + 3"),
        ("5 x 3", "5 * 3"),
        ("5x", "5x"),
        ("**5**", "5"),
        ("20% of 50", "20% * 50"),
        ("`x = 5`", ""),
        ("2 1/2", "(2+1/2)"),
    ],
)
def test_plain_signs(text: str, plain: str) -> None:
    assert " ".join(plain_signs(text).text.split()) == plain


@given(st.text(alphabet="0123456789+-*/=()., %×÷\\frac{}$x元加减乘除以等于三五百\n`*", max_size=80))
def test_every_character_has_a_place_in_the_original(text: str) -> None:
    traced = plain_signs(text)
    assert len(traced.text) == len(traced.origin)
    assert all(0 <= place < max(1, len(text)) for place in traced.origin)


def test_a_run_of_chinese_numerals_is_read_from_its_beginning_only() -> None:
    chinese = next(pattern for _, pattern, replacement in RULES if replacement is _arabic)
    text = "一百" * 50
    assert not any(chinese.match(f"{text}a", place) for place in range(len(text)))
    assert [place for place in range(len(text)) if chinese.match(f"{text}=", place)] == [0]


@given(st.text(alphabet="abc", max_size=30))
def test_untouched_text_keeps_its_places(text: str) -> None:
    traced = Traced(text)
    traced.sub(re.compile("b"), "<<>>")
    for index, character in enumerate(traced.text):
        if character in "ac":
            assert text[traced.origin[index]] == character
    assert traced.text == text.replace("b", "<<>>")


def test_a_span_of_rewritten_text_is_a_span_of_the_original() -> None:
    text = "So \\frac{10}{4} = 2.5 holds"
    traced = plain_signs(text)
    start = traced.text.index("((10")
    assert text[slice(*traced.span(start, traced.text.index("2.5") + 3))] == "\\frac{10}{4} = 2.5"
