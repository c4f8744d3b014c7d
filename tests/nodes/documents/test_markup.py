"""HTML tables as the HTML Standard forms them, from pages as they are: cut, nested, hostile."""

from __future__ import annotations

import pytest

from nodes.documents.markup import read
from nodes.errors import InputError


def grids(source: str) -> list[list[list[str]]]:
    return [[list(row) for row in table.rows] for table in read(source)[2]]


def test_merged_cells_answer_at_every_place_they_cover() -> None:
    source = "<table><tr><th rowspan=2>A</th><th colspan=2>B</th></tr><tr><td>1</td><td>2</td></tr></table>"
    assert grids(source) == [[["A", "B", "B"], ["A", "1", "2"]]]


def test_end_tags_are_optional_and_entities_are_decoded() -> None:
    source = "<TABLE><caption>c &amp; d</caption><TR><td>1&nbsp;000<td>a<br>b<tr><td> x\n y <td title='a>b'>&lt;"
    table = read(source)[2][0]
    assert [list(row) for row in table.rows] == [["1\u00a0000", "a\nb"], ["x y", "<"]]
    assert (table.caption, table.headed) == ("c & d", False)


def test_a_span_ends_with_its_row_group() -> None:
    first, second = "<tr><td rowspan=9>a<td>1<tr><td>2", "<tr><td rowspan=0>b<td>3<tr><td>4"
    source = f"<table><tbody>{first}</tbody><tbody>{second}</tbody></table>"
    assert grids(source) == [[["a", "1"], ["a", "2"], ["b", "3"], ["b", "4"]]]


def test_overlapping_spans_keep_the_first() -> None:
    source = "<table><tr><td>a<td rowspan=2>b<tr><td colspan=2>c</table>"
    assert grids(source) == [[["a", "b"], ["c", "b"]]]


def test_a_nested_table_is_one_of_its_own() -> None:
    source = "<table><tr><td>x<table><tr><td>inner</table>y<td>z</table>"
    assert grids(source) == [[["xy", "z"]], [["inner"]]]


def test_text_without_scripts_and_tables() -> None:
    source = (
        "<title>T</title><script>if (a<b) {}</script><p>one<p>two <b>three</b><table><tr><td>cell</table><!-- no -->"
    )
    title, text, _ = read(source)
    assert (title, text) == ("T", "one\n\ntwo three")


@pytest.mark.parametrize(
    "source",
    ["", "<", "<table", "<table><tr", "<td>x</td>", "</table></td>", "<!--", "<script>", "a < b & c", "<p>中文"],
)
def test_broken_pages_are_read_as_far_as_they_go(source: str) -> None:
    title, text, tables = read(source)
    assert title == ""
    assert len(tables) <= 1
    assert "<table" not in text


@pytest.mark.parametrize("unit", ["<", "<a ", "<!--", "<a href='", "</", "<td>", "<title>", "&"])
def test_hostile_pages_end(unit: str) -> None:
    _, text, tables = read(unit * (100_000 // len(unit)))
    assert len(text) <= 100_000
    assert tables == ()


def test_a_bomb_of_spans_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        read("<table>" + "<tr><td rowspan=65534 colspan=1000>x" * 9 + "</table>")
    assert caught.value.code == "too_big"


def test_tables_nested_too_deeply_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        read("<table><td>" * 101)
    assert caught.value.code == "too_big"
