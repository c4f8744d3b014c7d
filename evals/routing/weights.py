"""Multinomial logistic regression in numpy: full batch, Nesterov steps, one pass over a matrix that fits in memory.

Under two thousand requests and some 600 features need no more; nothing but numpy is needed to train. An item with
several labels is given to each of them in equal parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evals.routing.items import Item
from nodes.routing.artefact import Linear
from nodes.routing.classifier import Rows
from nodes.specialists import LABELS, OTHER

Matrix = NDArray[np.float32]
DECAY: Mapping[str, float] = {"dense": 6.0, "embedding": 30.0}
"""Weight decay of each block: how much evidence a weight needs."""
STEPS = 200


@dataclass(frozen=True)
class Settings:
    """What is found by cross-validation, not by training."""

    sure: float = 0.9
    fit: float = 0.0


def targets(items: Sequence[Item]) -> Matrix:
    """(items, labels): one label has all, several share."""
    found = np.zeros((len(items), len(LABELS)), dtype=np.float32)
    for row, item in enumerate(items):
        for label in item.labels or (OTHER,):
            found[row, LABELS.index(label)] = 1 / max(len(item.labels), 1)
    return found


def fit(rows: Rows, wanted: Matrix, importance: Matrix, blocks: Sequence[str]) -> Linear:
    """Weights that minimise the weighted cross-entropy plus half the decay times their squares."""
    matrix = np.hstack([rows.blocks[name] for name in blocks])
    sizes = [rows.blocks[name].shape[1] for name in blocks]
    decay = np.repeat([DECAY[name] for name in blocks], sizes).astype(np.float32)[:, None]
    weights, bias = _descend(matrix, wanted, importance[:, None], decay)
    ends = np.cumsum(sizes)
    return Linear({name: weights[end - size : end] for name, size, end in zip(blocks, sizes, ends, strict=True)}, bias)


def _descend(matrix: Matrix, wanted: Matrix, importance: Matrix, decay: Matrix) -> tuple[Matrix, Matrix]:
    """Accelerated gradient descent with a step for each feature from a bound on its curvature."""
    # Boehning 1992: the curvature of the softmax loss is at most half of X'WX; its rows' sums bound the rest.
    load = np.abs(matrix).sum(axis=1, keepdims=True)
    curvature = 0.5 * (np.abs(matrix) * importance * (load + 1)).sum(axis=0)[:, None] + decay
    steep = 0.5 * float((importance * (load + 1)).sum())
    weights = np.zeros((matrix.shape[1], wanted.shape[1]), dtype=np.float32)
    bias = np.zeros(wanted.shape[1], dtype=np.float32)
    ahead, ahead_bias = weights.copy(), bias.copy()
    for step in range(STEPS):
        logits = matrix @ ahead + ahead_bias
        chance = np.exp(logits - logits.max(axis=1, keepdims=True))
        gap = (chance / chance.sum(axis=1, keepdims=True) - wanted) * importance
        new = ahead - (matrix.T @ gap + decay * ahead) / curvature
        new_bias = ahead_bias - gap.sum(axis=0) / steep
        push = step / (step + 3)
        ahead, ahead_bias = new + push * (new - weights), new_bias + push * (new_bias - bias)
        weights, bias = new, new_bias
    return weights, bias
