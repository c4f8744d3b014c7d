"""Calendar questions: right where they are unambiguous, silent everywhere else."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.contracts import Language
from nodes.weekdays import EN, ZH, solve


@pytest.mark.parametrize(
    ("question", "language", "answer"),
    [
        ("今天是星期三，100天后是星期几？", "zh", "星期五"),
        ("2024年1月15日之后100天是星期几？", "zh", "星期三"),
        ("从2025年3月1日起再过100天是星期几？", "zh", "星期一"),
        ("今天是2025年3月1日，星期六，再过100天是星期几？", "zh", "星期一"),
        ("今天是周日，3天前是周几？", "zh", "星期四"),
        ("What day of the week is it 100 days after January 15, 2024?", "en", "Wednesday"),
        ("Today is Monday. What day of the week will it be in 100 days?", "en", "Wednesday"),
        ("Today is 2024-01-15. 100 days ago, what day of the week was it?", "en", "Saturday"),
        ("If today is Tuesday, what day will it be 3 weeks from now?", "en", "Tuesday"),
        ("Which weekday is 15th of March 2024?", "en", "Friday"),
    ],
)
def test_the_day(question: str, language: Language, answer: str) -> None:
    day = solve(question, language)
    assert day
    assert day.answer == answer


@pytest.mark.parametrize(
    "question",
    [
        "2024年2月30日之后3天是星期几？",
        "从2024年1月1日起，第100天是星期几？",
        "What weekday is 9999999 days after 2024-01-01?",
        "What weekday is 2999999 days after 9999-01-01?",
        "今天是2025年3月1日，星期三，再过100天是星期几？",
        "今天星期几？",
        "What day is Monday?",
        "What day will it be in 3 days?",
        "小明每3天跑步一次，从星期一开始，100天后是星期几他第几次跑步？5天后呢？",
        "Which weekday is 10 working days after 2024-01-15?",
        "Today is Monday or Tuesday. What day will it be in 100 days?",
        "What day of the week is 3 days after 2024-01-15? Options: (A) Monday (B) Thursday",
        "How many days after 2024-01-15 is 2024-03-01?",
        "What day of the week is it? " + "x" * 300,
        "",
    ],
)
def test_silent_where_the_question_is_another(question: str) -> None:
    assert solve(question, "en") is None


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)), st.integers(1, 5_000), st.booleans())
def test_every_date_and_span(start: date, days: int, chinese: bool) -> None:
    end = start + timedelta(days=days)
    if chinese:
        day = solve(f"{start.year}年{start.month}月{start.day}日之后{days}天是星期几？", "zh")
        assert day
        assert day.answer == ZH[end.weekday()]
    else:
        day = solve(f"What day of the week is {days} days after {start:%B} {start.day}, {start.year}?", "en")
        assert day
        assert day.answer == EN[end.weekday()]


@given(st.text(max_size=100))
def test_any_text_is_survived(text: str) -> None:
    day = solve(f"What day of the week is 3 days after {text}", "en")
    assert day is None or day.answer in EN
