"""Requests of extraction are known by verb, kind and text; maths, stories and relations are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.documents.segments import terms
from nodes.extraction import comparable, items, locate, support, wanted

TEXT = "Dr Hanna Vogt met Luis Ferrer at the Calder Institute in Geneva."


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        (f"List the people mentioned in the text.\n{TEXT}", ("person",)),
        (f"{TEXT}\n\nWhich organisations and places does the passage name?", ("organisation", "place")),
        (f'Find all dates in this sentence: "{TEXT}"', ("date",)),
        ("找出下面这段话里的人名和地名。\n张三在北京见到了李四，然后一起去了广州参加会议。", ("person", "place")),
        ("“张三在北京见到了李四，然后一起去了广州参加会议。”文中提到了哪些城市？", ("place",)),
    ],
)
def test_what_is_one(question: str, kinds: tuple[str, ...]) -> None:
    found = wanted(question)
    assert found is not None
    assert (found.kinds, found.verbatim) == (kinds, True)
    assert "Vogt" in question[slice(*found.span)] or "张三" in question[slice(*found.span)]


@pytest.mark.parametrize(
    "question",
    [
        "",
        "What is 12 * 3?",
        "How many people are in the following list?\nAnn, Ben, Carl and Dora came to the meeting today.",
        "Tom has 3 apples and gives 2 to the people in the park. How many are left in the basket?",
        "List five countries in Europe.",
        "请列出五个欧洲国家。",
        f"Translate the names in the text.\n{TEXT}",
        f"What is the relationship between the people in the text?\n{TEXT}",
        f"Which of the people in the text is a doctor?\n{TEXT}\nA. Vogt\nB. Ferrer\nC. Calder",
        "小明有5个苹果，给了同学2个，还剩多少个？下面列出人名。" * 2,
    ],
)
def test_what_is_none(question: str) -> None:
    assert wanted(question) is None


def test_a_request_for_another_form_is_not_verbatim() -> None:
    found = wanted(f"List the people in the text in upper case.\n{TEXT}")
    assert found is not None
    assert not found.verbatim


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Hanna Vogt; Luis Ferrer", ["Hanna Vogt", "Luis Ferrer"]),
        ("- **Hanna Vogt** (doctor)\n2. Luis Ferrer.\n", ["Hanna Vogt", "Luis Ferrer"]),
        ("人名：张三、李四；王五", ["张三", "李四", "王五"]),
        ("None", []),
        ("", []),
        ("x" * 200, []),
    ],
)
def test_items_of_an_answer(answer: str, expected: list[str]) -> None:
    found = items(answer)
    assert [words for words, _ in found] == expected
    assert all(answer[slice(*span)] == words for words, span in found)


@given(st.text(max_size=200))
def test_items_are_where_they_say(answer: str) -> None:
    assert all(answer[slice(*span)] == words for words, span in items(answer))


def test_locate_folds_case_and_white_space_only() -> None:
    assert locate("Luis Ferrer", TEXT) == (18, 29)
    assert locate("luis\n ferrer", TEXT) == (18, 29)
    assert locate("“Luis Ferrer”", TEXT) == (18, 29)
    assert locate("Luis  Fer rer", TEXT) is None
    assert locate("", TEXT) is locate(" ", TEXT) is None
    assert locate("(a+)+$" * 200, "a" * 1_000) is None


def test_support_and_script() -> None:
    assert support("Luis Berlin", set(terms(TEXT))) == 0.5
    assert support("...", set()) == 1.0
    assert not comparable(["汉娜"], TEXT)
    assert comparable(["Hanna"], TEXT)
