"""rejudge, compare, gate, table and ablate as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph.cli import run
from tests.evals.pooled import branches, greedy, many, pool, sample

SAID = ["8", "7", "7", "", "7", "9", "7", "7"]


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    samples = [greedy("7"), *branches(SAID), *branches(["8"] * 8, "q2", family="other", group="g")]
    return pool(tmp_path / "pool.jsonl.gz", samples)


def out(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert run(["eval", *arguments]) == code
    return capsys.readouterr().out


def test_rejudge_prints_the_same_bytes_twice(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = out(capsys, "rejudge", str(recorded), "--json", "--folds", "5")
    assert first == out(capsys, "rejudge", str(recorded), "--json", "--folds", "5")
    report = json.loads(first)
    assert [one["mode"] for one in report["modes"]][:3] == ["greedy", "single@8", "vote@8"]
    assert report["pool"]["statuses"] == {"answered": 15, "unreadable": 1}
    assert report["modes"][2]["total"]["accuracy"]["value"] == 0.5


def test_rejudge_shows_modes_families_folds_and_the_gap(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, "rejudge", str(recorded), "--folds", "5")
    for part in ("vote@8", "of completed", "by family", "reported only", "by fold", "selection gap", "50.0 % of 2"):
        assert part in text
    assert "by family" not in out(capsys, "rejudge", str(recorded), "--family", "sums")


def test_the_curve_leaves_out_what_the_pool_is_too_narrow_for(
    recorded: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = out(capsys, "rejudge", str(recorded), "--curve", "--orders", "8")
    assert "vote@8~" in text
    assert "waves:3,5:0.95~" in text
    assert "@16" not in text


def test_a_family_name_cannot_act_on_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = pool(tmp_path / "p.jsonl", [*branches(SAID, family="a\x1b[2Jb"), *branches(SAID, "q2", family="题")])
    text = out(capsys, "rejudge", str(path), "--mode", "vote@8")
    assert "\x1b" not in text
    assert "a\\x1b[2Jb" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--mode", "best"], "there is no mode 'best'"),
        (["--family", "absent"], "there are ['other', 'sums']"),
    ],
)
def test_wrong_words_are_named(
    recorded: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["eval", "rejudge", str(recorded), *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("content", [b"", b"\n\n", b"{}\n", b"[]\n", b"\x1f\x8b\x00", b"\xff\xfe\n"])
def test_what_is_no_pool_is_an_input_error(tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.jsonl").write_bytes(content)
    assert run(["eval", "rejudge", str(tmp_path / "p.jsonl")]) == 2
    assert capsys.readouterr().err.startswith("error (")


def test_two_recordings_are_not_mixed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [pool(tmp_path / f"{n}.jsonl", branches([n] * 8)) for n in "78"]
    assert run(["eval", "rejudge", *map(str, paths)]) == 2
    assert "keep them apart" in capsys.readouterr().err


def test_compare_modes_and_files(recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, "compare", "vote@8", "oracle@8", "--pool", str(recorded))
    assert "no difference can be claimed" in text
    (tmp_path / "a.json").write_text(out(capsys, "rejudge", str(recorded), "--mode", "vote@8", "--json"))
    found = json.loads(out(capsys, "compare", str(tmp_path / "a.json"), str(tmp_path / "a.json"), "--json"))
    assert not found["total"]["differs"]
    assert run(["eval", "compare", str(tmp_path / "a.json"), "vote@8"]) == 2
    assert "--pool" in capsys.readouterr().err
    (tmp_path / "b.json").write_text(out(capsys, "rejudge", str(recorded), "--json"))
    assert run(["eval", "compare", str(tmp_path / "b.json"), str(tmp_path / "b.json")]) == 2
    assert "--mode" in capsys.readouterr().err
    out(capsys, "compare", str(tmp_path / "b.json"), str(tmp_path / "b.json"), "--mode", "vote@8", "--mode", "judge@8")


def test_the_gate_needs_a_baseline_then_holds_then_falls(
    recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = str(tmp_path / "base.json")
    assert run(["eval", "gate", str(recorded), "--baseline", base]) == 2
    assert "--update" in capsys.readouterr().err
    out(capsys, "gate", str(recorded), "--baseline", base, "--update")
    assert out(capsys, "gate", str(recorded), "--baseline", base).startswith("green")
    good, bad = pool(tmp_path / "g.jsonl", many(30, ["7"] * 8)), pool(tmp_path / "b.jsonl", many(30, ["8"] * 8))
    out(capsys, "gate", str(good), "--baseline", str(tmp_path / "2.json"), "--update")
    text = out(capsys, "gate", str(bad), "--baseline", str(tmp_path / "2.json"), code=1)
    assert text.startswith("RED")
    assert "accuracy moved beyond its interval" in text
    assert not json.loads(out(capsys, "gate", str(bad), "--baseline", str(tmp_path / "2.json"), "--json", code=1))[
        "green"
    ]
    old = pool(tmp_path / "o.jsonl", [sample(n, "7", "q", prompt="0" * 16) for n in range(8)])
    out(capsys, "gate", str(old), "--baseline", str(tmp_path / "3.json"), "--update")
    assert "record the set anew" in out(capsys, "gate", str(old), "--baseline", str(tmp_path / "3.json"), code=1)


def test_ablate_one_pool_or_two(recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = pool(tmp_path / "same.jsonl", branches(["7"] * 8, temperature=0.2))
    text = out(capsys, "ablate", str(recorded), str(other), "--mode", "vote@8")
    assert "temperature 0.2" in text
    assert "answer entropy" in text
    assert "longest@8 against vote@8" in out(capsys, "ablate", str(recorded))
    assert list(json.loads(out(capsys, "ablate", str(recorded), "--json"))["comparisons"]) == [
        "longest@8",
        "shortest@8",
    ]


def test_table_check_is_green_here_and_claims_need_a_pool(capsys: pytest.CaptureFixture[str]) -> None:
    out(capsys, "table", "--check")
    assert run(["eval", "table", "--claim", "A5"]) == 2
    assert "POOL" in capsys.readouterr().err
