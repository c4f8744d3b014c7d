"""What leaves: syntax is mended, content never; conversions and tasks need no model."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.contracts import Request
from nodes.formats import conversions, tasks
from nodes.formats.faults import FormatFault
from nodes.formats.mending import mend, same_words

SOUND = "| Name | Qty |\n| --- | --- |\n| Apple | 3 |\n| Pear | 12 |"
ROWS = st.lists(
    st.fixed_dictionaries({"a": st.text("xyz 1好|", max_size=5).map(str.strip), "b": st.text("uvw2,", max_size=5)}),
    min_size=1,
    max_size=4,
)


def request(question: str) -> Request:
    return Request(run="r", question=question)


@pytest.mark.parametrize(
    ("question", "text", "mended", "repairs"),
    [
        ("Give me JSON format.", "{'a': True,}", '{"a": true}', ("json:quotes", "json:literal", "json:comma")),
        ("Give me JSON format.", '```json\n{"a": 1,}\n```', '```json\n{"a": 1}\n```', ("json:comma",)),
        ("Answer in a table.", SOUND.replace("| --- | --- |\n", ""), SOUND, ("table:no_delimiter_row",)),
        ("Say it.", "＃＃ Title\n\nText.", "## Title\n\nText.", ("heading:fullwidth_hash",)),
        ("Show code.", "```py\nx = 1", "```py\nx = 1\n```", ("fence",)),
    ],
)
def test_syntax_is_mended(question: str, text: str, mended: str, repairs: tuple[str, ...]) -> None:
    assert mend(request(question), text) == (mended, repairs)
    assert mend(request(question), mended) == (mended, ())


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Give me JSON format.", '{"a": 1}'),
        ("Give me JSON format.", 'Sure! {"a": 1,}'),
        ("Answer in a table.", SOUND.replace("| 3 |", "| 3 | x |")),
        ("Answer in a table.", SOUND[:-5]),
        ("Why?", "|x| is at most |y|\n|x| is at least |z|"),
        ("Why?", "{'a': True,}"),
        ("Why?", ""),
        ("Why?", "x" * 60_000),
    ],
)
def test_what_is_sound_or_not_sure_stays(question: str, text: str) -> None:
    assert mend(request(question), text) == (text, ())


@given(
    st.sampled_from(["Give me JSON format.", "Answer in a table.", "Why?"]),
    st.text("{}[]|\"':,-# \n`Ta1＃｜\t", max_size=60),
)
def test_words_never_change_and_twice_is_once(question: str, text: str) -> None:
    mended, repairs = mend(request(question), text)
    assert same_words(text, mended)
    assert (mended == text) == (not repairs)
    assert mend(request(question), mended)[0] == mended


@given(ROWS)
def test_data_survives_csv_and_yaml(rows: list[dict[str, str]]) -> None:
    assert conversions.parse(conversions.write(rows, "yaml"), "yaml")[0] == rows
    assert conversions.parse(conversions.write(rows, "json"), "json") == (rows, ())
    stripped = [{key: cell.strip() for key, cell in row.items()} for row in rows]
    assert conversions.parse(conversions.write(rows, "csv"), "csv")[0] == stripped


@pytest.mark.parametrize("value", [[1], {}, [{"a": [1]}], "x", [{"a": {"b": 1}}]])
def test_what_does_not_fit_a_table_is_said(value: object) -> None:
    with pytest.raises(FormatFault) as caught:
        conversions.write(value, "table")
    assert caught.value.kind == "columns"


@pytest.mark.parametrize(
    ("text", "notation", "kind"),
    [
        ("a: &x [1]\nb: *x", "yaml", "work"),
        ("just words", "yaml", "syntax"),
        ("a,b\n1", "csv", "columns"),
        ("a,a\n1,2", "csv", "columns"),
        ("x" * 30_000, "csv", "size"),
        ("no table", "table", "syntax"),
    ],
)
def test_unreadable_data_is_a_named_fault(text: str, notation: conversions.Notation, kind: str) -> None:
    with pytest.raises(FormatFault) as caught:
        conversions.parse(text, notation)
    assert caught.value.kind == kind


@pytest.mark.parametrize(
    ("question", "output", "how"),
    [
        ("Fix this JSON:\n{'a': 1,}", '{"a": 1}', "repaired"),
        ("请修复下面的 JSON：\n{“a”: 1}", '{"a": 1}', "repaired"),
        (f"Repair this table.\n{SOUND.replace('|', '｜')}", SOUND, "repaired"),
        ("Convert to CSV:\n" + SOUND, "Name,Qty\nApple,3\nPear,12", "converted"),
        ("Convert this CSV to a Markdown table.\nName,Qty\nApple,3\nPear,12", SOUND, "converted"),
        ("把这段 YAML 转成 JSON：\na: 1\nb: [x]", json.dumps({"a": 1, "b": ["x"]}, indent=2), "converted"),
    ],
)
def test_done_without_a_model(question: str, output: str, how: str) -> None:
    done = tasks.solve(question, "en")
    assert done is not None
    assert (done.output, done.how) == (output, how)


@pytest.mark.parametrize(
    "question",
    [
        'Convert this JSON to YAML and sort the keys:\n{"b": 1, "a": 2}',
        "What does this JSON mean?\n{'a': 1}",
        "Explain JSON.",
        '把这个 JSON 转成 YAML，并把字段名翻译成中文：\n{"a": 1}',
        f"How many rows has this table?\n{SOUND}",
        "",
        "Fix this JSON:\n" + "{" * 5_000,
    ],
)
def test_what_changes_content_is_left_to_others(question: str) -> None:
    assert tasks.solve(question, "en") is None
