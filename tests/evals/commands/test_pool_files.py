"""`octavo eval pool`, `import`, `export`: pools in and out, and what they say of a pool."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from evals import pools
from evals.contracts import Sample
from tests.evals.commands import octavo
from tests.evals.lines import sample


def run(folder: Path, *words: object) -> octavo.Done:
    return octavo.run(folder / "home", None, *words)


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    samples = [
        sample(name, branch, family=family) for family, name in (("甲", "a"), ("b", "b")) for branch in (1, 0, -1)
    ]
    pools.write(tmp_path / "mixed.jsonl.gz", [*samples, sample("c", 0, family="b", error="engine_fault: x", text="")])
    return tmp_path / "mixed.jsonl.gz"


def ids(path: Path) -> list[tuple[str, int]]:
    return [pools.key(one) for one in pools.read(path)]


def test_pool_shows_families_and_errors(tmp_path: Path, mixed: Path) -> None:
    done = run(tmp_path, "pool", mixed)
    assert done.returncode == 0
    assert [line.split()[:4] for line in done.stdout.splitlines()[1:4]] == [
        ["b", "2", "1", "1"],
        ["甲", "1", "1", "1"],
        ["all", "3", "2", "2"],
    ]
    assert "b: 1 x engine_fault" in done.stdout
    told = json.loads(run(tmp_path, "pool", mixed, "--width", 1, "--json").stdout)
    assert told["total"]["samples"] == 7
    assert [family["width"] for family in told["families"]] == [1, 1]


def test_an_empty_pool_and_one_that_grows(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_bytes(b"")
    assert run(tmp_path, "pool", path).returncode == 0
    path.write_bytes(pools.encode(sample()) + b'{"id": "tor')
    assert "all" in run(tmp_path, "pool", path).stdout
    assert run(tmp_path, "export", path, tmp_path / "q.jsonl").returncode == 0
    assert ids(tmp_path / "q.jsonl") == [("q1", 0)]


def test_what_is_no_pool_is_named(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_bytes(b"\x00\x01\n")
    (tmp_path / "p.jsonl.gz").write_bytes(gzip.compress(b"x" * 1000)[:-8])
    for name in ("p.jsonl", "p.jsonl.gz"):
        for words in (("pool", tmp_path / name), ("import", tmp_path / name, "--out", tmp_path / "o.jsonl")):
            done = run(tmp_path, *words)
            assert done.returncode == 2
            assert name in done.stderr
    assert not (tmp_path / "o.jsonl").exists()


def test_export_of_a_part(tmp_path: Path, mixed: Path) -> None:
    out = tmp_path / "out.jsonl"
    done = run(tmp_path, "export", mixed, out, "--family", "b", "--branches", 1, "--complete", "--json")
    assert json.loads(done.stdout) == {"path": str(out), "samples": 2}
    assert ids(out) == [("b", -1), ("b", 0)]
    again = run(tmp_path, "export", mixed, out)
    assert again.returncode == 2
    assert "is there already" in again.stderr
    assert run(tmp_path, "export", mixed, out, "--force").returncode == 0
    assert len(ids(out)) == 7
    unknown = run(tmp_path, "export", mixed, tmp_path / "x", "--family", "none")
    assert "no sample is of family ['none']; there are ['b', '甲']" in unknown.stderr


def test_out_and_in_again_are_the_same_bytes(tmp_path: Path, mixed: Path) -> None:
    plain, packed = tmp_path / "p.jsonl", tmp_path / "q.jsonl.gz"
    run(tmp_path, "export", mixed, plain)
    run(tmp_path, "import", plain, "--out", packed)
    assert packed.read_bytes() == mixed.read_bytes()


def test_import_adds_repairs_and_refuses_a_second_recording(tmp_path: Path) -> None:
    one, two, out = tmp_path / "1.jsonl", tmp_path / "2.jsonl", tmp_path / "out.jsonl"
    pools.write(one, [sample("a", 0, error="engine_fault: x", text=""), sample("b", 0)])
    pools.write(two, [sample("a", 0), sample("a", 1)])
    assert run(tmp_path, "import", one, "--out", out).returncode == 0
    assert run(tmp_path, "import", two, "--out", out).returncode == 0
    assert ids(out) == [("a", 0), ("a", 1), ("b", 0)]
    assert not [found for found in pools.read(out) if found.error]
    before = out.read_bytes()
    other: list[Sample] = [sample("b", 0, text="ANSWER: 3")]
    pools.write(one, other)
    refused = run(tmp_path, "import", one, "--out", out)
    assert refused.returncode == 2
    assert "different replies of branch 0 to 'b'" in refused.stderr
    assert out.read_bytes() == before


def test_the_group_finds_its_commands(tmp_path: Path) -> None:
    told = run(tmp_path, "--help").stdout
    for name in ("record", "pool", "import", "export", "generate"):
        assert f"  {name} " in told
    assert run(tmp_path, "nonsense").returncode == 2
