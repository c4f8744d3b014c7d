"""The format and style requests: every example reply meets its demands, and no demand is met by just anything."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evals.demands import faults

FOLDER = Path("evals/requests")
KINDS = ("format", "style")
CASES = [
    json.loads(line) for kind in KINDS for line in (FOLDER / f"{kind}.jsonl").read_text(encoding="utf-8").splitlines()
]
NONSENSE = "well , 1 bad reply...\n\n* Like this?\n\nNo, none.\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_the_example_meets_the_demands(case: dict[str, Any]) -> None:
    assert faults(case["gold"], case["check"]) == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_no_request_is_met_by_anything(case: dict[str, Any]) -> None:
    spoiled = [NONSENSE, case["text"].split("\n")[-1], case["text"], ""]
    assert any(faults(text, case["check"]) for text in spoiled)
    if case["id"].startswith("style"):
        source = next(one["source"] for one in case["check"] if one["kind"] == "differs")
        assert source in case["text"]
        assert faults(source, case["check"])


@pytest.mark.parametrize("kind", KINDS)
def test_halves_and_languages(kind: str) -> None:
    cases = [case for case in CASES if case["id"].startswith(kind)]
    assert len({case["id"] for case in cases}) == len({case["text"] for case in cases}) == 48
    counts = Counter((case["lang"], case["half"]) for case in cases)
    assert counts == dict.fromkeys([(lang, half) for lang in ("en", "zh") for half in ("dev", "closing")], 12)
    assert all(bool(re.search(r"[\u4e00-\u9fff]{4}", case["text"])) for case in cases if case["lang"] == "zh")


@pytest.mark.parametrize(
    ("text", "demand", "met"),
    [
        ('```json\n{"a": 1}\n```', {"kind": "json_equals", "value": {"a": 1}}, True),
        ('{"a": true}', {"kind": "json_equals", "value": {"a": 1}}, False),
        ("Here: {}", {"kind": "json_equals", "value": {}}, False),
        ("[" * 100_000, {"kind": "json_equals", "value": []}, False),
        ("a: [", {"kind": "yaml_equals", "value": {}}, False),
        ("One. Two! 3.5 is three?", {"kind": "sentences", "min": 3, "max": 3}, True),
        ("一。二！三？", {"kind": "sentences", "min": 3, "max": 3}, True),
        ("It's 3,000 well-known words", {"kind": "words", "min": 4, "max": 4}, True),
        ("a\nb\n\nc\n \nd", {"kind": "paragraphs", "min": 3, "max": 3}, True),
        ("| a | b |\n|---|---|\n| 1 |", {"kind": "table", "columns": ["a", "b"], "rows": 1}, False),
        ("brightness", {"kind": "contains", "word": "bright", "min": 1}, False),
        ("3 pm", {"kind": "keeps", "items": ["3pm"]}, True),
    ],
)
def test_demands(text: str, demand: dict[str, Any], met: bool) -> None:
    assert (faults(text, [demand]) == []) == met


def test_an_unknown_demand_is_an_error() -> None:
    with pytest.raises(KeyError):
        faults("", [{"kind": "rhymes"}])
