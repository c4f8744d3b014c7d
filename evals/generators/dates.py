"""Dates: the weekday some days on, a date some days on, days between two dates, a weekday from another date's."""

from __future__ import annotations

import datetime
import random

from evals.generators.draft import Draft
from nodes.contracts import Language

LABELS = ("numeric",)
WEEKDAYS: dict[Language, tuple[str, ...]] = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "zh": ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"),
}
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
WEEKDAY_AFTER: dict[Language, str] = {
    "en": "Today is {day}. What day of the week is it {n} days {way}?",
    "zh": "今天是{day}，{n}天{way}是星期几？",
}
DATE_AFTER: dict[Language, str] = {
    "en": "What is the date {n} days {way} {date}? Answer in the form YYYY-MM-DD.",
    "zh": "{date}{way}{n}天是哪一天？请用 YYYY-MM-DD 的格式回答。",
}
BETWEEN: dict[Language, str] = {
    "en": "How many days are there from {date} to {other}, not counting the first day?",
    "zh": "从{date}到{other}一共有多少天（不算第一天）？",
}
WEEKDAY_OF: dict[Language, str] = {
    "en": "{date} is a {day}. What day of the week is {other}?",
    "zh": "{date}是{day}，{other}是星期几？",
}
WAYS: dict[Language, tuple[str, str]] = {"en": ("before", "after"), "zh": ("之前", "之后")}


def make(rng: random.Random, difficulty: int, language: Language) -> Draft:
    """A weekday question at difficulty 1, dates above, leap years and longer spans at 3."""
    if difficulty == 1:
        return weekday_after(rng, language)
    kind = rng.choice((date_after, between, weekday_of) if difficulty == 3 else (date_after, between))
    return kind(rng, language, 400 if difficulty == 3 else 60)


def weekday_after(rng: random.Random, language: Language) -> Draft:
    """No calendar needed, only the rest of a division by seven."""
    days, start, n = WEEKDAYS[language], rng.randrange(7), rng.randint(8, 120)
    sign = rng.choice((-1, 1))
    way = {"en": ("ago", "from now"), "zh": ("前", "后")}[language][sign > 0]
    text = WEEKDAY_AFTER[language].format(day=days[start], n=n, way=way)
    if language == "en" and sign < 0:
        text = text.replace("is it", "was it")
    return Draft(text, days[(start + sign * n) % 7])


def date_after(rng: random.Random, language: Language, span: int) -> Draft:
    """A date before or after a date."""
    first, n, later = _date(rng), rng.randint(span // 5, span), rng.random() < 0.6
    found = first + datetime.timedelta(days=n if later else -n)
    text = DATE_AFTER[language].format(date=written(first, language), n=n, way=WAYS[language][later])
    return Draft(text, found.isoformat())


def between(rng: random.Random, language: Language, span: int) -> Draft:
    """Days between two dates."""
    first, n = _date(rng), rng.randint(span // 5, span)
    other = written(first + datetime.timedelta(days=n), language)
    return Draft(BETWEEN[language].format(date=written(first, language), other=other), str(n))


def weekday_of(rng: random.Random, language: Language, span: int) -> Draft:
    """The weekday of a date, from that of another one."""
    first, n = _date(rng), rng.choice((-1, 1)) * rng.randint(span // 10, span)
    other = first + datetime.timedelta(days=n)
    days = WEEKDAYS[language]
    text = WEEKDAY_OF[language].format(
        date=written(first, language), day=days[first.weekday()], other=written(other, language)
    )
    return Draft(text, days[other.weekday()])


def _date(rng: random.Random) -> datetime.date:
    """A day of 1990 to 2039; every other time in the weeks before the end of a February."""
    if rng.random() < 0.5:
        return datetime.date(rng.randint(1990, 2039), 2, 28) - datetime.timedelta(days=rng.randint(0, 40))
    return datetime.date(1990, 1, 1) + datetime.timedelta(days=rng.randrange(50 * 365))


def written(date: datetime.date, language: Language) -> str:
    """A date in words."""
    if language == "zh":
        return f"{date.year}年{date.month}月{date.day}日"
    return f"{MONTHS[date.month - 1]} {date.day}, {date.year}"
