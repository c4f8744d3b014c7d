"""Scopes and unbound names, as Python's own symbol table has them."""

from __future__ import annotations

import pytest

from nodes.source.names import bound, scopes, unbound


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("print(x)", [("x", 1)]),
        ("x = 1\nprint(x)", []),
        ("def f():\n    return x\nx = 1", []),
        ("def f():\n    return y", [("y", 2)]),
        ("def f(a, *b, c=1, **d):\n    return a, b, c, d", []),
        ("def f():\n    global x\n    x = 1\nprint(x)", []),
        ("def f():\n    n = 0\n    def g():\n        nonlocal n\n        return n\n    return g", []),
        ("[x for x in y]", [("y", 1)]),
        ("import os.path as p, sys\np, sys", []),
        ("from m import *\nprint(x)", []),
        ("exec('x = 1')\nprint(x)", []),
        ("try:\n    pass\nexcept E as e:\n    e", [("E", 3)]),
        ("class A:\n    x = 1\n    y = x\nprint(A, __name__)", []),
        ("with open('f') as g:\n    g\nfor i, j in []:\n    i, j", []),
        ("if (n := 1):\n    n", []),
        ("match 1:\n    case [a, *b]:\n        a, b", []),
        ("def 面积(宽):\n    return 宽 * 高", [("高", 2)]),
        ("x: int\nprint(x)", []),
        ("b + a", [("b", 1), ("a", 1)]),
        ("x = (", []),
        ("", []),
        ("x" * 30_000, []),
    ],
)
def test_unbound_names(source: str, expected: list[tuple[str, int]]) -> None:
    assert unbound(source) == expected


def test_known_names_are_bound_elsewhere() -> None:
    assert unbound("print(x, y)", known={"x"}) == [("y", 1)]


def test_what_the_module_binds() -> None:
    assert bound("import a.b\nx = 1\ndef f():\n    global g\n    g = 1\n    y = 2\nclass C: pass") == {
        "a",
        "x",
        "f",
        "g",
        "C",
    }
    assert bound("x = (") == frozenset()


def test_scopes_by_kind_of_binding() -> None:
    source = "x = 1\ndef f(a):\n    y = a\n    def g():\n        return y + x\n    return g"
    assert scopes(source) == [
        ("module", "local", ("f", "x")),
        ("function f", "local", ("g", "y")),
        ("function f", "parameter", ("a",)),
        ("function g", "free", ("y",)),
        ("function g", "global", ("x",)),
    ]
