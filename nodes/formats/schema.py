"""JSON Schema validation: the draft that `$schema` names, nothing fetched, bounded in time.

`jsonschema` validates. What differs from its defaults, because a schema may come from anybody: a reference that leads
outside the schema is a named fault and no request; `format` is an annotation, as the specification says; patterns are
ECMA's and screened (`patterns`); each keyword costs a step and the steps are limited; `uniqueItems` is linear.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any

import jsonschema
from jsonschema import validators
from referencing.exceptions import Unresolvable

from nodes.formats.faults import FormatFault
from nodes.formats.patterns import screened

STEPS = 20_000
"""Keywords that one validation may apply: about a third of a second."""
MOST = 20
"""Violations that are listed."""
DEPTH = 200
"""Levels of nesting of a schema and of an instance."""
REGISTRY: Any = validators.SPECIFICATIONS  # type: ignore[attr-defined]
"""The drafts' own schemas, which come with the library; nothing else is ever looked up."""
DEFAULT: Any = jsonschema.Draft202012Validator
_DATA = frozenset({"const", "enum", "default", "examples"})
_NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"})
_left: ContextVar[list[int]] = ContextVar("steps left")

Keyword = Callable[[Any, Any, Any, Any], Iterator[Any] | None]


_extend: Any = validators.extend
_unknown: Any = type("Unknown", (), {})
"""Stands for the validator of an unknown draft."""


@dataclass(frozen=True)
class Violation:
    """One place where an instance breaks its schema."""

    path: str
    """JSON path of the value, for example `$.items[2].price`."""
    keyword: str
    message: str


def violations(instance: Any, schema: Any, default: Any = DEFAULT) -> list[Violation]:
    """Where `instance` breaks `schema`, at most `MOST`; empty = valid. `default` is the draft where none is named.

    Raises FormatFault: dialect, schema, reference, pattern, depth, work.
    """
    depth = max(_depth(instance), _depth(schema))
    if depth > DEPTH:
        raise FormatFault("depth", f"nested more than {DEPTH} levels")
    base = _dialect(schema, default)
    longest = max(map(len, _strings(instance)), default=0)
    safe = _translated(schema, longest)
    token = _left.set([STEPS])
    try:
        _well_formed(base, schema)
        found = _bounded(base)(safe, registry=REGISTRY).iter_errors(instance)
        return [_violation(error) for error, _ in zip(found, range(MOST), strict=False)]
    except Unresolvable as error:
        raise FormatFault("reference", f"{error.ref!r} leads outside the schema") from error
    except RecursionError as error:
        raise FormatFault("depth", "a schema that leads back to itself, or is nested too deeply") from error
    finally:
        _left.reset(token)


def _violation(error: Any) -> Violation:
    return Violation(error.json_path[:200], str(error.validator), error.message[:300])


def _dialect(schema: Any, default: Any) -> Any:
    """The validator class of the schema's own `$schema`."""
    if not isinstance(schema, dict | bool):
        raise FormatFault("schema", f"a schema is an object or a boolean, not {type(schema).__name__}")
    named = schema.get("$schema") if isinstance(schema, dict) else None
    found: Any = validators.validator_for(schema, default=_unknown) if isinstance(named, str) else default
    if found is _unknown:
        raise FormatFault("dialect", f"{str(named)[:200]!r} is no draft that is known")
    return found


def _well_formed(base: Any, schema: Any) -> None:
    """Raise FormatFault when the schema breaks its draft's own schema."""
    fault = next(_bounded(base)(base.META_SCHEMA, registry=REGISTRY).iter_errors(schema), None)
    if fault is not None:
        raise FormatFault("schema", f"{fault.json_path[:100]}: {fault.message[:200]}")


@cache
def _bounded(base: Any) -> Any:
    """The draft's validator, each keyword counted."""
    own: dict[str, Keyword] = {name: _counted(keyword) for name, keyword in base.VALIDATORS.items()}
    return _extend(base, validators={**own, "uniqueItems": _counted(_unique)})


def _counted(keyword: Keyword) -> Keyword:
    def apply(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any] | None:
        left = _left.get()
        left[0] -= 1
        if left[0] < 0:
            raise FormatFault("work", f"the validation takes more than {STEPS} steps")
        return keyword(validator, value, instance, schema)

    return apply


def _unique(validator: Any, unique: Any, instance: Any, schema: Any) -> Iterator[Any]:  # noqa: ARG001
    """`uniqueItems` by hash: the library compares each with each."""
    if unique and isinstance(instance, list) and len({_frozen(item) for item in instance}) < len(instance):
        yield jsonschema.ValidationError("items are not unique")


def _frozen(value: Any) -> Any:
    """A hashable twin that is equal when JSON says so: 1 is 1.0, true is not 1."""
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, list):
        return ("array", tuple(map(_frozen, value)))
    if isinstance(value, Mapping):
        return ("object", frozenset((key, _frozen(item)) for key, item in value.items()))
    return value


def _depth(value: Any) -> int:
    """Levels of nesting, counted without recursion up to one over the limit."""
    level, deep = [value], 0
    while level and deep <= DEPTH:
        children = (one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list))
        level = [child for group in children for child in group if isinstance(child, dict | list)]
        deep += 1
    return deep


def _strings(value: Any) -> Iterator[str]:
    """Every text of an instance, property names included: what a pattern may meet."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            yield from one
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)


def _translated(schema: Any, longest: int) -> Any:
    """A copy of the schema whose patterns Python matches as meant. Raises FormatFault for a pattern that is refused."""
    result = copy.deepcopy(schema)
    waiting = [(result, False)]
    while waiting:
        one, names = waiting.pop()
        if isinstance(one, list):
            waiting.extend((item, False) for item in one)
        elif isinstance(one, dict) and names:
            waiting.extend((item, False) for item in one.values())
        elif isinstance(one, dict):
            _translate(one, longest)
            waiting.extend((item, key in _NAMED) for key, item in one.items() if key not in _DATA)
    return result


def _translate(schema: dict[str, Any], longest: int) -> None:
    pattern, properties = schema.get("pattern"), schema.get("patternProperties")
    if isinstance(pattern, str):
        schema["pattern"] = screened(pattern, longest)
    if isinstance(properties, dict):
        schema["patternProperties"] = {screened(name, longest): inner for name, inner in properties.items()}
