"""Specialists that can compute the answer join any route, and stand in for branches where the mode leaves it open."""

from __future__ import annotations

import pytest

from nodes import computing, specialists
from nodes.contracts import Hit, Request, Route

CALENDAR = "Today is Monday. What day of the week is it in 100 days?"
ORDER = "Ann is taller than Bob. Bob is taller than Cy. Who is the shortest?"


def route(**changes: object) -> Route:
    kinds = {
        "top": "other",
        "scores": {},
        "reason": "because",
        "difficulty": 0,
        "budget": 8,
        "specialists": ("safety",),
    }
    return Route.model_validate(kinds | changes)


def request(question: str, mode: str = "deep") -> Request:
    return Request.model_validate({"run": "r", "question": question, "mode": mode})


@pytest.mark.parametrize(
    ("question", "name"), [(CALENDAR, "numeric"), (ORDER, "logic"), ("What is 7 * (3 + 4)?", "numeric")]
)
@pytest.mark.parametrize("mode", computing.STAGED)
def test_a_reader_joins_the_route_and_stands_in(question: str, name: str, mode: str) -> None:
    found = computing.joined(request(question, mode), route(), specialists.load())
    assert {*found.specialists} == {"safety", name}
    assert list(found.specialists) == [one for one in specialists.load() if one in found.specialists]
    assert found.stand_in == name
    assert found.reason == f"because; {name} can compute the answer without a model"


def test_a_fixed_number_of_branches_is_opened_all_the_same() -> None:
    found = computing.joined(request(CALENDAR, "8"), route(), specialists.load())
    assert "numeric" in found.specialists
    assert found.stand_in is None


@pytest.mark.parametrize(
    "question", ["Who wrote Hamlet?", "", "If I have 3 apples and 2 pears, how many fruits?", "怎么煮米饭？"]
)
def test_other_questions_keep_their_route(question: str) -> None:
    assert computing.joined(request(question), route(), specialists.load()) == route()


def test_a_blocked_request_is_not_computed() -> None:
    blocked = route(block=Hit(rule="x", severity="block", span=(0, 1)))
    assert computing.joined(request(CALENDAR), blocked, specialists.load()) == blocked
