"""Questions about a Markdown table: a sum, a count, a difference, a mean, or who has the most."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from evals.generators.draft import Draft, decimal
from evals.generators.words import PEOPLE
from nodes.contracts import Language

LABELS = ("numeric", "relation")
ROWS = {1: (4, 5), 2: (6, 8), 3: (9, 12)}
GROUPS: dict[Language, tuple[str, ...]] = {"en": ("north", "south", "east"), "zh": ("北区", "南区", "东区")}
HEADS: dict[Language, tuple[str, str, tuple[str, ...]]] = {
    "en": ("name", "region", ("orders", "returns", "visits", "calls")),
    "zh": ("姓名", "地区", ("订单数", "退货数", "拜访数", "来电数")),
}
ASK: dict[Language, dict[str, str]] = {
    "en": {
        "sum": "What is the sum of {column} over all rows?",
        "sum_where": "What is the sum of {column} over the rows of region {group}?",
        "count": "How many rows have more than {k} {column}?",
        "count_where": "How many rows of region {group} have more than {k} {column}?",
        "spread": "By how much does the largest number of {column} exceed the smallest one?",
        "mean": "What is the mean of {column} over all rows?",
        "most": "Who has the most {column}?",
        "most_sum": "Who has the largest sum of {column} and {other}?",
        "part": "How many percent of all {column} belong to region {group}? Give the number.",
    },
    "zh": {
        "sum": "所有行的{column}之和是多少？",
        "sum_where": "{group}各行的{column}之和是多少？",
        "count": "{column}大于{k}的有几行？",
        "count_where": "{group}中{column}大于{k}的有几行？",
        "spread": "{column}的最大值比最小值大多少？",
        "mean": "所有行的{column}的平均数是多少？",
        "most": "谁的{column}最多？",
        "most_sum": "谁的{column}与{other}之和最大？",
        "part": "{group}的{column}占全部{column}的百分之几？只写数字。",
    },
}
KINDS = {
    1: ("sum", "count", "spread", "most"),
    2: ("sum_where", "count_where", "mean", "most_sum"),
    3: ("sum_where", "count_where", "part", "most_sum", "mean"),
}
Row = tuple[str, str, tuple[int, ...]]
"""Name, region, numbers."""


def make(rng: random.Random, difficulty: int, language: Language) -> Draft:
    """A table and one question whose answer is unique and short."""
    _, _, columns = HEADS[language]
    heads = rng.sample(columns, min(difficulty + 1, 3))
    kind = rng.choice(KINDS[difficulty])
    while True:
        rows = table(rng, rng.randint(*ROWS[difficulty]), len(heads), language)
        query = draw(rng, kind, rows, len(heads), language)
        found = answer(rows, query)
        if found is not None:
            break
    slots = query | {"column": heads[query["column"]], "other": heads[query["other"]]}
    text = f"{markdown(rows, heads, language)}\n\n{ASK[language][kind].format(**slots)}"
    return Draft(text, found, hidden=not kind.startswith("most"), meta={"query": query})


def table(rng: random.Random, size: int, columns: int, language: Language) -> list[Row]:
    """Rows with different names."""
    names = rng.sample(PEOPLE[language], size)
    return [(name, rng.choice(GROUPS[language]), tuple(rng.randint(3, 98) for _ in range(columns))) for name in names]


def draw(rng: random.Random, kind: str, rows: Sequence[Row], columns: int, language: Language) -> dict[str, Any]:
    """A query: kind, numbers of the columns, region and limit."""
    column, other = rng.sample(range(columns), 2)
    group = rng.choice(GROUPS[language])
    return {"kind": kind, "column": column, "other": other, "group": group, "k": rng.choice(rows)[2][column]}


def answer(rows: Sequence[Row], query: dict[str, Any]) -> str | None:
    """The answer; None when it is not unique, not short, or nothing is in the region."""
    column, group, kind = query["column"], query["group"], query["kind"]
    values = [numbers[column] for _, _, numbers in rows]
    inside = [numbers[column] for _, region, numbers in rows if region == group]
    if kind.endswith("where") or kind == "part":
        if not inside or len(inside) == len(rows):
            return None
        if kind == "part":
            return whole(Fraction(100 * sum(inside), sum(values)))
        values = inside
    if kind.startswith("most"):
        return most(rows, (column, query["other"]) if kind == "most_sum" else (column,))
    if kind.startswith("sum"):
        return str(sum(values))
    if kind.startswith("count"):
        return str(sum(value > query["k"] for value in values))
    return str(max(values) - min(values)) if kind == "spread" else whole(Fraction(sum(values), len(values)))


def most(rows: Sequence[Row], columns: Sequence[int]) -> str | None:
    """The one name with the largest sum of some columns."""
    ranked = sorted(((sum(numbers[c] for c in columns), name) for name, _, numbers in rows), reverse=True)
    return ranked[0][1] if ranked[0][0] > ranked[1][0] else None


def whole(value: Fraction) -> str | None:
    """A number with at most one decimal, else None."""
    return decimal(value) if 10 % value.denominator == 0 else None


def markdown(rows: Sequence[Row], columns: Sequence[str], language: Language) -> str:
    """The table."""
    name, group, _ = HEADS[language]
    lines = [(name, group, *columns), ("---",) * (2 + len(columns))]
    lines += [(who, region, *map(str, numbers)) for who, region, numbers in rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
