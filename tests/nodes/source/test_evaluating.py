"""Evaluation agrees with Python itself: written, raised, where, and in which order, on fixed and on random programs."""

from __future__ import annotations

import contextlib
import io
import sys
import warnings
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.source.bounds import Beyond, Fuel
from nodes.source.evaluating import Observed, evaluate

FILE = "told"


def really(source: str, expression: str = "") -> Observed:
    """The same, by Python: for the programs of this file only."""
    calls: list[str] = []

    def note(frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename == FILE and not code.co_name.startswith("<"):
            calls.append(code.co_name)

    out, raised, line, value = io.StringIO(), "", None, None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compiled = compile(source, FILE, "exec", dont_inherit=True)
        names: dict[str, Any] = {"__name__": "__main__"}
        sys.setprofile(note)
        with contextlib.redirect_stdout(out):
            exec(compiled, names)
            value = repr(eval(expression, names)) if expression else None
    except SyntaxError as error:
        raised, line = type(error).__name__, error.lineno
    except Exception as error:  # noqa: BLE001  the program's own
        raised, trace = type(error).__name__, error.__traceback__
        while trace:
            line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == FILE else line
            trace = trace.tb_next
    finally:
        sys.setprofile(None)
    return Observed(out.getvalue(), raised, line, value, tuple(calls))


PROGRAMS = Path(__file__).with_name("programs.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n---\n")


@pytest.mark.parametrize("source", PROGRAMS, ids=range(len(PROGRAMS)))
def test_it_is_python(source: str) -> None:
    assert evaluate(source) == really(source)


@pytest.mark.parametrize(
    ("source", "expression"),
    [
        ("def f(n):\n    return [n] * n", "f(3)"),
        ("def f(s):\n    return s.upper()", "f('ab\\tc')"),
        ("x = {'a': (1, None)}", "x"),
        ("def f():\n    pass", "f()"),
        ("def f(n):\n    return 1 / n", "f(0)"),
        ("x = 1", "y"),
    ],
)
def test_values_of_expressions(source: str, expression: str) -> None:
    assert evaluate(source, expression) == really(source, expression)


BEYOND = [
    "import os",
    "from os import system",
    "__import__('os')",
    "open('/etc/passwd')",
    "eval('1')",
    "exec('1')",
    "input()",
    "print(globals())",
    "().__class__.__bases__",
    "''.__class__",
    "'{0.__class__}'.format(1)",
    "'{0[0]}'.format('ab')",
    "getattr('', 'upper')",
    "print(id(1))",
    "print(hash('a'))",
    "print({'a', 'b'})",
    "for x in {'a', 'b'}: print(x)",
    "print(list({'a', 'b'}))",
    "print(dict.fromkeys({'a', 'b'}))",
    "print(''.join({'a', 'b'}))",
    "x = []\nx += {'a', 'b'}\nprint(x)",
    "x, y = {'a', 'b'}",
    "print(lambda: 1)",
    "def f(): pass\nprint(f)",
    "print(map(str, []))",
    "class A: pass",
    "def f():\n    yield 1",
    "with x: pass",
    "async def f(): pass",
    "@f\ndef g(): pass",
    "print(1, file=2)",
    "x = 5\nprint(x is 5)",
    "print((1).real)",
    "print(2 ** (1 / 2j) if 0 else 1j)",
    "def f(): pass\nf.x = 1",
    "print(f'{1:>99999}')",
    "print('%99999d' % 1)",
    "print('%*d' % (9, 1))",
    "print('{:>99999}'.format(1))",
    "try:\n    (lambda: 0)(1)\nexcept TypeError as e:\n    print(e)",
    "round(5, -10 ** 9)",
]


@pytest.mark.parametrize("source", BEYOND)
def test_what_is_not_certain_is_beyond(source: str) -> None:
    with pytest.raises(Beyond):
        evaluate(source)


HEAVY = [
    "while True: pass",
    "for i in range(10 ** 18): pass",
    "print(list(range(10 ** 12)))",
    "print(sum(range(10 ** 12)))",
    "print(10 ** 10 ** 10)",
    "print(9 ** 9 ** 9)",
    "1 << 10 ** 9",
    "x = 'a'\nwhile True: x += x",
    "x = [1]\nwhile True: x += x",
    "x = [1]\nwhile True: x = [x, x]",
    "x = ()\nfor i in range(90): x = (x, x)\nprint(x)",
    "x = ()\ny = ()\nfor i in range(60):\n    x = (x, x)\n    y = (y, y)\nprint(x == y)",
    "x = []\nfor i in range(90): x = [x, x]\nprint(len(str(x)))",
    "'a' * 10 ** 10",
    "[0] * 10 ** 10",
    "x = 'a' * 20000\nprint(x.replace('', x))",
    "x = 'a' * 20000\nprint(x.join(x))",
    "x = 'a' * 20000\nprint(x.translate({97: x}))",
    "dict.fromkeys(range(10 ** 12))",
    "print('a'.ljust(10 ** 9))",
    "print('\\t'.expandtabs(10 ** 9))",
    "x = [[0] * 20000 for i in range(20000)]",
    "x = []\nwhile True: x.append([0] * 20000)",
    "x = [0] * 20000\ny = []\nwhile True: y.append(x[:])",
    "x = 'ab ' * 6000\ny = []\nwhile True: y.append(x.split())",
    "f = lambda: f()\nf()",
    "def f(n): return f(n + 1)\nf(0)",
    "print(sum([[0]] * 20000, []))",
    "'x' in range(10 ** 12)",
    "print(*range(10 ** 12))",
    "a = [*range(10 ** 12)]",
    "next(x for x in range(10 ** 12) if x < 0)",
    "any(map(lambda x: False, range(10 ** 12)))",
    "x = 3 ** 7000\nwhile True: x *= x",
    "while True: print('x' * 100)",
    "(" * 200 + ")" * 200,
    "x = " + "-" * 5000 + "1",
    "x = " + "[" * 90 + "]" * 90 + "\nprint(x)" * 3000,
    "x = 1\n" * 12000,
    "x = 1\nx" + ".a" * 9000,
    "f" + "()" * 9000,
    "1" + "+1" * 9000,
    "raise x" + ".a" * 9000,
    "not " * 4900 + "x",
    "if x:\n" + "".join(" " * n + "if x:\n" for n in range(1, 99)) + " " * 99 + "x",
]


@pytest.mark.parametrize("source", HEAVY, ids=range(len(HEAVY)))
def test_heavy_programs_are_left_alone(source: str) -> None:
    """Beyond, or a fault of the syntax where Python's own parser gives up; none of them takes a second."""
    try:
        seen = evaluate(source)
    except Beyond:
        return
    assert seen.raised in {"SyntaxError", "RecursionError"} or len(seen.printed) < 20_000


def test_fuel_is_an_argument_of_its_own() -> None:
    fuel = Fuel(5)
    fuel.burn(5)
    with pytest.raises(Beyond, match="steps"):
        fuel.burn()


# ---- random programs

NAMES = st.sampled_from("abc")
ATOMS = st.one_of(
    NAMES,
    st.integers(-3, 12).map(str),
    st.sampled_from(
        ["'x'", "'ab'", "''", "[]", "[1, 2]", "(3,)", "{'k': 1}", "{1, 2}", "None", "True", "1.5", "range(3)"]
    ),
)


def composed(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    binary = st.sampled_from(["+", "-", "*", "/", "//", "%", "==", "!=", "<", ">=", "in", "and", "or", "&", "|"])
    functions = [
        "len",
        "str",
        "int",
        "list",
        "sorted",
        "sum",
        "max",
        "bool",
        "f",
        "g",
        "abs",
        "repr",
        "tuple",
        "any",
        "set",
    ]
    methods = [
        ".append(1)",
        ".upper()",
        ".split('a')",
        ".get('k')",
        ".pop()",
        "[0]",
        "[-1:]",
        ".keys()",
        ".index(1)",
        ".sort()",
    ]
    return st.one_of(
        st.tuples(inner, binary, inner).map(lambda parts: f"({' '.join(parts)})"),
        st.tuples(st.sampled_from(functions), inner).map(lambda parts: f"{parts[0]}({parts[1]})"),
        st.tuples(inner, st.sampled_from(methods)).map(lambda parts: f"({parts[0]}){parts[1]}"),
        st.tuples(inner, NAMES, inner).map(lambda parts: f"[{parts[0]} for {parts[1]} in {parts[2]}]"),
        st.tuples(inner, inner, inner).map(lambda parts: f"({parts[0]} if {parts[1]} else {parts[2]})"),
        st.tuples(inner, inner).map(lambda parts: f"[{parts[0]}, {parts[1]}]"),
        st.tuples(NAMES, inner).map(lambda parts: f"(lambda {parts[0]}: {parts[1]})(4)"),
        inner.map(lambda one: f"f'{{{one}}}|'" if "'" not in one else f"({one})"),
    )


EXPRESSIONS = st.recursive(ATOMS, composed, max_leaves=5)
SIMPLE = st.one_of(
    st.tuples(NAMES, EXPRESSIONS).map(lambda parts: f"{parts[0]} = {parts[1]}"),
    st.tuples(NAMES, st.sampled_from(["+=", "*=", "-="]), EXPRESSIONS).map(lambda parts: " ".join(parts)),
    EXPRESSIONS.map(lambda one: f"print({one})"),
    st.tuples(NAMES, NAMES, EXPRESSIONS).map(lambda parts: f"{parts[0]}, {parts[1]} = {parts[2]}"),
)


def indented(block: list[str]) -> str:
    return "\n".join("    " + line for one in block for line in one.splitlines())


def nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    block = st.lists(inner, min_size=1, max_size=3).map(indented)
    catches = st.sampled_from(["Exception", "TypeError", "(ValueError, LookupError)"])
    return st.one_of(
        st.tuples(EXPRESSIONS, block, block).map(lambda parts: f"if {parts[0]}:\n{parts[1]}\nelse:\n{parts[2]}"),
        st.tuples(NAMES, EXPRESSIONS, block).map(lambda parts: f"for {parts[0]} in {parts[1]}:\n{parts[2]}"),
        st.tuples(block, catches, block).map(
            lambda parts: f"try:\n{parts[0]}\nexcept {parts[1]}:\n{parts[2]}\nfinally:\n    print('f')"
        ),
        st.tuples(st.sampled_from("fg"), NAMES, block, EXPRESSIONS).map(
            lambda parts: f"def {parts[0]}({parts[1]}=1):\n{parts[2]}\n    return {parts[3]}"
        ),
    )


BEFORE = "a, b, c = 3, 'ab', [2, 1]\ndef f(x=1):\n    return x\ng = sorted\n"
"""Every name has a value, so that programs get beyond their first line."""
PROGRAM = st.lists(st.recursive(SIMPLE, nested, max_leaves=6), min_size=1, max_size=6).map(
    lambda lines: BEFORE + "\n".join(lines)
)


@settings(max_examples=150, deadline=None)
@given(PROGRAM)
def test_random_programs_do_what_python_does(source: str) -> None:
    try:
        seen = evaluate(source)
    except Beyond:
        return
    assert seen == really(source)


@given(st.text(max_size=200), st.text(max_size=20))
def test_any_text_is_observed_or_beyond(source: str, expression: str) -> None:
    with contextlib.suppress(Beyond):
        assert isinstance(evaluate(source, expression), Observed)
