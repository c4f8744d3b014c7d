"""Which language a question is taken for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.language import detect, han_share


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("How many apples are left?", "en"),
        ("还剩多少个苹果？", "zh"),
        ("今日はいい天気ですね、どこに行きますか", "en"),
        ("12 + 30 =", "en"),
        ("😀", "en"),
        ("What does 你好 mean in English?", "en"),
        ("请解释下面的代码：def add(first, second): return first + second or print(first)", "zh"),
        ("把这句话翻译成英文 my dear friend wrote me a long letter about the weather today", "zh"),
        ("Translate into Chinese: the weather is nice", "en"),
        ("请改错：\n```python\nfor item in items:\n    print(item)\n```", "zh"),
        ("已知 $\\frac{x+y}{\\sqrt{x}} = \\alpha$，求 $x$", "zh"),
        ("用SQL查询users表中age大于18的name", "zh"),
        ("```\nprint('你好世界')\n```\nWhat does this print?", "en"),
    ],
)
def test_language_of(text: str, language: str) -> None:
    assert detect(text) == language


def test_a_huge_text_is_sampled_at_both_ends() -> None:
    assert detect("请总结下面的文章：" + "word " * 50_000) == "zh"
    assert detect("x" * 300_000) == "en"


@given(st.text(max_size=200))
def test_any_text_has_a_language_and_a_share(text: str) -> None:
    assert detect(text) in ("en", "zh")
    assert 0 <= han_share(text) <= 1
