"""JSON: valid is never altered, broken is repaired with a list of what was done, hostile text ends in a named fault."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.formats import objects, tidying
from nodes.formats.faults import FormatFault

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


def fault_of(text: str) -> str | None:
    try:
        objects.repair(text)
    except FormatFault as fault:
        return fault.kind
    return None


@given(JSON, st.sampled_from([None, 2]))
def test_valid_json_comes_back_as_it_was(value: Any, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    read = objects.repair(text)
    assert (read.value, read.text, read.repairs) == (value, text, ())


@given(
    st.lists(JSON, min_size=1, max_size=4) | st.dictionaries(st.text("abc", min_size=1), JSON, min_size=1, max_size=4)
)
def test_what_was_never_closed_is_closed(value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False)
    read = objects.repair(text[:-1])
    assert read.value == value
    assert "bracket" in read.repairs


@given(st.text(max_size=60))
def test_any_text_is_read_or_a_named_fault(text: str) -> None:
    fault = fault_of(text)
    assert fault in (None, "syntax", "size", "depth", "number")
    if fault is None:
        assert objects.repair(objects.repair(text).text).repairs == ()


@given(JSON)
def test_tidying_leaves_valid_json_alone(value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False)
    tidied = tidying.tidy(text)
    if isinstance(value, dict | list):
        assert tidied is not None
        assert json.loads(tidied.text) == value
        assert tidied.repairs == ()
    else:
        assert tidied is None


@pytest.mark.parametrize(
    ("text", "value", "repair"),
    [
        ('{"a": 1,}', {"a": 1}, "comma"),
        ("{'a': True, 'b': None}", {"a": True, "b": None}, "quotes"),
        ("{a: 1}", {"a": 1}, "quotes"),
        ('{"a" 1}', {"a": 1}, "colon"),
        ('{"a":, "b": 2}', {"a": None, "b": 2}, "value"),
        ('[1 2, "x" "y"]', [1, 2, "x", "y"], "comma"),
        ('{"a": [1, {"b": 2', {"a": [1, {"b": 2}]}, "bracket"),
        ('{"a": 1 /* why */, // yes\n "b": 2}', {"a": 1, "b": 2}, "comment"),
        ("{“姓名”：“王伟”，“年龄”：30}", {"姓名": "王伟", "年龄": 30}, "fullwidth_sign"),
        ('Here it is:\n```json\n{"a": 1}\n```\nDone.', {"a": 1}, "text_around"),
        ('{"say": "he said "hi" to me"}', {"say": 'he said "hi" to me'}, "structure"),
        ("callback([1]);", [1], "callback"),
        ("1, 2, 3", [1, 2, 3], "bracket"),
        ("None", None, "scalar"),
        ('{"a": "x', {"a": "x"}, "bracket"),
    ],
)
def test_repairs(text: str, value: Any, repair: str) -> None:
    read = objects.repair(text)
    assert read.value == value
    assert repair in read.repairs
    assert json.loads(read.text) == value


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", "[1,]", "{'a': 1}", "", "[01]", '["\t"]'])
def test_strict_reading_takes_the_standard_only(text: str) -> None:
    with pytest.raises(FormatFault) as caught:
        objects.strict(text)
    assert caught.value.kind == "syntax"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[" * 100_000, "depth"),
        ('{"a":' * 20_000, "depth"),
        ("{" * 50_000 + "}" * 50_000, "size"),
        ("9" * 5_000, "number"),
        ('{"a":"b" ' * 10_000, "size"),
        ("", "syntax"),
    ],
)
def test_hostile_text_is_a_named_fault(text: str, kind: str) -> None:
    with pytest.raises(FormatFault) as caught:
        objects.repair(text)
    assert caught.value.kind == kind
