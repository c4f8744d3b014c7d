"""The artefact: comes back as it was written, small, and refused when missing, altered, foreign or out of date."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from nodes.errors import SetupError
from nodes.routing import artefact
from nodes.specialists import LABELS

RAW = artefact.PATH.read_text(encoding="utf-8")


def test_the_one_in_the_repository_is_whole_and_small() -> None:
    found = artefact.load()
    assert len(RAW) < 100_000
    assert {name: one.bias.shape for name, one in found.classifiers.items()} == {"quick": (9,), "full": (9,)}
    assert set(found.settings["thresholds"]) == set(LABELS) - {"other"}
    for file in found.about["data"]:
        assert len(file["sha256"]) == 64
        assert file["licences"]
    assert "pickle" not in RAW


def test_it_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path, again = tmp_path / "a.json", tmp_path / "b.json"
    artefact.save(artefact.load(), path)
    artefact.save(artefact.load(path), again)
    assert path.read_bytes() == again.read_bytes() == artefact.PATH.read_bytes()
    for name, one in artefact.load().classifiers.items():
        for block, matrix in one.blocks.items():
            assert np.array_equal(matrix, artefact.load(path).classifiers[name].blocks[block])


def altered() -> dict[str, str]:
    weights = json.loads(RAW)
    weights["body"]["settings"]["sure"] = 0.5
    other = json.loads(RAW)
    other["body"]["version"] = 99
    words = json.loads(RAW)
    words["body"]["features"] = "0" * 64
    for one in (other, words):
        one["sha256"] = artefact._digest(one["body"])
    return {
        "altered": json.dumps(weights),
        "another version": json.dumps(other),
        "words that the router reads changed": json.dumps(words),
        "cannot be read": RAW[: len(RAW) // 2],
    }


@pytest.mark.parametrize(
    "fault", ["altered", "another version", "words that the router reads changed", "cannot be read"]
)
def test_a_bad_one_is_refused_with_the_way_out(tmp_path: Path, fault: str) -> None:
    path = tmp_path / "router.json"
    path.write_text(altered()[fault], encoding="utf-8")
    with pytest.raises(SetupError, match=f"{fault}.*octavo router train"):
        artefact.load(path)


@pytest.mark.parametrize("text", ["", "[]", "null", "{}", '{"sha256": 1}', "\x00"])
def test_what_is_no_artefact_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "router.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SetupError, match="octavo router train"):
        artefact.load(path)


def test_a_missing_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="octavo router train"):
        artefact.load(tmp_path / "none.json")
