"""Every question is held out once: five folds by a hash of the cluster, so that a group is never split.

Whatever is fitted (a threshold, weights) is fitted on four folds and reported on the fifth; pooled, all questions count
and none has been seen by what judges it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

FOLDS = 5


class Clustered(Protocol):
    """What a fold keeps together."""

    @property
    def cluster(self) -> str:
        """Name of the group."""
        ...


Item = TypeVar("Item", bound=Clustered)
Fitted = TypeVar("Fitted")
Result = TypeVar("Result")


def fold_of(cluster: str, folds: int = FOLDS) -> int:
    """Fold (from 0) of a cluster: the same on every machine and in every version."""
    if folds < 2:
        raise ValueError(f"{folds!r} folds hold nothing out")
    return int.from_bytes(hashlib.sha256(cluster.encode("utf-8", "replace")).digest()[:8], "big") % folds


def held_out(
    items: Sequence[Item],
    fit: Callable[[Sequence[Item]], Fitted],
    apply: Callable[[Fitted, Item], Result],
    folds: int = FOLDS,
) -> list[Result]:
    """Fit on the other folds, apply to each item; results in the order of the items.

    `fit` is called once for each fold that has items, with the items of all others, in order; it may be none.
    """
    places = [fold_of(item.cluster, folds) for item in items]
    fitted = {
        fold: fit([item for item, place in zip(items, places, strict=True) if place != fold])
        for fold in sorted(set(places))
    }
    return [apply(fitted[place], item) for item, place in zip(items, places, strict=True)]


def by_fold(items: Sequence[Item], folds: int = FOLDS) -> list[list[Item]]:
    """The items of each fold."""
    found: list[list[Item]] = [[] for _ in range(folds)]
    for item in items:
        found[fold_of(item.cluster, folds)].append(item)
    return found
