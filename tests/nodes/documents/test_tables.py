"""Tables in running text: found with their raw cells, and prose is not taken for one."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.documents.tables import find, resolve
from nodes.errors import InputError

CELL = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp", "Zs")), min_size=1, max_size=8)
WORD = st.text(st.sampled_from("abcxyz北京上海0123456789"), min_size=1, max_size=6)


@given(st.lists(st.lists(CELL, min_size=3, max_size=3), min_size=2, max_size=6))
def test_markdown_cells_come_back_raw(rows: list[list[str]]) -> None:
    rows = [[cell.replace("\\", "/") for cell in row] for row in rows]
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    text = "\n".join(["Look:", "", lines[0], "|---|:-:|--:|", *lines[1:], "", "done"])
    (table,) = find(text)
    assert [list(row) for row in table.rows] == rows
    assert table.span is not None
    assert text[slice(*table.span)] == "\n".join([lines[0], "|---|:-:|--:|", *lines[1:]])


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
@given(st.lists(st.lists(WORD, min_size=3, max_size=3), min_size=2, max_size=6))
def test_separated_cells_come_back(delimiter: str, rows: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
    text = f"表如下：\n\n{out.getvalue()}\n\n谁？"
    (table,) = find(text)
    assert [list(row) for row in table.rows] == rows


def test_quoted_commas_empty_cells_and_several_tables() -> None:
    text = 'Data:\nitem,price\n"Lamp, small",12.50\nDesk,\n\n| a | b |\n|---|---|\n| | 2 |\n\n姓名\t城市\n李\t桂林'
    found = find(text)
    assert [resolve(place, text, found) for place in ("table:1,row:2,col:1", "table:1,row:3,col:2")] == [
        "Lamp, small",
        "",
    ]
    assert [resolve(place, text, found) for place in ("table:2,row:2,col:1", "table:3,row:1,col:2")] == ["", "城市"]
    assert resolve("table:1,row:3", text, found) == "Desk\t"
    assert resolve("table:3", text, found) == "姓名\t城市\n李\t桂林"
    assert resolve("chars:0-4", text, found) == "Data"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Dear John,\nthank you, and goodbye.\nYours, Ann",
        "First, do this.\nThen, do that.\nLast, rest.",
        "a | b\nc | d",
        "他来了，走了，\n又来了，又走了，",
        "---\n\n---",
    ],
)
def test_prose_is_no_table(text: str) -> None:
    assert find(text) == ()


@pytest.mark.parametrize(
    "place", ["table:2", "table:1,row:4", "table:1,row:1,col:3", "chars:0-999", "table:1,row:99999999,col:1"]
)
def test_what_is_not_there_is_a_named_error(place: str) -> None:
    text = "a,b\n1,2\n3,4"
    with pytest.raises(InputError) as caught:
        resolve(place, text, find(text))
    assert caught.value.code == "unknown_coordinate"


def test_hostile_text_is_read_in_one_go() -> None:
    for unit in ("|", "a,b.\n", "|-", "\n", '"', "a;b\nc,d\n", "\t", "```\n"):
        assert len(find(unit * (100_000 // len(unit)))) < 100_000
