"""`octavo label`: stored once, the last word counts, bad routes and texts refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from evals.routing import commands, items, labels
from nodes.errors import InputError


def test_the_last_word_on_a_text_counts(tmp_path: Path) -> None:
    path = tmp_path / "home" / "labels.jsonl"
    labels.store(path, "一共多少？", "logic")
    labels.store(path, "another", "other")
    labels.store(path, "一共多少？", "numeric, format")
    found = {one.text: one for one in items.load(path)}
    assert found["一共多少？"].labels == ("numeric", "format")
    assert found["一共多少？"].lang == "zh"
    assert found["another"].labels == ()
    assert len(found) == len(path.read_text(encoding="utf-8").splitlines()) == 2
    assert found["another"].meta["importance"] == labels.IMPORTANCE


@pytest.mark.parametrize("wanted", ["", ",", "maths", "numeric,maths", "other,numeric"])
def test_a_bad_route_is_refused_and_nothing_stored(tmp_path: Path, wanted: str) -> None:
    with pytest.raises(InputError):
        labels.store(tmp_path / "labels.jsonl", "x", wanted)
    assert not (tmp_path / "labels.jsonl").exists()


@pytest.mark.parametrize("text", ["", "  ", "a\0b", "\ud800", "x" * (labels.MAX_TEXT + 1)])
def test_a_bad_text_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError):
        labels.store(tmp_path / "labels.jsonl", text, "numeric")


def test_the_command_takes_a_run_or_a_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "labels_file", lambda: tmp_path / "labels.jsonl")
    monkeypatch.setattr(labels, "question_of", lambda run: {"3f2a": "What is left?"}[run])
    done = CliRunner().invoke(commands.label, ["3f2a", "--route", "numeric,format"])
    assert (done.exit_code, "numeric, format" in done.stdout) == (0, True)
    assert CliRunner().invoke(commands.label, ["--text", "Hi", "--route", "other", "--json"]).exit_code == 0
    assert [one.text for one in items.load(tmp_path / "labels.jsonl")] == ["What is left?", "Hi"]
    for arguments in (["--route", "numeric"], ["3f2a", "--text", "x", "--route", "numeric"], ["3f2a"]):
        assert CliRunner().invoke(commands.label, arguments).exit_code == 2
