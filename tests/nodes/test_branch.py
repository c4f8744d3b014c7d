"""One branch: the call it makes, how its reply is read, and that trouble ends in a candidate, never in an answer."""

from __future__ import annotations

import asyncio

import pytest

from nodes.branch import STANCES, branch_call, longest_messages, reason, stance
from nodes.contracts import Candidate, Form, Mode, Request, Route
from nodes.errors import ContextExceeded, EngineFault, EngineTimeout
from tests.scripted import Say, ScriptedModel, Step

STEPS = "There are 3 apples and my dad has 2 more, which makes 3 + 5 = 8 of them.\n"


def asked(question: str = "How many apples?", mode: Mode = "auto") -> Request:
    return Request(run="r", question=question, mode=mode)


def route(form: Form = "closed") -> Route:
    return Route(top="other", scores={}, reason="", difficulty=0, budget=8, form=form)


async def think(
    step: Step, form: Form = "closed", question: str = "How many apples?", limit: int = 32_768
) -> Candidate:
    with ScriptedModel({"branch:2": step}, limit=limit) as model:
        return await reason(asked(question), route(form), 2, 1, model)


async def test_a_marked_answer_is_read_with_its_confidence() -> None:
    found = await think(Say(STEPS + "ANSWER: \\boxed{8}", logprobs={"8": -0.5}))
    assert (found.source, found.wave, found.stance, found.status) == ("branch:2", 1, "sceptic", "answered")
    assert (found.answer, found.flags, found.finish, found.error) == ("8", (), "stop", "")
    assert found.reading in ("answer_line", "boxed")
    assert found.confidence
    assert found.confidence.mean == pytest.approx(0.6065, abs=1e-3)
    assert found.usage.completion > 0
    assert found.call


@pytest.mark.parametrize("text", ["", "   ", STEPS, "ANSWER:", "ANSWER: \\boxed{}"])
async def test_nothing_marked_is_unreadable(text: str) -> None:
    found = await think(Say(text))
    assert (found.status, found.answer, found.reading, found.confidence) == ("unreadable", "", "", None)


async def test_an_answer_off_the_menu_is_unreadable() -> None:
    question = "Which one?\n(A) one\n(B) two"
    assert (await think(STEPS + "ANSWER: \\boxed{B}", question=question)).answer == "B"
    assert (await think(STEPS + "ANSWER: \\boxed{E}", question=question)).status == "unreadable"


@pytest.mark.parametrize(
    "text", [STEPS + "ANSWER: 12", STEPS + "so the answer is 12\nand", "\\boxed{1", STEPS + "\\boxed{12} and then"]
)
async def test_a_cut_text_does_not_answer(text: str) -> None:
    found = await think(Say(text, finish="length"))
    assert (found.status, found.answer) == ("truncated", "")
    assert "truncated" in found.flags


@pytest.mark.parametrize("mark", ["ANSWER: 12", "**Answer:** \\boxed{12}", "最终答案：12"])
async def test_a_cut_text_with_a_whole_answer_line_answers(mark: str) -> None:
    found = await think(Say(f"{STEPS}\n{mark}\nLet me che", finish="length"))
    assert (found.status, found.answer) == ("answered", "12")
    assert "truncated" in found.flags


@pytest.mark.parametrize("finish", ["abort", "error", "content_filter"])
async def test_a_reply_that_the_server_gave_up_is_failed(finish: str) -> None:
    found = await think(Say(STEPS + "ANSWER: 8", finish=finish))
    assert (found.status, found.answer) == ("failed", "")
    assert found.error.startswith("engine_fault")


async def test_an_open_reply_is_the_answer_unless_cut() -> None:
    assert (await think("A poem\nof two lines", "open")).answer == "A poem\nof two lines"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Rain falls. It is we", "Rain falls."),
        ("下雨了。地面湿", "下雨了。"),
        ("Look:\n```\na\nb", "Look:\n```\na\n```"),
        ("Ra", ""),
    ],
)
async def test_a_cut_open_reply_keeps_what_is_finished(text: str, left: str) -> None:
    found = await think(Say(text, finish="length"), "open")
    assert (found.status, found.answer, found.text) == ("truncated", left, text)
    assert "truncated" in found.flags


@pytest.mark.parametrize("error", [EngineFault("died"), EngineTimeout("slow"), ContextExceeded("too long", 5)])
async def test_an_error_is_a_failed_candidate(error: EngineFault | ContextExceeded) -> None:
    found = await think(error)
    assert found == Candidate(
        source="branch:2", wave=1, stance="sceptic", status="failed", error=f"{error.code}: {error}"
    )


async def test_cancellation_passes_through() -> None:
    held = asyncio.Event()
    with ScriptedModel({"branch:0": Say("a b c d", hold=asyncio.Event(), held=held)}) as model:
        task = asyncio.create_task(reason(asked(), route(), 0, 0, model))
        await held.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_text_is_passed_on_as_it_arrives() -> None:
    pieces: list[str] = []
    with ScriptedModel(["ANSWER: \\boxed{8}"]) as model:
        await reason(asked(), route(), 0, 0, model, on_text=pieces.append)
    assert "".join(pieces) == "ANSWER: \\boxed{8}"


async def test_the_cap_is_lowered_to_what_the_window_leaves() -> None:
    with ScriptedModel(["ANSWER: 8"]) as model:
        await reason(asked(), route(), 0, 0, model)
        wide = model.calls[0]
        window = await model.measure(wide.messages)
    with ScriptedModel(["ANSWER: 8"], limit=window.tokens + 200) as model:
        await reason(asked(), route(), 0, 0, model)
        assert model.calls[0].sampling.max_tokens == 200
        assert model.calls[0].messages == wide.messages
    assert wide.sampling.max_tokens > 200


def test_eight_calls_differ_and_say_what_they_are() -> None:
    calls = [branch_call(asked(), "closed", index) for index in range(8)]
    assert len({call.messages for call in calls}) == 8
    assert len({call.prompt for call in calls}) == 8
    assert [call.slot for call in calls] == [f"branch:{index}" for index in range(8)]
    assert all(call.logprobs == 2 and not call.choices and call.json_schema is None for call in calls)
    assert [stance(index) for index in range(9)] == [*STANCES, STANCES[0]]


def test_the_longest_messages_are_longest() -> None:
    longest = longest_messages(asked())[1].content
    assert all(
        len(branch_call(asked(), form, i).messages[1].content) <= len(longest)
        for form in ("closed", "open")
        for i in range(8)
    )
