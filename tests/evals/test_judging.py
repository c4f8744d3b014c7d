"""What is judged offline is what a run would have judged."""

from __future__ import annotations

import pytest

from evals import judging, loading
from nodes import specialists
from nodes.branch import read_candidate
from nodes.contracts import Candidate
from tests.evals.pooled import branches, greedy, many, sample


def test_candidates_are_those_of_the_pipeline() -> None:
    """The same reading, flags, confidence and checks as `nodes.branch` and `graph.steps` give a reply."""
    tokens = (("12 + 3 = 16", -0.1), ("\nANSWER: ", -0.2), ("16", -0.5))
    one = sample(3, "16", stance="symbols", text="12 + 3 = 16\nANSWER: 16", tokens=tokens, gold="15")
    (question,) = judging.questions([one])
    (branch,) = question.branches
    empty = Candidate(source="branch:3", stance="symbols", status="failed")
    read = read_candidate(empty, judging.reply_of(one), question.request, "closed")
    checks = [found for each in specialists.load().values() for found in each.check(question.request, read)]
    assert branch.candidate == read.model_copy(update={"checks": tuple(checks)})
    assert [check.outcome for check in branch.candidate.checks] == ["fail", "fail"]
    assert branch.candidate.confidence is not None
    assert not branch.right


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"finish_reason": "length", "text": "so the answer is 7"}, "truncated"),
        ({"text": "nothing is marked here"}, "unreadable"),
        ({"finish_reason": "abort", "error": "engine_fault: the server ended the reply with 'abort'"}, "failed"),
        ({"text": "", "finish_reason": "", "error": "engine_timeout: no reply"}, "failed"),
    ],
)
def test_non_answers_stay_non_answers(fields: dict[str, str], status: str) -> None:
    (question,) = judging.questions([sample(0, "7", **fields)])
    candidate = question.branches[0].candidate
    assert (candidate.status, question.branches[0].right) == (status, False)
    assert candidate.error == fields.get("error", "")


def test_gold_is_compared_by_value_and_other_right_answers_count() -> None:
    (question,) = judging.questions(branches(["7.0", r"\boxed{14/2}", "seven", "8"], accepted=("8",)))
    assert [branch.right for branch in question.branches] == [True, True, True, True]
    assert not question.is_right("9")


def test_without_a_gold_nothing_is_right() -> None:
    (question,) = judging.questions(branches(["7", ""], gold=""))
    assert question.gold == ()
    assert not any(branch.right for branch in question.branches)


def test_greedy_stands_apart_and_branches_are_in_order() -> None:
    (question,) = judging.questions([sample(1, "8"), greedy("7"), sample(0, "7")])
    assert question.greedy is not None
    assert [branch.candidate.source for branch in question.branches] == ["branch:0", "branch:1"]


def test_chinese_questions_are_judged_in_chinese() -> None:
    (question,) = judging.questions(branches(["七"], question="小明有三个苹果，又买了四个，现在有几个？"))
    assert question.request.language == "zh"
    assert question.branches[0].right


def test_more_processes_give_the_same_questions() -> None:
    samples = many(6, ["7", "8", ""])
    assert loading.prepare(samples, workers=2) == loading.prepare(samples, workers=1) == judging.questions(samples)


def test_checks_can_be_left_out() -> None:
    samples = branches(["16"], text="12 + 3 = 16\nANSWER: 16")
    assert judging.questions(samples)[0].branches[0].candidate.checks
    assert not loading.prepare(samples, checks=False)[0].branches[0].candidate.checks
