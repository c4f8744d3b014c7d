"""Look-ups: the one cell that is asked for, or nothing."""

from __future__ import annotations

import pytest

from nodes.documents import tables
from nodes.lookups import look_up

TEAMS = "| name | team | city |\n|---|---|---|\n| Ito | red | Oslo |\n| Kaya | blue | Bonn |\n| Ito | blue | Riga |\n\n"
STAFF = "员工,主管,城市\n罗杰,方琳,北京\n方琳,毛宇,上海\n毛宇,,\n\n"


@pytest.mark.parametrize(
    ("question", "value", "place"),
    [
        (TEAMS + "In which city is the Ito of the blue team?", "Riga", "table:1,row:4,col:3"),
        (TEAMS + "What is the team of Kaya?", "blue", "table:1,row:3,col:2"),
        (TEAMS + "Which name belongs to Oslo?", "Ito", "table:1,row:2,col:1"),
        ("在哪个城市？罗杰的城市是：\n\n" + STAFF, None, ""),
        (STAFF + "罗杰在哪个城市？", "北京", "table:1,row:2,col:3"),
        ('item,price\n"Lamp, small",12.50\n"Lamp, large",19.90\n\nWhat is the price of "Lamp, large"?', "19.90",
         "table:1,row:3,col:2"),
    ],
)  # fmt: skip
def test_one_cell(question: str, value: str | None, place: str) -> None:
    found = look_up(question)
    assert (found and found.value) == value
    if found:
        assert found.place == place
        assert tables.resolve(found.place, question, tables.find(question)) == value


@pytest.mark.parametrize(
    "question",
    [
        "",
        TEAMS,
        TEAMS + "In which city is Ito?",
        TEAMS + "Who is in Paris?",
        TEAMS + "Which city has the most names of the blue team with Kaya?",
        TEAMS + "How many are in the team of Kaya?",
        TEAMS + "Is the city of Kaya not Bonn?",
        STAFF + "罗杰的主管的主管是谁？",
        STAFF + "毛宇的城市是哪里？",
        STAFF + "方琳是谁的主管？",
        "12 * 3 = ?",
        TEAMS + "What is the team of Kaya? " + "Explain at length. " * 60,
        "a,a\n1,2\n\nWhat is the a of 1?",
        TEAMS + "Why did Kaya leave the city?",
        TEAMS + "Write a story about Kaya and her city.",
        TEAMS + "Translate the city of Kaya into German.",
        TEAMS + "Is Bonn the city of Kaya?",
        "name,age\nAnn,30\nBob,25\n\nWhat is Ann's age in 5 years?",
        "name,age\nAnn,30\nBob,25\n\nWhat was the age of Ann ten years ago?",
        "name,age\nAnn,30\nBob,25\n\nAnn的age加上5是多少？",
        "name,price\npen,3\nbook,8\n\nI buy 4 of the pen. What price do I pay?",
        "name,price\npen,3\nbook,8\n\nWhat price is the pen with 10% off?",
    ],
)
def test_anything_more_is_nothing(question: str) -> None:
    assert look_up(question) is None


def test_cells_inside_other_words_do_not_count() -> None:
    table = "| id | size |\n|---|---|\n| 1 | 5 |\n| 12 | 7 |\n| a | 9 |\n\n"
    assert look_up(table + "What is the size of 12?").value == "7"  # type: ignore[union-attr]
    assert look_up(table + "What is the size of 123?") is None
