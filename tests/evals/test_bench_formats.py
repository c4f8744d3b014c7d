"""The figures of `evals.bench.formats` count what they say, on files of a few made-up items."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evals.bench.formats import main


def item(group: str, text: str, gold: Any, **more: Any) -> dict[str, Any]:
    return {"text": text, "gold": gold, "lang": "en", "labels": more.pop("labels", []), "meta": {"set": group, **more}}


def pair(instance: Any) -> str:
    return json.dumps({"schema": {"type": "integer"}, "instance": instance})


ITEMS = [
    item("jsts-draft7", pair(1), {"valid": True}, draft="draft7"),
    item("jsts-draft7", pair("x"), {"valid": True}, draft="draft7"),
    item("json-repair", "{'a': 1}", {"repaired": {"a": 1}}),
    item("jsontestsuite", "[1,]", "reject"),
    item("table-derived", "| a |\n| - |\n| 1 |\n", {"defect": "one_line"}),
    item("gfm-spec", "# A", {"html": "<h1>A</h1>\n"}, labels=["markdown", "heading"]),
    item("markdownlint", "# A\nx\n", {"violations": [["MD022", 1], ["MD013", 1]]}),
    item("ifeval", "Use no commas.", {"instruction_id_list": ["punctuation:no_comma", "startend:quotation"]}),
]


def test_the_report_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, others = tmp_path / "format.jsonl", tmp_path / "sums.jsonl"
    data.write_text("\n".join(json.dumps(one) for one in ITEMS), encoding="utf-8")
    others.write_text(json.dumps(item("sums", "What is 3 + 4?\u2028", "7"), ensure_ascii=False), encoding="utf-8")
    main([str(data), str(others)])
    lines = {line[:58].strip(): line[58:].split()[:3] for line in capsys.readouterr().out.splitlines()}
    assert lines["jsts-draft7 (ecma_regex apart)"] == ["1", "of", "2"]
    assert lines["broken JSON: objects and arrays equal to gold"] == ["1", "of", "1"]
    assert lines["jsontestsuite: accepted and rejected alike"] == ["1", "of", "1"]
    assert lines["table-derived: defect named"] == ["0", "of", "1"]
    assert lines["gfm heading: same HTML"] == ["1", "of", "1"]
    assert lines["markdownlint, all files: recall"] == ["1", "of", "1"]
    assert lines["demands of requests: precision"] == ["1", "of", "1"]
    assert lines["demands of requests: recall"] == ["1", "of", "2"]
    assert lines["sums.jsonl: no demand read"] == ["1", "of", "1"]


def test_without_a_file_it_says_how() -> None:
    with pytest.raises(SystemExit, match=r"evals\.bench\.formats"):
        main([])
