"""A scripted endpoint for each module, and the command line in front of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evals.bench.endpoint import Running
from evals.bench.scripted import Options
from tests.graph.programs import Octavo, scripted


@pytest.fixture(scope="module")
def scripted_server() -> Iterator[Running]:
    """A scripted OpenAI server in a process of its own."""
    with scripted() as server:
        yield server


@pytest.fixture
def octavo(
    tmp_path: Path,
    scripted_server: Running,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Octavo:
    """`octavo("ask", ...)` in a fresh home; the endpoint answers 17 to everything until told otherwise."""
    found = Octavo(tmp_path / "home", scripted_server, monkeypatch, capsys)
    found.script(**vars(Options()))
    return found
