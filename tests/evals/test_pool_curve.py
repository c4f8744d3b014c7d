"""The replay of recorded branches: readings, waves, time and intervals on a pool made here."""

import gzip
import json
from pathlib import Path

import pytest

from evals.bench import pool_curve
from evals.bench.pool_curve import Branch, Question


def pool(folder: Path, said: list[str], gold: str = "7") -> Path:
    path = folder / "pool.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        for branch, text in enumerate(said, start=-1):
            finish = "length" if text.endswith("cut") else "stop"
            row = {"id": "q", "family": "sums", "question": "How many?", "gold": gold, "branch": branch, "text": text}
            row |= {"finish_reason": finish, "prompt_tokens": 10, "completion_tokens": 40}
            lines.write(json.dumps(row) + "\n")
    return path


SAID = [
    "ANSWER: 1",
    "ANSWER: 7",
    r"\boxed{7.0}",
    "ANSWER: 8",
    "nothing",
    "the answer is 9 cut",
    "ANSWER: 8",
    "ANSWER: 9",
    "ANSWER: 7",
]


def test_rows_are_read_as_the_committee_reads_them(tmp_path: Path) -> None:
    (rows,) = pool_curve.load(pool(tmp_path, SAID))
    branches = pool_curve.ours(rows)
    assert [branch.camp for branch in branches] == [0, 0, 1, None, None, 1, 2, 0]
    assert [branch.kind for branch in branches[:5]] == ["answer_line", "boxed", "answer_line", "none", "cut"]
    assert [branch.right for branch in branches] == [True, True, False, False, False, False, False, True]


def test_incomplete_questions_are_left_out(tmp_path: Path) -> None:
    assert pool_curve.load(pool(tmp_path, SAID[:-1])) == []


def test_the_plain_reader_takes_the_first_number(tmp_path: Path) -> None:
    (rows,) = pool_curve.load(pool(tmp_path, [*SAID[:-1], "ANSWER: 7/2"]))
    assert pool_curve.plain(rows)[-1].right
    assert not pool_curve.ours(rows)[-1].right


def branches(camps: str) -> list[Branch]:
    return [Branch(int(camp), camp == "0", "boxed", 10, 40) for camp in camps]


@pytest.mark.parametrize(
    ("camps", "threshold", "opened", "right"),
    [
        ("00000000", 0.8, 2, 1.0),
        ("10000000", 0.8, 4, 1.0),
        ("11000000", 0.8, 2, 0.0),
        ("11000000", 1.0, 8, 1.0),
        ("10101010", 0.9, 8, 0.0),
    ],
)
def test_a_round_ends_by_the_rule(camps: str, threshold: float, opened: int, right: float) -> None:
    found = pool_curve.run(branches(camps), (2, 2, 2, 2), threshold)
    assert (found.opened, found.right, found.tokens) == (opened, right, opened * 50)


def test_streams_share_the_machine() -> None:
    assert pool_curve.wave_seconds([12]) == pytest.approx(1)
    assert pool_curve.wave_seconds([20, 32]) == pytest.approx(20 * 2 / 20 + 12 / 12)
    assert pool_curve.wave_seconds([]) == 0


def test_all_at_once_does_not_depend_on_the_order() -> None:
    question = Question("sums", tuple(branches("00001122")))
    (mean,) = pool_curve.averaged([question], (8,), 1.0, orders=20, seed=1)
    assert (mean.right, mean.tokens, mean.opened) == (1.0, 400.0, 8.0)


def test_intervals_hold_the_mean() -> None:
    low, high = pool_curve.interval([0.0, 1.0] * 20, seed=1)
    assert 0.3 < low < 0.5 < high < 0.7


def test_the_report_prints_every_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pool_curve.report(pool(tmp_path, SAID), orders=3, seed=0)
    text = capsys.readouterr().out
    assert "n = 1 questions" in text
    assert all(part in text for part in ("plain", "ours", "any of eight", "answer_line", "2,2,2,2", "3,2,3", "0.95"))
