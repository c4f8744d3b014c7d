"""Passages cover the text, and terms are the same for the same words."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from nodes.documents.files import document
from nodes.documents.segments import LONGEST, passages, spans, terms
from nodes.documents.tables import resolve


@given(st.text(st.sampled_from("ab。. \n\t#中"), max_size=2_000))
def test_spans_cover_everything_but_white_space_once(text: str) -> None:
    found = list(spans(text))
    assert all(0 < end - start <= 2 * LONGEST for start, end in found)
    assert all(one[1] <= other[0] for one, other in pairwise(found))
    assert "".join("".join(text[slice(*one)] for one in found).split()) == "".join(text.split())


def test_places_of_passages_resolve() -> None:
    text = "# 标题\n\n第一段。\n\n| 名 | 数 |\n|---|---|\n| 甲 | 1 |\n\n" + "Long sentence here. " * 100
    one = document("a.md", text.encode(), lambda data: [])
    found = list(passages(one))
    assert found[0].text == "# 标题\n\n第一段。"
    assert any(passage.text == "名: 甲 | 数: 1" for passage in found)
    for passage in found:
        if "chars:" in passage.place:
            assert resolve(passage.place.partition(",")[2], one.text, one.tables) == passage.text


def test_terms() -> None:
    assert terms("Revenues of ＡＣＭＥ's 1,234.5 units") == ["revenue", "of", "acme", "1234.5", "unit"]
    assert terms("北京的天气abc 中") == ["北京", "京的", "的天", "天气", "abc", "中"]
    assert terms("") == terms("。，!?") == []
