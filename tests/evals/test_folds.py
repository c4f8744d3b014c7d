"""Folds: stable, never splitting a group, and nothing is judged by what it was fitted on."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from evals.folds import by_fold, fold_of, held_out


@dataclass(frozen=True)
class Item:
    name: str
    cluster: str


ITEMS = [Item(f"i{n}", f"c{n // 2}") for n in range(40)]


def test_folds_are_what_they_were_yesterday() -> None:
    assert [fold_of(name) for name in ("gsm8k-1", "a", "", "题")] == [0, 0, 2, 1]


def test_every_item_has_one_fold_and_groups_stay_whole() -> None:
    parts = by_fold(ITEMS)
    assert sorted(item.name for part in parts for item in part) == sorted(item.name for item in ITEMS)
    for part in parts:
        assert all(sum(other.cluster == item.cluster for other in part) == 2 for item in part)


def test_nothing_is_fitted_on_what_it_judges() -> None:
    seen = held_out(ITEMS, lambda others: {item.cluster for item in others}, lambda known, item: item.cluster in known)
    assert seen == [False] * len(ITEMS)


def test_results_come_in_order_and_each_fold_is_fitted_once() -> None:
    fits: list[int] = []
    found = held_out(ITEMS, lambda others: fits.append(len(others)), lambda _, item: item.name)
    assert found == [item.name for item in ITEMS]
    assert len(fits) == len({fold_of(item.cluster) for item in ITEMS})
    assert sum(len(ITEMS) - size for size in fits) == len(ITEMS)


def test_one_fold_holds_nothing_out() -> None:
    with pytest.raises(ValueError, match="1 folds"):
        fold_of("a", 1)
    assert held_out([], lambda others: others, lambda fitted, item: item) == []
