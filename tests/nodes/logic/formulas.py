"""Random formulas of the typed form, and truth tables to hold a solver against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from hypothesis import strategies as st

from nodes.logic.form import Atom, Count, Formula, Join, Not, atoms

NAMES = ("a", "b", "c", "d")


def formulas() -> st.SearchStrategy[Formula]:
    """Propositional formulas of a few atoms."""
    leaves: st.SearchStrategy[Formula] = st.sampled_from([Atom(name=name) for name in NAMES])

    def deeper(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        pair = st.tuples(inner, inner)
        return (
            inner.map(lambda one: Not(inner=one))
            | st.builds(
                lambda kind, parts: Join(kind=kind, parts=parts),
                st.sampled_from(["and", "or", "xor", "implies", "iff"]),
                pair,
            )
            | st.builds(
                lambda kind, number, parts: Count(kind=kind, number=number, parts=tuple(parts)),
                st.sampled_from(["at_least", "at_most", "exactly"]),
                st.integers(0, 3),
                st.lists(inner, min_size=1, max_size=3),
            )
        )

    return st.recursive(leaves, deeper, max_leaves=8)


def value(formula: Formula, world: Mapping[str, bool]) -> bool:
    """The truth of a formula in one world, by its definition."""
    if isinstance(formula, Atom):
        return world[formula.name]
    if isinstance(formula, Not):
        return not value(formula.inner, world)
    if isinstance(formula, Count):
        true = sum(value(part, world) for part in formula.parts)
        return {"at_least": true >= formula.number, "at_most": true <= formula.number}.get(
            formula.kind, true == formula.number
        )
    assert isinstance(formula, Join)
    parts = [value(part, world) for part in formula.parts]
    if formula.kind in ("and", "or"):
        return all(parts) if formula.kind == "and" else any(parts)
    left, right = parts
    return {"xor": left != right, "iff": left == right, "implies": not left or right}[formula.kind]


def status(premises: Sequence[Formula], claim: Formula) -> str:
    """What a truth table says."""
    names = [atom.name for atom in atoms(*premises, claim)]
    worlds = [dict(zip(names, row, strict=True)) for row in product((False, True), repeat=len(names))]
    seen = {value(claim, world) for world in worlds if all(value(one, world) for one in premises)}
    return {(): "inconsistent", (True,): "entailed", (False,): "contradicted"}.get(tuple(seen), "unknown")
