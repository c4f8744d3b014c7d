"""Intake: every bad request has its own error before any model call; good text passes unchanged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.contracts import Request
from nodes.errors import ContextExceeded, InputError
from nodes.intake import MODES, SMALLEST_ANSWER, accept, check_deadline, check_mode, check_text, intake
from tests.scripted import ScriptedModel


async def ask(question: str | None, mode: str = "auto", deadline: float | None = None, limit: int = 32_768) -> Request:
    """Intake with a model that fails on any call."""
    with ScriptedModel([], limit=limit) as model:
        return await intake(question, mode=mode, deadline=deadline, run="r", max_text=200_000, model=model)


@pytest.mark.parametrize(
    ("question", "code"),
    [
        (None, "empty_question"),
        ("", "empty_question"),
        (" \n\t\u3000\u00a0", "empty_question"),
        ("\u200b\u200d\ufeff\u2060", "empty_question"),
        ("\u3164\u115f\u2800", "empty_question"),
        ("\u0301\u0300", "empty_question"),
        ("x" * 200_001, "question_too_long"),
        ("what\0ever", "nul_byte"),
        ("half a pair \ud83d", "lone_surrogate"),
        ("\udcff" * 3, "lone_surrogate"),
    ],
)
async def test_bad_text_is_refused_by_name(question: str | None, code: str) -> None:
    with pytest.raises(InputError) as caught:
        await ask(question)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "question", ["?", "0", "😀", "多少", 'He said "$1" `x` \\(y\\) \r\n\ttab ', "a\u200bb", "﷽" * 3]
)
async def test_text_passes_unchanged(question: str) -> None:
    assert (await ask(question)).question == question


@pytest.mark.parametrize("mode", ["", "AUTO", "3", "16", "deep ", "auto\n"])
async def test_unknown_modes(mode: str) -> None:
    with pytest.raises(InputError, match="one of auto, light, deep") as caught:
        await ask("why?", mode=mode)
    assert caught.value.code == "unknown_mode"


@pytest.mark.parametrize(
    "deadline",
    [0, -1, float("nan"), float("inf"), 10**400, 10**5000, True, "5"],
    ids=lambda value: type(value).__name__,
)
async def test_bad_deadlines(deadline: float) -> None:
    with pytest.raises(InputError) as caught:
        await ask("why?", deadline=deadline)
    assert caught.value.code == "bad_deadline"


async def test_a_good_request_carries_everything() -> None:
    request = await ask("王五会去吗？", mode="deep", deadline=30)
    assert request == Request(run="r", question="王五会去吗？", mode="deep", language="zh", deadline=30.0)


async def test_a_question_over_the_window_names_how_many_tokens() -> None:
    with pytest.raises(ContextExceeded) as caught:
        await ask("word " * 1_000, limit=2_048)
    over = caught.value.tokens_over
    assert over
    assert over > 3_000
    assert f"{over} tokens over" in str(caught.value)
    assert caught.value.code == "context_length_exceeded"


async def test_a_question_that_leaves_just_enough_is_accepted() -> None:
    question = "why? " * 50
    with pytest.raises(ContextExceeded) as caught:
        await ask(question, limit=1_000)
    needed = 1_000 + (caught.value.tokens_over or 0)
    assert (await ask(question, limit=needed)).question == question
    with pytest.raises(ContextExceeded, match=f"an answer needs {SMALLEST_ANSWER}"):
        await ask(question, limit=needed - 1)


def test_length_is_looked_at_before_anything_else() -> None:
    with pytest.raises(InputError, match="more than the limit of 10 "):
        check_text("\0" * 11, 10)


@given(st.text(alphabet=st.characters(), max_size=50))
def test_any_text_is_accepted_unchanged_or_refused_by_name(text: str) -> None:
    code = ""
    try:
        assert accept(text, mode="auto", deadline=None, max_text=40) is text
    except InputError as error:
        code = error.code
    assert code in ("", "empty_question", "question_too_long", "nul_byte", "lone_surrogate")


def test_every_mode_of_the_contract_is_known() -> None:
    assert [check_mode(mode) for mode in MODES] == ["auto", "light", "deep", "1", "2", "4", "8"]
    assert check_deadline(2) == 2.0
