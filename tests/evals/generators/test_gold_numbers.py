"""Gold computed anew by other means than the generator's: parsed questions, the calendar, exact fractions."""

from __future__ import annotations

import ast
import datetime
import operator
import re
from fractions import Fraction
from typing import Any

import pytest

from evals.contracts import Case
from evals.generators import DIFFICULTIES, generate
from nodes.contracts import Language

both = pytest.mark.parametrize("language", ["en", "zh"])
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


def many(family: str, language: Language, n: int = 150) -> list[Case]:
    return [case for level in DIFFICULTIES for case in generate(family, n, seed=9, language=language, difficulty=level)]


def value(text: str) -> Fraction:
    """An arithmetic expression, exactly."""

    def walk(node: Any) -> Fraction:
        if isinstance(node, ast.BinOp):
            return OPERATORS[type(node.op)](walk(node.left), walk(node.right))  # type: ignore[index, no-any-return]
        return Fraction(ast.get_source_segment(source, node) or "")

    source = text.replace("×", "*").replace("÷", "/")
    return walk(ast.parse(source, mode="eval").body)


def ints(text: str) -> list[int]:
    return [int(found) for found in re.findall(r"\d+", text)]


@both
def test_arithmetic(language: Language) -> None:
    for case in many("arithmetic", language):
        expression = re.search(r"[\d(][\d\s()+\-×÷]*[\d)]", case.text)
        assert expression is not None
        assert value(expression[0]) == int(case.gold), case
        assert "÷" not in case.text or value(expression[0]).denominator == 1


@both
def test_no_brackets_around_a_number_or_a_product_in_a_sum(language: Language) -> None:
    for case in many("arithmetic", language):
        text = case.meta["expression"]
        assert not re.search(r"\(\d+\)", text), text
        assert not re.search(r"(?:^|\(|[+-] )\(\d+(?: [×÷] \d+)+\)", text), text


UNITS = {
    "kilometres 千米": 1000, "metres 米": 1, "centimetres 厘米": Fraction(1, 100),
    "millimetres 毫米": Fraction(1, 1000),
    "tonnes 吨": 1000, "kilograms 千克": 1, "grams 克": Fraction(1, 1000), "milligrams 毫克": Fraction(1, 1_000_000),
    "litres 升": Fraction(1, 1000), "millilitres 毫升": Fraction(1, 1_000_000), "cubic metres 立方米": 1,
    "days 天": 86_400, "hours 小时": 3600, "minutes 分钟": 60, "seconds 秒": 1,
    "square metres 平方米": 1, "square centimetres 平方厘米": Fraction(1, 10_000), "hectares 公顷": 10_000,
    "斤": Fraction(1, 2), "两": Fraction(1, 20), "里": 500, "亩": Fraction(2000, 3),
    "kilometres per hour 千米/小时": Fraction(1000, 3600), "metres per second 米/秒": 1,
    "metres per minute 米/分钟": Fraction(1, 60), "grams per cubic centimetre 克/立方厘米": 1000,
    "kilograms per cubic metre 千克/立方米": 1, "litres per minute 升/分钟": Fraction(1, 60_000),
    "cubic metres per hour 立方米/小时": Fraction(1, 3600), "millilitres per second 毫升/秒": Fraction(1, 1_000_000),
    "litres per hour 升/小时": Fraction(1, 3_600_000), "grams per minute 克/分钟": Fraction(1, 60_000),
    "kilograms per day 千克/天": Fraction(1, 86_400), "kilowatt hours per day 千瓦时/天": Fraction(3_600_000, 86_400),
    "watt hours per hour 瓦时/小时": 1,
}  # fmt: skip
"""Every unit in the SI unit of its kind."""


def scale(name: str) -> Fraction:
    for names, factor in UNITS.items():
        english, _, chinese = names.rpartition(" ")
        if name in (english, chinese, english.removesuffix("s")):
            return Fraction(factor)
    raise KeyError(name)


QUANTITY = {
    "en": r"([\d.]+) ([a-z]+(?: [a-z]+)*?)(?=[ ?.]+(?:\d|in |to |$|Give|Answer)|\?)",
    "zh": r"([\d.]+)([^\d，？等换是。]+)",
}
TARGET = {
    "en": r"^(?:How many|Convert [^.]*(?:\.\d[^.]*)? to|Express [^.]*(?:\.\d[^.]*)? in) ([a-z ]+?)(?: are|\.)",
    "zh": r"多少([^？]+)？",
}


@both
def test_units(language: Language) -> None:
    for case in many("units", language):
        text = case.text.split("只写")[0]
        target = re.search(TARGET[language], text)
        assert target is not None, text
        given = text.replace(f"换算成{target[1]}", "换") if language == "zh" else text
        found = re.findall(QUANTITY[language], given)
        assert found, text
        total = sum(Fraction(number) * scale(unit.strip()) for number, unit in found)
        assert total / scale(target[1].strip()) == Fraction(case.gold), (case.text, found)


