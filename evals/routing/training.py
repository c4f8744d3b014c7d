"""From labelled requests to the artefact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evals.routing.crossval import Table, centre, importance, ready
from evals.routing.items import Item
from evals.routing.weights import fit, targets
from nodes.router import TASK
from nodes.routing.artefact import CLASSIFIERS, Artefact
from nodes.specialists import LABELS, NAMES, OTHER

THRESHOLDS = np.round(np.arange(0.15, 0.71, 0.05), 2)
"""Tried for each label."""
SURE = 0.8
"""Probability from which patterns alone decide. From there on the embedding changed nothing any more (86.4 % at 0.8,
86.3 % at 0.95 and with all embedded), and two thirds of the requests need none."""


def train(table: Table, settings: Mapping[str, Any], about: Mapping[str, Any]) -> Artefact:
    """Weights on everything there is."""
    rows, wanted = ready(table), targets(table.items)
    weight = importance(table.given, table.own)
    used = np.flatnonzero(weight > 0)
    classifiers = {name: fit(rows.of(used), wanted[used], weight[used], blocks) for name, blocks in CLASSIFIERS.items()}
    return Artefact(classifiers, centre(table.rows, len(table.own)), settings, about)


def thresholds(scores: NDArray[np.float64], items: Sequence[Item]) -> dict[str, float]:
    """For each label the probability from which it fits, which maximises its F1 over out-of-fold scores."""
    found = {}
    for column, label in enumerate(NAMES):
        gold = np.array([label in item.labels for item in items])
        figures = [_f1(scores[:, column] >= at, gold) for at in THRESHOLDS]
        found[label] = float(THRESHOLDS[int(np.argmax(figures))])
    return found


def _f1(said: NDArray[np.bool_], gold: NDArray[np.bool_]) -> float:
    hits = int((said & gold).sum())
    return 2 * hits / max(int(said.sum()) + int(gold.sum()), 1)


def chosen(
    scores: NDArray[np.float64], limits: Mapping[str, float], tasks: Mapping[int, NDArray[np.float64]]
) -> list[set[str]]:
    """Labels of each row as the router chooses them: the best, those from their threshold on, those of its tasks."""
    found = []
    for row, line in enumerate(scores):
        fitting = {label for label, score in zip(LABELS, line, strict=True) if score >= limits.get(label, 2.0)}
        parts = tasks.get(row, np.zeros((0, len(LABELS))))
        fitting |= {LABELS[int(part.argmax())] for part in parts if part.max() >= TASK}
        found.append((fitting | {LABELS[int(line.argmax())]}) - {OTHER})
    return found


def own(paths: Sequence[Path]) -> list[Item]:
    """Training requests of several files; missing files count as empty."""
    from evals.routing.items import load

    return [item for path in paths if path.is_file() and path.stat().st_size for item in load(path)]
