"""Camps of equal answers: who votes, in which order, and who joins whom."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes import voting
from nodes.contracts import Camp, Candidate, Confidence, Status


def branch(index: int, answer: str, status: Status = "answered", wave: int = 0, sure: float | None = None) -> Candidate:
    confidence = Confidence(mean=sure, low=sure, margin=0, tokens=1) if sure is not None else None
    return Candidate(source=f"branch:{index}", status=status, answer=answer, wave=wave, confidence=confidence)


def specialist(name: str, answer: str) -> Candidate:
    return Candidate(source=f"specialist:{name}", status="answered", answer=answer)


def shape(camps: tuple[Camp, ...]) -> list[tuple[str, tuple[str, ...]]]:
    return [(camp.answer, camp.sources) for camp in camps]


def test_equal_answers_in_other_words_are_one_camp() -> None:
    camps = voting.tally(
        [branch(0, "1/2"), branch(1, r"\frac{1}{2}"), branch(2, "0.5"), branch(3, "2"), branch(4, "50%")]
    )
    assert [(camp.answer, camp.votes, camp.share) for camp in camps] == [("1/2", 4, 0.8), ("2", 1, 0.2)]


def test_the_menu_of_the_question_helps() -> None:
    question = "Which?\n(A) yellow ball\n(B) orange ball"
    camps = voting.tally(
        [branch(0, "(B)"), branch(1, "orange ball"), branch(2, "B) orange ball"), branch(3, "A")], question
    )
    assert [camp.votes for camp in camps] == [3, 1]


@pytest.mark.parametrize("status", ["unreadable", "truncated", "pruned", "failed"])
def test_only_answered_votes(status: Status) -> None:
    assert voting.tally([branch(0, "5", status)]) == ()
    assert voting.counts([branch(0, "5", status), branch(1, "5")]) == {"answered": 1, status: 1}


def test_one_vote_a_source_and_the_latest_wave_counts() -> None:
    camps = voting.tally([branch(0, "5", wave=1), branch(0, "4", wave=0), branch(0, "5", wave=1)])
    assert shape(camps) == [("5", ("branch:0",))]


def test_ties_go_to_the_first_seen_branches_before_specialists() -> None:
    camps = voting.tally([specialist("numeric", "7"), branch(10, "6"), branch(9, "5")])
    assert [camp.answer for camp in camps] == ["5", "6", "7"]


def test_a_bare_number_joins_the_larger_camp_and_merges_none() -> None:
    camps = voting.tally([branch(0, "10"), branch(1, "10 g"), branch(2, "10 kg"), branch(3, "10 kg"), branch(4, "10")])
    assert shape(camps) == [("10", ("branch:0", "branch:2", "branch:3", "branch:4")), ("10 g", ("branch:1",))]


def test_equality_is_closed_over_a_chain() -> None:
    chain = ["2.666666667", "8/3", "2.66667", "2.6667"]
    assert [camp.votes for camp in voting.tally([branch(index, answer) for index, answer in enumerate(chain)])] == [4]


def test_confidence_and_checks_of_a_camp() -> None:
    camps = voting.tally(
        [branch(0, "5", sure=0.5), branch(1, "5", sure=0.9), branch(2, "5")], failed={"branch:1", "branch:7"}
    )
    assert camps[0].confidence == pytest.approx(0.7)
    assert camps[0].failed_checks == 1


def test_tie_breaks_are_separate() -> None:
    camps = voting.tally(
        [branch(0, "5", sure=0.4), branch(1, "6", sure=0.9), branch(2, "7", sure=0.9)], failed={"branch:2"}
    )
    assert voting.majority(camps) is None
    assert len(voting.tied(camps)) == 3
    assert [camp.answer for camp in voting.by_checks(camps)] == ["5", "6"]
    assert [camp.answer for camp in voting.by_confidence(camps)] == ["6", "7"]
    assert [camp.answer for camp in voting.first_seen(camps)] == ["5"]
    assert voting.majority(()) is None
    assert voting.tied(()) == voting.by_checks(()) == voting.by_confidence(()) == voting.first_seen(()) == ()


def test_majority() -> None:
    leader = voting.majority(voting.tally([branch(0, "5"), branch(1, "6"), branch(2, "6")]))
    assert leader is not None
    assert leader.answer == "6"


@pytest.mark.parametrize(("opened", "needed"), [(0, 1), (1, 1), (2, 1), (3, 1), (4, 2), (8, 3), (16, 6)])
def test_quorum(opened: int, needed: int) -> None:
    assert voting.quorum(opened) == needed


ANSWERS = st.sampled_from(
    ["5", "5.0", "$5", "€5", "5 kg", "5 g", "five", "五", "1/3", "0.33333", "0.333333333", "1, 2", "2, 1", "(1, 2)",
     "{1,2}", "yes", "是", "Paris", "paris.", "", "7:30", "7.5", "'5'", "x+1", "1+x", "[1, \\infty)", "x >= 1", "£5"]
)  # fmt: skip
CANDIDATES = st.lists(
    st.builds(
        Candidate,
        source=st.sampled_from([f"branch:{index}" for index in range(12)] + ["specialist:numeric", "specialist:logic"]),
        status=st.sampled_from(["answered", "answered", "unreadable", "failed"]),
        answer=ANSWERS,
        wave=st.integers(0, 3),
    ),
    max_size=16,
)


@given(CANDIDATES, st.randoms(use_true_random=False))
def test_the_order_of_candidates_never_matters(candidates: list[Candidate], rng: random.Random) -> None:
    shuffled = candidates[:]
    rng.shuffle(shuffled)
    assert voting.tally(candidates) == voting.tally(shuffled)


@given(CANDIDATES)
def test_every_voter_is_counted_once(candidates: list[Candidate]) -> None:
    camps = voting.tally(candidates)
    sources = [source for camp in camps for source in camp.sources]
    assert sorted(sources) == sorted({one.source for one in candidates if one.status == "answered"})
    assert all(camp.votes == len(camp.sources) for camp in camps)
    assert sorted(camps, key=lambda camp: -camp.votes) == list(camps)
    assert not camps or sum(camp.share for camp in camps) == pytest.approx(1)
    assert voting.tally([*candidates, *candidates]) == camps


@pytest.mark.parametrize("answer", ["{}", "1.{:07d}", "answer {} is long", "[{}, 0.5]", "{} kg"])
def test_thousands_of_different_answers(answer: str) -> None:
    camps = voting.tally([branch(index, answer.format(index + 1_000_000)) for index in range(1_500)])
    assert len(camps) == 1_500
