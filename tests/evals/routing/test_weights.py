"""The trainer: converges to what a separable problem asks for, and weighs what is said to matter."""

from __future__ import annotations

import numpy as np

from evals.routing.items import Item
from evals.routing.weights import fit, targets
from nodes.routing.classifier import Rows, probabilities
from nodes.specialists import LABELS


def problem(noise: float = 0.3) -> tuple[Rows, list[Item]]:
    """Three labels, each with a feature of its own, and noise."""
    random = np.random.default_rng(7)
    names = ["numeric", "logic", "code"] * 40
    matrix = random.normal(0, noise, (120, 8)).astype(np.float32)
    for row, name in enumerate(names):
        matrix[row, ["numeric", "logic", "code"].index(name)] += 2
    return Rows({"dense": matrix}), [Item(str(at), "", (name,), "en", "s", "g") for at, name in enumerate(names)]


def test_it_learns_what_can_be_learned() -> None:
    rows, items = problem()
    linear = fit(rows, targets(items), np.ones(len(items), dtype=np.float32), ["dense"])
    said = [LABELS[at] for at in probabilities(linear, rows).argmax(axis=1)]
    assert said == [item.first for item in items]


def test_the_gradient_is_gone_at_the_end() -> None:
    rows, items = problem(noise=1.0)
    wanted, weight = targets(items), np.ones(len(items), dtype=np.float32)
    linear = fit(rows, wanted, weight, ["dense"])
    slope = rows.blocks["dense"].T @ (probabilities(linear, rows) - wanted) + 6.0 * linear.blocks["dense"]
    assert np.abs(slope).max() < 0.05


def test_importance_decides_between_two_that_contradict() -> None:
    rows = Rows({"dense": np.ones((2, 1), dtype=np.float32)})
    items = [Item("a", "", ("style",), "en", "s", "g"), Item("b", "", ("format",), "en", "s", "g")]
    for heavy in (0, 1):
        weight = np.array([1.0, 1.0], dtype=np.float32)
        weight[heavy] = 50
        linear = fit(rows, targets(items), weight, ["dense"])
        assert LABELS[int(probabilities(linear, rows)[0].argmax())] == items[heavy].first


def test_several_labels_share_an_item() -> None:
    found = targets([Item("a", "", ("style", "format"), "en", "s", "g"), Item("b", "", (), "en", "s", "g")])
    assert found.sum(axis=1).tolist() == [1, 1]
    assert found[0, LABELS.index("style")] == 0.5
    assert found[1, LABELS.index("other")] == 1
