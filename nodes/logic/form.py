"""The typed form that premises and questions are brought to before z3 decides.

A formula is an atom, a negation, a connection (and, or, exclusive or, implies, if and only if), a count over listed
formulas (at least, at most, exactly k), a quantified formula over things, or a comparison of places in one order. All
of it is frozen data; nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from nodes.contracts import Contract

Status = Literal["entailed", "contradicted", "unknown", "inconsistent", "undecided"]
"""`inconsistent`: the premises contradict each other; `undecided`: the solver reached its limit."""
MOST_ATOMS, MOST_DEPTH, MOST_PARTS, MOST_PLACES = 60, 24, 24, 12
"""Bounds of a theory: distinct atoms, nesting, parts of one connection, places of an order."""


class Atom(Contract):
    """A statement without inner structure: `rains`, or a predicate of things: `poet(x)`, `likes(ann, bob)`."""

    kind: Literal["atom"] = "atom"
    name: str
    terms: tuple[str, ...] = ()
    """Variables of an enclosing quantifier, or names of things."""


class Not(Contract):
    """The negation of a formula."""

    kind: Literal["not"] = "not"
    inner: Formula


class Join(Contract):
    """A connection; `implies` has two parts, `xor` and `iff` two, `and` and `or` one or more."""

    kind: Literal["and", "or", "xor", "implies", "iff"]
    parts: tuple[Formula, ...] = Field(min_length=1, max_length=MOST_PARTS)


class Count(Contract):
    """How many of the parts are true."""

    kind: Literal["at_least", "at_most", "exactly"]
    number: int = Field(ge=0, le=MOST_PARTS)
    parts: tuple[Formula, ...] = Field(min_length=1, max_length=MOST_PARTS)


class Quantified(Contract):
    """True of every thing, or of at least one."""

    kind: Literal["every", "some"]
    variable: str
    inner: Formula


class Compare(Contract):
    """Places in an order: 1 is the first. A side is the name of an object or a place."""

    kind: Literal["compare"] = "compare"
    relation: Literal["<", ">", "=", "!=", "<=", ">=", "next"]
    """`next`: the places differ by one."""
    left: str | int
    right: str | int
    by: int = 0
    """Added to the right side: `left = right + by`."""


Formula = Annotated[Atom | Not | Join | Count | Quantified | Compare, Field(discriminator="kind")]


class Theory(Contract):
    """Premises and, where one is known, the order that they speak of."""

    premises: tuple[Formula, ...]
    order: tuple[str, ...] = Field(default=(), max_length=MOST_PLACES)
    """Objects that take the places 1 to n, one each. Objects that only comparisons name have no such bounds."""


for _model in (Not, Join, Count, Quantified, Theory):
    _model.model_rebuild()


def both(*parts: Formula) -> Formula:
    """All of the parts."""
    return parts[0] if len(parts) == 1 else Join(kind="and", parts=parts)


def either(*parts: Formula) -> Formula:
    """At least one of the parts: the inclusive or."""
    return parts[0] if len(parts) == 1 else Join(kind="or", parts=parts)


def implies(condition: Formula, result: Formula) -> Formula:
    """If `condition` then `result`."""
    return Join(kind="implies", parts=(condition, result))


def negated(formula: Formula) -> Formula:
    """The negation; a double one is lifted."""
    return formula.inner if isinstance(formula, Not) else Not(inner=formula)


def children(formula: Formula) -> tuple[Formula, ...]:
    """The formulas directly inside."""
    if isinstance(formula, Not | Quantified):
        return (formula.inner,)
    return formula.parts if isinstance(formula, Join | Count) else ()


def walk(formula: Formula) -> Iterator[Formula]:
    """The formula and everything inside it."""
    yield formula
    for inner in children(formula):
        yield from walk(inner)


def depth(formula: Formula) -> int:
    """Levels of nesting; an atom has 1."""
    return 1 + max((depth(inner) for inner in children(formula)), default=0)


def atoms(*formulas: Formula) -> tuple[Atom, ...]:
    """The distinct atoms, in order of appearance."""
    found = (one for formula in formulas for one in walk(formula) if isinstance(one, Atom))
    return tuple(dict.fromkeys(found))


_SIGNS = {"and": " and ", "or": " or ", "xor": " xor ", "implies": " -> ", "iff": " <-> "}


def text(formula: Formula) -> str:
    """The formula in the compact syntax of `nodes.logic.syntax`."""
    if isinstance(formula, Atom):
        return f"{formula.name}({', '.join(formula.terms)})" if formula.terms else formula.name
    if isinstance(formula, Not):
        return f"not {text(formula.inner)}" if isinstance(formula.inner, Atom) else f"not ({text(formula.inner)})"
    if isinstance(formula, Join):
        return _SIGNS[formula.kind].join(_inside(part) for part in formula.parts)
    if isinstance(formula, Count):
        return f"{formula.kind}({formula.number}: {', '.join(text(part) for part in formula.parts)})"
    if isinstance(formula, Quantified):
        return f"{'all' if formula.kind == 'every' else 'some'} {formula.variable}: ({text(formula.inner)})"
    right = f"{formula.right} + {formula.by}" if formula.by else f"{formula.right}"
    return f"{formula.left} {formula.relation} {right}"


def _inside(formula: Formula) -> str:
    plain = isinstance(formula, Atom | Count | Compare) or (isinstance(formula, Not) and len(children(formula)) == 1)
    return text(formula) if plain else f"({text(formula)})"
