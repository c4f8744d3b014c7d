"""What a rewriting must keep, the terms that are fixed, and the request that asks for one."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.errors import SetupError
from nodes.wording import asked, glossary
from nodes.wording.kept import kept, lost


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Call `run(3)` at https://a.example/x?y=1.", ["code run(3)", "url https://a.example/x?y=1"]),
        ("We met Nadia Holt at no. 210 on 9 June.", ["number 210", "number 9", "name Nadia Holt"]),
        (
            "他于5月12日看了《雷雨》，用的是 AeroMax 3。",
            ["name 雷雨", "number 5", "number 12", "number 3", "name AeroMax 3"],
        ),
        ("It costs 1,200.50 dollars.", ["number 1,200.50"]),
        ("ALL IN CAPITALS HERE.", []),
        ("```\n```", []),
        ("", []),
    ],
)
def test_what_must_be_kept(text: str, expected: list[str]) -> None:
    assert [f"{one.kind} {one.text}" for one in kept(text)] == expected


@pytest.mark.parametrize(
    ("source", "rewriting", "gone"),
    [
        ("I have 3 cats.", "I own three cats.", []),
        ("我有3只猫。", "我养了三只猫。", []),
        ("It costs 1,200 dollars.", "The price is 1200.00 dollars.", []),
        ("It costs 1,200 dollars.", "It costs 12 dollars.", ["1,200"]),
        ("Call `run(3)` now.", "Call run(3) now.", []),
        ("Call `run(3)` now.", "Call it now.", ["run(3)"]),
        ("See https://a.example.", "See the site.", ["https://a.example"]),
        ("We met Nadia Holt.", "Holt, Nadia was met.", []),
        ("We met Nadia Holt.", "We met her.", ["Nadia Holt"]),
        ("他读《雷雨》。", "他读了书。", ["雷雨"]),
    ],
)
def test_what_is_lost(source: str, rewriting: str, gone: list[str]) -> None:
    assert [one.text for one in lost(source, rewriting)] == gone


@given(st.text(max_size=120))
def test_nothing_is_lost_in_a_copy(text: str) -> None:
    assert lost(text, text) == ()


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=5))
def test_every_number_is_missed(numbers: list[int]) -> None:
    source = " and ".join(f"{number} boxes" for number in numbers)
    assert {one.text for one in lost(source, "boxes")} == {str(number) for number in numbers}


@pytest.mark.parametrize(
    ("text", "terms", "result"),
    [
        ("Login here, login there.", {"login": "sign in"}, "Sign in here, sign in there."),
        ("The relogin page and `login`.", {"login": "sign in"}, "The relogin page and `login`."),
        ("big data set", {"data": "X", "data set": "dataset"}, "big dataset"),
        ("a b", {"a": "b", "b": "a"}, "b a"),
        ("请登录账号", {"登录": "登入"}, "请登入账号"),
        ("see https://a.example/login", {"login": "x"}, "see https://a.example/login"),
        ("(.*)", {".*": "x"}, "(x)"),
        ("same", {}, "same"),
        ("same", {"same": "same", "  ": "x"}, "same"),
    ],
)
def test_glossary(text: str, terms: dict[str, str], result: str) -> None:
    assert glossary.apply(text, terms)[0] == result


def test_glossary_file(tmp_path: Path) -> None:
    path = tmp_path / "terms.toml"
    path.write_text('[terms]\nlogin = "sign in"\n', encoding="utf-8")
    assert glossary.load(path) == {"login": "sign in"}
    for content in ("terms = 3", "a = [1]", "not toml", "\x00"):
        path.write_text(content, encoding="utf-8")
        with pytest.raises(SetupError, match="glossary"):
            glossary.load(path)
    with pytest.raises(SetupError, match="cannot be read"):
        glossary.load(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("question", "source", "register", "length", "target"),
    [
        ("Rewrite this in a formal tone:\nhey you there", "hey you there", "formal", "same", "en"),
        ('Make this shorter: "A long, long story."', "A long, long story.", "", "same", "en"),
        ("Shorten the text: A long story.", "A long story.", "", "shorter", "en"),
        ("Translate into English: 你好，世界和平", "你好，世界和平", "", "same", "en"),
        ("Translate into French: Good morning all", "Good morning all", "", "same", None),
        ("请改得礼貌一点：\n快把报告发给我", "快把报告发给我", "polite", "same", "zh"),
        ("扩写下面这句话：春天来了，花开了", "春天来了，花开了", "", "longer", "zh"),
    ],
)
def test_a_rewriting_is_read(question: str, source: str, register: str, length: str, target: str | None) -> None:
    task = asked.read(question)
    assert task is not None
    assert (task.source, task.register, task.target) == (source, register, target)
    assert task.length in (length, "shorter")
    assert source in question[slice(*task.place)]


@pytest.mark.parametrize(
    "question",
    [
        "Simplify the following:$$\\frac{3}{\\sqrt{27}}$$",
        "Which of the following is an edit of this name: 'mad max'?\nOptions:\n(A) mud max",
        "What is 3 + 4?",
        "小明有3个苹果，吃了1个，还剩几个？",
        "Write a poem: about spring and rain",
        "Rewrite this.",
        "",
        "Rewrite: " + "x" * 30_000,
    ],
)
def test_other_requests_are_no_rewriting(question: str) -> None:
    assert asked.read(question) is None
