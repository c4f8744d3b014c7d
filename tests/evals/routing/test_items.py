"""Labelled requests: read or refused with their line, parted by component, and never shared with what is under test."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from evals.routing import items
from nodes.errors import InputError
from nodes.specialists import NAMES

OWN = items.load(items.REQUESTS)


def item(identity: str, text: str, **more: str) -> items.Item:
    return items.Item(identity, text, (), "en", more.get("set", identity), more.get("group", identity))


def test_our_own_requests_cover_every_label_in_both_languages() -> None:
    assert len(OWN) >= 600
    assert len({one.id for one in OWN}) == len({one.text for one in OWN}) == len(OWN)
    counted = Counter((one.first, one.lang) for one in OWN)
    assert all(counted[label, lang] >= 25 for label in (*NAMES, "other") for lang in ("en", "zh"))
    assert sum(len(one.labels) > 1 for one in OWN) >= 30


def test_our_own_requests_do_not_repeat_each_other() -> None:
    openings = Counter(
        " ".join(one.text.lower().split()[:4]) for one in OWN if one.lang == "en" and len(one.text.split()) > 5
    )
    assert openings.most_common(1)[0][1] <= 6


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("[]", "no labelled request"),
        ("{", "no labelled request"),
        ('{"id": 1, "text": "x"}', "no labelled request"),
        ('{"id": 1, "text": " ", "labels": []}', "is empty"),
        ('{"id": 1, "text": 5, "labels": []}', "is empty"),
        ('{"id": 1, "text": "x", "labels": ["maths"]}', "unknown labels"),
        ('{"id": 1, "text": "x", "labels": 3}', "no labelled request"),
    ],
)
def test_a_bad_line_is_refused_with_its_number(tmp_path: Path, line: str, fault: str) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text('{"id": 0, "text": "x", "labels": []}\n' + line + "\n")
    with pytest.raises(InputError, match=f"line 2: .*{fault}"):
        items.load(path)


def test_none_and_other_are_the_same(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text('{"id": 0, "text": "x", "labels": []}\n{"id": 1, "text": "y", "labels": ["other"]}\n')
    assert [one.first for one in items.load(path)] == ["other", "other"]


def test_components_join_what_shares_a_set_or_a_group() -> None:
    some = [
        item("a", "", set="s1", group="g1"),
        item("b", "", set="s2", group="g1"),
        item("c", "", set="s2", group="g2"),
    ]
    apart = item("d", "", set="s3", group="g3")
    names = items.components([*some, apart], "set")
    assert len(set(names[:3])) == 1
    assert names[3] != names[0]
    assert len(set(items.components([*some, apart], "group"))) == 3


@pytest.mark.parametrize(
    ("one", "two", "shared"),
    [
        ("the cat sat on the old mat today", "Yes: The CAT sat, on the old!", True),
        ("the cat sat on the old mat", "a cat sat on the mat", False),
        ("今天下午三点在图书馆门口集合然后出发", "请问：今天下午，三点在图书馆门口见吗", True),
        ("今天下午三点在图书馆集合", "今天下午三点在车站集合", False),
    ],
)
def test_a_shared_wording_is_a_leak(one: str, two: str, shared: bool) -> None:
    assert bool(items.leaks([item("train", one)], [item("test", two)])) is shared


def test_a_data_file_is_described_without_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text(json.dumps({"id": 0, "text": "x", "labels": [], "licence": "MIT"}) + "\n")
    found = items.described(path, items.load(path))
    assert (found["file"], found["items"], found["licences"]) == ("data.jsonl", 1, ["MIT"])