MONTHS = [datetime.date(2000, month, 1).strftime("%B") for month in range(1, 13)]
EN_DAYS = [datetime.date(2024, 1, day).strftime("%A") for day in range(1, 8)]
ZH_DAYS = [f"星期{day}" for day in "一二三四五六日"]


def dates_in(text: str, language: Language) -> list[datetime.date]:
    if language == "zh":
        return [datetime.date(*map(int, found)) for found in re.findall(r"(\d+)年(\d+)月(\d+)日", text)]
    found = re.findall(rf"({'|'.join(MONTHS)}) (\d+), (\d+)", text)
    return [datetime.date(int(year), MONTHS.index(month) + 1, int(day)) for month, day, year in found]


@both
def test_dates(language: Language) -> None:
    names = EN_DAYS if language == "en" else ZH_DAYS
    for case in many("dates", language):
        found = dates_in(case.text, language)
        if not found:
            start = next(index for index, name in enumerate(names) if name in case.text)
            back = "ago" in case.text or "天前" in case.text
            (n,) = ints(case.text)
            monday = datetime.date(2024, 1, 1) + datetime.timedelta(days=start)
            assert names[(monday + datetime.timedelta(days=-n if back else n)).weekday()] == case.gold
        elif len(found) == 1:
            back = "before" in case.text or "之前" in case.text
            rest = re.sub(r"\d+年\d+月\d+日", "", case.text) if language == "zh" else case.text.replace("YYYY", "")
            n = ints(rest)[0]
            assert (found[0] + datetime.timedelta(days=-n if back else n)).isoformat() == case.gold
        elif case.gold.isdigit():
            assert (found[1] - found[0]).days == int(case.gold)
        else:
            assert names[found[0].weekday()] in case.text
            assert names[found[1].weekday()] == case.gold


@both
def test_word_problems_follow_their_formula(language: Language) -> None:
    for case in many("word_problems", language):
        assert value(case.meta["expression"]) == Fraction(case.gold), case
        assert Fraction(case.gold) > 0
        assert len(case.gold.partition(".")[2]) <= 2


@both
def test_word_problems_read_again_from_their_words(language: Language) -> None:
    """The chains of comparisons, walked by the words of the question alone."""
    seen = 0
    for case in many("word_problems", language, 200):
        marks = ("in total?",) if language == "en" else ("一共有",)
        if not any(mark in case.text for mark in marks):
            continue
        seen += 1
        sentences = re.split(r"(?<=[.。?？])\s*", case.text)
        have = ints(sentences[0])[0]
        total = have
        for said in sentences[1:]:
            numbers = ints(said)
            if "more" in said or re.search(r"比.+多", said):
                have += numbers[0]
            elif "fewer" in said or re.search(r"比.+少", said):
                have -= numbers[0]
            elif "times" in said or "倍" in said:
                have *= numbers[0]
            elif "half" in said or "一半" in said:
                have //= 2
            else:
                break
            total += have
        assert total == int(case.gold), case
    assert seen > 50


def rows_of(text: str) -> tuple[list[str], list[list[str]]]:
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    return lines[0], lines[2:]


@both
def test_tables(language: Language) -> None:
    kinds = set()
    for case in many("tables", language):
        heads, rows = rows_of(case.text)
        query = case.meta["query"]
        kind, place = query["kind"], query["column"] + 2
        kinds.add(kind)
        question = case.text.rsplit("\n", 1)[-1]
        assert heads[place] in question
        inside = (
            [row for row in rows if row[1] == query["group"]] if kind in ("sum_where", "count_where", "part") else rows
        )
        assert (query["group"] in question) == (inside is not rows)
        numbers = [int(row[place]) for row in inside]
        everything = [int(row[place]) for row in rows]
        other = {row[0]: int(row[place]) + int(row[query["other"] + 2]) for row in rows}
        wanted: dict[str, Any] = {
            "sum": sum(numbers),
            "sum_where": sum(numbers),
            "count": len([number for number in numbers if number > query["k"]]),
            "count_where": len([number for number in numbers if number > query["k"]]),
            "spread": max(everything) - min(everything),
            "mean": Fraction(sum(numbers), len(numbers)),
            "part": Fraction(100 * sum(numbers), sum(everything)),
        }
        if kind in wanted:
            assert Fraction(case.gold) == wanted[kind], case
        else:
            sums = other if kind == "most_sum" else {row[0]: int(row[place]) for row in rows}
            assert [name for name, number in sums.items() if number == max(sums.values())] == [case.gold]
    assert kinds == {"sum", "sum_where", "count", "count_where", "spread", "mean", "part", "most", "most_sum"}
