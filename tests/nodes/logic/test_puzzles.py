"""Boolean expressions, walks, swaps, schedules, liars and orders: read in full or not at all."""

from __future__ import annotations

import pytest

from nodes.contracts import Language
from nodes.logic import solve

BALLS = (
    "Alice, Bob, and Claire are playing a game. At the start of the game, they are each holding a "
    "ball: Alice has a red "
    "ball, Bob has a blue ball, and Claire has a green ball.\nAs the game progresses, pairs of players trade balls. "
)
SHELF = "On a shelf, there are three books: a red book, a green book, and a blue book. "
DAY = (
    "Today, Mia went to the museum. Between what times could they have gone?\nWe know that:\nMia woke up at 7am.\n"
    "Tom saw Mia reading at the library from 7am to 11:30am.\nAnn saw Mia running in the park from 1pm to 5pm.\n"
    "The museum was closed after 6pm.\nBetween what times could Mia have gone to the museum?\nOptions:\n"
)


def answer(question: str, language: Language = "en") -> str | None:
    solved = solve(question, language)
    return solved.answer if solved else None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("not ( True ) and ( True ) is", "False"),
        ("True and not not ( not False ) is", "True"),
        ("Evaluate: not (True and False) or False", "True"),
        ("True xor True", "False"),
        ("True or False?", None),
        ("True or false: the earth is flat", None),
        ("not True and then eat", None),
        ("True True and", None),
        ("not " * 300 + "True is", None),
    ],
)
def test_boolean_expressions(question: str, expected: str | None) -> None:
    assert answer(question) == expected


def test_a_chinese_boolean_expression() -> None:
    assert answer("计算：非真 或 真", "zh") == "真"


@pytest.mark.parametrize(
    ("question", "language", "expected"),
    [
        (
            "If you follow these instructions, do you return to the starting point? Take 3 steps. Turn "
            "around. Take 3 steps.\nOptions:\n- Yes\n- No",
            "en",
            "Yes",
        ),
        (
            "If you follow these instructions, do you return to the starting point? Always face forward. "
            "Take 2 steps left. Take 2 steps forward.",
            "en",
            "No",
        ),
        (
            "Turn left. Walk one step. Turn right. Turn right. Go 1 pace. Do you come back to the starting point?",
            "en",
            "Yes",
        ),
        ("向前走3步。向后转。走3步。能回到起点吗？", "zh", "是"),
        ("始终面向前方。向左走2步，向右走3步，能回到出发点吗？", "zh", "否"),
        ("Take 3 steps. Do not turn around. Take 3 steps. Do you return to the starting point?", "en", None),
        ("Take some steps. Do you return to the starting point?", "en", None),
        ("Do you return to the starting point?", "en", None),
    ],
)
def test_walks(question: str, language: Language, expected: str | None) -> None:
    assert answer(question, language) == expected


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        (
            "First, Alice and Bob swap balls. Finally, Bob and Claire swap balls. At the end of the game, "
            "Claire has the\nOptions:\n(A) red ball\n(B) blue ball\n(C) green ball",
            "(A) red ball",
        ),
        ("Then, Alice and Claire trade balls. At the end of the game, Bob has the", "blue ball"),
        (
            "First, Alice and Bob swap balls. Then Bob gives his ball to Claire. At the end of the game, "
            "Claire has the",
            None,
        ),
        ("Then, Alice and Bob do not swap balls. At the end of the game, Alice has the", None),
        ("First, Alice and Dave swap balls. At the end of the game, Alice has the", None),
        ("First, Alice and Bob swap balls. At the end of the game, Dave has the", None),
    ],
)
def test_swaps(rest: str, expected: str | None) -> None:
    assert answer(BALLS + rest) == expected


def test_swaps_in_chinese() -> None:
    start = "三人各有一件东西：小明拿着红球，小红拿着蓝球，小刚拿着绿球。"
    assert answer(start + "首先，小明和小红交换。然后，小红和小刚交换。最后，小刚拿着什么？", "zh") == "红球"
    assert answer(start + "首先，小明把球给了小红。最后，小红拿着什么？", "zh") is None


def test_schedules() -> None:
    offered = "(A) 7am to 11:30am\n(B) 11:30am to 1pm\n(C) 1pm to 5pm\n(D) 6pm to 8pm"
    assert answer(DAY + offered) == "(B) 11:30am to 1pm"
    assert answer(DAY + "(A) 11:30am to 1pm\n(B) 5pm to 6pm\n(C) 1pm to 5pm") is None, "two are free"
    assert answer(DAY.replace("from 1pm to 5pm", "at about 1pm") + offered) is None


