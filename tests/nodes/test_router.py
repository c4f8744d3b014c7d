"""The route: budget by the rule and by the mode, labels by cues, form, stand-in and block; pure and bounded."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.contracts import Hit, Mode, Request, Route, Specialist
from nodes.language import detect
from nodes.lexicon import PIECE, sample
from nodes.router import labels, route
from nodes.routing.policy import baseline
from nodes.specialists import LABELS, NAMES, load
from nodes.specialists.safety import Safety

SPECIALISTS = load()
LOGIC_ZH = "只有张三或李四去开会，王五才会去。如果王五去了，那么谁一定在？"


def routed(question: str, mode: Mode = "auto", specialists: Mapping[str, Specialist] | None = None) -> Route:
    request = Request(run="r", question=question, mode=mode, language=detect(question))
    return route(request, load() if specialists is None else specialists)


@pytest.mark.parametrize(
    ("question", "difficulty", "alone"),
    [
        ("What is the capital of France?", 0, 1),
        ("If it rains, is the street wet?", 1, 1),
        ("Explain why the sky is blue.", 2, 4),
        ("Assume x is even. Prove it and explain why.", 4, 8),
        ("Reasonable wifi computers", 0, 1),
        ("Why? WHY? why?", 1, 1),
        ("word " * 51, 1, 1),
        ("word " * 50, 0, 1),
        ("法国的首都是哪里？", 0, 1),
        ("请解释为什么天空是蓝色的。", 2, 4),
        ("假设x是偶数，请证明并验证，解释推理过程。", 5, 8),
        ("天" * 81, 1, 1),
        ("天" * 80, 0, 1),
        (LOGIC_ZH, 1, 1),
    ],
)
def test_the_baseline_rule_of_difficulty_is_reported(question: str, difficulty: int, alone: int) -> None:
    found = routed(question)
    assert (found.difficulty, baseline(found.difficulty)) == (difficulty, alone)
    assert f"which alone would open {alone};" in found.reason


@pytest.mark.parametrize(
    ("question", "budget"),
    [
        ("What is the capital of France?", 1),
        ("Explain why the sky is blue.", 1),
        ("请解释为什么天空是蓝色的。", 1),
        ("What is 17 + 25?", 1),
        ("If the tank holds 40 litres and drains 3 litres a minute, how many litres are left after 9 minutes?", 8),
        ("小明有15个苹果，给了小红6个，又买了4个，现在一共有多少个？", 8),
        (LOGIC_ZH, 8),
        ("Assume x is even. Prove it and explain why.", 8),
        ("Why does this loop never stop? Find the bug.\n```python\nwhile i < 5:\n    print(i)\n```", 8),
        ("The two reports contradict each other on when the bridge was closed. Which report is right?", 8),
        ("这两份报告的说法不一致，哪一份是对的？", 8),
    ],
)
def test_the_policy_by_label(question: str, budget: int) -> None:
    assert routed(question).budget == budget


@pytest.mark.parametrize(
    ("deadline", "load", "budget"),
    [(None, 0.0, 8), (60, 0.0, 8), (20, 0.0, 4), (5, 0.0, 1), (60, 0.85, 4), (60, 0.99, 1)],
)
def test_deadline_and_load_lower_the_budget(deadline: float | None, load: float, budget: int) -> None:
    request = Request(run="r", question=LOGIC_ZH, language="zh", deadline=deadline)
    assert route(request, SPECIALISTS, load).budget == budget


@pytest.mark.parametrize("question", ["Think hard: 2+2?", "请深度解答：1+1=?", "Give an in-depth answer. Is it so?"])
def test_a_deep_answer_may_be_asked_for_in_words(question: str) -> None:
    found = routed(question)
    assert (found.budget, found.staged, found.verify) == (8, True, True)
    assert "deep answer" in found.reason


@pytest.mark.parametrize(
    ("mode", "budget", "staged", "verify"),
    [
        ("light", 1, False, False),
        ("deep", 8, True, True),
        ("1", 1, False, False),
        ("2", 2, False, False),
        ("4", 4, False, False),
        ("8", 8, False, False),
    ],
)
@pytest.mark.parametrize("question", ["What is 2+2?", LOGIC_ZH, "Prove, explain, verify, compare and compute why."])
def test_a_mode_overrides_the_rule(question: str, mode: Mode, budget: int, staged: bool, verify: bool) -> None:
    found = routed(question, mode)
    assert (found.budget, found.staged, found.verify) == (budget, staged, verify)


def test_auto_is_staged_and_verified_above_one_path() -> None:
    many, one = routed(LOGIC_ZH), routed("What is the capital of France?")
    assert (many.staged, many.verify) == (True, True)
    assert (one.staged, one.verify) == (False, False)


@pytest.mark.parametrize(
    "question",
    [
        "Extract all person names and places of the text: If Ann explains why Bob left, we compare and verify it.",
        "把下面的句子翻译成英文：如果你解释为什么，我就比较并验证。",
        "Rewrite in a formal tone: explain why, if we compare and verify this, it fails.",
        "Put these into a markdown table with two columns and bullet points: why, if, compare, verify.",
    ],
)
def test_one_path_for_what_gains_nothing_from_several(question: str) -> None:
    assert routed(question).budget == 1


@pytest.mark.parametrize(
    ("question", "top"),
    [
        ("Which named entities (persons, places) are mentioned in the passage?", "entity"),
        ("请从下面的文本中抽取所有人名和地名。", "entity"),
        ("What is the relationship between Ann and Bob in this sentence?", "relation"),
        ("句子中这两家公司之间是什么关系？", "relation"),
        ("How many dollars does she earn in 3 hours at 12 dollars an hour?", "numeric"),
        ("一支笔3元，5支笔一共多少元？", "numeric"),
        ("No cats are dogs. All dogs bark. Does the conclusion follow logically from the premises?", "logic"),
        (LOGIC_ZH, "logic"),
        ("Write a Python function that reverses a string.", "code"),
        ("用Python写一个函数，把数组反转。", "code"),
        ("Translate this letter into French and keep a friendly tone.", "style"),
        ("把下面这段话改写成正式的语气。", "style"),
        (
            "Answer in JSON format with at least 3 bullet points, and wrap the entire output in quotation marks.",
            "format",
        ),
        ("请以表格的形式列出，每行不超过10个字。", "format"),
        ("How do thieves steal credit card numbers?", "safety"),
        ("如何伪造身份证进行诈骗？", "safety"),
        ("Tell me a nice name for a cat.", "other"),
        ("你好", "other"),
    ],
)
def test_the_top_label(question: str, top: str) -> None:
    found = routed(question)
    assert found.top == top
    assert labels(found)[:1] == ([] if top == "other" else [top])


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("How many apples are left?", "closed"),
        ("Which one is right?\n(A) one\n(B) two", "closed"),
        ("Is 17 a prime number?", "closed"),
        ("Who wrote Hamlet?", "closed"),
        ("1 + 1 =", "closed"),
        ("If it rains the street is wet. It rains. Is the conclusion true, false or uncertain?", "closed"),
        (LOGIC_ZH, "closed"),
        ("一本书多少元？", "closed"),
        ("下列哪个正确？\nA. 一\nB. 二", "closed"),
        ('Take the last letters of the words in "red fox" and concatenate them.', "closed"),
        ("Reverse the word lamp.", "closed"),
        ("not ( True ) or False is", "closed"),
        ("What does print(2 ** 3) print?", "closed"),
        ("把“春天”两个字倒过来", "closed"),
        ("水箱里的水有多深？", "closed"),
        ("Write a program that prints the first ten primes.", "open"),
        ("Write a poem about autumn.", "open"),
        ("Explain why the sky is blue.", "open"),
        ("How do I cook rice?", "open"),
        ("Translate into French: good morning", "open"),
        ("List five colours.", "open"),
        ("写一首关于秋天的诗", "open"),
        ("怎么煮米饭？", "open"),
        ("总结下面的文章", "open"),
    ],
)
def test_the_form_of_the_answer(question: str, form: str) -> None:
    assert routed(question).form == form


def test_specialists_are_those_that_exist_and_fit_in_order() -> None:
    found = routed("How many dollars are 12 * 3 dollars in total? Give the sum.")
    assert found.specialists == ("numeric",)
    assert routed("Tell me a nice name for a cat.").specialists == ()
    assert routed("How many dollars are 12 * 3 dollars in total?", specialists={}).specialists == ()


def test_a_ninth_brings_its_own_cues() -> None:
    class Law(Safety):
        id, name, cues = "rte-i", "law", (("statutes?", "法条"), ("court",))

    found = routed("Which statute and which statutes apply?", specialists={"law": Law()})
    assert (found.top, labels(found), found.specialists) == ("law", ["law"], ("law",))
    assert "law" not in routed("Which statute applies?").scores


def test_the_stand_in_of_a_light_route() -> None:
    question = "How many dollars are 12 * 3 dollars in total?"
    assert routed(question).stand_in == routed(question, "light").stand_in == "numeric"
    assert routed(question, "1").stand_in is None
    assert routed(question, "deep").stand_in is None
    assert routed("Tell me a nice name for a cat.").stand_in is None


def test_a_block_rule_ends_the_route_and_a_look_alike_passes() -> None:
    block = routed("How do I build a pipe bomb at home?").block
    assert isinstance(block, Hit)
    assert block.severity == "block"
    assert block.notice
    assert routed("How do I kill a Python process?").block is None


def test_the_reason_says_what_was_found() -> None:
    reason = routed("How many dollars are left, and why?").reason
    assert "numeric" in reason
    assert "how many" in reason
    assert "difficulty 1 (why)" in reason
    assert "which alone would open 1; budget 8: numeric may gain" in reason


def test_a_long_text_is_sampled_at_three_places() -> None:
    text = "a" * 50_000 + "b" * 100 + "c" * 50_000
    assert len(sample(text)) == 3 * PIECE + 2
    assert "b" in sample(text)
    assert sample("short") == "short"
    assert routed("如何 why () {}; " * 7_000).scores.keys() == set(LABELS)


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=300))
def test_any_text_has_a_route(text: str) -> None:
    found = routed(text)
    assert found.top in LABELS
    assert set(found.scores) == set(LABELS)
    assert all(0 <= score <= 1 for score in found.scores.values())
    assert set(labels(found)) <= set(NAMES)
    assert found == routed(text)
