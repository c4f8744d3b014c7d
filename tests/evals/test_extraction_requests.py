"""The gold of the entity and relation requests: it stands in the text, and where a cell is named, in that cell."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

WRITTEN_ANEW = {"2024-07-03", "grandmother", "cousin", "奶奶", "表妹", "works_for", "part_of", "sibling", "located_in"}
"""Gold that is derived from the text instead of copied, or the name of a relation that the request offers."""


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(f"evals/requests/{name}.jsonl").read_text(encoding="utf-8").splitlines()]


ALL = [case for name in ("entity", "relation") for case in cases(name)]


def grid(text: str) -> list[list[str]]:
    """The one table of a request, read here by other means than the product's."""
    block = next(part for part in text.split("\n\n") if part.count("\n") >= 2)
    lines = [line for line in block.splitlines() if not re.fullmatch(r"[|: -]+", line)]
    if lines[0].startswith("|"):
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return list(csv.reader(lines, delimiter="\t" if "\t" in block else ","))


@pytest.mark.parametrize("case", ALL, ids=lambda case: str(case["id"]))
def test_gold_stands_in_the_text(case: dict[str, Any]) -> None:
    items = case.get("items", [case["gold"]])
    assert case["gold"] == "; ".join(items)
    assert [item for item in items if item not in case["text"] and item not in WRITTEN_ANEW] == []
    assert ("items" not in case) == (case["kind"] == "one")
    assert len(items) == {"one": 1, "pair": 2, "triple": 3}.get(case["kind"], len(items))


@pytest.mark.parametrize("case", [case for case in ALL if "cell" in case], ids=lambda case: str(case["id"]))
def test_gold_of_a_lookup_is_the_cell(case: dict[str, Any]) -> None:
    row, column = map(int, re.fullmatch(r"table:1,row:(\d+),col:(\d+)", case["cell"]).groups())  # type: ignore[union-attr]
    assert grid(case["text"])[row - 1][column - 1] == case["gold"]


@pytest.mark.parametrize("name", ["entity", "relation"])
def test_halves_and_languages(name: str) -> None:
    found = cases(name)
    assert len({case["id"] for case in found}) == len({case["text"] for case in found}) == 48
    counts = Counter((case["lang"], case["half"]) for case in found)
    assert counts == dict.fromkeys([(lang, half) for lang in ("en", "zh") for half in ("dev", "closing")], 12)