@pytest.mark.parametrize(
    ("question", "language", "expected"),
    [
        ("Ann lies. Ben says Ann lies. Cy says Ben lies. Does Cy tell the truth?", "en", "No"),
        ("Question: Ben says Ann lies. Ann lies. Does Ben tell the truth?", "en", "Yes"),
        ('Ann says: "Ben and I are both knights." Ben says: "Ann is a knave." Who is the knave?', "en", "Ann"),
        ('Ann says: "At least one of us is a knave." Ben says nothing. Who is the knight?', "en", None),
        ("Ann says Ben lies. Ben says Ann lies. Does Ann tell the truth?", "en", None),
        ("Ann says Ben lies. Ben says Ann lies. Does Ann tell the truth? Answer yes, no or unknown.", "en", "unknown"),
        ("Ann usually lies. Does Ann tell the truth?", "en", None),
        ("Ann says she lies. Does Ann tell the truth?", "en", None),
        ("小王说真话。小李说小王说谎。小李说的是真话吗？", "zh", "否"),
        ("小王说：“我们中至少有一个是无赖。”小李说：“小王是骑士。”谁是骑士？", "zh", None),
    ],
)
def test_liars(question: str, language: Language, expected: str | None) -> None:
    assert answer(question, language) == expected


@pytest.mark.parametrize(
    ("question", "language", "expected"),
    [
        (
            SHELF + "The red book is to the left of the green book. The blue book is the leftmost.\nOptions:\n(A) "
            "The red book is the leftmost\n(B) The green book is the rightmost",
            "en",
            "(B) The green book is the rightmost",
        ),
        (
            SHELF + "The red book is not the leftmost. The green book is second from the left. Which book is the "
            "leftmost?",
            "en",
            "blue book",
        ),
        (
            SHELF + "The red book is immediately to the left of the blue book. The green book is not the rightmost. "
            "Which book is the rightmost?",
            "en",
            "blue book",
        ),
        (
            SHELF + "The red book is between the green book and the blue book. The green book is to the left of the "
            "blue book. Is the blue book the rightmost?",
            "en",
            "Yes",
        ),
        (
            SHELF + "The red book is next to the blue book. The red book is the leftmost. Which book is second from "
            "the right?",
            "en",
            "blue book",
        ),
        (
            SHELF + "The red book is older than the green book. The blue book is the cheapest. Which book is the "
            "oldest?",
            "en",
            None,
        ),
        (
            SHELF + "If the red book is the leftmost, the green book is the rightmost. Which book is the leftmost?",
            "en",
            None,
        ),
        (SHELF + "The red book is to the left of the green book. Which book is the leftmost?", "en", None),
        ("Tom is taller than Sam but shorter than Kim. Who is the tallest?", "en", "Kim"),
        ("Tom is taller than Sam. Kim is taller than Sam. Who is the tallest?", "en", None),
        ("Tom is as tall as Sam. Sam is taller than Kim. Who is the tallest?", "en", None),
        ("Tom is not taller than Sam. Sam is taller than Kim. Is Sam the tallest?", "en", None),
        ("Ann is less popular than Ben. Cy is more popular than Ben. Who is the most popular?", "en", "Cy"),
        ("Ann is 3 years older than Ben. Ben is 5. How old is Ann?", "en", None),
        ("小明比小红高，小红比小刚高。谁最矮？", "zh", "小刚"),
        ("小明不比小红高。小红比小刚高。谁最高？", "zh", None),
        ("三个箱子：红箱、绿箱和蓝箱。红箱比绿箱重。蓝箱最轻。最重的是哪个箱子？", "zh", "红箱"),
        ("甲、乙、丙三人排队。甲在乙的前面。丙在最后面。谁是第一个？", "zh", "甲"),
    ],
)
def test_orders(question: str, language: Language, expected: str | None) -> None:
    assert answer(question, language) == expected


def test_premises_that_contradict_each_other_give_no_answer() -> None:
    assert answer("Tom is taller than Sam. Sam is taller than Tom. Is Tom taller than Sam?") is None
    assert answer("Ann lies. Ann tells the truth. Does Ann tell the truth?") is None


def test_a_task_frame_around_the_question_changes_nothing() -> None:
    core = (
        SHELF + "The red book is the leftmost. The blue book is the rightmost.\nOptions:\n(A) The red book is "
        "the rightmost\n(B) The blue book is the rightmost"
    )
    assert answer(f"Task description: A logical task.\n\nQ: {core}\nA: ") == "(B) The blue book is the rightmost"


def test_a_second_question_behind_the_options_is_not_left_unanswered() -> None:
    offered = "\nOptions:\n(A) The red book is the leftmost\n(B) The blue book is the leftmost"
    menu = f"{SHELF}The red book is the leftmost.{offered}"
    assert answer(menu) == "(A) The red book is the leftmost"
    assert answer(menu + "\n\nPlease answer with the letter only.") == "(A) The red book is the leftmost"
    assert answer(menu + "\n\nAlso, how many pages does the blue book have?") is None


@pytest.mark.parametrize("menu", ["(A) red ball\n(B)", "(A)\n(B)\n(C)", "(A) red ball\n(B) red ball", "(A) red ball"])
def test_a_broken_menu_is_no_menu(menu: str) -> None:
    swap = "First, Alice and Bob swap balls. At the end of the game, Bob has the\nOptions:\n"
    assert answer(BALLS + swap + menu) in (None, "(A) red ball")
