"""Pools: what goes in comes out, torn ends are mended, two recordings are never mixed."""

from __future__ import annotations

import errno
import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals import pools
from evals.contracts import Sample
from evals.pools import Journal
from nodes.errors import InputError
from tests.evals.lines import sample

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)
SAMPLES = st.builds(
    Sample,
    id=TEXT,
    family=TEXT,
    question=TEXT,
    gold=TEXT,
    branch=st.integers(-1, 20),
    text=TEXT,
    tokens=st.lists(st.tuples(TEXT, st.floats(-30, 0)), max_size=4).map(tuple),
    error=st.sampled_from(["", "engine_fault: x"]),
    lang=st.sampled_from([None, "en", "zh"]),
    accepted=st.lists(TEXT, max_size=2).map(tuple),
)


@given(SAMPLES)
def test_what_goes_in_comes_out_on_one_line(one: Sample) -> None:
    line = pools.encode(one)
    assert line.count(b"\n") == 1
    assert pools.decode(line, "here") == one


@given(st.lists(SAMPLES, max_size=12))
def test_merging_is_idempotent_and_never_prefers_a_failure(samples: list[Sample]) -> None:
    merged = pools.merge(samples)
    assert pools.merge(merged) == merged
    assert len({pools.key(one) for one in merged}) == len(merged)
    good = {pools.key(one) for one in samples if not one.error}
    assert good == {pools.key(one) for one in merged if not one.error}


def test_a_pool_of_the_public_kind_is_read() -> None:
    line = {
        "id": "gsm8k-1", "family": "gsm8k", "question": "q", "gold": "77", "branch": 7, "text": "t",
        "finish_reason": "stop", "tokens": [["To", -0.3627]], "prompt_tokens": 9, "completion_tokens": 1,
        "seconds": 2.5,
    }  # fmt: skip
    found = pools.decode(json.dumps(line).encode(), "here")
    assert found.tokens == (("To", -0.3627),)
    assert found.cluster == "gsm8k-1"


@pytest.mark.parametrize(
    "line", [b"{}", b"[]", b"null", b"\xff", b'{"id": 1}', b"[" * 100_000, b'{"id":"a","branch":-2}', b""]
)
def test_what_is_no_sample_is_named_with_its_place(line: bytes) -> None:
    with pytest.raises(InputError, match="pool, line 3: not a sample: "):
        pools.decode(line, "pool, line 3")


def test_a_written_pool_is_ordered_and_the_same_bytes_twice(tmp_path: Path) -> None:
    samples = [sample("b", 1), sample("a", 0), sample("b", -1), sample("b", 0)]
    for name in ("p.jsonl", "p.jsonl.gz"):
        assert pools.write(tmp_path / name, samples) == 4
        first = (tmp_path / name).read_bytes()
        pools.write(tmp_path / name, pools.read(tmp_path / name))
        assert (tmp_path / name).read_bytes() == first
        keys = [pools.key(one) for one in pools.read(tmp_path / name)]
        assert keys == [("b", -1), ("b", 0), ("b", 1), ("a", 0)]
    assert gzip.decompress((tmp_path / "p.jsonl.gz").read_bytes()) == (tmp_path / "p.jsonl").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.jsonl", "p.jsonl.gz"]


def test_a_pool_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").mkdir()
    with pytest.raises(InputError, match="cannot write"):
        pools.write(tmp_path / "p.jsonl", [sample()])
    assert [path.name for path in tmp_path.iterdir()] == ["p.jsonl"]
    with pytest.raises(InputError, match="cannot write"):
        pools.write(tmp_path / "none" / "p.jsonl", [sample()])


def test_every_cut_of_the_last_line_is_mended(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    kept, last = pools.encode(sample("a", 0)), pools.encode(sample("b", 0, text="答案：5"))
    for cut in range(len(last) + 1):
        path.write_bytes(kept + last[:cut])
        whole = cut >= len(last) - 1  # only the line end is missing
        assert len(pools.read(path)) == 1 + whole, "reading beside a recording passes over what is not finished"
        with Journal(path) as journal:
            assert len(journal.samples) == 1 + whole
            assert journal.repaired == (0 if whole else cut)
            journal.append(sample("c", 0))
        assert path.read_bytes() == kept + (last if whole else b"") + pools.encode(sample("c", 0))


def test_a_bad_line_in_the_middle_is_not_mended_away(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_bytes(b'{"id": "torn\n' + pools.encode(sample()))
    with pytest.raises(InputError, match=r"p\.jsonl, line 1: not a sample"), Journal(path):
        pass
    assert path.read_bytes().startswith(b'{"id": "torn\n')


def test_one_recorder_at_a_time(tmp_path: Path) -> None:
    with (
        Journal(tmp_path / "p.jsonl") as first,
        pytest.raises(InputError, match="another process records"),
        Journal(first.path),
    ):
        pass
    with Journal(tmp_path / "p.jsonl"):
        pass  # free again


def test_a_full_disk_is_named_and_what_was_kept_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with Journal(tmp_path / "p.jsonl") as journal:
        journal.append(sample("a"))
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(InputError, match=r"cannot write .*No space left"):
            journal.append(sample("b"))
        with pytest.raises(InputError, match=r"cannot write .*No space left"):
            pools.write(tmp_path / "q.jsonl", [sample("a")])
    assert ("a", 0) in [pools.key(one) for one in pools.read(tmp_path / "p.jsonl")]
    assert [path.name for path in tmp_path.iterdir()] == ["p.jsonl"], "no draft is left behind"


@pytest.mark.parametrize("bad", ["folder", "packed"])
def test_what_no_journal_can_be(tmp_path: Path, bad: str) -> None:
    path = tmp_path / "p.jsonl"
    path.mkdir() if bad == "folder" else path.write_bytes(gzip.compress(b"{}\n"))
    with pytest.raises(InputError), Journal(path):
        pass


def test_pools_of_two_recordings_are_not_mixed() -> None:
    one, other = sample(text="a"), sample(text="b")
    failed = sample(error="engine_fault: x", text="")
    assert pools.union([("x", [failed]), ("y", [one]), ("z", [one, failed])]) == [one]
    with pytest.raises(InputError, match="y and x hold different replies of branch 0 to 'q1'"):
        pools.union([("x", [one]), ("y", [other])])


def test_text_that_is_no_unicode_is_kept_readable() -> None:
    odd: Any = Sample.model_construct(**{**sample().model_dump(), "text": "a\ud800b"})
    assert pools.decode(pools.encode(odd), "here").text == "a?b"
