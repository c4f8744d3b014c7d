"""Arithmetic questions without a model: each form in both languages, and silence on all that is more than that."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes import sums
from nodes.arithmetic import ArithmeticFault, evaluate


@pytest.mark.parametrize(
    ("question", "language", "answer"),
    [
        ("What is 12 * (3 + 4)?", "en", "84"),
        ("((-1 + 2 + 9 * 5) - (-2 + -4 + -4 * -7)) =", "en", "24"),
        (r"Compute $\frac{3}{4} + \frac{1}{6}$.", "en", "11/12"),
        ("What is the value of $13^2 - 11^2$?", "en", "48"),
        ("Calculate 7 divided by 4.", "en", "1.75"),
        ("What is 15 percent of 60?", "en", "9"),
        ("Convert 2.5 hours to minutes.", "en", "150 minutes"),
        ("How many centimetres are there in 3 metres?", "en", "300"),
        ("How many minutes are in 1 hour and 25 minutes?", "en", "85"),
        ("What is the mean of 4, 9 and 11?", "en", "8"),
        ("What is the remainder when 100 is divided by 7?", "en", "2"),
        ("Sales rose from 40 to 50. By what percentage did they rise?", "en", "25%"),
        ("The price fell from 50 to 40. What was the change in percent?", "en", "-20%"),
        ("计算：12×(3+4)", "zh", "84"),
        ("25+17等于多少？", "zh", "42"),
        ("三十六除以四等于多少？", "zh", "9"),
        ("60的15%是多少？", "zh", "9"),
        ("3米等于多少厘米？", "zh", "300"),
        ("2小时5分钟等于多少分钟？", "zh", "125"),
        ("4、9、11三个数的平均数是多少？", "zh", "8"),
        ("100除以7的余数是多少？", "zh", "2"),
        ("销量从40万件增加到50万件，增长了百分之几？", "zh", "25%"),
    ],
)
def test_what_is_computed(question: str, language: str, answer: str) -> None:
    found = sums.solve(question, language)
    assert found is not None
    assert found.answer == answer
    assert evaluate(found.expression) == found.value


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("", "en"),
        ("What is 12?", "en"),
        ("What is x + 3?", "en"),
        ("Solve 2x + 3 = 7.", "en"),
        ("What is 12 * 3 if the base is five?", "en"),
        ("What is 1/0?", "en"),
        ("What is 2024-05-01?", "en"),
        ("Convert 3 kilograms to metres.", "en"),
        ("Convert 20 degrees Celsius to Fahrenheit.", "en"),
        ("How many apples are in 3 boxes?", "en"),
        ("A shirt costs 20 dollars. What is 15 percent of 60?", "en"),
        ("Sales rose from 50 to 40. By what percentage did they rise?", "en"),
        ("Sales rose from 40 tons to 50 litres. By what percentage did they rise?", "en"),
        ("What is the remainder when 100 is divided by 0?", "en"),
        ("3千克等于多少米？", "zh"),
        ("小明有25个苹果，吃了3个，还剩多少？", "zh"),
        ("一辆车3小时行180公里，每小时行多少公里？", "zh"),
        ("万一下雨怎么办？", "zh"),
        ("1+" * 5_000 + "1", "en"),
    ],
)
def test_what_is_left_to_the_model(question: str, language: str) -> None:
    assert sums.solve(question, language) is None


@given(st.integers(-999, 999), st.integers(1, 999), st.sampled_from("+-*/"))
def test_any_two_numbers(a: int, b: int, sign: str) -> None:
    found = sums.solve(f"What is {a} {sign} {b}?", "en")
    assert found is not None
    expected = {"+": Fraction(a + b), "-": Fraction(a - b), "*": Fraction(a * b), "/": Fraction(a, b)}[sign]
    assert found.value == expected


@given(st.text(max_size=200), st.sampled_from(["en", "zh"]))
def test_any_text_is_survived(question: str, language: str) -> None:
    found = sums.solve(question, language)
    assert found is None or evaluate(found.expression) == found.value


def test_a_number_is_a_whole_number_word() -> None:
    assert sums.number("二十五") == 25
    assert sums.number("1,200") == 1200
    with pytest.raises(ArithmeticFault):
        sums.number("三个")
