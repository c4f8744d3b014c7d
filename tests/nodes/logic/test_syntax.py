"""The compact syntax: what it means, that every text is a formula or a named error, that writing and reading agree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.errors import ParseError
from nodes.logic.form import Atom, Compare, Formula, Join, Not, Quantified, text
from nodes.logic.syntax import parse
from tests.nodes.logic.formulas import formulas


@pytest.mark.parametrize(
    ("source", "same"),
    [
        ("a and b or c", "(a and b) or c"),
        ("a -> b -> c", "a -> (b -> c)"),
        ("not a and b", "(not a) and b"),
        ("a or b -> c <-> d", "((a or b) -> c) <-> d"),
        ("¬a ∧ b ∨ c → d", "((not a and b) or c) -> d"),
        ("a && !b || c", "(a and not b) or c"),
        ("all x: (p(x) -> q(x))", "∀x. p(x) → q(x)"),
        ("no x: (p(x) and q(x))", "not some x: (p(x) and q(x))"),
        ("王五 -> 张三 或 李四", "王五 -> (张三 or 李四)"),
        ("exactly(1: a, b, c)", "exactly(1; a; b; c)".replace("; b; c", ", b, c")),
        ("a implies b", "a -> b"),
        ("a -> b.", "a -> b"),
    ],
)
def test_the_same_formula(source: str, same: str) -> None:
    assert parse(source) == parse(same)


def test_parts() -> None:
    assert parse("rain -> wet") == Join(kind="implies", parts=(Atom(name="rain"), Atom(name="wet")))
    assert parse("some x: likes(x, bob)") == Quantified(
        kind="some", variable="x", inner=Atom(name="likes", terms=("x", "bob"))
    )
    assert parse("ann <= 2") == Compare(relation="<=", left="ann", right=2)
    assert parse("not not a") == Not(inner=Not(inner=Atom(name="a")))


@pytest.mark.parametrize(
    "source",
    [
        "",
        " ",
        "a b",
        "a and",
        "and a",
        "(a",
        "a)",
        "p(",
        "p()",
        "p(x,)",
        "all: p",
        "exactly(a: b)",
        "exactly(99: a)",
        "a < ",
        "1 + 2",
        "a xor b xor c",
        "a; b",
        "p(a, b, c, d)",
        "'a'",
        "a" * 3_000,
        "(" * 100 + "a" + ")" * 100,
        "not " * 100 + "a",
        " or ".join(f"a{n}" for n in range(40)),
        "<script>",
        "\x00",
        "a -> 2",
    ],
)
def test_all_else_is_a_named_error_that_keeps_the_text(source: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(source)
    assert caught.value.raw == source[:2_000]


@given(st.text(alphabet="abx()->or nd:,<=not~∀张 1.", max_size=80) | st.text(max_size=200))
def test_any_text_is_read_or_refused(source: str) -> None:
    try:
        formula = parse(source)
    except ParseError:
        return
    assert parse(text(formula)) == formula


@given(formulas())
def test_what_is_written_is_read_back(formula: Formula) -> None:
    assert parse(text(formula)) == formula
