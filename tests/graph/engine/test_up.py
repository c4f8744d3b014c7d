"""Endpoints: none, ours (see test_supervise), somebody else's."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from graph.engine import endpoint, ensure_up, up, wait_ready
from graph.engine.layout import Layout
from graph.settings import Settings
from nodes.errors import (
    EngineDenied,
    EngineFault,
    EngineTimeout,
    EngineUnreachable,
    ModelNotServed,
    SetupError,
)
from tests.graph.engine.fake_server import serving


def settings(tmp_path: Path, **fields: object) -> Settings:
    return Settings(home=tmp_path / "home", **{"base_url": None, "model": None, **fields})  # type: ignore[arg-type]


def test_no_engine_is_no_endpoint_and_nothing_is_made(tmp_path: Path) -> None:
    assert endpoint(settings(tmp_path)) is None
    assert not (tmp_path / "home").exists()


async def test_an_external_server_is_asked_once(tmp_path: Path) -> None:
    with serving(key="k", names=("first", "second")) as url:
        found = await ensure_up(settings(tmp_path, base_url=url + "/", api_key="k"))
        assert (found.model, found.context, found.supervised, found.version) == ("first", 4096, False, "0.32.0")
        assert "api_key" not in repr(found)
        chosen = await ensure_up(settings(tmp_path, base_url=url, api_key="k", model="second"))
        assert chosen.model == "second"
        assert await wait_ready(settings(tmp_path, base_url=url + "/", api_key="k"), 5) == found
    assert endpoint(settings(tmp_path, base_url=url + "/", api_key="k")) == found  # remembered
    with pytest.raises(EngineTimeout):
        await wait_ready(settings(tmp_path, base_url=url + "/", api_key="k"), 0)
    assert not (tmp_path / "home").exists()


async def test_external_errors_are_named(tmp_path: Path, free_port: int) -> None:
    with serving(key="k") as url:
        with pytest.raises(EngineDenied):
            await ensure_up(settings(tmp_path, base_url=url, api_key="wrong"))
        with pytest.raises(ModelNotServed, match="serves m, not 'gpt'; set OCTAVO_MODEL"):
            await ensure_up(settings(tmp_path, base_url=url, api_key="k", model="gpt"))
    with pytest.raises(EngineUnreachable, match=str(free_port)):
        await ensure_up(settings(tmp_path, base_url=f"http://127.0.0.1:{free_port}/v1"))


async def test_an_unknown_model_is_refused_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="no model 'nonsense'"):
        await ensure_up(settings(tmp_path), model="nonsense")
    assert not (tmp_path / "home").exists()


async def test_a_watcher_that_cannot_start_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(up, "WATCHER", (sys.executable, "-c", "raise SystemExit(9)"))
    with pytest.raises(EngineFault, match=r"exit code 9.*watcher\.log"):
        await ensure_up(settings(tmp_path))
    monkeypatch.setattr(up, "WATCHER", ("/no/such/program",))
    with pytest.raises(EngineFault, match="did not start"):
        await ensure_up(settings(tmp_path))


async def test_a_home_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    with pytest.raises(SetupError, match="OCTAVO_HOME"):
        await ensure_up(settings(tmp_path))


def test_a_state_file_of_another_kind_is_no_engine(tmp_path: Path) -> None:
    layout = Layout(tmp_path / "home")
    layout.make()
    for text in ("", "[]", '{"phase": "ready"}', "\0" * 10):
        layout.state.write_text(text)
        assert endpoint(settings(tmp_path)) is None
