"""Answers from observations, and whether a stated answer is the real one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.source.observing import Observer
from nodes.source.questions import Asked, Kind
from nodes.source.solving import alike, same, solve


@pytest.mark.parametrize(
    ("kind", "source", "expression", "answer"),
    [
        ("prints", "print(1)\nprint(2)", "", "1\n2"),
        ("prints", "x = 1", "", None),
        ("prints", "print(1)\n1 / 0", "", None),
        ("prints", "def f(n): print(n)", "f(3)", "3"),
        ("prints", "def f(n): print(n)\nf(1)", "f(3)", None),
        ("lines", "print(1)\nprint(2)", "", "2"),
        ("returns", "def f(): return 'a'", "f()", "'a'"),
        ("returns", "def f(): return 1 / 0", "f()", None),
        ("returns", "def f(n): return n", "f(n)", None),
        ("value", "x = [1]", "x", "[1]"),
        ("raises", "1 / 0", "", "ZeroDivisionError"),
        ("raises", "x = 1", "", None),
        ("line", "x = 1\n1 / 0", "", "2"),
        ("line", "x = 1", "", None),
        ("calls", "def f(): g()\ndef g(): pass\nf()\ng()", "", "f, g, g"),
        ("calls", "x = 1", "", None),
        ("valid", "x = 1", "", "yes"),
        ("valid", "x = ", "", "no"),
        ("valid", "return 1", "", "no"),
        ("invalid", "x = ", "", "yes"),
        ("unbound", "print(y)", "", "y"),
        ("unbound", "print(y, z)", "", None),
        ("unbound", "print(1)", "", None),
    ],
)
def test_answers(kind: Kind, source: str, expression: str, answer: str | None) -> None:
    assert solve(Asked(kind, source, expression), Observer())[0] == answer


def test_what_is_not_wholly_asked_for_is_not_answered() -> None:
    two = "print(1)\nprint(2)"
    assert solve(Asked("prints", two, around="What does the last line print?"), Observer())[0] is None
    assert solve(Asked("prints", "print(2)", around="最后一行打印什么？"), Observer())[0] == "2"
    loud = "def f():\n    print(1)\n    return 2"
    assert solve(Asked("returns", loud, "f()", "What is the output of it()?"), Observer())[0] is None
    assert solve(Asked("returns", loud, "f()", "What does it() return?"), Observer())[0] == "2"


def test_yes_and_no_in_the_language_of_the_question() -> None:
    assert solve(Asked("valid", "x = 1", around="语法正确吗？"), Observer())[0] == "是"
    assert solve(Asked("valid", "x = 1", around="语法正确吗？ Answer yes or no"), Observer())[0] == "yes"


@pytest.mark.parametrize(
    ("kind", "real", "stated", "equal"),
    [
        ("returns", "[1, 2]", "[1,2]", True),
        ("returns", "[1, 2]", "`[1, 2]`", True),
        ("returns", "[1, 2]", "```python\n[1, 2]\n```", True),
        ("returns", "[1, 2]", "(1, 2)", False),
        ("returns", "{'a': 1}", '{"a": 1}', True),
        ("returns", "'ab'", "ab", True),
        ("returns", "'ab'", '"ab"', True),
        ("returns", "'ab'", "abc", False),
        ("returns", "'12'", "12", True),
        ("returns", "1", "True", False),
        ("returns", "1", "1.0", False),
        ("returns", "None", "None", True),
        ("returns", "5", "$5$", True),
        ("returns", "5", "", None),
        ("prints", "1\n2", "1\n2", True),
        ("prints", "1\n2", "1 2", True),
        ("prints", "a  b", "a b", True),
        ("raises", "KeyError", "KeyError: 'x'", True),
        ("raises", "KeyError", "builtins.KeyError", True),
        ("raises", "KeyError", "ValueError", False),
        ("raises", "KeyError", "KeyError or ValueError", None),
        ("line", "4", "line 4", True),
        ("line", "4", "第4行", True),
        ("line", "4", "3", False),
        ("line", "4", "3 or 4", None),
        ("valid", "yes", "Yes, it is.", True),
        ("valid", "yes", "No", False),
        ("valid", "否", "不是", True),
        ("valid", "否", "是的", False),
        ("valid", "是", "正确。", True),
        ("valid", "是", "不正确", False),
        ("valid", "yes", "maybe", None),
        ("calls", "f, g", "f -> g", True),
        ("calls", "f, g", "g, f", False),
        ("unbound", "count", "`count`", True),
        ("unbound", "count", "total", False),
    ],
)
def test_stated_answers(kind: Kind, real: str, stated: str, equal: bool | None) -> None:
    assert same(Asked(kind, "def f(): pass\ndef g(): pass"), real, stated) == equal


LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
LITERALS = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
)


@given(LITERALS)
def test_a_literal_is_like_itself_however_it_is_written(value: object) -> None:
    assert alike(repr(value), repr(value))
    assert alike(repr(value), f"  {value!r}\n")


@given(
    st.text(max_size=60),
    st.text(max_size=60),
    st.sampled_from(["returns", "prints", "raises", "line", "valid", "calls", "unbound"]),
)
def test_any_statement_is_compared(real: str, stated: str, kind: Kind) -> None:
    assert same(Asked(kind, "x = 1"), real, stated) in {True, False, None}
