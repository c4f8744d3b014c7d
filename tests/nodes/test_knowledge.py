"""Knowledge: what is found, where it stands, which sources are allowed; errors have names."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from evals.bench.coordinates import as_pdf, measure
from nodes import mentions
from nodes.errors import InputError
from nodes.knowledge import Knowledge

REPORT = """# Acme annual report {year}

The headcount of Acme is {staff}.

| unit | revenue |
|---|---|
| North | {revenue} |
"""
REPORTS = {
    "report_2022.md": REPORT.format(year=2022, staff=120, revenue=410),
    "report_2023.md": REPORT.format(year=2023, staff=140, revenue=455),
    "名册.csv": "姓名,城市\n张三,北京\n李四,上海\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in REPORTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def code(path: Path | str) -> str:
    with pytest.raises(InputError) as caught:
        Knowledge.open(path)
    return caught.value.code


def test_the_right_row_is_found_and_resolves(folder: Path) -> None:
    knowledge = Knowledge.open(folder)
    (best,) = knowledge.search("张三住在哪个城市？", 1)
    assert (best.source, best.text, knowledge.resolve(best.place)) == (
        "名册.csv",
        "姓名: 张三 | 城市: 北京",
        "张三\t北京",
    )
    assert knowledge.resolve("doc:名册.csv,table:1,row:3,col:2") == "上海"
    (best,) = knowledge.search("What was the revenue of North in 2023?", 1)
    assert knowledge.resolve(f"{best.place},col:2") == "455"
    version = {one.name: one.version for one in knowledge.sources}
    assert best.version == version["report_2023.md"]


@pytest.mark.parametrize(
    ("question", "sources"),
    [
        ("Use only the 2023 report: what is the headcount?", ("report_2023.md",)),
        ("According to report_2022.md only, what is the headcount of Acme?", ("report_2022.md",)),
        ("只看2022年的报告，员工有多少？", ("report_2022.md",)),
        ("仅根据名册.csv回答：张三住在哪里？", ("名册.csv",)),
        ("Using just the Acme annual report 2023, how many?", ("report_2023.md",)),
        ("Only one of the units grew. Which?", ()),
        ("What is the headcount in 2023?", ()),
        ("只有张三去开会，李四才去。", ()),
    ],
)
def test_pins(folder: Path, question: str, sources: tuple[str, ...]) -> None:
    knowledge = Knowledge.open(folder)
    assert knowledge.pinned(question) == sources
    assert {one.source for one in knowledge.search(question, 50)} <= set(sources or REPORTS)


@pytest.mark.parametrize("question", ["only the 2019 report", "只用2019年的年报回答", "based only on missing.csv"])
def test_a_pinned_source_that_is_missing_is_an_error(folder: Path, question: str) -> None:
    with pytest.raises(InputError, match="none of the sources") as caught:
        Knowledge.open(folder).search(question)
    assert caught.value.code == "unknown_source"


def test_sources_restrict(folder: Path) -> None:
    knowledge = Knowledge.open(folder)
    assert {one.source for one in knowledge.search("headcount of Acme", 9, ["report_2022.md"])} == {"report_2022.md"}
    with pytest.raises(InputError, match=r"ghost\.md"):
        knowledge.search("headcount", 1, ["ghost.md"])
    with pytest.raises(InputError, match="names no document"):
        knowledge.resolve("table:1,row:1,col:1")
    with pytest.raises(InputError, match=r"ghost\.md"):
        knowledge.resolve("doc:ghost.md,table:1,row:1,col:1")


def test_mentions_get_the_coordinate_of_their_entry(folder: Path) -> None:
    knowledge = Knowledge.open(folder)
    found = mentions.known(mentions.find("In the year 410 North paid."), knowledge.entry)
    assert [(one.text, one.knowledge) for one in found] == [("North", "doc:report_2022.md,table:1,row:2,col:1")]
    assert knowledge.resolve(found[0].knowledge) == "North"
    assert knowledge.entry("张三") == "doc:名册.csv,table:1,row:2,col:1"
    assert knowledge.entry("姓名") == knowledge.entry("410") == knowledge.entry("") == ""


def test_contradictions_come_with_both_places(folder: Path) -> None:
    knowledge = Knowledge.open(folder)
    found = {one.attribute: one for one in knowledge.contradictions()}
    assert set(found) == {"headcount", "revenue"}
    for one in found.values():
        assert [knowledge.resolve(claim.place) for claim in (one.first, one.second)] == [
            one.first.value,
            one.second.value,
        ]


def test_the_same_bytes_are_the_same_index_and_others_are_not(folder: Path) -> None:
    first = Knowledge.open(folder)
    assert Knowledge.open(str(folder)) is first
    (folder / "名册.csv").write_text("姓名,城市\n张三,广州\n", encoding="utf-8")
    second = Knowledge.open(folder)
    assert second.digest != first.digest
    assert first.resolve("doc:名册.csv,table:1,row:2,col:2") == "北京"
    assert second.resolve("doc:名册.csv,table:1,row:2,col:2") == "广州"


def test_a_pdf_is_read_and_a_broken_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(as_pdf([["The capacity is 500"], ["Second page"]]))
    knowledge = Knowledge.open(tmp_path)
    (best,) = knowledge.search("capacity", 1)
    assert knowledge.resolve(best.place) == "The capacity is 500"
    for data in (b"", b"%PDF-1.4\nnothing", as_pdf([["x"]])[:200], as_pdf([[""]])):
        (tmp_path / "a.pdf").write_bytes(data)
        assert code(tmp_path) == "broken_pdf"


def test_folders_that_are_none(tmp_path: Path) -> None:
    assert code(tmp_path / "none") == "unknown_folder"
    assert code(tmp_path) == "no_sources"


@pytest.mark.parametrize("question", ["", "?!", "zzz", "🙂" * 50, "的" * 10_000, "word " * 20_000])
def test_questions_without_a_match(folder: Path, question: str) -> None:
    assert Knowledge.open(folder).search(question) == []
    assert Knowledge.open(folder).search("Acme", 0) == []


def test_documents_without_words(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("  \n")
    (tmp_path / "b.csv").write_text("")
    knowledge = Knowledge.open(tmp_path)
    assert (knowledge.search("anything"), knowledge.contradictions()) == ([], [])
    assert knowledge.resolve("doc:a.txt") == "  \n"


def test_a_huge_question_is_searched_by_its_rarest_terms(folder: Path) -> None:
    (best,) = Knowledge.open(folder).search("Acme " * 30_000 + "张三", 1)
    assert best.source == "名册.csv"


def test_every_look_up_gives_the_raw_cell() -> None:
    found = measure(lookups=400, seed=11, rows=300)
    assert found["faults"] == []
    assert (found["right"], found["errors_expected"]) == (400, 40)


def test_the_import_of_the_pipeline_does_not_load_the_retired_package() -> None:
    ask = "import sys, nodes.knowledge, nodes.specialists as s; s.load(); print('langchain_community' in sys.modules)"
    done = subprocess.run([sys.executable, "-W", "error", "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
