"""Each mode against a case worked out by hand, and the fast rounds against the judge itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals import judging, rounds
from evals.answering import Outcome
from evals.judging import Question
from evals.modes import PLAIN, mode
from nodes.errors import InputError
from tests.evals.pooled import branches, greedy, sample


def question(*answers: str, **fields: object) -> Question:
    return judging.questions(branches(answers, **fields))[0]


def outcome(name: str, *answers: str, **fields: object) -> Outcome:
    return mode(name).answer(question(*answers, **fields))


def test_the_vote_takes_the_first_n_and_ties_go_to_the_first_seen() -> None:
    assert outcome("vote@2", "8", "7", "7").answer == "8"
    found = outcome("vote@3", "8", "7", "7.0")
    assert (found.answer, found.right, found.branches, found.tokens) == ("7", 1.0, 3, 150)
    assert found.agreement == pytest.approx(2 / 3)


def test_non_answers_do_not_vote_but_are_paid() -> None:
    found = outcome("vote@3", "", "7", "")
    assert (found.answer, found.tokens, found.completed) == ("7", 150, 1.0)
    nothing = outcome("vote@2", "", "")
    assert (nothing.right, nothing.answered, nothing.decided_by) == (0.0, 0.0, "nothing")


def test_errors_are_wrong_and_not_completed() -> None:
    failed = [sample(n, "", text="", error="engine_timeout: no reply") for n in range(2)]
    (held,) = judging.questions(failed)
    for name in ("vote@2", "judge@2", "single@2", "oracle@2", "waves:1,1"):
        found = mode(name).answer(held)
        assert (found.right, found.completed) == (0.0, 0.0), name
    half = judging.questions([failed[0], sample(1, "7")])[0]
    assert mode("single@2").answer(half).completed == 0.5
    assert mode("vote@2").answer(half).completed == 1.0


def sure(branch: int, answer: str, logprob: float, length: int = 40) -> dict[str, object]:
    tokens = (("ANSWER: ", -0.1), (answer, logprob))
    return sample(branch, answer, text=f"ANSWER: {answer}", tokens=tokens, completion_tokens=length).model_dump()


def held(*rows: dict[str, object]) -> Question:
    return judging.questions([sample(0, "x").model_validate(row) for row in rows])[0]


def test_confidence_takes_the_surest_branch_and_clusters_weigh_camps() -> None:
    one = held(sure(0, "8", -0.5), sure(1, "8", -0.6), sure(2, "7", -0.01))
    assert mode("confidence@3").answer(one).answer == "7"
    assert mode("clusters@3").answer(one).answer == "8"  # two at 0.58 outweigh one at 0.99
    assert mode("confidence@2").answer(one).answer == "8"


def test_length_breaks_ties_only() -> None:
    one = held(sure(0, "8", -0.5, 20), sure(1, "7", -0.5, 60), sure(2, "9", -0.5, 90), sure(3, "9", -0.5, 90))
    assert [mode(f"{name}@2").answer(one).answer for name in ("vote", "longest", "shortest")] == ["8", "7", "8"]
    assert mode("shortest@4").answer(one).answer == "9"


def test_the_judge_breaks_a_tie_by_checks() -> None:
    wrong = sample(0, "9", text="We add: 3 + 4 = 8.\nANSWER: 9")
    right = sample(1, "7", text="We add: 3 + 4 = 7.\nANSWER: 7")
    (one,) = judging.questions([wrong, right])
    found = mode("judge@2").answer(one)
    assert (found.answer, found.decided_by) == ("7", "checks")
    assert mode("vote@2").answer(one).answer == "9"


def test_oracle_is_right_when_any_branch_is() -> None:
    assert outcome("oracle@3", "8", "9", "7").right == 1.0
    assert outcome("oracle@2", "8", "9", "7").right == 0.0


def test_single_and_greedy() -> None:
    found = outcome("single@4", "7", "8", "7", "")
    assert (found.right, found.answered, found.tokens) == (0.5, 0.75, 50)
    (one,) = judging.questions([greedy("7"), sample(0, "8")])
    assert mode("greedy").answer(one).right == 1.0


def test_questions_that_lack_branches_or_gold_are_left_out() -> None:
    few, ungraded = question("7"), question("7", "7", gold="")
    assert not mode("vote@2").fits(few)
    assert not mode("vote@2").fits(ungraded)
    assert mode("vote@2").run([few, ungraded]) == []
    assert not mode("greedy").fits(few)


@pytest.mark.parametrize(
    ("answers", "opened", "right"),
    [("77777777", 2, 1.0), ("87777777", 4, 1.0), ("88777777", 2, 0.0), ("87878787", 8, 0.0)],
)
def test_waves_end_by_the_rule(answers: str, opened: int, right: float) -> None:
    found = outcome("waves", *answers)
    assert (found.branches, found.right, found.tokens) == (opened, right, opened * 50)


def test_a_branch_still_writing_when_its_wave_is_settled_pays_what_it_wrote() -> None:
    lengths = [40, 40, 30, 90]
    samples = [sample(n, "7", completion_tokens=length) for n, length in enumerate(lengths)]
    (one,) = judging.questions(samples)
    found = mode("waves:4:0.8").answer(one)  # 30 and 40 tokens suffice: 2 against 0 is 0.875
    assert found.tokens == 4 * 10 + 30 + 40 + 40 + 40
    assert found.branches == 4


@pytest.mark.parametrize(
    "name",
    ["", "vote@0", "vote@", "Vote", "judge:2,2", "waves:0,2", "waves:2:0", "waves:2:1.5", "waves@8", "judge~", "投票",
     "greedy@8", "greedy~", "vote@8~~", "waves:2,2:0.8:0.9", "vote@9999", "x" * 10_000],
)  # fmt: skip
def test_unknown_modes_are_named(name: str) -> None:
    with pytest.raises(InputError, match="mode"):
        mode(name)


def test_every_plain_mode_exists() -> None:
    assert [mode(name).name for name in PLAIN] == list(PLAIN)


said = st.lists(st.sampled_from(["7", "8", "9", ""]), min_size=8, max_size=8)
lengths = st.lists(st.integers(1, 99), min_size=8, max_size=8)


@settings(max_examples=60, deadline=None)
@given(said, st.lists(st.sampled_from([-0.1, -0.4, -0.9]), min_size=8, max_size=8), st.sampled_from([0.7, 0.8, 0.9, 1]))
def test_fast_rounds_decide_as_the_judge_does(answers: list[str], surest: list[float], threshold: float) -> None:
    """In recorded order, with equal lengths (nothing is cancelled inside a wave)."""
    rows = [sure(n, answer, value) for n, (answer, value) in enumerate(zip(answers, surest, strict=True)) if answer]
    rows += [sample(n, "").model_dump() for n, answer in enumerate(answers) if not answer]
    one = held(*rows)
    slow = mode(f"waves:2,2,2,2:{threshold}").answer(one)
    fast = rounds.play(rounds.seats(one), (2, 2, 2, 2), threshold)
    assert fast.opened == slow.branches
    assert fast.tokens == slow.tokens
    if slow.answered:  # a quorum may be missed, which a round does not know
        assert fast.right == slow.right
        assert fast.agreement == pytest.approx(slow.agreement)


@settings(max_examples=40, deadline=None)
@given(said)
def test_selection_stays_between_nothing_and_the_oracle(answers: list[str]) -> None:
    one = question(*answers)
    best = mode("oracle@8").answer(one).right
    for name in ("vote@8", "judge@8", "clusters@8", "confidence@8", "waves", "vote@8~", "single@8"):
        assert mode(name).answer(one).right <= best
