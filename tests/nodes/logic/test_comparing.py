"""What counts as the decided answer, what as another one, and where the words leave it open."""

from __future__ import annotations

import pytest

from nodes.contracts import Language
from nodes.logic import solve
from nodes.logic.comparing import outcome

MEETING = "只有张三或李四去开会，王五才会去。如果王五去了，那么谁一定在？"
RAIN = "If it rains, the match is off. The match is not off. Is it raining? Answer yes, no or unknown."
OPEN = "If it rains, the match is off. The match is off. Is it raining?"
FOLLOWS = "所有猫都是动物，有些动物是宠物。由此能推出“有些猫是宠物”吗？请回答“能”或“不能”。"
SHELF = (
    "On a shelf, there are three books: a red book, a green book, and a blue book. The red book is "
    "the leftmost. The blue book is the rightmost. "
)
MENU = SHELF + "\nOptions:\n(A) The red book is the rightmost\n(B) The blue book is the rightmost"
TALL = "Tom is taller than Sam. Sam is taller than Kim. Who is the tallest?"


@pytest.mark.parametrize(
    ("question", "language", "answer", "expected"),
    [
        (MENU, "en", "(B)", "pass"),
        (MENU, "en", "B. The blue book is the rightmost", "pass"),
        (MENU, "en", "A", "fail"),
        (MENU, "en", "The red book is the rightmost", "fail"),
        (MENU, "en", "none of them", None),
        (RAIN, "en", "No", "pass"),
        (RAIN, "en", "No, it is not raining.", "pass"),
        (RAIN, "en", "false", "pass"),
        (RAIN, "en", "Yes", "fail"),
        (RAIN, "en", "unknown", "fail"),
        (RAIN, "en", "The weather is fine", None),
        (OPEN, "en", "Cannot be determined", "pass"),
        (OPEN, "en", "No", None),
        (OPEN, "en", "Yes", "fail"),
        (FOLLOWS, "zh", "不能", "pass"),
        (FOLLOWS, "zh", "否", "pass"),
        (FOLLOWS, "zh", "无法确定", "pass"),
        (FOLLOWS, "zh", "能", "fail"),
        (SHELF + "Which book is the leftmost?", "en", "the red book", "pass"),
        (SHELF + "Which book is the leftmost?", "en", "It is the red book", "pass"),
        (SHELF + "Which book is the leftmost?", "en", "the blue book", "fail"),
        (SHELF + "Which book is the leftmost?", "en", "not the blue book", None),
        (SHELF + "Which book is the leftmost?", "en", "the red book, not the blue book", None),
        (TALL, "en", "Tom", "pass"),
        (TALL, "en", "Tom is the tallest", "pass"),
        (TALL, "en", "Kim", "fail"),
        (TALL, "en", "a giant", None),
        (MEETING, "zh", "张三和李四中至少有一人，但不能确定是哪一个", "pass"),
        (MEETING, "zh", "张三或李四", "pass"),
        (MEETING, "zh", "张三", "fail"),
        (MEETING, "zh", "张三和李四都在", "fail"),
        (MEETING, "zh", "王五", None),
        (MEETING, "zh", "无法确定", None),
        (MEETING, "zh", "", None),
        (TALL, "en", "Tom " * 2_000, None),
    ],
)
def test_outcomes(question: str, language: Language, answer: str, expected: str | None) -> None:
    solved = solve(question, language)
    assert solved is not None
    assert outcome(answer, solved, question) == expected
