"""z3 decides what a theory says about a claim: entailed, contradicted, or neither.

A claim is entailed when the premises and its negation cannot be true together (z3: L. de Moura, N. Bjørner, TACAS
2008). Quantifiers range over one uninterpreted sort, so no finite domain is assumed and "all" has no existential
import. z3 is imported at the first use, works on one thread in a context of its own, and is bounded in time, steps and
memory: what it cannot decide within the bounds is `undecided`, never a guess.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any

from nodes.logic.form import (
    MOST_ATOMS,
    MOST_DEPTH,
    Atom,
    Compare,
    Count,
    Formula,
    Join,
    Not,
    Quantified,
    Status,
    Theory,
    atoms,
    depth,
)

MILLISECONDS = 500
"""For one question to the solver."""
STEPS = 3_000_000
"""z3's own resource count for one question: the same on every machine."""
MEGABYTES = 256


@cache
def _z3() -> Any:
    return importlib.import_module("z3")


class Theorist:
    """A theory that is asked about claims; one z3 context, not to be shared between threads."""

    def __init__(self, theory: Theory, milliseconds: int = MILLISECONDS) -> None:
        self._z3 = _z3()
        self._context = self._z3.Context()
        self._things = self._z3.DeclareSort("Thing", self._context)
        self._symbols: dict[tuple[str, int], Any] = {}
        self._solver = self._z3.Solver(ctx=self._context)
        self._solver.set("timeout", milliseconds, "rlimit", STEPS, "max_memory", MEGABYTES)
        self.bounded = _bounded(theory.premises)
        if self.bounded:
            self._solver.add(*self._places(theory.order), *(self._formula(one, {}) for one in theory.premises))

    def status(self, claim: Formula) -> Status:
        """What the theory says about the claim."""
        if not self.bounded or not _bounded((claim,)):
            return "undecided"
        true, false = self._possible(claim), self._possible(Not(inner=claim))
        if true is None or false is None:
            return "undecided"
        return _STATUS[true, false]

    def holds(self, claim: Formula) -> bool:
        """The claim follows from consistent premises."""
        return self.bounded and _bounded((claim,)) and self._possible(Not(inner=claim)) is False and bool(self._sound)

    @cached_property
    def _sound(self) -> bool | None:
        """Whether the premises can be true together."""
        result = self._solver.check()
        return None if result == self._z3.unknown else bool(result == self._z3.sat)

    def places(self, order: Sequence[str]) -> dict[str, int]:
        """The objects whose place is certain."""
        if not self.bounded or not self._sound or self._solver.check() != self._z3.sat:
            return {}
        model = self._solver.model()
        guess = {name: model.eval(self._place(name), model_completion=True).as_long() for name in order}
        return {name: at for name, at in guess.items() if self.holds(Compare(relation="=", left=name, right=at))}

    def _possible(self, claim: Formula) -> bool | None:
        self._solver.push()
        try:
            self._solver.add(self._formula(claim, {}))
            result = self._solver.check()
        except self._z3.Z3Exception:  # out of memory
            return None
        finally:
            self._solver.pop()
        return None if result == self._z3.unknown else bool(result == self._z3.sat)

    def _places(self, order: Sequence[str]) -> list[Any]:
        places = [self._place(name) for name in order]
        found = [bound for place in places for bound in (place >= 1, place <= len(places))]
        return [*found, self._z3.Distinct(*places)] if len(places) > 1 else found

    def _place(self, side: str | int) -> Any:
        if isinstance(side, int):
            return self._z3.IntVal(side, self._context)
        return self._symbol(side, -1, lambda: self._z3.Int(f"place {side}", self._context))

    def _symbol(self, name: str, arity: int, make: Any) -> Any:
        if (name, arity) not in self._symbols:
            self._symbols[name, arity] = make()
        return self._symbols[name, arity]

    def _formula(self, formula: Formula, bound: dict[str, Any]) -> Any:
        if isinstance(formula, Atom):
            return self._atom(formula, bound)
        if isinstance(formula, Not):
            return self._z3.Not(self._formula(formula.inner, bound))
        if isinstance(formula, Quantified):
            variable = self._z3.Const(formula.variable, self._things)
            inner = self._formula(formula.inner, bound | {formula.variable: variable})
            return (self._z3.ForAll if formula.kind == "every" else self._z3.Exists)([variable], inner)
        if isinstance(formula, Compare):
            return self._compare(formula)
        parts = [self._formula(part, bound) for part in formula.parts]
        return self._count(formula, parts) if isinstance(formula, Count) else self._join(formula, parts)

    def _atom(self, atom: Atom, bound: dict[str, Any]) -> Any:
        z3 = self._z3
        if not atom.terms:
            return self._symbol(atom.name, 0, lambda: z3.Bool(atom.name, self._context))
        arity = len(atom.terms)
        sorts = [self._things] * arity + [z3.BoolSort(self._context)]
        predicate = self._symbol(atom.name, arity, lambda: z3.Function(atom.name, *sorts))
        return predicate(*(bound[term] if term in bound else self._thing(term) for term in atom.terms))

    def _thing(self, name: str) -> Any:
        return self._symbol(name, -2, lambda: self._z3.Const(f"thing {name}", self._things))

    def _join(self, formula: Join, parts: list[Any]) -> Any:
        z3 = self._z3
        if formula.kind == "and":
            return z3.And(*parts)
        if formula.kind == "or":
            return z3.Or(*parts)
        if formula.kind == "implies":
            return z3.Implies(z3.And(*parts[:-1]) if len(parts) > 1 else z3.BoolVal(True, self._context), parts[-1])
        return parts[0] == parts[-1] if formula.kind == "iff" else z3.Xor(parts[0], parts[-1])

    def _count(self, formula: Count, parts: list[Any]) -> Any:
        weighed = [(part, 1) for part in parts]
        compare = {"at_least": self._z3.PbGe, "at_most": self._z3.PbLe, "exactly": self._z3.PbEq}[formula.kind]
        return compare(weighed, formula.number)

    def _compare(self, formula: Compare) -> Any:
        left, right = self._place(formula.left), self._place(formula.right)
        right = right + formula.by if formula.by else right
        if formula.relation == "next":
            return self._z3.Or(left == right + 1, right == left + 1)
        return {
            "<": left < right, ">": left > right, "=": left == right, "!=": left != right, "<=": left <= right,
            ">=": left >= right,
        }[formula.relation]  # fmt: skip


_STATUS: dict[tuple[bool, bool], Status] = {
    (True, True): "unknown",
    (True, False): "entailed",
    (False, True): "contradicted",
    (False, False): "inconsistent",
}


def _bounded(formulas: Sequence[Formula]) -> bool:
    """Small enough to be asked at all."""
    return all(depth(one) <= 2 * MOST_DEPTH for one in formulas) and len(atoms(*formulas)) <= MOST_ATOMS


def decide(theory: Theory, claim: Formula) -> Status:
    """What a theory says about one claim."""
    return Theorist(theory).status(claim)
