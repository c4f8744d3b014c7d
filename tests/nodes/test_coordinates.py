"""Coordinates: one string in, the same string out; nothing else is taken for one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.coordinates import Coordinate, cited, parse
from nodes.errors import InputError

NAMES = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=30).filter(lambda one: one.strip())
NUMBERS = st.integers(min_value=1, max_value=10**8)


@given(st.one_of(st.none(), NAMES), NUMBERS, st.integers(0, 2), NUMBERS, NUMBERS)
def test_what_is_written_is_read(doc: str | None, table: int, depth: int, row: int, col: int) -> None:
    doc = doc.strip() if doc else doc
    place = Coordinate(doc, table, row if depth else None, col if depth == 2 else None)
    assert parse(str(place)) == place


@given(NAMES, st.integers(0, 10**6), st.integers(0, 10**6))
def test_spans_and_whole_documents(name: str, start: int, length: int) -> None:
    place = Coordinate(doc=name.strip(), start=start, end=start + length)
    assert parse(str(place)) == place
    assert parse(str(Coordinate(doc=name.strip()))) == Coordinate(doc=name.strip())


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("table:2,row:5,col:3", Coordinate(table=2, row=5, col=3)),
        (" table:2, row:5, col: 3 ", Coordinate(table=2, row=5, col=3)),
        ("doc:a%2Cb%25.csv,chars:120-180", Coordinate(doc="a,b%.csv", start=120, end=180)),
        ("doc:报告 2023.md", Coordinate(doc="报告 2023.md")),
        ("doc:note: 5.csv,table:1", Coordinate(doc="note: 5.csv", table=1)),
    ],
)
def test_forms(text: str, place: Coordinate) -> None:
    assert parse(text) == place


@pytest.mark.parametrize(
    "text",
    ["", " ", "row:5", "table:0", "table:1,row:0", "table:1,col:2", "table:-1", "table:1,row:5,col:3,x", "chars:9-3",
     "chars:1", "doc:", "doc:a,b.csv,table:1", "the third row", "表:1", "table:1" * 1_000, "table:99999999999"],
)  # fmt: skip
def test_anything_else_is_a_named_error(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(text)
    assert caught.value.code == "bad_coordinate"


def test_cited_in_running_text() -> None:
    text = "见 doc:报告.csv,table:1,row:2,col:3；另见（chars:3-9）和 table:2, row:4."
    found = cited(text)
    assert [one for one, _ in found] == ["doc:报告.csv,table:1,row:2,col:3", "chars:3-9", "table:2, row:4"]
    assert all(text[slice(*span)] == one for one, span in found)
