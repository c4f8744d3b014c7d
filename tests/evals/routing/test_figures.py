"""Figures on predictions whose figures are known."""

from __future__ import annotations

import numpy as np

from evals.routing.figures import cascade, micro_f1
from evals.routing.items import Item
from evals.routing.training import chosen, thresholds
from nodes.specialists import LABELS, NAMES


def row(**shares: float) -> list[float]:
    return [shares.get(label, 0.0) for label in LABELS]


def test_micro_f1_counts_pairs() -> None:
    items = [Item("a", "", ("style", "format"), "en", "s", "g"), Item("b", "", (), "en", "s", "g")]
    assert micro_f1([{"style", "format"}, set()], items) == 1
    assert micro_f1([{"style"}, {"code"}], items) == 0.5
    assert micro_f1([set(), set()], items) == 0


def test_patterns_are_believed_where_they_are_sure() -> None:
    found = {"quick": np.array([row(code=0.9), row(code=0.5)]), "full": np.array([row(style=1), row(style=1)])}
    assert [LABELS[int(line.argmax())] for line in cascade(found, 0.8)] == ["code", "style"]


def test_labels_are_the_best_those_over_their_threshold_and_those_of_tasks() -> None:
    limits = dict.fromkeys(NAMES, 0.4)
    scores = np.array([row(style=0.45, format=0.42), row(other=0.9), row(code=0.3, other=0.2), row(other=0.8)])
    tasks = {3: np.array([row(numeric=0.7), row(style=0.5)])}
    assert chosen(scores, limits, tasks) == [{"style", "format"}, set(), {"code"}, {"numeric"}]


def test_a_threshold_parts_what_can_be_parted() -> None:
    items = [Item(str(at), "", ("code",) if at < 5 else (), "en", "s", "g") for at in range(10)]
    scores = np.array([row(code=0.5)] * 5 + [row(code=0.3)] * 5)
    assert 0.3 < thresholds(scores, items)["code"] <= 0.5
