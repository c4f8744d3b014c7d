"""Rounds in random orders: exact where theory says so."""

from __future__ import annotations

import pytest

from evals.rounds import Seat, any_of, averaged, play, rate, wave_seconds


def seats(camps: str) -> list[Seat]:
    return [Seat(None if camp == "-" else int(camp), camp == "0", False, 0, 0.5, False, 10, 40) for camp in camps]


def test_one_branch_of_random_orders_is_exactly_the_mean() -> None:
    assert averaged(seats("00011122"), (1,), 1.0, 8, "q").right == pytest.approx(3 / 8)


def test_all_at_once_does_not_depend_on_the_order() -> None:
    found = averaged(seats("00001122"), (8,), 1.0, 40, "q")
    assert (found.right, found.tokens, found.opened) == (1.0, 400.0, 8.0)


def test_a_plain_vote_gives_a_tie_to_the_first_seen() -> None:
    order = seats("10")
    assert play(order, (2,), 1.0, breaks_ties=False).right == 0.0
    sure = [Seat(1, False, True, 0, 0.9, False, 10, 40), Seat(0, True, False, 0, 0.1, False, 10, 40)]
    assert play(sure, (2,), 1.0).right == 1.0  # a failed check weighs more than confidence


def test_any_of_is_the_hypergeometric_share() -> None:
    held = seats("01111111")
    assert [any_of(held, width) for width in (1, 2, 8)] == pytest.approx([1 / 8, 2 / 8, 1])
    assert any_of(seats("11"), 8) == 0.0
    assert any_of([], 3) == 0.0


def test_nobody_votes() -> None:
    found = play(seats("--"), (2,), 0.8)
    assert (found.right, found.answered, found.agreement) == (0.0, 0.0, 0.0)


def test_streams_share_the_machine() -> None:
    assert wave_seconds([12]) == pytest.approx(1)
    assert wave_seconds([20, 32]) == pytest.approx(20 * 2 / 20 + 12 / 12)
    assert wave_seconds([]) == 0
    assert [rate(streams) for streams in (1, 8, 12, 16, 64)] == pytest.approx([12, 63, 74.5, 86, 86])
