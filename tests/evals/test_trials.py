"""Trials: grading by gold, sets and demands; the price of a specialist that has no answer is on top of the branch."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from evals import trials
from evals.trials import Asked, Outcome, Trial, grade
from nodes import specialists
from nodes.arithmetic import evaluate
from nodes.errors import InputError
from tests.scripted import ScriptedModel

PROBLEM = Asked(id="a", lang="en", text="A pen costs 3 dollars. How much do 4 pens cost?", gold="12", half="dev")
PLAN = json.dumps({"reasoning": "4 pens at 3 dollars", "expression": "4 * 3", "unit": ""})


@pytest.mark.parametrize(
    ("gold", "items", "answer", "right"),
    [
        ("12", (), "12 dollars", True),
        ("12", (), "13", False),
        ("12", (), "  ", False),
        ("Li Lei; Han", ("Li Lei", "Han"), "Han, li lei.", True),
        ("Li Lei; Han", ("Li Lei", "Han"), "Han", False),
        ("Li Lei; Han", ("Li Lei", "Han"), "Han; Li Lei; Tom", False),
        ("李雷、韩梅", ("李雷", "韩梅"), "韩梅和李雷。", True),
        ("Salt and Co", ("Salt and Co",), "Salt and Co", True),
    ],
)
def test_grading(gold: str, items: tuple[str, ...], answer: str, right: bool) -> None:
    asked = PROBLEM.model_copy(update={"gold": gold, "items": items})
    assert grade(asked, answer) is right


def test_demands_are_all_to_be_met() -> None:
    asked = PROBLEM.model_copy(update={"check": ({"kind": "no_comma"}, {"kind": "lower"})})
    assert grade(asked, "all is well")
    assert not grade(asked, "all, is well")


async def test_a_specialist_that_answers_takes_the_place_of_the_branch() -> None:
    known = specialists.load()
    with ScriptedModel({"branch:0": "So 7.\nANSWER: 7", "specialist:numeric": PLAN}) as model:
        trial = await trials.run(known["numeric"], PROBLEM, model, known)
    assert (trial.plain.right, trial.helped.right, trial.status, trial.calls) == (False, True, "ok", 1)


async def test_without_an_answer_the_branch_takes_its_place_and_both_are_paid() -> None:
    known = specialists.load()
    broken = json.dumps({"reasoning": "", "expression": "no number", "unit": ""})
    with ScriptedModel({"branch:0": "So 12.\nANSWER: 12", "specialist:numeric": broken}) as model:
        trial = await trials.run(known["numeric"], PROBLEM, model, known)
    assert (trial.helped.right, trial.status) == (True, "abstained")
    assert trial.helped.tokens > trial.plain.tokens


def test_the_table_counts_pairs() -> None:
    right, wrong = (
        Outcome(right=True, answer="1", tokens=10, seconds=1),
        Outcome(right=False, answer="2", tokens=20, seconds=2),
    )
    made = [
        Trial(specialist="code", id=str(at), half="dev", plain=plain, helped=helped, status="ok", calls=1)
        for at, (plain, helped) in enumerate([(wrong, right), (wrong, right), (right, wrong), (right, right)])
    ]
    (row,) = trials.rows(made)
    assert (row.n, row.plain, row.helped, row.gained, row.lost, row.answered) == (4, 2, 3, 2, 1, 4)
    assert row.tokens == pytest.approx(50 / 60)
    assert trials.rows([]) == []


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "code.jsonl").write_text('{"id": 1}\n')
    with pytest.raises(InputError, match="line 1"):
        trials.load("code", tmp_path)


@pytest.mark.parametrize("name", sorted(path.stem for path in trials.REQUESTS.glob("*.jsonl")))
def test_every_file_of_requests_is_whole(name: str) -> None:
    asked = trials.load(name)
    assert len(asked) >= 40
    assert len({one.id for one in asked}) == len(asked)
    for lang in ("en", "zh"):
        halves = [one.half for one in asked if one.lang == lang]
        assert halves.count("closing") * 2 == len(halves)
    assert all(grade(one, one.gold) for one in asked), [one.id for one in asked if not grade(one, one.gold)]


def test_the_gold_of_the_numeric_requests_is_what_their_arithmetic_gives() -> None:
    lines = [json.loads(line) for line in (trials.REQUESTS / "numeric.jsonl").read_text(encoding="utf-8").splitlines()]
    proved = [line for line in lines if "proof" in line]
    assert len(proved) >= 40
    for line in proved:
        stated = line["gold"].removesuffix("%")
        assert evaluate(line["proof"].replace("^", "**")) == evaluate(stated), line["id"]
    days = {line["id"]: line["gold"] for line in lines if "proof" not in line}
    assert days["numeric-en-07"] == (date(2026, 12, 5) + timedelta(45)).strftime("%A")
    assert days["numeric-en-19"] == date(2024, 3, 1).strftime("%A")
    assert days["numeric-zh-19"] == "星期" + "一二三四五六日"[date(2024, 5, 1).weekday()]
    assert days["numeric-zh-06"] == "星期" + "一二三四五六日"[(4 + 30) % 7]
    assert (days["numeric-en-09"], days["numeric-zh-18"]) == (str(2027 % 12), str(1000 % 17))
