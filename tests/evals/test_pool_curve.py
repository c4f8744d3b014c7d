"""The plain reader beside ours, on a pool made here."""

from pathlib import Path

import pytest

from evals.bench import pool_curve
from evals.judging import questions
from tests.evals.pooled import branches, greedy, pool, sample

SAID = ["7", "8", "", "8", "9", "7", "7", "7"]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("ANSWER: $1,234.50", "1234.5"),
        (r"so \boxed{7} then \boxed{\frac{32}{3}}", "32"),
        ("ANSWER: (B) blue", "b"),
        ("ANSWER: 7/2", "7"),
        ("ANSWER: Yes, it is", "yes"),
        ("the answer is 7", ""),
        ("", ""),
    ],
)
def test_the_plain_reader_takes_the_first_token(text: str, read: str) -> None:
    assert pool_curve.plain(sample(0, "", text=text)) == read


def test_a_fraction_is_where_both_readers_part() -> None:
    half = questions([sample(n, "", text=r"\boxed{\frac{7}{3}}") for n in range(8)])
    assert pool_curve.plain_figures(half) == {"single": [1.0], "vote": [1.0], "any": [1.0]}
    assert pool_curve.our_figures(half) == {"single": [0.0], "vote": [0.0], "any": [0.0]}


def test_a_cut_reply_does_not_vote() -> None:
    cut = [sample(n, "8", text=r"\boxed{8}", finish_reason="length") for n in range(5)]
    held = questions([*cut, *(sample(n, "7") for n in range(5, 8))])
    assert pool_curve.plain_figures(held)["vote"] == [1.0]
    assert pool_curve.our_figures(held)["vote"] == [1.0]


def test_the_report_prints_every_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pool_curve.report(pool(tmp_path / "p.jsonl.gz", [greedy("7"), *branches(SAID)]), orders=8)
    text = capsys.readouterr().out
    assert all(part in text for part in ("plain", "ours", "n = 1 questions", "vote@8~", "waves:3,2,3:0.95~"))
