"""What a text shows by itself: loops, foreign words, missing steps; and how alike two texts are."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes import diversity

STEPS = """First we add the apples of Anna and Ben: 12 + 7 = 19 apples.
Then we take away the apples that Cora ate on Monday: 19 - 4 = 15 apples.
Then we take away the apples that Dora ate on Tuesday: 15 - 4 = 11 apples.
So 11 apples are left in the basket at the end of the second day.
"""
TABLE = "| day | apples | pears |\n|---|---|---|\n" + "".join(f"| {day} | {day * 3} | 0 |\n" for day in range(40))
CODE = "\n".join(f"    if value == {n}:\n        total += prices[{n}] * {n}\n        continue" for n in range(1, 6))
ZEROS = "[[0, 0, 0, 0], " * 20
ZH = "首先设小明有x个苹果，小红的苹果是小明的两倍，所以小红有2x个。两人一共有36个苹果，因此3x=36，x=12。答案是12。"
EN = "Anna has twelve apples and gives three of them to her brother Ben, so nine apples are left for her."


@pytest.mark.parametrize(
    "text", ["", "a", STEPS, TABLE, CODE, ZEROS, ZH, "-" * 400, "=" * 200 + STEPS, "\n" * 500, STEPS + TABLE]
)
def test_sound_texts_do_not_repeat(text: str) -> None:
    assert not diversity.repeating(text)


@pytest.mark.parametrize(
    "text",
    [
        STEPS + "So we have to check the sum of the apples again. " * 6,
        STEPS + "We check the first step again.\nWe check the second step again.\n" * 6 + "We check the fir",
        "首先我们检查第一个条件是否成立。" * 8,
        STEPS + "".join(f"{n}. We check the sum of all apples once more.\n" for n in range(20)),
        STEPS + "Wait, let me think about this again.\n" * 8 + STEPS,
        "The number is 3." + "7" * 300,
        STEPS * 4,
    ],
)
def test_loops_repeat(text: str) -> None:
    assert diversity.repeating(text)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (ZH, "zh"),
        (r"设 $\frac{x}{2} = \text{the number of apples that Anna has}$，则 x = 4。", "zh"),
        ("调用 `sorted(list of numbers to be sorted by value)` 之后，Python 返回列表 [1, 2]。", "zh"),
        ("Anna 和 Ben 一共有 12 km 的路程，GPS 显示 OK。", "zh"),
        (EN, "en"),
        (EN + " In Chinese an apple is called 苹果.", "en"),
        ("ANSWER: 12", "zh"),
        ("", "en"),
    ],
)
def test_names_formulas_and_code_are_no_mixture(text: str, language: str) -> None:
    assert not diversity.mixed_language(text, language)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (EN, "zh"),
        ("首先看题目。" + EN * 2 + "所以答案是9。", "zh"),
        (ZH, "en"),
        ("We add 12 and 7, 所以一共有十九个苹果在篮子里。", "en"),
    ],
)
def test_slips_into_another_language(text: str, language: str) -> None:
    assert diversity.mixed_language(text, language)  # type: ignore[arg-type]


def test_no_steps() -> None:
    assert diversity.no_steps("ANSWER: 12")
    assert diversity.no_steps("It is easy:\n\\boxed{12}")
    assert diversity.no_steps("答案：12")
    assert not diversity.no_steps("12 + 7 = 19\nANSWER: 19")
    assert not diversity.no_steps(STEPS)
    assert not diversity.no_steps(ZH)


def test_entropy() -> None:
    assert diversity.entropy([8]) == diversity.entropy([]) == diversity.entropy([0, 0]) == 0
    assert diversity.entropy([4, 4]) == pytest.approx(1)
    assert diversity.entropy([1] * 8) == pytest.approx(3)


@given(st.lists(st.integers(0, 9), max_size=9))
def test_entropy_is_bounded(votes: list[int]) -> None:
    camps = sum(count > 0 for count in votes)
    assert 0 <= diversity.entropy(votes) <= math.log2(max(1, camps)) + 1e-9


def test_overlap() -> None:
    assert diversity.overlap(STEPS, STEPS) == 1
    assert diversity.overlap(STEPS, ZH) == 0
    assert 0.3 < diversity.overlap(STEPS, STEPS.replace("apples", "pears", 3)) < 1
    assert diversity.overlap("yes", "Yes") == 1
    assert diversity.overlap("yes", "no") == 0


def test_branches_that_say_the_same_are_pseudo_parallel() -> None:
    assert diversity.pseudo_parallel([STEPS, STEPS + "So it is.", ZH]) == pytest.approx(1 / 3)
    assert diversity.pseudo_parallel([STEPS]) == 0


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text(a: str, b: str) -> None:
    assert 0 <= diversity.overlap(a, b) == diversity.overlap(b, a) <= 1
    for text in (a, b):
        diversity.repeating(text)
        diversity.mixed_language(text, "zh")
        diversity.mixed_language(text, "en")
        diversity.no_steps(text)


@pytest.mark.parametrize("atom", ["a", "a ", "ab, ", "$", "\\[", "`", "\n", "。", "答案", "word\n"])
def test_long_texts_end(atom: str) -> None:
    text = atom * (60_000 // len(atom))
    diversity.repeating(text)
    diversity.mixed_language(text, "en")
    diversity.no_steps(text)
