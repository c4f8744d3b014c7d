"""Looking, stopping, removing, without a running engine (with one: test_supervise)."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.engine import logs, purge, status
from graph.engine.layout import Layout, own_key, write
from graph.settings import Settings
from nodes.errors import SetupError


@pytest.fixture
def home(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home", base_url=None)


def test_nothing_there(home: Settings) -> None:
    assert status(home).model_dump(include={"running", "state", "probe"}) == {
        "running": False,
        "state": None,
        "probe": None,
    }
    assert purge(home) == 0
    with pytest.raises(SetupError, match="octavo engine up"):
        logs(home)


def test_the_last_lines_of_a_log(home: Settings) -> None:
    layout = Layout(home.home)
    layout.make()
    layout.log.write_text("".join(f"line {n}\n" for n in range(1000)))
    assert logs(home, 2) == ["line 998", "line 999"]


def test_purge_removes_what_it_is_told(home: Settings) -> None:
    layout = Layout(home.home)
    layout.make()
    (layout.models / "m").write_bytes(b"x" * 1000)
    layout.venv.mkdir()
    (layout.venv / "p").write_bytes(b"x" * 10)
    (home.home / "records.db").touch()
    assert purge(home, environment=False) == 1000
    assert layout.venv.exists()
    assert purge(home, models=False) == 10
    assert not layout.venv.exists()
    purge(home)
    assert [path.name for path in home.home.iterdir()] == ["records.db"]


def test_the_key_is_made_once(layout: Layout) -> None:
    key = own_key(layout)
    assert len(key) >= 32
    assert own_key(layout) == key
    assert layout.key.stat().st_mode & 0o077 == 0


def test_small_files_are_replaced_in_one_step(layout: Layout) -> None:
    path = layout.run / "x.json"
    write(path, "one")
    write(path, "two 二")
    assert path.read_text(encoding="utf-8") == "two 二"
    assert [found.name for found in layout.run.iterdir()] == ["x.json"]
