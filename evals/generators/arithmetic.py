"""Integer arithmetic: an expression of two to six whole numbers; every division comes out even."""

from __future__ import annotations

import random
from dataclasses import dataclass

from evals.generators.draft import Draft
from nodes.contracts import Language

LABELS = ("numeric",)
PHRASES: dict[Language, tuple[str, ...]] = {
    "en": (
        "What is {}?",
        "Compute {}.",
        "Work out the value of {}.",
        "Evaluate {} and give the result as a whole number.",
    ),
    "zh": ("{} 等于多少？", "计算 {} 的结果。", "求 {} 的值。", "请算出 {} 是多少，答案写成整数。"),
}
LEAVES = {1: (2, 2), 2: (3, 4), 3: (5, 6)}
"""Fewest and most numbers of an expression, by difficulty."""
_RANK = {"+": 1, "-": 1, "×": 2, "÷": 2, "": 3}
_LARGEST = 10_000_000


@dataclass(frozen=True)
class Term:
    """A part of an expression."""

    text: str
    value: int
    operator: str = ""
    """The operator that is applied last; empty for a number."""


def make(rng: random.Random, difficulty: int, language: Language) -> Draft:
    """One expression in words of its language."""
    term = tree(rng, rng.randint(*LEAVES[difficulty]), difficulty)
    while abs(term.value) > _LARGEST or (difficulty == 1 and term.value < 0):
        term = tree(rng, rng.randint(*LEAVES[difficulty]), difficulty)
    return Draft(rng.choice(PHRASES[language]).format(term.text), str(term.value), meta={"expression": term.text})


def tree(rng: random.Random, leaves: int, difficulty: int, small: bool = False) -> Term:
    """A random expression of `leaves` numbers; `small` numbers are those that are multiplied."""
    if leaves == 1:
        value = rng.randint(2, 12 if small else 99 if difficulty < 3 else 999)
        return Term(str(value), value)
    if leaves == 2 and rng.random() < 0.25:
        return quotient(rng, difficulty)
    operator = rng.choice("+-×" if leaves > 2 else "+--××")
    left = rng.randint(1, leaves - 1)
    multiplied = small or operator == "×"
    return join(operator, *(tree(rng, part, difficulty, multiplied) for part in (left, leaves - left)))


def quotient(rng: random.Random, difficulty: int) -> Term:
    """A division without a remainder."""
    divisor, value = rng.randint(2, 12), rng.randint(2, 12 * difficulty)
    return Term(f"{divisor * value} ÷ {divisor}", value, "÷")


def join(operator: str, left: Term, right: Term) -> Term:
    """Two parts with an operator, brackets only where they are needed."""
    values = {"+": left.value + right.value, "-": left.value - right.value, "×": left.value * right.value}
    first = bracket(left, _RANK[left.operator] < _RANK[operator])
    strict = operator in "-÷×"  # a - (b - c), a × (b ÷ c)
    second = bracket(right, _RANK[right.operator] < _RANK[operator] + strict)
    return Term(f"{first} {operator} {second}", values[operator], operator)


def bracket(term: Term, needed: bool) -> str:
    """The text of a part, in brackets when needed."""
    return f"({term.text})" if needed else term.text
