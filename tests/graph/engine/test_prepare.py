"""From a name to a folder that can be served, whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from graph.engine import manifest
from graph.engine.contracts import Progress
from graph.engine.layout import Layout
from graph.engine.prepare import measured, prepare, prepared
from graph.engine.registry import resolve
from nodes.errors import SetupError
from tests.graph.engine.test_registry import CONFIG, folder


class Script:
    """Writes the folder that convert.py or quantize.py would write."""

    def __init__(self, code: int = 0) -> None:
        self.code = code
        self.ran: list[list[str]] = []

    def __call__(self, argv: list[str], on_line: Callable[[str], None]) -> tuple[int, str]:
        self.ran.append(argv)
        target = Path(argv[3])
        target.mkdir()
        (target / "model.safetensors").write_bytes(b"w" * 100)
        (target / "config.json").write_text(json.dumps(CONFIG))
        on_line("progress 60 100 writing weights")
        on_line("a warning of torch")
        return self.code, "Traceback\nMemoryError: no\n"


@pytest.fixture
def gguf(tmp_path: Path) -> str:
    file = tmp_path / "my model.gguf"
    file.write_bytes(b"GGUF")
    return str(file)


def quiet(_event: Progress) -> None:
    """Show nothing."""


def test_converts_once(layout: Layout, gguf: str) -> None:
    spec, script = resolve(gguf), Script()
    told: list[Progress] = []
    path = prepare(layout, spec, "int8", told.append, script)
    assert path == layout.models / f"{spec.name}-int8"
    assert script.ran[0][-1] == "int8"
    assert Progress(phase="convert", message="writing weights", done=60, total=100, unit="%") in told
    assert prepare(layout, spec, "int8", quiet, script) == path
    assert len(script.ran) == 1
    assert prepared(layout, spec, "bf16") is None
    assert measured(spec, path).layers == 24


def test_a_failure_leaves_nothing_and_names_the_reason(layout: Layout, gguf: str) -> None:
    with pytest.raises(SetupError, match="exit code 1: MemoryError"):
        prepare(layout, resolve(gguf), "bf16", quiet, Script(code=1))
    with pytest.raises(SetupError, match="out of memory"):
        prepare(layout, resolve(gguf), "bf16", quiet, Script(code=-9))
    assert list(layout.models.iterdir()) == []


def test_a_folder_without_its_manifest_is_made_anew(layout: Layout, gguf: str) -> None:
    spec = resolve(gguf)
    for half in (f"{spec.name}-bf16", f".{spec.name}-bf16.making"):  # what kill -9 may leave
        (layout.models / half).mkdir()
        (layout.models / half / "junk").touch()
    path = prepare(layout, spec, "bf16", quiet, Script())
    assert not (path / "junk").exists()
    assert sorted(p.name for p in layout.models.iterdir()) == [f"{spec.name}-bf16", f"{spec.name}-bf16.json"]


def test_a_changed_file_is_refused(layout: Layout, gguf: str) -> None:
    path = prepare(layout, resolve(gguf), "bf16", quiet, Script())
    (path / "config.json").write_text("{}")
    with pytest.raises(SetupError, match="changed or damaged"):
        prepare(layout, resolve(gguf), "bf16", quiet, Script())


def test_the_users_folder_is_served_where_it_lies(layout: Layout, tmp_path: Path) -> None:
    own = folder(tmp_path / "own")
    before = sorted(own.iterdir())
    script = Script()
    assert prepare(layout, resolve(str(own)), "bf16", quiet, script) == own
    assert script.ran == []
    assert sorted(own.iterdir()) == before
    assert prepare(layout, resolve(str(own)), "int8", quiet, script).parent == layout.models
    assert "quantize.py" in script.ran[0][1]


def test_the_manifest_says_what_it_was_made_from(layout: Layout, gguf: str) -> None:
    spec = resolve(gguf)
    prepare(layout, spec, "bf16", quiet, Script())
    known = manifest.read(layout, f"{spec.name}-bf16")
    assert known is not None
    assert gguf in known.source
    assert any(name.startswith("transformers==") for name in known.made_with)
