"""The ordered diagnosis."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from graph.engine import diagnose, ensure_up, manifest
from graph.engine import doctor as module
from graph.engine.doctor import planned, verified
from graph.engine.layout import Layout
from graph.settings import Settings
from nodes.errors import SetupError
from tests.graph.engine.fake_server import serving
from tests.graph.engine.test_registry import folder


def test_a_fresh_machine(tmp_path: Path, free_port: int) -> None:
    found = diagnose(Settings(home=tmp_path, base_url=None, model=None, engine_port=free_port))
    names = [each.check for each in found]
    assert names == ["python", "make", "compiler", "headers", "disk", "memory", "engine", "model", "process"]
    faults = {each.check: each.mend for each in found if not each.ok}
    assert faults["engine"] == faults["model"] == faults["process"] == "octavo engine up"
    assert all(each.mend == "" for each in found if each.ok)


def test_missing_tools_come_with_their_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "compiler", lambda: None)
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    monkeypatch.setattr(module, "headers", lambda: tmp_path / "Python.h")
    mends = {each.check: each.mend for each in diagnose(Settings(home=tmp_path, base_url=None))}
    assert (mends["make"], mends["compiler"]) == ("apt-get install make", "apt-get install g++")
    assert mends["headers"].startswith("apt-get install python3.")


def test_a_bad_model_name_is_one_finding(tmp_path: Path) -> None:
    found = {each.check: each for each in diagnose(Settings(home=tmp_path, base_url=None, model="nonsense"))}
    assert not found["model"].ok
    assert "nonsense" in found["model"].detail


async def test_a_running_engine(watched: Settings) -> None:
    await ensure_up(watched, model="tiny")
    found = {each.check: each for each in diagnose(watched, full=True)}
    assert list(found)[-5:] == ["process", "port", "key", "served", "probe"]
    assert all(found[name].ok for name in ("process", "port", "key", "served", "probe"))
    assert "192 of 200" in found["probe"].detail


def test_an_external_server(tmp_path: Path, free_port: int) -> None:
    with serving("no_logprobs", key="k") as url:
        found = {each.check: each for each in diagnose(Settings(home=tmp_path, base_url=url, api_key="k"), full=True)}
        assert found["key"].ok
        assert found["served"].ok
        assert not found["probe"].ok
        denied = diagnose(Settings(home=tmp_path, base_url=url, api_key="no"))[-1]
    assert (denied.check, denied.mend) == ("key", "set OCTAVO_API_KEY")
    away = diagnose(Settings(home=tmp_path, base_url=f"http://127.0.0.1:{free_port}/v1"))[-1]
    assert (away.check, away.ok) == ("endpoint", False)


def test_verify_hashes_everything(tmp_path: Path) -> None:
    own, settings = folder(tmp_path / "own"), Settings(home=tmp_path / "home", base_url=None)
    with pytest.raises(SetupError, match="not prepared yet"):
        verified(settings, str(own), None)
    layout, plan = Layout(settings.home), planned(settings, str(own), "bf16", 8)
    assert plan.weights == 2_000_000
    layout.make()
    name = f"{plan.model}-bf16"
    manifest.record(
        layout,
        name,
        manifest.Manifest(
            model=plan.model, precision="bf16", folder=str(own), source="x", files=manifest.mark_folder(own)
        ),
    )
    assert verified(settings, str(own), None)[2] == []
    (own / "model.safetensors").write_bytes(b"1" * 2_000_000)
    assert len(verified(settings, str(own), None)[2]) == 1
