"""Exact arithmetic on text: right, bounded, and closed to anything else."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.arithmetic import ArithmeticFault, evaluate, plain


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", 7),
        ("-2^2", -4),
        ("2^3^2", 512),
        ("2**-1", Fraction(1, 2)),
        ("2(3 + 4)(2)", 28),
        ("50% * 20", 10),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("1/3 + 1/6", Fraction(1, 2)),
        ("12 * (50 / 60)", 10),
        ("--3", 3),
        ("9^0.5", 3),
        ("sqrt(16) / 3", Fraction(4, 3)),
        ("ceil(7/2) + floor(7/2) + round(2.5) + abs(-1)", 11),
        ("max(1, 2, 3) - min(4, 5)", -1),
    ],
)
def test_value(expression: str, value: Fraction) -> None:
    assert evaluate(expression) == value


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "1 +",
        "(1",
        "1)",
        "1 2",
        "x + 1",
        "1 / 0",
        "9^9^9",
        "9^9^9^9",
        "0^-1",
        "2^0.3",
        "sqrt(2)",
        "sqrt(-4)",
        "sqrt(1, 2)",
        "min(",
        "__import__('os')",
        "1e5",
        "0x10",
        "1_000",
        "1;2",
        "(" * 5_000 + "1",
        "(" * 100 + "1" + ")" * 100,
        "2^256^2",
        "1" * 10_000,
    ],
)
def test_what_is_no_bounded_arithmetic_is_a_fault(expression: str) -> None:
    with pytest.raises(ArithmeticFault):
        evaluate(expression)


numbers = st.fractions(min_value=-100, max_value=100, max_denominator=10)
trees = st.recursive(
    numbers.map(lambda value: (f"({value.numerator}/{value.denominator})", value)),
    lambda children: st.tuples(children, st.sampled_from("+-*"), children).map(
        lambda made: (
            f"({made[0][0]} {made[1]} {made[2][0]})",
            {"+": made[0][1] + made[2][1], "-": made[0][1] - made[2][1], "*": made[0][1] * made[2][1]}[made[1]],
        )
    ),
    max_leaves=8,
)


@given(trees)
def test_a_written_tree_has_the_value_of_the_tree(made: tuple[str, Fraction]) -> None:
    assert evaluate(made[0]) == made[1]


@given(st.text(alphabet="0123456789+-*/^().%, sqrtmaxabE_;", max_size=60))
def test_any_text_is_a_value_or_a_fault(text: str) -> None:
    with suppress(ArithmeticFault):
        assert isinstance(evaluate(text), Fraction)


@pytest.mark.parametrize(
    ("value", "text"),
    [("10", "10"), ("21/2", "10.5"), ("-1/8", "-0.125"), ("1/3", "1/3"), ("-5", "-5"), ("1/128", "1/128"), ("0", "0")],
)
def test_plain(value: str, text: str) -> None:
    assert plain(Fraction(value)) == text


@given(numbers)
def test_a_plain_number_reads_back(value: Fraction) -> None:
    assert evaluate(plain(value)) == value
