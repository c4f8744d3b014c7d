"""Finish: what the rules take out is nowhere in what leaves or is kept."""

from __future__ import annotations

import pytest

from nodes import finish, specialists
from nodes.contracts import Camp, Request, Route, Usage, Verdict

MAIL = "anna.smith@example.com"


def leave(answer: str, question: str = "Who wrote it?", **changes):
    request = Request(run="r", question=question)
    route = Route(top="other", scores={}, reason="", difficulty=0, budget=1)
    camp = Camp(answer=answer, sources=("branch:0",), votes=1, share=1, confidence=0.5, failed_checks=0)
    verdict = Verdict(status="answered", answer=answer, decided_by="single", agreement=1, camps=(camp,), **changes)
    usage = Usage(prompt=3, completion=4)
    return finish.finish(request, route, verdict, [], specialists.load(), usage=usage, seconds=1)


def test_a_plain_answer_leaves_as_it_is():
    answer, verdict = leave("42")
    assert (answer.answer, answer.notices, answer.tokens, verdict.answer) == ("42", (), 7, "42")


def test_personal_data_is_masked_wherever_it_is_kept_and_the_user_is_told():
    answer, verdict = leave(f"Write to {MAIL} today.")
    assert MAIL not in answer.answer
    assert MAIL not in verdict.model_dump_json()
    assert answer.answer == f"Write to {finish.MASK * len(MAIL)} today."
    assert answer.notices


def test_what_the_question_says_may_be_repeated():
    answer, _ = leave(f"Write to {MAIL} today.", question=f"Is {MAIL} an address?")
    assert MAIL in answer.answer
    assert answer.notices == ()


def test_wrong_consensus_is_told():
    answer, _ = leave("42", risks=("wrong_consensus",))
    assert answer.notices == (finish.DOUBT["en"],)


@pytest.mark.parametrize("status", ["no_verdict"])
def test_no_verdict_says_nothing(status):
    request = Request(run="r", question="Who?")
    route = Route(top="other", scores={}, reason="", difficulty=0, budget=1)
    verdict = Verdict(status=status, cause="infra", decided_by="nothing")
    answer, kept = finish.finish(request, route, verdict, [], specialists.load(), usage=Usage(), seconds=0)
    assert (answer.answer, answer.cause, kept) == ("", "infra", verdict)


@pytest.mark.parametrize(("language", "words"), [("en", "cut off before its end"), ("zh", "没有写完就被截断")])
def test_a_cut_answer_says_so_in_its_language(language, words):
    request = Request(run="r", question="?", language=language)
    route = Route(top="other", scores={}, reason="", difficulty=0, budget=1, form="open")
    verdict = Verdict(status="answered", answer="One.", decided_by="single", risks=("truncated",))
    answer, _ = finish.finish(request, route, verdict, [], specialists.load(), usage=Usage(), seconds=0)
    assert answer.answer == "One."
    assert any(words in notice for notice in answer.notices)


@pytest.mark.parametrize(("language", "words"), [("en", "Its syntax was repaired: "), ("zh", "已修正其语法：")])
def test_syntax_is_mended_before_the_rules_look_and_the_user_is_told(language: str, words: str) -> None:
    question = {"en": "Answer in JSON format: name and age of Ann, 7.", "zh": "请用 JSON 格式回答：安，7岁。"}[language]
    asked = Request.model_validate({"run": "r", "question": question, "language": language})
    said = Verdict(status="answered", answer='{"name": "Ann", "age": 7,}', decided_by="single")
    found, notices = finish.polish(said, asked, specialists.load().values())
    assert found.answer == '{"name": "Ann", "age": 7}'
    assert notices[0].startswith(words)


def test_a_plain_answer_is_not_mended() -> None:
    asked = Request(run="r", question="How many?")
    said = Verdict(status="answered", answer="12", decided_by="single")
    assert finish.polish(said, asked, specialists.load().values()) == (said, ())
