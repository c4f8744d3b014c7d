"""A specialist whose model call is off by default computes what it can, and abstains where it would have asked."""

from __future__ import annotations

import json

import pytest

from nodes import specialists
from nodes.contracts import Request
from nodes.specialists.numeric import Numeric
from tests.scripted import ScriptedModel

PROBLEM = Request(run="run", question="A pen costs 3 dollars. How much do 4 pens cost?")
CALENDAR = Request(run="run", question="Today is Monday. What day of the week is it in 100 days?")
PLAN = json.dumps({"reasoning": "4 pens at 3 dollars", "expression": "4 * 3", "unit": ""})


async def test_off_by_default_it_abstains_and_says_how_to_switch_it_on() -> None:
    with ScriptedModel({}) as model:
        found = await specialists.consult(Numeric(), PROBLEM, {}, model)
    assert (found.status, found.answer, found.usage.calls) == ("abstained", None, 0)
    assert found.error.startswith("model_call_off")
    assert "OCTAVO_SPECIALISTS" in found.error


async def test_what_needs_no_model_is_still_answered() -> None:
    with ScriptedModel({}) as model:
        found = await specialists.consult(Numeric(), CALENDAR, {}, model)
    assert (found.status, found.answer) == ("ok", "Wednesday")


@pytest.mark.parametrize("wanted", [("numeric",), ("code", "numeric"), ("all",)])
async def test_named_it_asks(wanted: tuple[str, ...]) -> None:
    with ScriptedModel({"specialist:numeric": PLAN}) as model:
        found = await specialists.consult(Numeric(), PROBLEM, {}, model, wanted)
    assert (found.status, found.answer) == ("ok", "12")


async def test_other_names_do_not_switch_it_on() -> None:
    with ScriptedModel({}) as model:
        found = await specialists.consult(Numeric(), PROBLEM, {}, model, ("code", "num"))
    assert found.status == "abstained"
