"""Cases from files and folders: what is read, what is refused and where, and that a draw only grows."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.cases import case_of, load, select
from nodes.errors import InputError
from tests.evals.lines import case, data, item


def test_a_line_of_a_public_data_set(tmp_path: Path) -> None:
    line = item(1, "cmath", lang="zh", text="1加1等于几？", labels=["numeric"], licence="CC0", accepted=["二"])
    (found,) = load([data(tmp_path / "a.jsonl", [line, ""])])
    assert (found.id, found.family, found.group, found.lang) == ("cmath-1", "cmath", "cmath:0", "zh")
    assert (found.text, found.gold, found.labels, found.accepted) == ("1加1等于几？", "2", ("numeric",), ("二",))
    assert found.cluster == "cmath:0"


def test_what_may_be_missing_and_what_gold_may_be(tmp_path: Path) -> None:
    (one,) = load([data(tmp_path / "a.jsonl", [{"id": 7, "text": "Write a poem.", "gold": None, "lang": "mixed"}])])
    assert (one.id, one.gold, one.lang, one.family, one.group) == ("7", "", None, "other", "")
    golds = {"a": 2.5, "b": ["甲", 1], "c": {"k": None}, "d": True}
    lines = [{"id": name, "text": "?!x", "gold": gold} for name, gold in golds.items()]
    found = load([data(tmp_path / "b.jsonl", lines)])
    assert [case.gold for case in found] == ["2.5", '["甲", 1]', '{"k": null}', "true"]


def test_a_folder_holds_files_of_all_kinds(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    data(tmp_path / "deep" / "b.jsonl", [item(1)])
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(json.dumps(item(2)).encode()))
    (tmp_path / "c.json").write_text(json.dumps(item(3), indent=1))
    (tmp_path / "notes.txt").write_text("no case")
    assert [found.id for found in load([tmp_path])] == ["sums-2", "sums-3", "sums-1"]


BAD = [
    ('{"id": "x"', "not JSON"),
    ("[1]", "not an object but list"),
    ('{"text": "t", "gold": "g"}', "id is missing"),
    ('{"id": true, "text": "t", "gold": "g"}', "id is missing"),
    ('{"id": "x", "text": " ", "gold": "g"}', "text is missing"),
    ('{"id": "x", "text": "t", "gold": "g", "labels": "numeric"}', "labels"),
    ('{"id": "x", "text": "t", "gold": "g", "meta": [1]}', "meta is not an object"),
    ('{"id": "x", "text": "t\\ud800", "gold": "g"}', "surrogates"),
    ('{"id": "x", "text": "t", "gold": "\\ud800"}', "surrogates"),
    ("[" * 100_000, "not JSON: "),
]


@pytest.mark.parametrize(("line", "word"), BAD)
def test_a_bad_line_is_named_with_its_place(tmp_path: Path, line: str, word: str) -> None:
    path = data(tmp_path / "a.jsonl", [item(1), line])
    with pytest.raises(InputError) as caught:
        load([path])
    assert str(caught.value).startswith(f"{path}, line 2: ")
    assert word in str(caught.value)
    assert len(str(caught.value)) < 1000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(("id", "text", "gold", "lang", "labels", "accepted", "meta", "family", "group"), JSON),
)


@given(JSON | FIELDS)
def test_any_json_is_a_case_or_a_named_error(item: Any) -> None:
    found, told = None, "here: "
    try:
        found = case_of(item, "here")
    except InputError as error:
        told = str(error)
    assert told.startswith("here: ")
    assert found is None or (found.id.strip() and found.text.strip())


def test_ids_are_unique(tmp_path: Path) -> None:
    one, two = data(tmp_path / "a.jsonl", [item(1)]), data(tmp_path / "b.jsonl", [item(1)])
    assert len(load([one, two])) == 1, "the same case twice is one"
    other = data(tmp_path / "c.jsonl", [item(2), item(1, gold="3")])
    with pytest.raises(InputError, match=r"c\.jsonl, line 2: id 'sums-1' is also that of another case, .*a\.jsonl"):
        load([one, other])


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        load([tmp_path / "none.jsonl"])
    with pytest.raises(InputError, match="holds no"):
        load([tmp_path])
    packed = gzip.compress(b'{"id": "x"}\n' * 1000)
    (tmp_path / "cut.jsonl.gz").write_bytes(packed[:-9])
    with pytest.raises(InputError):
        load([tmp_path / "cut.jsonl.gz"])
    (tmp_path / "latin.jsonl").write_bytes('{"id": "x", "text": "é", "gold": "1"}\n'.encode("latin-1"))
    with pytest.raises(InputError, match="line 1: not JSON"):
        load([tmp_path / "latin.jsonl"])


@given(st.integers(0, 40), st.integers(1, 12), st.integers(1, 12), st.integers(0, 3))
def test_a_larger_draw_holds_the_smaller(size: int, few: int, more: int, seed: int) -> None:
    cases = [case(number, family=f"f{number % 3}") for number in range(size)]
    few, more = sorted((few, more))
    small, large = (select(cases, seed=seed, per_family=number) for number in (few, more))
    assert large[: len(small)] == small
    assert _ids(select(list(reversed(cases)), seed=seed, per_family=few)) == _ids(small), "order of files is nothing"
    assert all(sum(c.family == f for c in small) <= few for f in ("f0", "f1", "f2"))


def _ids(cases: list[Any]) -> list[str]:
    return [case.id for case in cases]


def test_families_come_in_turn_and_every_seed_draws_anew() -> None:
    cases = [case(number, family=f"f{number % 3}") for number in range(60)]
    drawn = select(cases, seed=1)
    assert all({c.family for c in drawn[place : place + 3]} == {"f0", "f1", "f2"} for place in range(0, 60, 3))
    assert _ids(drawn) != _ids(select(cases, seed=2))
    assert {c.family for c in select(cases, seed=1, families=["f1"])} == {"f1"}
    assert len(select(cases, seed=1, families=["f1", "f2", "f1"], per_family=5)) == 10, "named twice is asked once"
    with pytest.raises(InputError, match=r"family \['f9'\]; there are \['f0', 'f1', 'f2'\]"):
        select(cases, seed=1, families=["f1", "f9"])
