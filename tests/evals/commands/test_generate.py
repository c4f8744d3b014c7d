"""`octavo eval generate`: a file that `record` reads, the same every time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals import cases
from evals.generators import FAMILIES
from tests.evals.commands import octavo


def run(folder: Path, *words: object) -> octavo.Done:
    return octavo.run(folder / "home", None, "generate", *words)


def test_a_file_of_questions(tmp_path: Path) -> None:
    out = tmp_path / "sums.jsonl"
    words = ("arithmetic", "--n", 50, "--seed", 1, "--lang", "zh", "--difficulty", 2)
    done = run(tmp_path, *words, "-o", out)
    assert (done.returncode, done.stdout) == (0, "")
    assert f"{out}: 50 questions" in done.stderr
    found = cases.load([out])
    assert len(found) == 50
    assert {(case.family, case.lang) for case in found} == {("gen-arithmetic-zh", "zh")}
    assert run(tmp_path, *words).stdout == out.read_text(encoding="utf-8")
    again = run(tmp_path, *words, "-o", out)
    assert again.returncode == 2
    assert "is there already" in again.stderr
    assert run(tmp_path, *words, "--n", 3, "-o", out, "--force").returncode == 0
    assert len(cases.load([out])) == 3


def test_all_families_both_languages_all_difficulties(tmp_path: Path) -> None:
    out = tmp_path / "all.jsonl"
    assert run(tmp_path, "all", "-n", 2, "--lang", "both", "--difficulty", "all", "-o", out).returncode == 0
    found = cases.load([out])
    assert len(found) == len(FAMILIES) * 2 * 3 * 2
    first = json.loads(out.read_text(encoding="utf-8").splitlines()[0])
    assert list(first) == ["id", "source", "licence", "lang", "text", "gold", "labels", "meta"]
    assert first["meta"]["set"] == "gen-arithmetic"


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["nope"], 2, "unknown family 'nope': one of arithmetic, "),
        (["dates", "--lang", "fr"], 2, "fr"),
        (["dates", "--difficulty", "4"], 2, "4"),
        (["dates", "--n", "-1"], 2, "-1"),
        (["dates", "--n", "100001"], 2, "0 to 100000"),
        (["dates", "--n", "0"], 0, ""),
        (["dates", "-o", "nowhere/at/all.jsonl"], 2, "cannot write"),
    ],
)
def test_wrong_input_is_named(tmp_path: Path, words: list[str], code: int, told: str) -> None:
    done = run(tmp_path, *words)
    assert (done.returncode, done.stdout) == (code, "")
    assert told in done.stderr
