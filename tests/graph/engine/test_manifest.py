"""Hashes of prepared files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graph.engine import manifest
from graph.engine.layout import Layout
from nodes.errors import SetupError


@pytest.fixture
def known(tmp_path: Path) -> manifest.Manifest:
    folder = tmp_path / "m"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"weights" * 1000)
    (folder / "config.json").write_text("{}")
    (folder / "notes.md").write_text("not served")
    return manifest.Manifest(
        model="m", precision="bf16", folder=str(folder), source="x", files=manifest.mark_folder(folder)
    )


def test_what_is_recorded_is_read_back(layout: Layout, known: manifest.Manifest) -> None:
    assert manifest.read(layout, "m") is None
    manifest.record(layout, "m", known)
    assert manifest.read(layout, "m") == known
    assert set(known.files) == {"model.safetensors", "config.json"}
    manifest.path_of(layout, "m").write_text("torn {")
    assert manifest.read(layout, "m") is None


def test_untouched_files_pass_quickly_and_fully(known: manifest.Manifest) -> None:
    told: list[tuple[int, int]] = []
    assert manifest.faults(known, full=False) == []
    assert manifest.faults(known, full=True, on_bytes=lambda done, total: told.append((done, total))) == []
    assert told[-1] == (7002, 7002)
    manifest.require(known)


def test_every_kind_of_change_is_found(known: manifest.Manifest) -> None:
    file = Path(known.folder) / "model.safetensors"
    before = file.stat()
    file.write_bytes(b"WEIGHTS" * 1000)
    assert manifest.faults(known, full=False) == ["model.safetensors has another sha256 than when it was prepared"]
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert manifest.faults(known, full=False) == []  # what the quick look cannot see
    assert manifest.faults(known, full=True) == ["model.safetensors has another sha256 than when it was prepared"]
    file.write_bytes(b"short")
    with pytest.raises(SetupError, match=r"has 5 bytes, not 7000.*octavo engine purge --models"):
        manifest.require(known)
    file.unlink()
    assert manifest.faults(known, full=False) == ["model.safetensors is missing"]


def test_a_new_time_alone_is_no_change(known: manifest.Manifest) -> None:
    os.utime(Path(known.folder) / "config.json")
    assert manifest.faults(known, full=False) == []
