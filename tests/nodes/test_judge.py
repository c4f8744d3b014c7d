"""The judge: the vote is the floor, tie-breaks only break ties, non-answers never vote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes import judge
from nodes.contracts import Ballot, Candidate, Check, Confidence, Finding, Request, Route

REQUEST = Request(run="r", question="How many?")
FAIL = Check(specialist="numeric", kind="arithmetic", outcome="fail", claim="2*3=7", found="6")
PASS = Check(specialist="numeric", kind="arithmetic", outcome="pass", claim="2*3=6", found="6")


def route(budget: int = 8, staged: bool = False, verify: bool = False, stand_in: str | None = None) -> Route:
    return Route(
        top="numeric",
        scores={},
        reason="",
        difficulty=0,
        budget=budget,
        staged=staged,
        verify=verify,
        stand_in=stand_in,
    )


def branch(index: int, answer: str = "", status: str = "answered", sure: float = 0.5, checks: tuple = ()) -> Candidate:
    confidence = Confidence(mean=sure, low=sure, margin=0.0, tokens=1)
    return Candidate(
        source=f"branch:{index}",
        status=status,
        answer=answer,
        reading="boxed",
        confidence=confidence,
        checks=checks,
    )


def verdict(candidates, ballots=(), partial=None, **kinds):
    decision = judge.judge(REQUEST, route(**kinds), candidates, ballots, threshold=0.8, partial=partial)
    assert decision.next == "finish"
    assert decision.verdict is not None
    return decision.verdict


def test_majority_wins_over_confidence():
    found = verdict([branch(0, "5", sure=0.99), branch(1, "7", sure=0.1), branch(2, "7", sure=0.1)])
    assert (found.answer, found.decided_by, found.agreement) == ("7", "majority", pytest.approx(2 / 3))


def test_equal_answers_in_other_words_are_one_camp():
    found = verdict([branch(0, "1,000"), branch(1, "1000"), branch(2, "$1000.00"), branch(3, "12")])
    assert (found.answer, found.camps[0].votes) == ("1,000", 3)


@pytest.mark.parametrize(
    ("candidates", "answer", "decided_by"),
    [
        ([branch(0, "5", checks=(FAIL,)), branch(1, "7", sure=0.1)], "7", "checks"),
        ([branch(0, "5", sure=0.2), branch(1, "7", sure=0.9)], "7", "confidence"),
        ([branch(0, "5", sure=0.2, checks=(PASS,)), branch(1, "7", sure=0.9)], "5", "steps"),
        ([branch(0, "5"), branch(1, "7")], "5", "first_seen"),
    ],
)
def test_ties(candidates, answer, decided_by):
    found = verdict(candidates, budget=2)
    assert (found.answer, found.decided_by) == (answer, decided_by)


def test_single_and_unanimous():
    assert verdict([branch(0, "5")], budget=1).decided_by == "single"
    assert verdict([branch(0, "5"), branch(1, "5")], budget=2).decided_by == "unanimous"


@pytest.mark.parametrize("status", ["unreadable", "truncated", "pruned", "failed"])
def test_non_answers_never_vote(status):
    found = verdict([branch(0, "5", status=status), branch(1, "5", status=status), branch(2, "7")])
    assert (found.answer, found.camps[0].votes, len(found.camps)) == ("7", 1, 1)


@pytest.mark.parametrize(
    ("statuses", "partial", "cause"),
    [
        (["failed"] * 8, None, "infra"),
        (["unreadable"] * 5 + ["truncated"] * 3, None, "low_confidence"),
        (["pruned"] * 8, "deadline", "timeout"),
        ([], None, "infra"),
    ],
)
def test_no_verdict_says_why(statuses, partial, cause):
    found = verdict([branch(i, "", status) for i, status in enumerate(statuses)], partial=partial)
    assert (found.status, found.cause, found.answer) == ("no_verdict", cause, "")


def test_missed_quorum_is_no_verdict():
    candidates = [branch(0, "5")] + [branch(i, "", "failed") for i in range(1, 8)]
    found = verdict(candidates)
    assert (found.status, found.cause, found.quorum) == ("no_verdict", "infra", 3)


def test_partial_run_answers_with_what_it_has():
    candidates = [branch(0, "5")] + [branch(i, "", "pruned") for i in range(1, 8)]
    found = verdict(candidates, partial="deadline", staged=True)
    assert (found.status, found.answer, found.partial) == ("answered", "5", "deadline")


def test_waves_go_on_until_the_lead_is_clear():
    assert judge.judge(REQUEST, route(staged=True), [branch(0, "5"), branch(1, "7")], threshold=0.9).next == "wave"
    clear = [branch(i, "5") for i in range(5)]
    assert judge.judge(REQUEST, route(staged=True), clear, threshold=0.9).next == "finish"


def test_exact_budget_never_stops_early_and_never_verifies():
    close = [branch(i, "5" if i % 2 else "7") for i in range(8)]
    assert judge.judge(REQUEST, route(), close, threshold=0.8).next == "finish"
    assert judge.settled(REQUEST, route(), [branch(0, "5")] * 1, 0.5) is None


def test_close_camps_are_verified_once():
    close = [branch(i, "5" if i % 2 else "7") for i in range(8)]
    staged = route(staged=True, verify=True)
    assert judge.judge(REQUEST, staged, close, threshold=0.8).next == "verify"
    ballot = Ballot(first="7", second="5", choices=("second", "second"), outcome="second")
    found = judge.judge(REQUEST, staged, close, [ballot], threshold=0.8).verdict
    assert found is not None
    assert (found.answer, found.decided_by) == ("5", "verification")
    flip = Ballot(first="7", second="5", choices=("first", "second"), outcome="keep")
    kept = judge.judge(REQUEST, staged, close, [flip], threshold=0.8).verdict
    assert kept is not None
    assert (kept.answer, kept.decided_by) == ("7", "first_seen")


def test_stand_in_without_an_answer_opens_one_branch():
    light = route(budget=1, stand_in="numeric")
    assert judge.judge(REQUEST, light, [], threshold=0.8).next == "wave"
    finding = Finding(specialist="numeric", status="ok", answer="10", working="12*50/60=10")
    candidate = judge.from_finding(finding)
    assert candidate is not None
    assert verdict([candidate], budget=1, stand_in="numeric").answer == "10"


def test_findings_without_answers_do_not_compete():
    assert judge.from_finding(Finding(specialist="numeric", status="failed", error="x")) is None
    assert judge.from_finding(Finding(specialist="safety", status="ok")) is None


def test_wrong_consensus_is_a_risk():
    found = verdict([branch(i, "7", checks=(FAIL,)) for i in range(4)], budget=4)
    assert found.risks == ("wrong_consensus",)


answers = st.lists(st.sampled_from(["3", "4", "five", "x"]), min_size=1, max_size=8)


@given(answers, st.randoms())
def test_order_of_arrival_never_matters(found, random):
    candidates = [branch(i, answer, sure=0.1 * i) for i, answer in enumerate(found)]
    shuffled = candidates[:]
    random.shuffle(shuffled)
    assert judge.judge(REQUEST, route(), candidates, threshold=0.8) == judge.judge(
        REQUEST, route(), shuffled, threshold=0.8
    )


@given(answers)
def test_winner_has_as_many_votes_as_any_camp(found):
    result = verdict([branch(i, answer) for i, answer in enumerate(found)])
    if result.status == "answered":
        assert max(camp.votes for camp in result.camps) == next(
            c.votes for c in result.camps if c.answer == result.answer
        )


def computed(answer: str) -> Candidate:
    found = judge.from_finding(Finding(specialist="numeric", status="ok", answer=answer))
    assert found is not None
    return found


def test_what_was_computed_without_a_model_decides_and_a_larger_vote_is_told():
    found = verdict([branch(0, "7"), branch(1, "7"), branch(2, "5"), computed("5.0")])
    assert (found.answer, found.decided_by, found.agreement, found.risks) == ("5", "computed", 0.5, ())
    found = verdict([branch(0, "7"), branch(1, "7"), computed("5")])
    assert (found.answer, found.decided_by, found.risks) == ("5", "computed", ("vote_disagrees",))


def test_a_model_call_makes_a_finding_a_vote_like_any_other():
    asked = judge.from_finding(Finding(specialist="numeric", status="ok", answer="5", calls=("call",)))
    assert verdict([branch(0, "7"), branch(1, "7"), asked]).decided_by == "majority"


def test_two_computed_answers_that_differ_leave_it_to_the_vote():
    other = computed("6").model_copy(update={"source": "specialist:logic"})
    assert verdict([branch(0, "7"), branch(1, "7"), computed("5"), other]).answer == "7"


def test_a_computed_answer_ends_a_staged_round_and_needs_no_second_one():
    kinds = {"staged": True, "verify": True}
    assert judge.settled(REQUEST, route(**kinds), [computed("5")], 0.8)
    assert judge.settled(REQUEST, route(), [computed("5")], 0.8) is None
    assert verdict([branch(0, "7"), computed("5")], **kinds).answer == "5"


def test_a_cut_text_is_used_only_when_nothing_better_came():
    cut = [branch(0, "One.", "truncated"), branch(2, "One. Two.", "truncated"), branch(1, "1. 2. 3.", "truncated")]
    found = verdict([*cut, branch(3, status="failed")])
    assert (found.status, found.answer, found.risks, found.agreement) == ("answered", "One. Two.", ("truncated",), 0)
    assert (found.camps, found.counts) == ((), {"truncated": 3, "failed": 1})
    assert verdict([*cut, branch(3, "whole")], partial="deadline").answer == "whole"
    assert verdict([branch(0, "", "truncated")]).status == "no_verdict"


def test_a_miscalculated_step_votes_for_what_it_gives_and_is_not_doubted():
    slip = Check(specialist="numeric", kind="answer", outcome="fail", claim="8", found="7")
    found = verdict([branch(0, "8", checks=(FAIL, slip)), branch(1, "7"), branch(2, "8")])
    assert (found.answer, found.agreement, found.camps[0].failed_checks) == ("7", pytest.approx(2 / 3), 0)
    assert found.camps[0].sources == ("branch:0", "branch:1")
