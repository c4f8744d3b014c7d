"""The second round: blind, in both orders; only a choice that survives the swap counts."""

from __future__ import annotations

import asyncio

import pytest

from nodes.contracts import Camp, Request
from nodes.errors import EngineFault
from nodes.verify import blind, cross_examine, outcome
from tests.scripted import Say, ScriptedModel

REQUEST = Request(run="r", question="What is 3 * 4?")


def camp(answer: str, votes: int) -> Camp:
    return Camp(answer=answer, sources=("branch:0",), votes=votes, share=0.5, confidence=0, failed_checks=0)


CAMPS = (camp("12", 3), camp("7", 3))


@pytest.mark.parametrize(
    ("answer", "seen"),
    [
        ("**12**", "12"),
        ("\\boxed{\\frac{1}{2}}", "\\frac{1}{2}"),
        ("`x_1`", "x_1"),
        ("2*3", "2*3"),
        ("C#", "C#"),
        ("$5", "$5"),
        ("__init__", "__init__"),
        ("a\n b", "a b"),
    ],
)
def test_only_emphasis_is_taken_off(answer, seen):
    assert blind(answer) == seen


@pytest.mark.parametrize(
    ("choices", "result"),
    [
        (("first", "first"), "first"),
        (("second", "second"), "second"),
        (("first", "second"), "keep"),
        (("none", "none"), "keep"),
        (("first",), "keep"),
        ((), "keep"),
    ],
)
def test_outcome(choices, result):
    assert outcome(choices) == result


@pytest.mark.parametrize(
    ("ab", "ba", "result"),
    [("A", "B", "first"), ("B", "A", "second"), ("A", "A", "keep"), ("N", "N", "keep"), ("N", "B", "keep")],
)
async def test_both_orders_must_agree(ab, ba, result):
    with ScriptedModel({"verify:ab": ab, "verify:ba": ba}) as model:
        ballot = await cross_examine(REQUEST, CAMPS, model)
    assert ballot.outcome == result
    prompts = [call.messages[-1].content for call in model.calls]
    assert prompts[0].index("12") < prompts[0].index("Answer B: 7")
    assert "Answer A: 7" in prompts[1]
    assert all(call.messages[0] == model.calls[0].messages[0] for call in model.calls)


async def test_a_cut_choice_is_none():
    with ScriptedModel({"verify:ab": Say("A", finish="length"), "verify:ba": "B"}) as model:
        assert (await cross_examine(REQUEST, CAMPS, model)).choices == ("none", "first")


async def test_when_one_order_fails_the_other_is_stopped():
    never, held = asyncio.Event(), asyncio.Event()
    slow = Say("B", hold=never, held=held)
    with ScriptedModel({"verify:ab": EngineFault("dead", 500), "verify:ba": slow}) as model:
        ballot = await cross_examine(REQUEST, CAMPS, model)
        assert (ballot.outcome, ballot.choices) == ("keep", ())
        assert "dead" in ballot.error
        assert len(asyncio.all_tasks()) == 1
