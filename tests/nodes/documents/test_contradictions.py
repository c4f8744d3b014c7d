"""Contradictions: different values of one subject and attribute in two documents, and nothing else."""

from __future__ import annotations

from fractions import Fraction

import pytest

from nodes.coordinates import parse
from nodes.documents.claims import claims, measure
from nodes.documents.contradictions import Contradiction, contradictions
from nodes.documents.files import Document, document
from nodes.documents.tables import resolve


def made(name: str, text: str) -> Document:
    return document(name, text.encode(), lambda data: [])


def between(*texts: str, names: tuple[str, ...] = ("a.md", "b.md", "c.md")) -> list[Contradiction]:
    return contradictions([made(name, text) for name, text in zip(names, texts, strict=False)])


def test_both_places_resolve_to_the_values() -> None:
    texts = (
        "The capacity of the Alpha plant is 500 tonnes.",
        "| plant | capacity |\n|---|---|\n| Alpha plant | 550 tonnes |",
    )
    documents = [made("a.md", texts[0]), made("b.md", texts[1])]
    (one,) = contradictions(documents)
    assert (one.first.value, one.second.value) == ("500 tonnes", "550 tonnes")
    for document_, claim in zip(documents, (one.first, one.second), strict=True):
        place = parse(claim.place)
        assert place.doc == claim.source == document_.name
        assert resolve(place, document_.text, document_.tables) == claim.value


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Acme's revenue was $1,200.", "Acme's revenue was $1,300."),
        ("The deadline of Project X is 3 May 2024.", "The deadline of Project X is 2024-05-04."),
        ("北方公司的产能为500吨。", "据悉，北方公司的产能是550吨。"),
        ("公司,成立日期\n北方,2001年5月3日\n", "公司,成立日期\n北方,2001-05-04\n"),
        ("The Alpha plant was opened on 3 May 2001.", "The Alpha plant opened on 4 May 2001."),
        ("Acme was founded in 1990.", "Acme was founded in 1991."),
        ("北方公司于2001年5月3日成立。", "北方公司2001年6月3日成立。"),
        ("Acme has 120 employees.", "Acme employs 150 employees."),
        ("北方公司有120名员工。", "北方公司共有150名员工。"),
        ("name,staff\nNorth,30\n", "name;staff\nnorth;31\n"),
        ("year,region,sales\n2023,North,5\n", "region,year,sales\nx,2022,1\n\nyear,region,sales\n2023,North,6\n"),
    ],
)
def test_what_differs(first: str, second: str) -> None:
    assert len(between(first, second)) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Acme's revenue was $1,200.", "Acme's revenue was $1200.00."),
        ("Acme's revenue was 1.2 million.", "Acme's revenue was 1,234,000."),
        ("The deadline of Project X is 3 May 2024.", "The deadline of Project X is 2024-05-03."),
        ("Acme's revenue was $5.", "Bolt's revenue was $6."),
        ("Acme's revenue was $5.", "Acme's cost was $6."),
        ("The price of Basic is $5 per month.", "The price of Basic is $60 per year."),
        ("Acme was founded in 1990.", "Acme was sold in 1991."),
        ("Acme has 120 employees.", "Acme has 3 plants."),
        ("Acme's length is 5 m.", "Acme's length is 6 kg."),
        ("In 2022 Acme's revenue was $5.", "In 2023 Acme's revenue was $6."),
        ("Acme's revenue was $5. Acme's revenue was $6.", "Acme's revenue was $6."),
        ("name,mood\nNorth,good\n", "name,mood\nNorth,bad\n"),
        ("", "!"),
    ],
)
def test_what_does_not(first: str, second: str) -> None:
    assert between(first, second) == []


def test_one_document_does_not_contradict_itself() -> None:
    assert between("Acme's revenue was $5. Acme's revenue was $6.") == []


def test_documents_of_different_years_are_noted() -> None:
    texts = ("The headcount of Acme is 120.", "The headcount of Acme is 140.")
    assert [one.note for one in between(*texts, names=("report_2022.md", "report_2023.md"))] == ["different years"]
    assert [one.note for one in between(*texts)] == [""]


def test_three_documents_give_every_pair() -> None:
    assert len(between("A's size is 1.", "A's size is 2.", "A's size is 3.")) == 3


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("1,234.5", Fraction("1234.5"), ""), ("3万元", Fraction(30_000), "¥"), ("$2 million", Fraction(2_000_000), "$"),
        ("12%", Fraction(12), "%"), ("$5 per month", Fraction(5), "$/month"), ("9 km/h", Fraction(9), "km/h"),
        ("-5 m", Fraction(-5), "m"), ("１２", Fraction(12), ""),
    ],
)  # fmt: skip
def test_measures(text: str, number: Fraction, unit: str) -> None:
    found = measure(text)
    assert found is not None
    assert (found.number, found.unit) == (number, unit)


@pytest.mark.parametrize("text", ["", "abc", "1-2", "V-12", "2024-13-01", "12 of 30 units", "9" * 100])
def test_no_measure(text: str) -> None:
    assert measure(text) is None


def test_hostile_text_is_read_in_one_go() -> None:
    for unit in ("A ", "Aa's ", "the a of A ", "的", "北的是", "1,", "2023 ", "A.", "A-b ", "Ab has 5 "):
        assert list(claims(made("a.md", unit * (100_000 // len(unit))))) == []
