"""The trained weights as one JSON file: readable, no pickle, checked against its own digest and against the features.

Weights are base64 of little-endian float16, one matrix (features, labels) per block. `dense` and `embedding` are the
blocks; `quick` is a second classifier that knows `dense` only, for texts that it is sure of and for machines without
the embedding library.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nodes.errors import SetupError
from nodes.routing import features
from nodes.specialists import LABELS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PATH = Path(__file__).with_name("router.json")
VERSION = 1
WAY_OUT = "make it again with: octavo router train --data FILE"
CLASSIFIERS = {"quick": ("dense",), "full": ("dense", "embedding")}
"""Blocks of each classifier."""


@dataclass(frozen=True)
class Linear:
    """Softmax weights of one classifier over `LABELS`."""

    blocks: Mapping[str, NDArray[np.float32]]
    """Name -> matrix (features of the block, labels)."""
    bias: NDArray[np.float32]
    """One number a label."""


@dataclass(frozen=True)
class Artefact:
    """What training found, and what it was trained on."""

    classifiers: Mapping[str, Linear]
    centre: NDArray[np.float32]
    """Mean embedding of the training requests: cosines lie in a narrow band around it."""
    settings: Mapping[str, Any]
    """`thresholds` (label -> probability from which it fits), `sure` (probability from which `quick` is believed),
    `fit` (weight of stage two)."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """Data files with digests, counts and licences; the figures of the cross-validation."""


@cache
def feature_digest() -> str:
    """Digest of what the weights belong to: names of the features and the word files behind them."""
    folder = Path(features.__file__).parent
    parts = [
        "\n".join(features.names()).encode(),
        (folder / "signals.toml").read_bytes(),
        (folder.parent / "cues.toml").read_bytes(),
    ]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


@cache
def load(path: Path = PATH) -> Artefact:
    """Read and check the artefact. Raises SetupError with the command that makes it again."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        digest, body = raw["sha256"], raw["body"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SetupError(f"the router's artefact {path.name!r} cannot be read ({error}): {WAY_OUT}") from error
    if digest != _digest(body):
        raise SetupError(f"the router's artefact {path.name!r} was altered, its digest is another: {WAY_OUT}")
    if (body["version"], body["labels"]) != (VERSION, list(LABELS)):
        raise SetupError(f"the router's artefact {path.name!r} belongs to another version of Octavo: {WAY_OUT}")
    if body["features"] != feature_digest():
        raise SetupError(f"the words that the router reads changed after {path.name!r} was trained: {WAY_OUT}")
    return _decoded(body)


def save(artefact: Artefact, path: Path = PATH) -> None:
    """Write the artefact; the same artefact gives the same bytes."""
    body = {
        "version": VERSION,
        "labels": list(LABELS),
        "features": feature_digest(),
        "about": artefact.about,
        "settings": artefact.settings,
        "centre": _packed(artefact.centre),
        "classifiers": {
            name: {"bias": _packed(one.bias), **{block: _packed(matrix) for block, matrix in one.blocks.items()}}
            for name, one in artefact.classifiers.items()
        },
    }
    text = json.dumps({"sha256": _digest(body), "body": body}, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def _digest(body: Any) -> str:
    """Digest of the parsed body, so that line ends and indentation do not count."""
    return hashlib.sha256(json.dumps(body, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _decoded(body: Mapping[str, Any]) -> Artefact:
    classifiers = {
        name: Linear({block: _matrix(raw[block]) for block in blocks}, _matrix(raw["bias"])[0])
        for name, blocks in CLASSIFIERS.items()
        for raw in (body["classifiers"][name],)
    }
    return Artefact(classifiers, _matrix(body["centre"])[0], body["settings"], body["about"])


def _packed(matrix: NDArray[np.float32]) -> dict[str, Any]:
    import numpy as np

    rows = np.atleast_2d(matrix)
    return {"shape": list(rows.shape), "float16": b64encode(rows.astype("<f2").tobytes()).decode()}


def _matrix(raw: Mapping[str, Any]) -> NDArray[np.float32]:
    import numpy as np

    return np.frombuffer(b64decode(raw["float16"]), dtype="<f2").reshape(raw["shape"]).astype(np.float32)
