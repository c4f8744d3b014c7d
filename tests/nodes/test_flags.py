"""Flags on a reply: each applies where it should and to no sound reply."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.contracts import Form, Language, Reply, Request, Usage
from nodes.flags import flags, repeating

SOUND = "Tom has 3 apples and buys 5 more, so he has 3 + 5 = 8 apples in the end.\nANSWER: \\boxed{8}"
SOUND_ZH = "小明有3个苹果，又买了5个，所以一共有 3+5=8 个苹果。\n答案：\\boxed{8}"
QUESTIONS: dict[Language, str] = {"en": "How many apples has Tom?", "zh": "小明一共有多少个苹果？"}


def of(
    text: str, language: Language = "en", form: Form = "closed", finish: str = "stop", reasoning: str = ""
) -> list[str]:
    reply = Reply(call="", text=text, finish=finish, reasoning=reasoning, usage=Usage())
    return list(
        flags(reply, Request(run="r", question=QUESTIONS[language], language=language), form, finish == "length")
    )


def test_sound_replies_have_none() -> None:
    assert of(SOUND) == []
    assert of(SOUND_ZH, "zh") == []


def test_truncated() -> None:
    assert of(SOUND, finish="length") == ["truncated"]


@pytest.mark.parametrize(
    "text",
    [
        "We need to check the next case. " * 30,
        "x = 1\ny = 2\n" * 60,
        "所以答案是三。" * 60,
        SOUND + "ha" * 300,
    ],
)
def test_repeating(text: str) -> None:
    assert repeating(text)
    assert "repeating" in of(text)


def test_the_servers_own_word_for_repetition_counts() -> None:
    assert "repeating" in of(SOUND, finish="repetition")


def test_a_long_varied_text_does_not_repeat() -> None:
    names, things = ("Tom", "Ann", "Weng", "Li", "Max"), ("pens", "red apples", "books", "stamps", "old coins", "maps")
    said = [f"{name} puts {place} {thing} aside." for place, name in enumerate(names) for thing in things]
    assert not repeating(" ".join(said[:9]))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Tom has 3 apples, 所以他一共有八个苹果, which is the sum.\nANSWER: 8", "en"),
        ("First we count the apples that Xiao Ming has, and then we add the five that he bought.\n答案：8", "zh"),
    ],
)
def test_mixed_language(text: str, language: Language) -> None:
    assert of(text, language) == ["mixed_language"]


def test_latex_is_no_language() -> None:
    text = "设苹果数为 \\( x \\)，则 \\[ x = \\frac{16}{2} \\times \\text{个} = 8 \\]\n所以一共有 \\(\\boxed{8}\\) 个。"
    assert "mixed_language" not in of(text, "zh")


@pytest.mark.parametrize(("text", "language"), [("ANSWER: \\boxed{8}", "en"), ("\\boxed{8}", "en"), ("答案：8", "zh")])
def test_no_steps(text: str, language: Language) -> None:
    assert of(text, language) == ["no_steps"]
    assert "no_steps" not in of(text, language, form="open")
    assert "no_steps" not in of(text, language, reasoning="thought about it")


def test_unclosed_thinking() -> None:
    assert "unclosed_thinking" in of("", reasoning="I was still", finish="length")
    assert "unclosed_thinking" not in of(SOUND, reasoning="thought")


@given(st.text(max_size=300), st.sampled_from(["en", "zh"]))
def test_any_text_is_survived(text: str, language: Language) -> None:
    assert set(of(text, language)) <= {"truncated", "repeating", "mixed_language", "no_steps", "unclosed_thinking"}
