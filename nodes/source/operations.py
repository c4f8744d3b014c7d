"""Operators, built-in functions and methods of plain values: exactly Python's own, each paid for before it is done.

What is not listed here is beyond; so nothing that could touch the machine can be reached, whatever a program writes.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from dataclasses import dataclass
from typing import Any

from nodes.source.bounds import CONTAINERS, LARGEST_BITS, Beyond, Fuel, fits, fits_bits, narrow, ordered, shown

Call = Callable[[Any, Sequence[Any]], Any]
"""Calls a function of the program."""

BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
IN_PLACE: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.iadd,
    ast.BitAnd: operator.iand,
    ast.BitOr: operator.ior,
    ast.BitXor: operator.ixor,
    ast.Sub: operator.isub,
    ast.Mult: operator.imul,
}
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda one, many: one in many,
    ast.NotIn: lambda one, many: one not in many,
}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


METHODS: dict[type, frozenset[str]] = {
    str: _words(
        "capitalize casefold center count endswith expandtabs find format index isalnum isalpha isascii isdecimal"
        " isdigit isidentifier islower isnumeric isspace istitle isupper join ljust lower lstrip partition"
        " removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith"
        " strip swapcase title translate upper zfill"
    ),
    list: _words("append clear copy count extend index insert pop remove reverse sort"),
    tuple: frozenset(("count", "index")),
    dict: _words("clear copy get items keys pop popitem setdefault update values"),
    set: _words(
        "add clear copy difference difference_update discard intersection intersection_update isdisjoint issubset"
        " issuperset remove symmetric_difference union update"
    ),
    int: frozenset(("bit_length", "bit_count")),
    float: frozenset(("is_integer",)),
}
_VIEWS = (KeysView, ValuesView, ItemsView)
METHODS[frozenset] = METHODS[set]
_ORDER_MATTERS_NOT = {"len", "sorted", "set", "frozenset", "sum", "any", "all", "bool", "min", "max", "isinstance"}
_WHOLE: dict[str, Callable[..., Any]] = {
    "list": list, "tuple": tuple, "set": set, "frozenset": frozenset, "sum": sum, "any": any, "all": all,
    "sorted": sorted, "min": min, "max": max, "dict": dict,
}  # fmt: skip
"""Built-in functions that read an iterable to its end."""
_PLAIN: dict[str, Callable[..., Any]] = {
    "abs": abs, "bin": bin, "bool": bool, "callable": callable, "chr": chr, "divmod": divmod, "float": float,
    "hex": hex, "int": int, "isinstance": isinstance, "iter": iter, "len": len, "next": next, "oct": oct, "ord": ord,
    "round": round, "type": type,
}  # fmt: skip
_LAZY: dict[str, Callable[..., Any]] = {
    "enumerate": enumerate, "filter": filter, "map": map, "range": range, "reversed": reversed, "zip": zip,
}  # fmt: skip
_SHOWING: dict[str, Callable[..., Any]] = {"ascii": ascii, "format": format, "repr": repr, "str": str}
BUILTINS = {**_WHOLE, **_PLAIN, **_LAZY, **_SHOWING, "pow": pow}
TYPES = {one for one in BUILTINS.values() if isinstance(one, type)}
MATH = {
    name: getattr(math, name)
    for name in _words(
        "ceil copysign cos degrees e exp fabs floor gcd hypot inf isclose isinf isnan isqrt log log10 log2 nan pi"
        " radians sin sqrt tan trunc"
    )
}
OF_TYPES: dict[tuple[type, str], Any] = {(dict, "fromkeys"): dict.fromkeys, (str, "maketrans"): str.maketrans}
"""Functions that are reached through a type."""
_FUNCTIONS = {id(function): name for name, function in BUILTINS.items()}
_FUNCTIONS |= {id(function): name for (_, name), function in OF_TYPES.items()}
_MATH_FUNCTIONS = {id(one) for one in MATH.values() if callable(one)}
_LOOKS_INSIDE = re.compile(r"\{[^{}:]*[.\[!]|\{[^{}]*\{")
_CHEAP = _words("append add get setdefault pop popitem keys values items insert clear discard")
"""Methods whose cost does not grow with what the elements hold."""


@dataclass(frozen=True)
class Module:
    """An imported module: its known names."""

    names: Mapping[str, Any]


@dataclass(frozen=True)
class Method:
    """A method that is not called at once: `str.lower`, or `items.append` with its owner."""

    kind: type
    name: str
    owner: Any = None


def binary(kind: type[ast.operator], left: Any, right: Any, fuel: Fuel, in_place: bool = False) -> Any:
    """`left kind right`. Raises what Python raises, or Beyond."""
    table = IN_PLACE if in_place and kind in IN_PLACE else BINARY
    if kind not in table:
        raise Beyond(f"operator {kind.__name__}")
    if kind is ast.Mod and isinstance(left, str):
        narrow(left, "%")
        shown(right, fuel)
    elif isinstance(left, int) and isinstance(right, int):
        _integers(kind, left, right)
    else:
        _sequences(kind, left, right)
    fuel.touch(left, right)
    if in_place and isinstance(left, list) and kind is ast.Add:
        ordered(right)
        right = _read(right, fuel)
    result = table[kind](left, right)
    fuel.touch(result)
    return result


def _integers(kind: type[ast.operator], left: int, right: int) -> None:
    if kind is ast.Pow:
        fits_bits(left.bit_length() * abs(right))
    elif kind is ast.LShift:
        fits_bits(left.bit_length() + right)
    elif kind is ast.Mult:
        fits_bits(left.bit_length() + right.bit_length())


def _sequences(kind: type[ast.operator], left: Any, right: Any) -> None:
    for one, other in ((left, right), (right, left)):
        if kind is ast.Mult and isinstance(one, (str, list, tuple)) and isinstance(other, int):
            fits(len(one) * max(other, 0))
    if kind is ast.Add and isinstance(left, (str, list, tuple)) and isinstance(right, (str, list, tuple)):
        fits(len(left) + len(right))


def compare(kind: type[ast.cmpop], left: Any, right: Any, fuel: Fuel) -> Any:
    """`left kind right` for one pair."""
    if kind in (ast.Is, ast.IsNot):
        if not any(one is None or isinstance(one, (bool, list, dict, set, type)) for one in (left, right)):
            raise Beyond("identity of values that Python may share")
    elif kind in (ast.In, ast.NotIn):
        if isinstance(right, Iterator) or (isinstance(right, range) and not isinstance(left, int)):
            right = fuel.items(right)
        fuel.touch(left, () if isinstance(right, (dict, set, frozenset)) else right)
    else:
        fuel.touch(left, right)
    return COMPARE[kind](left, right)


def is_builtin(function: Any) -> bool:
    """Whether `function` is one of the built-in ones that are known here."""
    return id(function) in _FUNCTIONS or id(function) in _MATH_FUNCTIONS


def builtin(function: Any, arguments: list[Any], named: dict[str, Any], call: Call, fuel: Fuel) -> Any:
    """Call a built-in function. Raises what Python raises, or Beyond."""
    if id(function) in _MATH_FUNCTIONS:
        return function(*(fuel.items(one) if isinstance(one, Iterator) else one for one in arguments), **named)
    name = _FUNCTIONS[id(function)]
    if name not in _ORDER_MATTERS_NOT or "key" in named:
        for one in arguments:
            ordered(one)
    if name in _SHOWING:
        return _show(function, arguments, named, fuel)
    named = {key: _callable(value, call) if key == "key" else value for key, value in named.items()}
    if name in ("map", "filter"):
        arguments[:1] = [_callable(one, call) for one in arguments[:1]]
    if name == "pow":
        return binary(ast.Pow, arguments[0], arguments[1], fuel) if len(arguments) == 2 else function(*arguments)
    if name == "round" and any(isinstance(one, int) and abs(one) > LARGEST_BITS // 32 for one in arguments[1:]):
        raise Beyond("rounding to many places")
    if name in ("isinstance", "type", "callable"):
        _plain_types(name, arguments)
    if name in _WHOLE or name in ("fromkeys", "maketrans"):
        return _whole(function, [_read(one, fuel) for one in arguments], named, fuel)
    return function(*arguments, **named)


def _whole(function: Any, arguments: list[Any], named: dict[str, Any], fuel: Fuel) -> Any:
    """A function that reads its argument to the end."""
    if function is sum and (len(arguments) > 1 or named):
        fuel.burn(len(arguments[0]) ** 2 // 64 if isinstance(arguments[0], CONTAINERS) else 1)
    fuel.touch(*arguments)
    result = function(*arguments, **named)
    fuel.touch(result)
    return result


def _read(value: Any, fuel: Fuel) -> Any:
    """An iterator or range read to its end; containers as they are."""
    return fuel.items(value) if isinstance(value, (Iterator, range, *_VIEWS)) else value


def _plain_types(name: str, arguments: list[Any]) -> None:
    """Only questions about types that the program sees as Python does."""
    asked = arguments[1:] if name == "isinstance" else []
    kinds = [kind for one in asked for kind in (one if isinstance(one, tuple) else (one,))]
    plain = all(isinstance(one, (*CONTAINERS, str, int, float, type(None))) for one in arguments[:1])
    if not plain or not all(kind in TYPES for kind in kinds):
        raise Beyond("a question about a type")


def _show(function: Any, arguments: list[Any], named: dict[str, Any], fuel: Fuel) -> Any:
    for one in arguments[:1]:
        if not isinstance(one, type):
            shown(one, fuel)
    if function is format and len(arguments) > 1:
        narrow(str(arguments[1]), ":")
    return function(*arguments, **named)


def _callable(function: Any, call: Call) -> Any:
    """A function of the program, or a built-in one, as Python can call it."""
    return None if function is None else lambda *arguments: call(function, list(arguments))


def method(owner: Any, name: str, arguments: list[Any], named: dict[str, Any], call: Call, fuel: Fuel) -> Any:
    """Call a method of a plain value. Raises what Python raises, or Beyond."""
    if name not in METHODS.get(type(owner), frozenset()):
        getattr(owner, name)  # an AttributeError where Python has none either
        raise Beyond(f"method {name!r}")
    arguments = [_read(one, fuel) for one in arguments]
    for one in arguments if name in ("join", "extend") else [owner] if name == "pop" else []:
        ordered(one)
    _growth(owner, name, arguments, fuel)
    fuel.burn(len(owner) // 64 if name in _CHEAP else 0)
    fuel.touch(None if name in _CHEAP else owner, *(arguments if name not in ("append", "insert") else ()))
    named = {key: _callable(value, call) if key == "key" else value for key, value in named.items()}
    result = getattr(owner, name)(*arguments, **named)
    fuel.touch(None if name in _CHEAP else result)
    return result


def _growth(owner: Any, name: str, arguments: Sequence[Any], fuel: Fuel) -> None:
    """Refuse what would make a large value out of small ones."""
    if isinstance(owner, list) and name == "extend":
        fits(len(owner) + sum(len(one) for one in arguments if isinstance(one, (str, *CONTAINERS))))
    if not isinstance(owner, str):
        return
    words = [one for one in arguments if isinstance(one, str)]
    widths = [one for one in arguments if isinstance(one, int)]
    if name == "format":
        _template(owner, arguments, fuel)
    elif name in ("center", "ljust", "rjust", "zfill"):
        fits(max([*widths, 0]))
    elif name == "expandtabs":
        fits(len(owner) * max([*widths, 8]))
    elif name == "translate" and arguments and isinstance(arguments[0], dict):
        fits(len(owner) * max([1, *(len(one) for one in arguments[0].values() if isinstance(one, str))]))
    elif name == "replace" and len(words) == 2:
        fits((owner.count(words[0]) if words[0] else len(owner) + 1) * len(words[1]) + len(owner))
    elif name == "join" and arguments and isinstance(arguments[0], (str, *CONTAINERS)):
        parts = [one for one in arguments[0] if isinstance(one, str)]
        fits(sum(map(len, parts)) + len(owner) * len(parts))


def _template(template: str, arguments: Sequence[Any], fuel: Fuel) -> None:
    """Formats that name a value, with a plain specification; nothing that looks into it."""
    narrow(template, "{")
    if _LOOKS_INSIDE.search(template):
        raise Beyond("a format that looks into values")
    for one in arguments:
        shown(one, fuel)
