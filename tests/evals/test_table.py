"""The README shows what the results say, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals import claims, table
from evals.judging import questions
from evals.reports import Pool
from nodes.errors import InputError, SetupError
from tests.evals.pooled import many

ROOT = Path(__file__).resolve().parents[2]


def test_the_pages_agree_with_the_results() -> None:
    """Fails when a page or a result was edited alone: `octavo eval table`."""
    assert table.rows()
    assert table.differing(ROOT) == []


def recorded(count: int = 5) -> claims.Recorded:
    samples = many(count, ["8", "7", "7", "7", "8", "7", "9", "7"]) + many(2, ["8"] * 8, "other")
    pool = Pool(name="p.jsonl.gz", digest="d" * 16, samples=len(samples), questions=count, ungraded=0, models=("m",),
                prompts=(), temperatures=(), statuses={})  # fmt: skip
    return pool, questions(samples)


@pytest.mark.parametrize("name", sorted(claims.CLAIMS))
def test_every_claim_can_be_measured_in_both_languages(name: str) -> None:
    pool, held = recorded()
    chosen = held if "greedy" not in claims.CLAIMS[name].names else []
    if not chosen:
        with pytest.raises(InputError, match="lacks the branches"):
            claims.measure(name, (pool, held), "m")
        return
    row = claims.measure(name, (pool, chosen), "m")
    assert row.n == 7
    assert "octavo eval rejudge p.jsonl.gz --mode" in row.command
    for language in ("en", "zh"):
        assert row.article[language] in table.block([row], language)


def test_figures_of_a_row_are_those_of_the_pool() -> None:
    row = claims.measure("C2", recorded(), "m", families=("sums",))
    assert [figure.label for figure in row.figures] == ["vote@8", "confidence@8", "oracle@8"]
    assert row.figures[0].estimate.value == pytest.approx(5 / 7)
    assert row.contrast.label == "confidence@8 - vote@8"
    assert row.command.endswith("--mode oracle@8 --family sums")


def test_widths_beyond_the_pool_are_left_out() -> None:
    assert [figure.label for figure in claims.measure("A5", recorded(), "m").figures] == [
        "vote@1~", "vote@2~", "vote@4~", "vote@8~"
    ]  # fmt: skip


def test_results_are_kept_one_a_claim_and_pool_in_order_of_claims(tmp_path: Path) -> None:
    for name in ("C2", "A8", "A5"):
        table.save(claims.measure(name, recorded(), "m"), tmp_path)
    table.save(claims.measure("C2", recorded(), "m"), tmp_path)
    assert [row.claim for row in table.rows(tmp_path)] == ["A5", "A8", "C2"]
    (tmp_path / "X.json").write_text("{}")
    with pytest.raises(SetupError, match="is no result"):
        table.rows(tmp_path)


def test_ten_comes_after_eight() -> None:
    assert sorted(["A10", "A8", "C2", "odd"], key=table._place) == ["A8", "A10", "C2", "odd"]


def test_a_page_is_written_anew_between_its_marks_only(tmp_path: Path) -> None:
    for name in table.PAGES.values():
        (tmp_path / name).write_text(f"before\n\n{table.START}\n\nold\n\n{table.END}\n\nafter\n", encoding="utf-8")
    results = tmp_path / "results"
    results.mkdir()
    table.save(claims.measure("A5", recorded(), "a|b"), results)
    assert table.differing(tmp_path, results) == ["README.md", "README.zh.md"]
    assert table.write(tmp_path, results) == ["README.md", "README.zh.md"]
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert text.startswith(f"before\n\n{table.START}\n\n| claim |")
    assert text.endswith(f"|\n\n{table.END}\n\nafter\n")
    assert "a\\|b" in text
    assert "old" not in text
    assert table.write(tmp_path, results) == []


@pytest.mark.parametrize("page", ["", table.START, table.END + table.START, 2 * (table.START + table.END)])
def test_a_page_without_its_marks_is_an_error(page: str) -> None:
    with pytest.raises(SetupError, match="needs one line"):
        table.renewed(page, [], "en")


def test_a_model_must_be_named() -> None:
    pool = recorded()[0]
    assert claims.models(pool, None) == "m"
    assert claims.models(pool, "other") == "other"
    with pytest.raises(InputError, match="--model"):
        claims.models(pool.model_copy(update={"models": ()}), None)
    with pytest.raises(InputError, match="A5, A8"):
        claims.measure("A99", recorded(), "m")


def test_outside_of_a_checkout_the_commit_is_unknown() -> None:
    def absent(*args: object, **kwargs: object) -> object:
        raise FileNotFoundError("git")

    assert claims.commit(absent) == "unknown"  # type: ignore[arg-type]
    assert len(claims.commit()) >= 7


def test_time_and_family_differences_are_written_as_differences() -> None:
    row = claims.measure("A1", recorded(), "m")
    text = table.block([row], "en")
    assert "judge@8 71.4 % [" in text
    assert "auto " in text
    assert [figure.kind for figure in row.figures] == ["share", "share", "difference"]
    assert row.figures[-1].label == "time, %"
