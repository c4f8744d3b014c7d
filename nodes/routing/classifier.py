"""Stage one: nine probabilities for each text, by one small linear classifier, or by two.

`quick` reads patterns only and takes two milliseconds. Where it is sure it is believed; the others are embedded as
well, which costs about a millisecond a token, and `full` decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nodes.routing import artefact, embedding, features
from nodes.routing.artefact import Artefact, Linear
from nodes.routing.excerpt import plain, spread
from nodes.specialists import LABELS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SCALE = 8.0
"""Factor on centred embeddings, which are short: it brings them to the size of the other features."""


@dataclass(frozen=True)
class Reading:
    """What stage one says about one text."""

    scores: dict[str, float]
    """Probability of each of the nine labels; they sum to 1."""
    spoke: tuple[str, ...]
    """Dense features that speak for the best label most, strongest first."""
    embedded: bool
    """Whether the meaning was read too, or the patterns alone were sure."""


@dataclass(frozen=True)
class Rows:
    """Feature matrices of some texts, by block; a row a text."""

    blocks: dict[str, NDArray[np.float32]]

    def of(self, rows: NDArray[np.intp] | list[int]) -> Rows:
        """Some of the rows."""
        return Rows({name: block[rows] for name, block in self.blocks.items()})


def measured(texts: Sequence[str]) -> Rows:
    """Block `dense` of raw texts."""
    import numpy as np

    dense = [features.dense(plain(spread(text))) for text in texts]
    return Rows({"dense": np.array(dense, dtype=np.float32).reshape(len(texts), len(features.names()))})


def probabilities(linear: Linear, rows: Rows) -> NDArray[np.float64]:
    """Softmax over the labels, (texts, labels)."""
    import numpy as np

    logits = sum((rows.blocks[name] @ matrix for name, matrix in linear.blocks.items()), linear.bias).astype(np.float64)
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def centred(vectors: NDArray[np.float32], centre: NDArray[np.float32]) -> NDArray[np.float32]:
    """The block `embedding` of raw vectors."""
    return (vectors - centre) * SCALE


def read(texts: Sequence[str], found: Artefact | None = None, quick: bool = False) -> list[Reading]:
    """Stage one on a batch. `quick` never embeds. Raises SetupError when the artefact is missing or altered."""
    import numpy as np

    if not texts:
        return []
    found = found or artefact.load()
    rows = measured(texts)
    scores = probabilities(found.classifiers["quick"], rows)
    unsure = [] if quick else np.flatnonzero(scores.max(axis=1) < found.settings["sure"]).tolist()
    if unsure and embedding.available():
        doubtful = rows.of(unsure)
        vectors = embedding.embed([plain(spread(texts[row])) for row in unsure])
        doubtful.blocks["embedding"] = centred(vectors, found.centre)
        scores[unsure] = probabilities(found.classifiers["full"], doubtful)
    else:
        unsure = []
    return [
        Reading(
            dict(zip(LABELS, map(float, line), strict=True)),
            _spoke(found, rows, row, int(line.argmax())),
            row in unsure,
        )
        for row, line in enumerate(scores)
    ]


def _spoke(found: Artefact, rows: Rows, row: int, label: int, most: int = 4) -> tuple[str, ...]:
    """Names of the dense features that add most to the label, beyond what they add to the average label."""
    import numpy as np

    weights = found.classifiers["quick"].blocks["dense"]
    shares = rows.blocks["dense"][row] * (weights[:, label] - weights.mean(axis=1))
    best = np.argsort(-shares)[:most]
    return tuple(features.names()[at] for at in best if shares[at] > 0.1)
