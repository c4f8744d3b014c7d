"""Folds keep components whole; what is judged was never trained on."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evals.routing.crossval import FULL_SET, folds, importance
from evals.routing.items import Item


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=60), st.integers(1, 12))
def test_a_component_is_never_on_both_sides(names: list[str], count: int) -> None:
    place = folds(names, count)
    assert len({(name, fold) for name, fold in zip(names, place.tolist(), strict=True)}) == len(set(names))
    assert all(0 <= fold < count for fold in place)


def test_folds_do_not_depend_on_the_order() -> None:
    names = list("aaabbbccdde")
    there = dict(zip(names, folds(names, 3).tolist(), strict=True))
    back = dict(zip(names[::-1], folds(names[::-1], 3).tolist(), strict=True))
    assert there == back


def test_joined_requests_are_judged_and_never_trained_on() -> None:
    items = [
        Item("a", "", ("code",), "en", "big", "g", meta={"composite": True}),
        Item("b", "", ("code",), "en", "big", "g", meta={"ambiguous": "x"}),
        Item("c", "", ("code",), "en", "small", "g"),
    ]
    weight = importance(items, [Item("d", "", (), "zh", "own", "g", meta={"importance": 3})])
    assert weight.tolist() == [0, 0.5, 1, 6]
    many = [Item(str(at), "", (), "en", "s", "g") for at in range(4 * FULL_SET)]
    assert importance(many, [])[0] == 0.5
