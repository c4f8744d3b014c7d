"""Where everything of the engine lies below OCTAVO_HOME, and how its small files are written.

engine/venv/             vLLM's own Python environment; venv/octavo.json is written last
engine/models/NAME/      one prepared model; NAME.json beside it is its manifest, written last
engine/downloads/        packages and joined weights while a model is prepared
engine/cache/            vLLM's compile cache
engine/run/              lock, state.json, probe.json, key, logs
"""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from nodes.errors import SetupError


@dataclass(frozen=True)
class Layout:
    """Paths of one home."""

    home: Path

    @property
    def root(self) -> Path:
        """Everything that `purge` removes."""
        return self.home / "engine"

    @property
    def venv(self) -> Path:
        """The engine's Python environment."""
        return self.root / "venv"

    @property
    def python(self) -> Path:
        """Interpreter of the engine's environment."""
        return self.venv / "bin" / "python"

    @property
    def stamp(self) -> Path:
        """What was installed; its presence means that the installation was finished."""
        return self.venv / "octavo.json"

    @property
    def models(self) -> Path:
        """Prepared models."""
        return self.root / "models"

    @property
    def downloads(self) -> Path:
        """Packages and joined weights."""
        return self.root / "downloads"

    @property
    def cache(self) -> Path:
        """Compile cache of vLLM."""
        return self.root / "cache"

    @property
    def run(self) -> Path:
        """Files of the running engine."""
        return self.root / "run"

    @property
    def lock(self) -> Path:
        """Held with flock by the one watcher of this home."""
        return self.run / "lock"

    @property
    def state(self) -> Path:
        """The watcher's last word, a `State`."""
        return self.run / "state.json"

    @property
    def probe(self) -> Path:
        """What the running server was found to do, a `Probe`."""
        return self.run / "probe.json"

    @property
    def key(self) -> Path:
        """API key of our own engine, readable by the owner only."""
        return self.run / "key"

    @property
    def log(self) -> Path:
        """vLLM's output."""
        return self.run / "engine.log"

    @property
    def watcher_log(self) -> Path:
        """The watcher's output: installation and supervision."""
        return self.run / "watcher.log"

    def make(self) -> None:
        """Create the folders. Raises SetupError when the home cannot be written."""
        try:
            for folder in (self.models, self.downloads, self.cache):
                folder.mkdir(parents=True, exist_ok=True)
            self.run.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise SetupError(
                f"cannot write the engine's folder {str(self.root)!r} ({error.strerror}); set OCTAVO_HOME to another"
            ) from error


def write(path: Path, text: str, mode: int = 0o644) -> None:
    """Replace a small file in one step: a reader sees the old text or the new, a crash leaves the old."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    fresh.replace(path)


def own_key(layout: Layout) -> str:
    """The engine's API key, made at first use. It outlives restarts, so that running questions keep their access."""
    try:
        key = layout.key.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        key = ""
    if not key:
        key = secrets.token_urlsafe(32)
        write(layout.key, key, mode=0o600)
    return key
