"""The registry is strict: whatever does not fit is named at start."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import ModuleType

import pytest

import prompts
from nodes.contracts import Contract
from nodes.errors import SetupError
from nodes.specialists import LABELS, NAMES, collect, load


@dataclass
class Fake:
    """As much of a specialist as the registry looks at."""

    name: str
    id: str
    after: tuple[str, ...] = ()
    answers: bool = False
    facts: type[Contract] = field(default=Contract)


def module(name: str, specialist: object = None) -> ModuleType:
    made = ModuleType(f"nodes.specialists.{name}")
    if specialist is not None:
        made.specialist = specialist  # type: ignore[attr-defined]
    return made


def test_what_exists_has_its_own_id_a_known_name_and_a_prompt_when_it_asks() -> None:
    found = load()
    assert {"numeric", "safety"} <= set(found)
    assert {one.id for one in found.values()} <= {f"rte-{letter}" for letter in "abcdefghijklmnop"}
    assert {name.rpartition("/")[2] for name in prompts.names("specialists")} <= set(found)
    assert load() is found


def test_labels_are_eight_and_other() -> None:
    assert len(NAMES) == 8
    assert (*NAMES, "other") == LABELS


def test_a_ninth_is_one_module() -> None:
    found = collect([module("ninth", Fake("ninth", "rte-i")), module("helper")], set())
    assert list(found) == ["ninth"]


def test_order_follows_what_runs_before_then_ids() -> None:
    fakes = [Fake("c", "rte-c", after=("d",)), Fake("b", "rte-b", after=("a",)), Fake("d", "rte-d"), Fake("a", "rte-z")]
    order = list(collect([module(fake.name, fake) for fake in fakes], set()))
    assert order.index("a") < order.index("b")
    assert order.index("d") < order.index("c")


@pytest.mark.parametrize(
    ("modules", "prompted", "words"),
    [
        ([module("a", Fake("b", "rte-a"))], set(), "name it 'a'"),
        ([module("a", Fake("a", "rte-a")), module("b", Fake("b", "rte-a"))], set(), "share the id 'rte-a'"),
        ([module("a", Fake("a", "rte-a"))], {"a", "orphan"}, "orphan"),
        ([module("a", Fake("a", "rte-a", after=("ghost",)))], set(), "ghost"),
        (
            [module("a", Fake("a", "rte-a", after=("b",))), module("b", Fake("b", "rte-b", after=("a",)))],
            set(),
            "wait for each other",
        ),
    ],
)
def test_what_does_not_fit_is_named(modules: list[ModuleType], prompted: set[str], words: str) -> None:
    with pytest.raises(SetupError, match=words):
        collect(modules, prompted)
