"""Mentions by rule: right spans, one canonical form, nothing quadratic."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.mentions import Kind, canonical, find


def of(text: str, kind: Kind) -> list[str]:
    return [one.text for one in find(text) if one.kind == kind]


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("3 March 2019, Apr 1, 2021 or 2021-11-30; room 2022.", "date", ["3 March 2019", "Apr 1, 2021", "2021-11-30"]),
        ("2019年3月5日签订，二〇二四年七月三日续，5月1日止", "date", ["2019年3月5日", "二〇二四年七月三日", "5月1日"]),
        ("Doors 18:30, talk 19 at 7 pm; 晚上8点半散场，比分3:1", "time", ["18:30", "7 pm", "晚上8点半"]),
        ("$4,200.50 or €900, 900 hours; 1.5万元和900元，900块砖", "money", ["$4,200.50", "€900", "1.5万元", "900元"]),
        ("a.b@example.org, not @x or a@b; 写信给li@example.cn。", "email", ["a.b@example.org", "li@example.cn"]),
        ("see https://example.org/a?b=1, or www.example.cn。", "url", ["https://example.org/a?b=1", "www.example.cn"]),
        ("读完《静港》和《九封信》", "title", ["《静港》", "《九封信》"]),
        ("Norwood Steel Ltd and the University of Lund", "organisation", ["Norwood Steel Ltd", "University of Lund"]),
        ("南山科技有限公司与江城大学签约", "organisation", ["南山科技有限公司", "江城大学"]),
        ("Then Hanna Vogt met Luis de la Cruz.", "name", ["Hanna Vogt", "Luis de la Cruz"]),
    ],
)  # fmt: skip
def test_kinds(text: str, kind: Kind, expected: list[str]) -> None:
    assert of(text, kind) == expected


@given(st.text(max_size=300))
def test_spans_are_the_text_and_do_not_overlap(text: str) -> None:
    found = find(text)
    assert all(text[one.start : one.end] == one.text for one in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


@pytest.mark.parametrize(
    ("words", "kind", "expected"),
    [
        ("3 March 2019", "date", "2019-03-03"), ("3rd of March 2019", "date", "2019-03-03"),
        ("二〇二四年七月三日", "date", "2024-07-03"), ("二〇二四年十一月二十三日", "date", "2024-11-23"),
        ("5月1号", "date", "5月1号"), ("Info@Example.ORG", "email", "info@example.org"), ("《静港》", "title", "静港"),
        ("Vogt's", "name", "Vogt"), ("Ａnna  Ｖogt", "person", "Anna Vogt"), ("31 Feb 2020", "date", "31 Feb 2020"),
    ],
)  # fmt: skip
def test_canonical_forms(words: str, kind: Kind, expected: str) -> None:
    assert canonical(words, kind) == expected


def test_short_forms_stand_for_the_full_name() -> None:
    text = "The Lund Space Agency (LSA) paid. Hanna Vogt said the LSA would pay; then Vogt left."
    forms = {one.text: one.canonical for one in find(text)}
    assert forms["LSA"] == "Lund Space Agency"
    assert forms["Vogt"] == "Hanna Vogt"
    text = "江城航天局（简称江航局公司）发射了卫星，江航局公司很高兴。"
    assert {one.canonical for one in find(text) if one.kind == "organisation"} == {"江城航天局"}


@pytest.mark.parametrize(
    "unit", ["A", "A ", "a@", "1", "1,", "的", "公司", "年", "《", "Mc'", "Ab and ", "http://", "1月", "$1,"]
)
def test_hostile_text_is_read_in_one_go(unit: str) -> None:
    assert len(find(unit * (20_000 // len(unit)))) <= 200
