"""Document views: the documents of a question, one stance each, and where their numbers differ."""

from __future__ import annotations

import pytest

from nodes.documents import tables
from nodes.views import differing, lenses, views

EN = (
    "Compare the two.\n\nDocument 1:\nThe capacity of the Alpha plant is 500 tonnes. It opened late.\n\n"
    "Document 2:\nThe capacity of the Alpha plant is 550 tonnes.\n\nWhich statements contradict each other?"
)
ZH = (
    "材料一：北方公司的产能为500吨，员工很多。\n材料二：北方公司的产能为500吨。\n"
    "材料三：北方公司的产能是620吨。\n\n哪里矛盾？"
)


def test_documents_of_a_question() -> None:
    assert [one.name for one in views(EN)] == ["Document 1", "Document 2"]
    assert [EN[slice(*one.span)].strip()[-7:] for one in views(EN)] == ["d late.", "tonnes."]
    assert [one.name for one in views(ZH)] == ["材料一", "材料二", "材料三"]
    assert "哪里矛盾" not in ZH[slice(*views(ZH)[2].span)]


@pytest.mark.parametrize(
    "question",
    [
        "",
        "Document 1: only one of them is here.",
        "What is 3 + 4?",
        "Document 1:\nshort\nDocument 2:\nx",
        "Text A: " * 500,
        "Report 1: a long enough text\nReport 1: the same name twice",
        "\n".join(f"Doc {n}: long enough" for n in range(40)),
    ],
)
def test_anything_else_has_no_views(question: str) -> None:
    assert views(question) == ()
    assert differing(question) == []


def test_one_stance_for_each_document() -> None:
    first, second = lenses(["Document 1", "Document 2"], "en")
    assert first.startswith('Take the view of "Document 1"')
    assert 'go through "Document 2"' in first
    assert second.startswith('Take the view of "Document 2"')
    assert "逐一核对《材料一》、《材料三》" in lenses(["材料一", "材料二", "材料三"], "zh")[1]
    assert lenses([], "en") == ()


def test_what_differs_stands_where_it_says() -> None:
    (one,) = differing(EN)
    assert [
        EN[slice(*map(int, claim.place.removeprefix("chars:").split("-")))] for claim in (one.first, one.second)
    ] == [
        "500 tonnes",
        "550 tonnes",
    ]
    pairs = {(one.first.source, one.second.source) for one in differing(ZH)}
    assert pairs == {("材料一", "材料三"), ("材料二", "材料三")}


def test_tables_are_counted_in_the_question() -> None:
    table = "| plant | capacity |\n|---|---|\n| Alpha | {} |\n"
    question = f"Source A:\n{table.format(5)}\nSource B:\n{table.format(6)}\nWhat differs?"
    (one,) = differing(question)
    found = tables.find(question)
    assert [tables.resolve(claim.place, question, found) for claim in (one.first, one.second)] == ["5", "6"]
    assert one.second.place == "table:2,row:2,col:2"
