"""z3 decides as truth tables and permutations do, and hostile theories end in bounded time."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.logic.deciding import Theorist, decide
from nodes.logic.form import Atom, Compare, Formula, Join, Not, Theory, atoms, depth, negated
from nodes.logic.syntax import parse
from tests.nodes.logic.formulas import formulas, status


def said(*premises: str, claim: str, order: tuple[str, ...] = ()) -> str:
    return decide(Theory(premises=tuple(map(parse, premises)), order=order), parse(claim))


@given(st.lists(formulas(), max_size=3), formulas())
@settings(max_examples=150, deadline=None)
def test_as_a_truth_table(premises: list[Formula], claim: Formula) -> None:
    assert decide(Theory(premises=tuple(premises)), claim) == status(premises, claim)


COMPARES = st.builds(
    lambda relation, left, right: Compare(relation=relation, left=left, right=right),
    st.sampled_from(["<", ">", "=", "!=", "next"]),
    st.sampled_from("abcd"),
    st.sampled_from("abcd") | st.integers(1, 4),
)


def true_of(one: Compare, row: tuple[str, ...]) -> bool:
    left = row.index(str(one.left)) + 1
    right = one.right if isinstance(one.right, int) else row.index(one.right) + 1
    if one.relation == "next":
        return abs(left - right) == 1
    return {"<": left < right, ">": left > right, "=": left == right, "!=": left != right}[one.relation]


@given(st.lists(COMPARES, max_size=4), COMPARES)
@settings(max_examples=100, deadline=None)
def test_orders_as_permutations(premises: list[Compare], claim: Compare) -> None:
    rows = [row for row in permutations("abcd") if all(true_of(one, row) for one in premises)]
    seen = {true_of(claim, row) for row in rows}
    expected = {(): "inconsistent", (True,): "entailed", (False,): "contradicted"}.get(tuple(seen), "unknown")
    theorist = Theorist(Theory(premises=tuple(premises), order=tuple("abcd")))
    assert theorist.status(claim) == expected
    sure = {name: rows[0].index(name) + 1 for name in "abcd" if rows and len({row.index(name) for row in rows}) == 1}
    assert theorist.places(tuple("abcd")) == sure


@pytest.mark.parametrize(
    ("premises", "claim", "expected"),
    [
        (("王五 -> 张三 or 李四", "王五"), "张三 or 李四", "entailed"),
        (("王五 -> 张三 or 李四", "王五"), "张三", "unknown"),
        (
            ("all x: (greek(x) -> human(x))", "all x: (human(x) -> mortal(x))"),
            "all x: (greek(x) -> mortal(x))",
            "entailed",
        ),
        (("all x: (greek(x) -> human(x))",), "some x: (greek(x) and human(x))", "unknown"),
        (("all x: (man(x) -> mortal(x))", "man(socrates)"), "mortal(socrates)", "entailed"),
        (
            ("no x: (poet(x) and banker(x))", "some x: (teacher(x) and poet(x))"),
            "all x: (teacher(x) -> banker(x))",
            "contradicted",
        ),
        (("some x: (all y: likes(x, y))",), "all y: (some x: likes(x, y))", "entailed"),
        (("all x: (some y: likes(x, y))",), "some y: (all x: likes(x, y))", "unknown"),
        (("exactly(1: a, b, c)", "not a", "c -> a"), "b", "entailed"),
        (("a < b", "b < c"), "a < c", "entailed"),
        (("a < b",), "b < c", "unknown"),
        (("a", "not a"), "b", "inconsistent"),
    ],
)
def test_statuses(premises: tuple[str, ...], claim: str, expected: str) -> None:
    assert said(*premises, claim=claim) == expected


def test_all_does_not_say_that_there_are_any() -> None:
    assert said("all x: (unicorn(x) -> white(x))", claim="some x: (unicorn(x) and white(x))") == "unknown"


def test_what_needs_an_endless_model_is_undecided() -> None:
    endless = (
        "all x: (some y: below(x, y))",
        "all x: (not below(x, x))",
        "all x: (all y: (all z: ((below(x, y) and below(y, z)) -> below(x, z))))",
    )
    assert said(*endless, claim="some x: red(x)") == "undecided"


def test_a_hard_theory_is_decided_rightly_or_not_at_all() -> None:
    holes = range(7)
    placed = [Join(kind="or", parts=tuple(Atom(name=f"p{p}{h}") for h in holes)) for p in range(8)]
    apart: list[Formula] = [
        Join(kind="or", parts=(negated(Atom(name=f"p{p}{h}")), negated(Atom(name=f"p{q}{h}"))))
        for h in holes
        for p in range(8)
        for q in range(p)
    ]
    assert decide(Theory(premises=(*placed, *apart)), Atom(name="p00")) in ("inconsistent", "undecided")


def test_too_many_atoms_and_too_deep_a_formula_are_not_asked() -> None:
    many = Join(
        kind="and",
        parts=tuple(
            Join(kind="or", parts=(Atom(name=f"a{n}"), Atom(name=f"b{n}"), Atom(name=f"c{n}"))) for n in range(24)
        ),
    )
    assert len(atoms(many)) > 60
    assert decide(Theory(premises=(many,)), Atom(name="a0")) == "undecided"
    deep: Formula = Atom(name="a")
    for _ in range(100):
        deep = Not(inner=deep)
    assert depth(deep) == 101
    assert decide(Theory(premises=()), deep) == "undecided"
    assert not Theorist(Theory(premises=(deep,))).holds(Atom(name="a"))
    assert Theorist(Theory(premises=(deep,))).places(("a",)) == {}
