"""Hashes of a prepared model: made once, compared quickly at each start, fully on demand (C5).

The manifest lies beside the folder, not in it, and is written last: a folder without one is half-made. At start a
file whose size and modification time are unchanged counts as unchanged; `octavo engine verify` hashes everything.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from graph.engine.layout import Layout, write
from nodes.contracts import Contract
from nodes.errors import SetupError

BLOCK = 1 << 22
_KINDS = {".safetensors", ".json", ".jinja", ".model", ".txt"}
"""Weights, tokenizer, configuration and templates; anything else in a user's folder is not served."""


class FileMark(Contract):
    """One file as it was when it was hashed."""

    bytes: int
    mtime_ns: int
    sha256: str


class Manifest(Contract):
    """What a prepared model consists of, and what it was made from."""

    model: str
    precision: str
    folder: str
    """Where the files lie; inside OCTAVO_HOME, or the user's own folder."""
    source: str
    """sha256 of the source file, or the name and revision of its place."""
    made_with: tuple[str, ...] = ()
    """Pinned packages that made it."""
    files: dict[str, FileMark]


def path_of(layout: Layout, name: str) -> Path:
    """The manifest of a prepared folder."""
    return layout.models / f"{name}.json"


def read(layout: Layout, name: str) -> Manifest | None:
    """The manifest, or None when there is none that can be read."""
    try:
        return Manifest(**json.loads(path_of(layout, name).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return None


def record(layout: Layout, name: str, manifest: Manifest) -> None:
    """Write the manifest: from now on the model counts as prepared."""
    write(path_of(layout, name), manifest.model_dump_json(indent=1))


def mark_folder(folder: Path, on_bytes: Callable[[int, int], None] = lambda _done, _total: None) -> dict[str, FileMark]:
    """Hash every served file of a folder. `on_bytes` gets bytes done and in all."""
    files = sorted(file for file in folder.iterdir() if file.is_file() and file.suffix in _KINDS)
    total, done = sum(file.stat().st_size for file in files), 0
    marks = {}
    for file in files:
        marks[file.name] = mark(file, lambda n, base=done: on_bytes(base + n, total))  # type: ignore[misc]
        done += marks[file.name].bytes
    return marks


def mark(file: Path, on_bytes: Callable[[int], None] = lambda _done: None) -> FileMark:
    """Hash one file."""
    digest, done = hashlib.sha256(), 0
    with file.open("rb") as stream:
        while block := stream.read(BLOCK):
            digest.update(block)
            done += len(block)
            on_bytes(done)
    stat = file.stat()
    return FileMark(bytes=stat.st_size, mtime_ns=stat.st_mtime_ns, sha256=digest.hexdigest())


def faults(manifest: Manifest, *, full: bool, on_bytes: Callable[[int, int], None] | None = None) -> list[str]:
    """What differs from the manifest, in words; empty = nothing. Quick unless `full`."""
    folder, found, done = Path(manifest.folder), [], 0
    total = sum(entry.bytes for entry in manifest.files.values())
    for name, entry in manifest.files.items():
        file = folder / name
        try:
            stat = file.stat()
        except OSError:
            found.append(f"{name} is missing")
            continue
        if stat.st_size != entry.bytes:
            found.append(f"{name} has {stat.st_size} bytes, not {entry.bytes}")
        elif (full or stat.st_mtime_ns != entry.mtime_ns) and mark(file).sha256 != entry.sha256:
            found.append(f"{name} has another sha256 than when it was prepared")
        done += entry.bytes
        if on_bytes:
            on_bytes(done, total)
    return found


def require(manifest: Manifest, *, full: bool = False) -> None:
    """Raise SetupError when the model's files are not the ones of its manifest."""
    wrong = faults(manifest, full=full)
    if wrong:
        raise SetupError(
            f"model {manifest.model!r} in {manifest.folder!r} was changed or damaged: {'; '.join(wrong)}. "
            "Prepare it anew with: octavo engine purge --models && octavo engine up"
        )
