"""Cutting a request into its tasks: spans in order that cover it, few, one when nothing joins."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.routing.parts import MOST, cut


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        ("List the names in the note. Then add up the prices.", 2),
        ("First, translate the letter.\n\nThen, put it into a table.", 2),
        ("先列出文中的人名。然后算出总价。", 2),
        ("把信翻译成英语。另外，请用表格列出日期。", 2),
        ("First list the shops in the note, then tell me how much was spent in all.", 2),
        ("先列出账里的商店，再算一共花了多少。", 2),
        ("If it rains, then the street is wet.", 1),
        ("What is the capital of France?", 1),
        ("", 1),
    ],
)
def test_joints(text: str, tasks: int) -> None:
    assert len(cut(text)) == tasks


@given(st.text(alphabet="ab. \n然后.Then,", max_size=400))
def test_spans_are_in_order_and_few(text: str) -> None:
    spans = cut(text)
    assert 1 <= len(spans) <= MOST
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    assert all(one[1] <= two[0] for one, two in pairwise(spans))


def test_a_thousand_joints_are_cut_few_times() -> None:
    assert len(cut("Then, do it. " * 20_000)) == MOST
