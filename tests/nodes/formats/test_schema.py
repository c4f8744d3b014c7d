"""JSON Schema: verdicts of the drafts, and every way in which a hostile schema is bounded."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.formats.faults import FormatFault
from nodes.formats.patterns import screened, translated
from nodes.formats.schema import violations

BOMB: dict[str, Any] = {
    "$defs": {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(30)} | {"a30": {}},
    "$ref": "#/$defs/a0",
}


def deep(levels: int) -> Any:
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


def refused(pattern: str) -> str | None:
    try:
        screened(pattern, 100)
    except FormatFault as fault:
        return fault.kind
    return None


@pytest.mark.parametrize(
    ("instance", "schema", "paths"),
    [
        ({"a": 1}, {"properties": {"a": {"type": "string"}}, "required": ["b"]}, ["$", "$.a"]),
        ([1, 1.0], {"uniqueItems": True}, ["$"]),
        ([1, True, "1"], {"uniqueItems": True}, []),
        ("x@", {"format": "email"}, []),
        ("2020-01-01\n", {"pattern": "^\\d{4}-\\d{2}-\\d{2}$"}, ["$"]),
        ("٣", {"pattern": "^\\d$"}, ["$"]),
        ({"π": "x"}, {"patternProperties": {"^\\p{Letter}+$": {"type": "number"}}}, ["$['π']"]),
        ({"pattern": "["}, {"const": {"pattern": "["}}, []),
        ({"x": 1}, {"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": {"x": ["y"]}}, ["$"]),
        (1, False, ["$"]),
    ],
)
def test_verdicts(instance: Any, schema: Any, paths: list[str]) -> None:
    assert sorted(one.path for one in violations(instance, schema)) == sorted(paths)


@pytest.mark.parametrize(
    ("kind", "instance", "schema"),
    [
        ("reference", 1, {"$ref": "http://example.com/schema.json"}),
        ("reference", 1, {"$ref": "file:///etc/passwd"}),
        ("reference", 1, {"$ref": "#/$defs/none"}),
        ("dialect", 1, {"$schema": "http://json-schema.org/draft-99/schema#"}),
        ("schema", 1, {"type": "strin"}),
        ("schema", 1, 3),
        ("depth", deep(900), {}),
        ("depth", 1, {"$ref": "#"}),
        ("work", 1, BOMB),
        ("work", list(range(60_000)), {"items": {"type": "integer"}}),
        ("pattern", "a" * 40 + "b", {"pattern": "^(a+)+$"}),
        ("pattern", "a" * 40 + "b", {"pattern": "^(a|a)*$"}),
        ("pattern", "a" * 30, {"pattern": "^(a?){30}a{30}$"}),
        ("pattern", "a" * 5_000, {"pattern": "a*a*a*a*b"}),
        ("pattern", {"a" * 40: 1}, {"patternProperties": {"^(\\w+\\s?)*$": {}}}),
        ("pattern", "x", {"pattern": "["}),
        ("pattern", "x", {"pattern": "x" * 2_000}),
    ],
)
def test_what_cannot_be_validated_is_a_named_fault(kind: str, instance: Any, schema: Any) -> None:
    with pytest.raises(FormatFault) as caught:
        violations(instance, schema)
    assert caught.value.kind == kind


@pytest.mark.parametrize(
    "pattern",
    [
        "^[a-z]+(-[a-z]+)*$",
        "^[^@]+@[^@]+\\.[^@]+$",
        "^(\\d{1,3}\\.){3}\\d{1,3}$",
        "^(foo|bar)+$",
        "^[[]$",
        "^[\\w$-]+$",
    ],
)
def test_usual_patterns_pass(pattern: str) -> None:
    assert screened(pattern, 60)


@given(st.text("ab|()[]*+?{}1,\\d$^-", max_size=12))
def test_any_pattern_is_translated_or_refused(pattern: str) -> None:
    assert refused(pattern) in (None, "pattern")


def test_the_end_is_the_end() -> None:
    assert translated("a$[$](?<n>x)\\cJ\\/") == "a\\Z[$](?P<n>x)\\x0a/"
