"""Grouped cross-validation: every item is judged by weights that never saw its source, its group or its wording."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evals.routing.items import Item, components
from evals.routing.weights import Matrix, fit, targets
from nodes.routing import parts
from nodes.routing.artefact import CLASSIFIERS
from nodes.routing.classifier import Rows, centred, measured, probabilities

FOLDS = 10
OWN = 2.0
"""Importance of a request of our own beside a given one."""
DISPUTED = 0.5
"""Importance of an item whose label is disputed."""
FULL_SET = 20
"""Items from which a source weighs less a piece, so that no source speaks for a label alone."""


@dataclass(frozen=True)
class Table:
    """Given items followed by our own, with their features."""

    given: Sequence[Item]
    own: Sequence[Item]
    rows: Rows
    """Block `embedding` is raw."""

    @property
    def items(self) -> list[Item]:
        """All of them, in the order of the rows."""
        return [*self.given, *self.own]


def importance(given: Sequence[Item], own: Sequence[Item]) -> Matrix:
    """Weight of each item in training; 0 for two requests joined, which are other items' words."""
    sizes = Counter(item.set for item in given)
    known = [
        (DISPUTED if item.meta.get("ambiguous") else 1.0)
        * (FULL_SET / max(FULL_SET, sizes[item.set])) ** 0.5
        * (not item.meta.get("composite"))
        for item in given
    ]
    return np.array([*known, *(OWN * float(item.meta.get("importance", 1.0)) for item in own)], dtype=np.float32)


def folds(names: Sequence[str], count: int = FOLDS) -> NDArray[np.intp]:
    """Fold of each item: whole components, the largest first, each into the smallest fold."""
    sizes = Counter(names)
    filled = [0] * count
    place: dict[str, int] = {}
    for name in sorted(sizes, key=lambda name: (-sizes[name], name)):
        place[name] = filled.index(min(filled))
        filled[place[name]] += sizes[name]
    return np.array([place[name] for name in names])


def centre(rows: Rows, own: int) -> Matrix:
    """Mean embedding of our own requests, the last `own` rows: no item under test moves it."""
    return np.asarray(rows.blocks["embedding"][-own:].mean(axis=0), dtype=np.float32)


def ready(table: Table) -> Rows:
    """The blocks as the classifiers take them."""
    raw = table.rows.blocks
    return Rows({**raw, "embedding": centred(raw["embedding"], centre(table.rows, len(table.own)))})


Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Predicted:
    """Out-of-fold probabilities."""

    whole: dict[str, Scores]
    """Of each classifier: (given items, labels)."""
    tasks: dict[int, Scores]
    """Of `quick`, for items that join several tasks: row of the item -> (tasks, labels)."""


def predict(table: Table, by: str, count: int = FOLDS) -> Predicted:
    """Every given item judged by the weights of a fold that lacks its component. `by`: set, group or repository."""
    rows, wanted = ready(table), targets(table.items)
    weight = importance(table.given, table.own)
    place = folds(components(table.given, by), count)
    found = {name: np.zeros((len(table.given), wanted.shape[1])) for name in CLASSIFIERS}
    pieces = {row: measured(texts) for row, item in enumerate(table.given) if len(texts := _tasks(item.text)) > 1}
    tasks: dict[int, Scores] = {}
    for fold in range(count):
        tested = np.flatnonzero(place == fold)
        if not len(tested):
            continue
        train = _training(table, weight, place, fold)
        for name, blocks in CLASSIFIERS.items():
            linear = fit(rows.of(train), wanted[train], weight[train], blocks)
            found[name][tested] = probabilities(linear, rows.of(tested))
            if name == "quick":
                tasks |= {row: probabilities(linear, pieces[row]) for row in tested.tolist() if row in pieces}
    return Predicted(found, tasks)


def _tasks(text: str) -> list[str]:
    return [text[start:end] for start, end in parts.cut(text)]


def _training(table: Table, weight: Matrix, place: NDArray[np.intp], fold: int) -> NDArray[np.intp]:
    """Rows outside the fold that count, and all of our own."""
    size = len(table.given)
    outside = np.flatnonzero((place != fold) & (weight[:size] > 0))
    return np.concatenate([outside, np.arange(size, size + len(table.own))])
