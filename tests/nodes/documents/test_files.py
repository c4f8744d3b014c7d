"""Files become documents: encodings, csv as it is written, json as it is written, errors with names."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.documents.files import document, load, read, separated
from nodes.errors import InputError

CELL = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=12)


def no_pages(data: bytes) -> list[str]:
    raise AssertionError(data)


def code(work: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        work()
    return caught.value.code


@given(st.lists(st.lists(CELL, min_size=2, max_size=4), min_size=1, max_size=6))
def test_csv_comes_back_as_it_was_written(rows: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows(rows)
    table = separated(out.getvalue(), ",")
    assert [[table.cell(row + 1, col + 1) for col in range(len(cells))] for row, cells in enumerate(rows)] == rows


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_encodings(encoding: str) -> None:
    one = document("名册.csv", "姓名,城市\n张三,北京\n".encode(encoding), no_pages)
    assert one.tables[0].rows == (("姓名", "城市"), ("张三", "北京"))
    assert not one.text.startswith("\ufeff")


@pytest.mark.parametrize("data", [b"caf\xe9 cr\xe8me \xe9t\xe9", b"a\0b", b"\xff\xfe\x00", bytes(range(256))])
def test_other_encodings_and_binary_data_are_named(data: bytes) -> None:
    assert code(lambda: document("x.txt", data, no_pages)) == "unreadable_file"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_told_by_regularity(delimiter: str) -> None:
    rows = [["name", "price, net", "x;y"], ["a", "1,5", ""], ["b|c", "2", "\t"]]
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(rows)
    assert [list(row) for row in separated(out.getvalue()).rows] == rows


def test_an_open_quote_is_named_and_sloppy_ones_pass() -> None:
    assert code(lambda: document("x.csv", b'a,b\n"1,2\n3,4\n', no_pages)) == "bad_csv"
    assert separated('a,b\n"1"x,2\n').rows[1] == ("1x", "2")


def test_json_scalars_stand_as_written() -> None:
    text = '{"t": [{"n": 1.50, "b": true}, {"n": 12345678901234567890, "z": {"k": [1.0, null]}}], "x": {"y": "文"}}'
    first, last = document("a.json", text.encode(), no_pages).tables
    assert first.rows == (("n", "b", "z"), ("1.50", "true", ""), ("12345678901234567890", "", '{"k": [1.0, null]}'))
    assert last.rows == (("path", "value"), ("x.y", "文"))


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"a": 1} x'])
def test_bad_json_is_named(text: str) -> None:
    assert code(lambda: document("a.json", text.encode(), no_pages)) == "bad_json"


LEAF = st.none() | st.booleans() | st.integers() | st.text(max_size=5)


@given(
    st.recursive(LEAF, lambda one: st.lists(one, max_size=4) | st.dictionaries(st.text(max_size=4), one, max_size=4))
)
def test_any_json_is_read(value: object) -> None:
    one = document("a.json", json.dumps(value).encode(), no_pages)
    assert all(len(row) == table.width for table in one.tables for row in table.rows)
    "".join(cell for table in one.tables for row in table.rows for cell in row).encode("utf-8")


def test_folders(tmp_path: Path) -> None:
    assert code(lambda: read(tmp_path / "none", no_pages)) == "unknown_folder"
    assert code(lambda: read(tmp_path, no_pages)) == "no_sources"
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.txt").write_text("b")
    (tmp_path / ".hidden.txt").write_text("x")
    (tmp_path / "picture.png").write_bytes(b"\x89")
    (tmp_path / "a.md").write_text("# Title\n\ntext")
    found = read(tmp_path, no_pages)
    assert [(one.name, one.title) for one in found] == [("a.md", "Title"), ("sub/b.txt", "")]
    assert code(lambda: read(tmp_path / "a.md", no_pages)) == "unknown_folder"


def test_one_bad_file_ends_it_all(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("fine")
    (tmp_path / "b.json").write_text("{")
    with pytest.raises(InputError, match=r"b\.json"):
        read(tmp_path, no_pages)


def test_links_to_nowhere_and_folders_named_like_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("fine")
    (tmp_path / "folder.csv").mkdir()
    assert [name for name, _ in load(tmp_path)] == ["a.txt"]
    (tmp_path / "gone.txt").symlink_to(tmp_path / "nowhere")
    assert code(lambda: load(tmp_path)) == "unreadable_file"
