"""The engine that tests get is a real one, of its own home, and shares only what may be shared."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path

import pytest

from graph.engine.contracts import Endpoint
from graph.engine.install import wanted
from graph.engine.layout import Layout
from graph.engine.machine import gpus
from graph.settings import Settings
from tests import real_engine


@pytest.mark.engine
def test_the_engine_is_real(engine: Endpoint) -> None:
    base = engine.base_url.removesuffix("/v1")
    with urllib.request.urlopen(f"{base}/version", timeout=10) as reply:
        assert json.load(reply)["version"]
    asked = urllib.request.Request(f"{engine.base_url}/models", headers={"Authorization": f"Bearer {engine.api_key}"})
    with urllib.request.urlopen(asked, timeout=10) as reply:
        assert engine.model in [model["id"] for model in json.load(reply)["data"]]


@pytest.mark.engine
def test_questions_get_a_home_of_their_own(with_engine: Settings, engine: Endpoint, tmp_path: Path) -> None:
    assert with_engine.home.is_relative_to(tmp_path)
    assert (with_engine.base_url, with_engine.model) == (engine.base_url, engine.model)


def environment(home: Path) -> Layout:
    """A home whose engine environment is whole."""
    layout = Layout(home)
    layout.python.parent.mkdir(parents=True)
    layout.python.touch()
    layout.stamp.write_text(wanted("gpu" if gpus() else "cpu").model_dump_json())
    return layout


def test_a_whole_environment_is_shared(tmp_path: Path) -> None:
    theirs, ours = environment(tmp_path / "checkout"), Layout(tmp_path / "test")
    real_engine.share_environment(theirs.home, ours.home)
    assert ours.venv.resolve() == theirs.venv
    assert ours.python.exists()


def test_an_environment_that_is_gone_is_let_go(tmp_path: Path) -> None:
    theirs, ours = environment(tmp_path / "checkout"), Layout(tmp_path / "test")
    real_engine.share_environment(theirs.home, ours.home)
    theirs.stamp.unlink()
    real_engine.share_environment(theirs.home, ours.home)
    assert not ours.venv.is_symlink()


def test_an_own_environment_is_kept(tmp_path: Path) -> None:
    theirs, ours = environment(tmp_path / "checkout"), environment(tmp_path / "test")
    real_engine.share_environment(theirs.home, ours.home)
    assert ours.venv.is_dir()
    assert not ours.venv.is_symlink()


def test_only_the_last_session_is_alone(tmp_path: Path) -> None:
    with real_engine.using(tmp_path) as alone:
        with real_engine.using(tmp_path) as second:
            assert not second()
        assert alone()
