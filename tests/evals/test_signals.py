"""Signals of a branch: what each sees, and that they are measured within a question only."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals import judging, scoring, weighing
from evals.contracts import Sample
from evals.scoring import discrimination, scored
from evals.signals import SIGNALS
from tests.evals.pooled import branches, sample

QUESTION = "Tom has 12 apples and buys 3 bags of 4. How many apples has he?"
GOOD = "3 * 4 = 12 apples are in the bags. 12 + 12 = 24 in all.\nANSWER: 24"


def row(text: str, **fields: object) -> dict[str, float]:
    """Signals of one reply beside two others that say 20 and 24."""
    others = [sample(1, "", text="12 + 8 = 20\nANSWER: 20", question=QUESTION), sample(2, "24", question=QUESTION)]
    one = sample(0, "", text=text, question=QUESTION, gold="24", **fields)
    return scored(judging.questions([one, *others])[0]).rows[0][1]


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("steps_passed", GOOD, "It is clear.\nANSWER: 24"),
        ("steps_unfailed", GOOD, "3 * 4 = 14 apples.\nANSWER: 24"),
        ("ends_in_step", GOOD, "3 * 4 = 12 apples.\nANSWER: 24"),
        ("derived", GOOD, "3 * 4 = 12 apples.\nANSWER: 24"),
        ("grounded", GOOD, "17 + 5 = 22 apples.\nANSWER: 24"),
        ("givens_used", GOOD, "3 * 8 = 24.\nANSWER: 24"),
        ("prose", GOOD, "```python\nprint(3 * 4 + 12)\n```\nOutput: 24\nANSWER: 24"),
        ("whole_count", GOOD, "ANSWER: 24.5"),
        ("whole_count", GOOD, "ANSWER: -3"),
        ("not_copied", GOOD, "ANSWER: 12"),
        ("numeric", GOOD, "ANSWER: many of them"),
        ("camp", GOOD, "ANSWER: 25"),
        ("echoed", "ANSWER: 20", "ANSWER: 31"),
    ],
)
def test_a_signal_prefers_the_better_text(name: str, good: str, bad: str) -> None:
    if name == "echoed":
        assert row("12 + 8 = 20; 20 + 4 = 24\nANSWER: 24")[name] >= row(bad)[name]
    else:
        assert row(good)[name] > row(bad)[name]


def test_confidence_is_read_at_the_answer_the_end_and_the_worst_window() -> None:
    tokens = (("We see. ", -0.5),) * 70 + (("ANSWER: ", -0.1), ("24", -2.0))
    found = row("".join(token for token, _ in tokens), tokens=tokens)
    assert found["sure_mean"] == found["sure_low"] == pytest.approx(0.1353, abs=1e-4)
    assert found["sure_window"] == pytest.approx((30 * -0.5 - 2.1) / 32)
    assert found["sure_tail"] < found["sure_text"]
    assert "sure_margin" not in found
    assert row("ANSWER: 24", completion_tokens=3)["brevity"] == -3


def test_shared_steps_count_the_others_that_found_the_same_on_the_way() -> None:
    texts = [
        "5 * 6 = 30; 30 + 1 = 31\nANSWER: 31",
        "5 * 6 = 30; 30 - 1 = 29\nANSWER: 29",
        "9 + 8 = 17; 17 + 1 = 18\nANSWER: 18",
    ]
    (question,) = judging.questions([sample(n, "", text=text, question="How many?") for n, text in enumerate(texts)])
    found = [said for _, said in scored(question).rows]
    assert [one["shared_steps"] for one in found] == [0.5, 0.5, 0.0]
    assert [one["shared_elsewhere"] for one in found] == [0.5, 0.5, 0.0]


def measured(*pairs: tuple[float, bool]) -> scoring.Scored:
    """A question whose branches have one signal `s`, each right or wrong."""
    (question,) = judging.questions(branches([f"{7 if right else 8 + n}" for n, (_, right) in enumerate(pairs)]))
    full = scored(question)
    rows = tuple((camp, {"s": value}) for (camp, _), (value, _) in zip(full.rows, pairs, strict=True))
    return scoring.Scored(question, full.camps, full.right, rows)


def test_discrimination_counts_pairs_within_a_question() -> None:
    one = measured((0.9, True), (0.1, False), (0.95, False))
    other = measured((0.3, True), (0.3, False))
    found = discrimination([one, other, measured((0.5, True)), measured((0.5, False))], "s")
    assert (found.auc, found.pairs, found.questions) == (pytest.approx(1.5 / 3), 3, 2)
    assert found.decided == pytest.approx(2 / 3)
    assert discrimination([one], "absent").auc is None
    assert discrimination([], "s").pairs == 0


def test_a_tie_is_broken_and_nothing_else() -> None:
    tied = measured((0.1, False), (0.9, True))
    assert (weighing.vote(tied), weighing.tie_break(tied, ["s"]), weighing.tie_break(tied, [])) == (0.0, 1.0, 0.0)
    lost = measured((0.9, True), (0.1, False))
    assert weighing.tie_break(lost, ["absent", "s"]) == 1.0


def test_weights_are_learned_from_the_other_folds() -> None:
    found = []
    for n in range(40):
        one = measured((0.2, False), (0.9, True), (0.8, True))
        object.__setattr__(one.question, "cluster", f"c{n}")
        found.append(one)
    weights = weighing.fit(found, ["s"])
    assert weights.weight[0] > 1
    assert weights.probability([0.3]) > 0.5 > weights.probability([-0.6])
    assert weighing.worth_of_weights(found, ["s"]).accuracy == 1.0
    worth = weighing.worth_of_weights([measured((0.1, False), (0.9, True))] * 3, ["s"])
    assert worth.changes.regressions == 0  # one cluster: nothing to learn from, the vote stands


def test_nothing_can_be_fitted_on_nothing() -> None:
    weights = weighing.fit([], ["s"])
    assert (weights.weight, weights.probability([5.0])) == ((0.0,), 0.5)
    silent = scored(judging.questions(branches(["", ""]))[0])
    assert (weighing.vote(silent), weighing.tie_break(silent, ["camp"]), weighing.weighed(silent, weights)) == (0, 0, 0)
    assert weighing.worth_of_tie_break([], ["s"]).accuracy == 0


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=200), st.text(max_size=80))
def test_no_text_breaks_a_signal(text: str, question: str) -> None:
    one = Sample(
        id="q",
        family="f",
        question=question or "?",
        gold="1",
        branch=0,
        text=f"{text}\nANSWER: 1",
        finish_reason="stop",
    )
    for _, said in scored(judging.questions([one, sample(1, "2", case="q")])[0]).rows:
        assert set(said) <= set(SIGNALS)


def test_a_huge_reply_is_cheap() -> None:
    text = "1 + 1 = 2.\n" * 10_000 + "9" * 100_000 + "\nANSWER: 2"
    assert row(text)["steps_passed"] > 100
