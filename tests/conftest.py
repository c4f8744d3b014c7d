"""What every test stands on: a clean environment, no traffic beyond loopback, and one real engine when asked for."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import hypothesis
import pytest

from graph import engine as engines
from graph.engine.contracts import Endpoint, Progress
from graph.settings import Settings, default_home, read, settings
from tests import real_engine
from tests.loopback import Guard

KEPT = {"OCTAVO_TORCH_INDEX"}
"""Says where the engine is installed from, not how Octavo behaves."""
OFFLINE = {
    "LANGSMITH_TRACING": "false",
    "LANGGRAPH_STRICT_MSGPACK": "true",
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    "LANGGRAPH_NO_VERSION_CHECK": "true",
}
FOREIGN = ("OCTAVO_", "LANGSMITH_", "LANGCHAIN_", "LANGGRAPH_", "OPENAI_")
guard = Guard()
hypothesis.settings.register_profile("house", deadline=None)  # no timed assertions on a shared machine
hypothesis.settings.load_profile("house")


@pytest.fixture(autouse=True)
def _loopback_only(request: pytest.FixtureRequest) -> Iterator[None]:
    """Arm the guard for the test and its fixtures."""
    guard.armed = request.node.get_closest_marker("installs") is None
    yield
    guard.armed = False


@pytest.fixture(scope="session", autouse=True)
def _clean_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No setting of the person who runs the tests reaches them, and nothing is written to their home."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(FOREIGN) and name not in KEPT]:
            patch.delenv(name)
        for name, value in OFFLINE.items():
            patch.setenv(name, value)
        patch.setenv("OCTAVO_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(autouse=True)
def _settings_anew() -> Iterator[None]:
    """`settings()` is cached for the process; a test that changes the environment gets its own reading."""
    settings.cache_clear()
    yield
    settings.cache_clear()


@pytest.fixture(scope="session")
def engine_settings() -> Iterator[Settings]:
    """Settings of the tests' own engine, not started: for tests that start, crash or stop it.

    The last session that uses it stops it.
    """
    real_engine.share_environment(default_home(), real_engine.HOME)
    with real_engine.using(real_engine.HOME) as alone:
        mine = read(
            home=real_engine.HOME, model=real_engine.MODEL, engine_port=real_engine.free_port(), engine_idle=10.0
        )
        yield mine
        if alone():
            asyncio.run(engines.down(mine))


@pytest.fixture(scope="session")
def engine(engine_settings: Settings, pytestconfig: pytest.Config) -> Endpoint:
    """A real vLLM with the 135M model, ready: `base_url`, `api_key`, `model`, `context`. Never skipped.

    Minutes in a clean clone (installed, fetched, converted, compiled), under a minute later.
    """
    plugins = pytestconfig.pluginmanager
    told: list[str] = []

    def show(progress: Progress) -> None:
        """One line a phase, on the terminal itself: this fixture may take minutes."""
        if progress.phase not in told:
            told.append(progress.phase)
            with plugins.getplugin("capturemanager").global_and_fixture_disabled():
                plugins.getplugin("terminalreporter").write_line(f"engine: {progress.phase} {progress.message}")

    with ThreadPoolExecutor(1) as thread:  # an event loop of its own, whatever the tests do with theirs
        return thread.submit(lambda: asyncio.run(engines.ensure_up(engine_settings, progress=show))).result()


@pytest.fixture
def with_engine(engine: Endpoint, tmp_path: Path) -> Settings:
    """Settings of a fresh home whose questions go to the tests' engine."""
    return read(home=tmp_path / "octavo", base_url=engine.base_url, api_key=engine.api_key, model=engine.model)
