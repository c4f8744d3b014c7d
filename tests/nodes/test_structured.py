"""Typed replies: read, repaired once, or nothing; never free text."""

from __future__ import annotations

from typing import Any

import pytest

from nodes.contracts import Contract, Request
from nodes.errors import EngineFault
from nodes.structured import Structured, ask
from tests.scripted import Say, ScriptedModel, Step


class Wanted(Contract):
    expression: str


SCHEMA: dict[str, Any] = {"type": "object", "properties": {"expression": {"type": "string"}}}
GOOD = '{"expression": "1 + 1"}'
REQUEST = Request(run="r", question="What is one and one?")


async def reply(*steps: Step) -> tuple[Structured[Wanted], ScriptedModel]:
    with ScriptedModel(list(steps)) as model:
        return await ask(REQUEST, "numeric", Wanted, SCHEMA, model), model


async def test_a_good_object_takes_one_call() -> None:
    found, model = await reply(GOOD)
    assert (found.value, found.error, found.repaired) == (Wanted(expression="1 + 1"), "", False)
    assert [call.slot for call in model.calls] == ["specialist:numeric"]
    assert model.calls[0].json_schema == SCHEMA
    assert len(found.calls) == 1
    assert found.usage.calls == 1


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        ("no object", "not JSON"),
        ("", "not JSON"),
        ("[1]", "breaks the contract"),
        ('{"expression": 5}', "expression"),
        ('{"expression": "1", "more": 2}', "more"),
        ('{"expression": "1 +', "not JSON"),
        ("[" * 50_000, "not JSON"),
    ],
)
async def test_a_bad_object_is_repaired_once_with_its_fault_named(bad: str, fault: str) -> None:
    found, model = await reply(bad, GOOD)
    assert found.repaired
    assert found.value == Wanted(expression="1 + 1")
    assert [call.slot for call in model.calls] == ["specialist:numeric", "specialist:numeric:repair"]
    assert fault in model.calls[1].messages[-1].content
    assert found.usage.calls == 2


async def test_a_cut_object_is_not_trusted() -> None:
    found, _ = await reply(Say(GOOD, finish="length"), GOOD)
    assert found.repaired


async def test_twice_bad_is_no_object() -> None:
    found, _ = await reply("bad", "worse")
    assert found.value is None
    assert found.error.startswith("parse_error: the reply is not JSON")
    assert len(found.calls) == 2


async def test_an_engine_error_is_told_and_not_repeated() -> None:
    found, model = await reply(EngineFault("died"))
    assert (found.value, found.error) == (None, "engine_fault: died")
    assert len(model.calls) == 1
