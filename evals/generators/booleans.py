"""Boolean expressions of constants, every pair in brackets, so that no order of precedence has to be known."""

from __future__ import annotations

import random
from dataclasses import dataclass

from evals.generators.draft import Draft
from nodes.contracts import Language

LABELS = ("logic",)
LEAVES = {1: (3, 3), 2: (4, 5), 3: (7, 9)}
NAMES: dict[Language, dict[str, str]] = {
    "en": {"True": "True", "False": "False", "not": "not", "and": "and", "or": "or"},
    "zh": {"True": "真", "False": "假", "not": "非", "and": "且", "or": "或"},
}
PHRASES: dict[Language, tuple[str, ...]] = {
    "en": (
        "Evaluate this Boolean expression: {} Answer True or False.",
        "Is the following expression True or False? {}",
        "{}\nWhat is the value of this expression, True or False?",
    ),
    "zh": (
        "求下面逻辑式的值：{} 只回答“真”或“假”。",
        "下面的逻辑式是真还是假？{}",
        "{}\n这个逻辑式的值是真还是假？",
    ),
}


@dataclass(frozen=True)
class Formula:
    """Words of a formula, in order, and its value."""

    words: tuple[str, ...]
    value: bool


def make(rng: random.Random, difficulty: int, language: Language) -> Draft:
    """A formula whose value was drawn first: half of all are true."""
    wanted = rng.random() < 0.5
    found = tree(rng, rng.randint(*LEAVES[difficulty]))
    while found.value != wanted:
        found = tree(rng, rng.randint(*LEAVES[difficulty]))
    names = NAMES[language]
    words = found.words[1:-1] if found.words[0] == "(" and _wrapped(found.words) else found.words
    text = " ".join(names.get(word, word) for word in words)
    return Draft(
        rng.choice(PHRASES[language]).format(text),
        names[str(found.value)],
        hidden=False,
        meta={"expression": " ".join(words)},
    )


def tree(rng: random.Random, leaves: int) -> Formula:
    """A random formula of `leaves` constants."""
    if leaves == 1:
        value = rng.random() < 0.5
        found = Formula((str(value),), value)
    else:
        part = rng.randint(1, leaves - 1)
        left, right = tree(rng, part), tree(rng, leaves - part)
        operator = rng.choice(("and", "or"))
        value = (left.value and right.value) if operator == "and" else (left.value or right.value)
        found = Formula(("(", *left.words, operator, *right.words, ")"), value)
    return Formula(("not", *found.words), not found.value) if rng.random() < 0.35 else found


def _wrapped(words: tuple[str, ...]) -> bool:
    """True when the first bracket closes at the end."""
    depth = 0
    for place, word in enumerate(words):
        depth += {"(": 1, ")": -1}.get(word, 0)
        if depth == 0:
            return place == len(words) - 1
    return False
