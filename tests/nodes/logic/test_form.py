"""The typed form: frozen data, its helpers, its words."""

from __future__ import annotations

import pytest
from hypothesis import given
from pydantic import ValidationError

from nodes.logic.form import Atom, Compare, Formula, Join, Not, Theory, atoms, both, either, negated, text, walk
from nodes.logic.syntax import parse
from tests.nodes.logic.formulas import formulas


def test_a_formula_is_frozen_and_closed() -> None:
    atom = Atom(name="a")
    with pytest.raises(ValidationError):
        atom.name = "b"  # type: ignore[misc]
    with pytest.raises(ValidationError):
        Join.model_validate({"kind": "and", "parts": []})
    with pytest.raises(ValidationError):
        Theory.model_validate({"premises": [], "order": [str(n) for n in range(13)]})


@given(formulas())
def test_json_keeps_it(formula: Formula) -> None:
    theory = Theory(premises=(formula,))
    assert Theory.model_validate_json(theory.model_dump_json()) == theory


def test_building() -> None:
    a, b = Atom(name="a"), Atom(name="b")
    assert both(a) == either(a) == negated(negated(a)) == a
    assert text(both(a, negated(b))) == "a and not b"
    assert text(Not(inner=either(a, b))) == "not (a or b)"
    assert text(Compare(relation="=", left="ann", right="bob", by=1)) == "ann = bob + 1"


def test_atoms_are_distinct_and_in_order() -> None:
    formula = parse("b -> (a or b) and not c")
    assert [atom.name for atom in atoms(formula)] == ["b", "a", "c"]
    assert len(list(walk(formula))) == 8
