"""A home for each test, and no engine left behind."""

from __future__ import annotations

import socket
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from graph.engine import external, up
from graph.engine.control import down
from graph.engine.layout import Layout
from graph.settings import Settings

HERE = Path(__file__).parent


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    found = Layout(tmp_path / "home")
    found.make()
    return found


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(autouse=True)
def _forget_external() -> Iterator[None]:
    external._known.clear()
    yield
    external._known.clear()


@pytest.fixture
async def watched(tmp_path: Path, free_port: int, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Settings]:
    """Settings of a home whose watcher starts the fake server; it is brought down afterwards."""
    monkeypatch.setattr(up, "WATCHER", (sys.executable, "-m", "tests.graph.engine.fake_watcher"))
    monkeypatch.setattr(up, "POLL", 0.02)
    (tmp_path / "home").mkdir()
    settings = Settings(home=tmp_path / "home", engine_port=free_port, engine_idle=0, base_url=None, model=None)
    yield settings
    await down(settings)
