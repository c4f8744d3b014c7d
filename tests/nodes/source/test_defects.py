"""Call chains, raised exceptions and classic defects, read off the syntax tree."""

from __future__ import annotations

import ast

import pytest

from nodes.source.defects import call_chain, defects, raised


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        ("def f(a=[]): pass", [(1, "mutable default")]),
        ("def f(*, a={}): pass", [(1, "mutable default")]),
        ("def f(a=(), b=None, c=1): pass", []),
        ("f = lambda a=[]: a", [(1, "mutable default")]),
        ("def f(list): pass", [(1, "shadowed built-in")]),
        ("x = 1\nx is 5\nx is None\nx is True", [(2, "identity of a literal")]),
        ("try:\n    pass\nexcept:\n    pass", [(3, "bare except")]),
        ("try:\n    pass\nexcept:\n    raise", []),
        ("l = []\nfor x in l:\n    l.remove(x)", [(2, "changed while iterated")]),
        ("l = []\nfor x in l[:]:\n    l.remove(x)", []),
        ("l = []\nm = []\nfor x in l:\n    m.append(x)", []),
        ("def f():\n    return 1\n    f()", [(3, "unreachable")]),
        ("def f():\n    if f:\n        return 1\n    f()", []),
        ("print(y)", [(1, "unbound name")]),
        ("x = 1", []),
    ],
)
def test_classic_defects(source: str, kinds: list[tuple[int, str]]) -> None:
    assert [(one.line, one.kind) for one in defects(source, ast.parse(source))] == kinds


def test_call_chain() -> None:
    source = (
        "def a():\n    b(len('x'))\n    b(1)\n\ndef b(n):\n    self.c()\n    return b(n - 1)\n\ndef c(): pass\n\na()"
    )
    assert call_chain(ast.parse(source)) == [("a", "b"), ("b", "c"), ("b", "b"), ("module", "a")]


def test_raised() -> None:
    source = "raise ValueError('x')\nraise KeyError\nraise m.E()\nassert x\ntry: pass\nexcept E: raise\nraise (a or b)"
    assert raised(ast.parse(source)) == [
        (1, "ValueError"),
        (2, "KeyError"),
        (3, "E"),
        (4, "AssertionError"),
        (6, "the same again"),
        (7, "an expression"),
    ]
