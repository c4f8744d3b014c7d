"""Chinese words of any length are found, also beside Latin ones."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.grams import grams, match


def finds(text: str, search: str) -> bool:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE found USING fts5 (question, answer, question_grams, answer_grams)")
    connection.execute("INSERT INTO found VALUES (?, '', ?, '')", [text, grams(text)])
    hits = connection.execute("SELECT 1 FROM found WHERE found MATCH ?", [match(search)]).fetchall()
    connection.close()
    return bool(hits)


@pytest.mark.parametrize(
    ("text", "search"),
    [
        ("机器学习是什么", "学习"),
        ("机器学习是什么", "学"),
        ("机器学习是什么", "么"),
        ("机器学习是什么", "机器学习是什么"),
        ("如果A股下跌5%，怎么办？", "A股"),
        ("如果A股下跌5%，怎么办？", "下跌 5"),
        ("使用Python编程", "python"),
        ("使用Python编程", "Python编程"),
        ("東京タワーの高さ", "タワー"),
        ("서울의 인구", "서울"),
        ("Weng earns 12 dollars an hour", "dollars 12"),
        ("Weng earns 12 dollars an hour", "DOLL"),
        ('say "hello" AND goodbye', '"hello"'),
        ("x_1 + y_2", "x_1"),
    ],
)
def test_found(text: str, search: str) -> None:
    assert finds(text, search)


@pytest.mark.parametrize(
    ("text", "search"),
    [
        ("机器学习是什么", "习学"),
        ("机器学习是什么", "机习"),
        ("机器学习", "学习者"),
        ("学生 练习", "学习"),
        ("twelve dollars", "euro"),
        ("twelve dollars", "dollars euro"),
    ],
)
def test_not_found(text: str, search: str) -> None:
    assert not finds(text, search)


def test_a_text_without_chinese_has_no_grams() -> None:
    assert grams("plain English, 12 %") == ""


@pytest.mark.parametrize("search", ["", "   ", "?!", '"', "*", "-- ;"])
def test_a_search_without_words_has_no_query(search: str) -> None:
    assert match(search) == ""


@given(st.text())
def test_no_search_is_a_syntax_error(search: str) -> None:
    if match(search):
        finds("anything", search)


@given(st.text(alphabet="机器学习是什么ABC 12，", min_size=1), st.data())
def test_every_piece_of_chinese_is_found(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    piece = text[start : data.draw(st.integers(start + 1, len(text)))]
    if piece.isalpha() and not piece.isascii() and not any(letter.isascii() for letter in piece):
        assert finds(text, piece)
