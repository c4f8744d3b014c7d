"""Evaluated where that is certain, run where that is allowed, and silent where two runs differ."""

from __future__ import annotations

import pytest

from nodes.sandbox import Limits
from nodes.source.bounds import Beyond
from nodes.source.observing import Observer

RUNS = Observer(Limits(seconds=30))
CLASS = "class A:\n    def f(self):\n        return 1 / self.n\n    n = 4\n"


def test_without_limits_nothing_is_run() -> None:
    assert Observer().look("print(1)").printed == "1\n"
    with pytest.raises(Beyond):
        Observer().look(CLASS)


async def test_both_faces_see_the_same() -> None:
    for expression in ("A().f()", "'a b\\n'", ""):
        seen = RUNS.look(CLASS + "print('x')", expression)
        assert seen == await RUNS.alook(CLASS + "print('x')", expression)
        assert (seen.printed, seen.run) == ("x\n", True)
    assert RUNS.look(CLASS, "A().f()").value == "0.25"
    assert RUNS.look(CLASS, "'a\\n b'").value == "'a\\n b'"


def test_exceptions_of_a_run() -> None:
    seen = RUNS.look(CLASS + "A.n = 0\nA().f()")
    assert (seen.raised, seen.line, seen.value) == ("ZeroDivisionError", 3, None)


@pytest.mark.parametrize(
    ("source", "expression"),
    [
        ("import random\nprint(random.random())", ""),
        ("import time\nprint(time.time_ns())", ""),
        ("print(list({'a', 'b', 'c', 'd', 'e', 'f'}))", ""),
        ("print(object())", ""),
        ("import sympy_of_another_world\nprint(1)", ""),
        ("print(open('/etc/passwd').read())", ""),
        ("import socket\nsocket.create_connection(('192.0.2.1', 1))", ""),
        (CLASS, "undefined"),
        ("import os\nos._exit(0)\n", "1"),
    ],
)
def test_what_has_no_one_outcome_is_beyond(source: str, expression: str) -> None:
    if expression == "1":
        assert RUNS.look(source, expression).value is None
        return
    with pytest.raises(Beyond):
        RUNS.look(source, expression)
