"""The last marked answer, nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.answers import choices, read

QUESTION = "Which ball does Bob hold?\nOptions:\n(A) yellow ball\n(B) orange ball\n(C) white ball"


@pytest.mark.parametrize(
    ("text", "answer", "kind"),
    [
        ("We add.\nANSWER: 42", "42", "answer_line"),
        ("**ANSWER:** 42", "42", "answer_line"),
        ("**Answer: 42**", "42", "answer_line"),
        ("### Final Answer: 42.", "42", "answer_line"),
        ("Three days later 3430 people are ill. Answer: 3430", "3430", "answer_line"),
        ("ANSWER:\n\n  42 apples", "42 apples", "answer_line"),
        ("所以\n答案：四十二", "四十二", "answer_line"),
        ("最终答案\n42", "42", "answer_line"),
        ("**答案**：42。", "42", "answer_line"),
        (r"so \(\boxed{\frac{1}{2}}\) hours.", r"\frac{1}{2}", "boxed"),
        (r"ANSWER: \boxed{\text{a set } \{1, 2\}}", r"\text{a set } \{1, 2\}", "boxed"),
        (r"It is \boxed{20}\% of all", r"\boxed{20}\%", "boxed"),
        ("Therefore, the final answer is 42. I hope this helps.", "42", "phrase"),
        ("The correct answer is: 3.5 hours", "3.5 hours", "phrase"),
        ("The answer to this question is Paris.", "Paris", "phrase"),
        ("答案是 42。", "42", "phrase"),
        ("因此，答案为3.5小时。", "3.5小时", "phrase"),
        ("由此可知，故选：B。", "B", "phrase"),
        ("So the final answer is ['what?', 'a.b'].", "['what?', 'a.b']", "phrase"),
        ('{"reason": "sum", "answer": 42}', "42", "structured"),
        ('```json\n{"answer": "42 km"}\n```', "42 km", "structured"),
    ],
)
def test_marks(text: str, answer: str, kind: str) -> None:
    found = read(text)
    assert found is not None
    assert (found.answer, found.kind) == (answer, kind)
    assert text[slice(*found.span)] == answer


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "She has 42 apples.",
        "ANSWER:",
        "ANSWER: <final answer>",
        "Finish with ANSWER: x",
        r"ANSWER: \boxed{}",
        r"ANSWER: \boxed{the answer}",
        r"答案：\boxed{答案}",
        "**Answer:** ...",
        r"\boxed{4",
        "So the answer is correct.",
        "the answer is not what we expected",
    ],
)
def test_nothing_marked_is_unreadable(text: str) -> None:
    assert read(text) is None


def test_a_later_mark_wins_and_an_empty_one_is_none() -> None:
    assert read("The answer is 4.\nWait.\nANSWER: 5").answer == "5"  # type: ignore[union-attr]
    assert read("ANSWER: 5\nThe check gives \\boxed{6}.").answer == "6"  # type: ignore[union-attr]
    assert read("The answer is 4.\nANSWER: <final answer>").answer == "4"  # type: ignore[union-attr]


def test_boxes_that_belong_together_are_one_answer() -> None:
    found = read(r"so \(\boxed{1}\) and \(\boxed{-2}\).")
    assert found is not None
    assert found.answer == r"\boxed{1}\) and \(\boxed{-2}"


def test_open_answers() -> None:
    assert read("Dear all,\n\nANSWER: Rome fell.\nSlowly.", "open").answer == "Rome fell.\nSlowly."  # type: ignore[union-attr]
    whole = read("  Rome fell.\n", "open")
    assert whole is not None
    assert (whole.answer, whole.kind) == ("Rome fell.", "whole")
    assert read(" \n ", "open") is None


@pytest.mark.parametrize(
    "text",
    ["ANSWER: B", "ANSWER: (B) orange ball", "ANSWER: orange ball", "he holds it, so\n(B)", "The answer is (B)."],
)
def test_offered_choices_are_read(text: str) -> None:
    assert read(text, "closed", choices(QUESTION)) is not None


@pytest.mark.parametrize(
    "text", ["ANSWER: D", "ANSWER: none of them", "ANSWER: None", "ANSWER: the yellow or white ball"]
)
def test_off_the_menu_is_unreadable(text: str) -> None:
    assert read(text, "closed", choices(QUESTION)) is None


PIECES = st.sampled_from(
    [
        "ANSWER:",
        "答案：",
        "\\boxed{",
        "}",
        "{",
        "the answer is ",
        "**",
        "$",
        "\\(",
        " ",
        "\n",
        "4",
        "(B)",
        "故选",
        '"answer"',
        "。",
        "\ud800",
    ]
)


@given(st.lists(PIECES | st.text(max_size=6), max_size=20).map("".join), st.booleans())
def test_any_text_is_read_safely(text: str, offered: bool) -> None:
    for form in ("closed", "open"):
        found = read(text, form, choices(QUESTION) if offered else None)
        if found is not None:
            assert text[slice(*found.span)] == found.answer
            assert found.answer == found.answer.strip() != ""


@pytest.mark.parametrize("atom", ["*", "\n", "\\boxed{", "answer is ", "ANSWER: ", "(A) ", "\\(", "故选A", "```", "{"])
def test_long_hostile_texts_end(atom: str) -> None:
    text = atom * (100_000 // len(atom))
    read(text)
    read(text, "open")
    assert len(choices(text)) < 2
