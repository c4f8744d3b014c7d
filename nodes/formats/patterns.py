r"""Regular expressions of a schema: read as ECMA-262 means them, and refused where matching could take for ever.

Python's matcher backtracks, and a schema comes from anybody. Before a pattern is used, the ways in which it could be
matched against the longest text of the instance are counted (choices of each repeat and branch, multiplied along the
pattern); with more than `COST` ways it is refused (FormatFault `pattern`). A repeat whose every round begins or ends
with a sign that stands nowhere else in the round, such as `(-[a-z]+)*`, has one way only. Nested repeats without such a
sign are the root of exponential time (Weideman et al. 2016, "Analyzing matching time behavior of backtracking regular
expression matchers"). Some harmless patterns are refused too: that is said, never guessed.
"""

from __future__ import annotations

import re
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from nodes.formats.faults import FormatFault

LONGEST = 1_000
"""Characters of a pattern."""
COST = 20_000_000.0
"""Ways to match that are tried at the most."""
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
_OUTSIDE = {"d": "[0-9]", "D": "[^0-9]", "w": "[A-Za-z0-9_]", "W": "[^A-Za-z0-9_]", "/": "/", "-": "-"}
_INSIDE = {"d": "0-9", "w": "A-Za-z0-9_", "/": "/"}
_LETTERS = {"L", "Letter", "Alphabetic"}
_PROPERTY = re.compile(r"\\[pP]\{([A-Za-z_=]{1,40})\}")
_OTHER = 128
"""Stands for every character beyond ASCII."""
_ALL = frozenset(range(_OTHER + 1))


def translated(pattern: str) -> str:
    r"""The same pattern for Python: `$` is the very end, `\d` and `\w` are ASCII, `\p{L}` is a letter."""
    if len(pattern) > LONGEST:
        raise FormatFault("pattern", f"a pattern of {len(pattern)} characters")
    out, at, inside = [], 0, False
    while at < len(pattern):
        sign = pattern[at]
        if sign == "\\":
            piece, at = _escape(pattern, at, inside)
        else:
            piece, at, inside = _plain(pattern, at, inside)
        out.append(piece)
    return "".join(out)


def _plain(pattern: str, at: int, inside: bool) -> tuple[str, int, bool]:
    """One sign that is no escape; where the next one is; whether that is inside a class."""
    sign = pattern[at]
    if inside:
        # Doubled signs are to mean set operations in some later Python: they are single characters here.
        doubled = sign in "-&~|" and pattern[at - 1] == sign
        return (f"\\{sign}" if sign == "[" or doubled else sign), at + 1, sign != "]"
    if re.match(r"\(\?<[A-Za-z_]", pattern[at : at + 4]):
        return "(?P<", at + 3, False
    return (r"\Z" if sign == "$" else sign), at + 1, sign == "["


def _escape(pattern: str, at: int, inside: bool) -> tuple[str, int]:
    """One escape from `at`, and where it ends."""
    letter = pattern[at + 1 : at + 2]
    if letter in ("p", "P"):
        named = _PROPERTY.match(pattern, at)
        if named is None or named[1].rpartition("=")[2] not in _LETTERS or inside:
            raise FormatFault("pattern", f"the character property in {pattern!r} is not known")
        return (r"[^\W\d_]" if letter == "p" else r"[\W\d_]"), named.end()
    if letter == "c":
        return f"\\x{ord(pattern[at + 2 : at + 3] or '@') % 32:02x}", at + 3
    return (_INSIDE if inside else _OUTSIDE).get(letter, f"\\{letter}"), at + 2


def screened(pattern: str, length: int) -> str:
    """The translated pattern, if it can be matched against `length` characters in bounded time. Raises FormatFault."""
    python = translated(pattern)
    try:
        tree = _parser.parse(python)
        re.compile(python)
        starts = 1 if len(tree) and tree[0] == (codes.AT, codes.AT_BEGINNING) else length
        ways = _ways(tree, max(length, 2)) * max(starts, 1)
    except (re.error, RecursionError, OverflowError) as error:
        raise FormatFault("pattern", f"{pattern!r} is no pattern that can be read: {error}") from error
    if ways > COST:
        raise FormatFault("pattern", f"{pattern!r} could be matched in more ways than are tried")
    return python


def _ways(tree: Any, length: int) -> float:
    """Ways to match a sequence, infinity included."""
    total = 1.0
    for code, argument in tree:
        total *= _choices(code, argument, length)
        if total > COST:
            return float("inf")
    return total


def _choices(code: Any, argument: Any, length: int) -> float:
    """Ways to match one part."""
    if code in _REPEATS:
        return _rounds(argument, length)
    if code == codes.BRANCH:
        ways = [_ways(branch, length) for branch in argument[1]]
        return max(ways) if _apart(argument[1]) else sum(ways)
    if code in (codes.GROUPREF, codes.GROUPREF_EXISTS):
        return float("inf")
    total = 1.0
    for child in _children(argument):
        total *= _ways(child, length)
    return total


def _rounds(argument: Any, length: int) -> float:
    """Ways of a repeat: how often, times how each round is matched."""
    low, high, body = argument
    most = min(int(high), length + 1)
    inner = _ways(body, length)
    often = float(most - min(int(low), most) + 1)
    if inner == 1.0:
        return often
    if _marked(body, length):
        return often * length
    return float("inf") if most > 300 else min(inner**most * often, 1e18)


def _marked(body: Any, length: int) -> bool:
    """True when the first or the last sign of every round stands nowhere else in the round, and what is between has
    one way: a single simple repeat.
    """
    parts = _flat(body)
    varying = [part for part in parts if _choices(part[0], part[1], length) != 1.0]
    if len(parts) < 2 or len(varying) != 1 or varying[0][0] not in _REPEATS or _ways(varying[0][1][2], length) != 1.0:
        return False
    ends = ((parts[0], parts[1:]), (parts[-1], parts[:-1]))
    return any(mark not in varying and not _signs([mark]) & _signs(rest) for mark, rest in ends)


def _apart(branches: Any) -> bool:
    """True when no two branches can begin with the same sign."""
    first = [
        _signs(branch[:1]) if len(branch) and branch[0][0] in (codes.LITERAL, codes.IN) else _ALL for branch in branches
    ]
    return sum(map(len, first)) == len(frozenset().union(*first))


def _flat(tree: Any) -> list[Any]:
    """The parts of a sequence, plain groups opened."""
    out: list[Any] = []
    for code, argument in tree:
        out += _flat(argument[3]) if code == codes.SUBPATTERN else [(code, argument)]
    return out


def _children(argument: Any) -> list[Any]:
    """The sub-patterns inside one part's argument."""
    if isinstance(argument, _parser.SubPattern):
        return [argument]
    if isinstance(argument, list | tuple):
        return [child for part in argument for child in _children(part)]
    return []


def _signs(tree: Any) -> frozenset[int]:
    """Characters that may stand in what a sequence matches; everything where that is not easily known."""
    found: frozenset[int] = frozenset()
    for code, argument in tree:
        if code == codes.LITERAL:
            found |= {min(argument, _OTHER)}
        elif code == codes.IN:
            found |= _members(argument)
        elif code in _REPEATS:
            found |= _signs(argument[2])
        elif code == codes.SUBPATTERN:
            found |= _signs(argument[3])
        elif code == codes.BRANCH:
            found = found.union(*(_signs(branch) for branch in argument[1]))
        elif code != codes.AT:
            return _ALL
    return found


def _members(items: Any) -> frozenset[int]:
    """Characters of a class."""
    found: set[int] = set()
    for code, argument in items:
        if code == codes.LITERAL:
            found.add(min(argument, _OTHER))
        elif code == codes.RANGE:
            found.update(range(min(argument[0], _OTHER), min(argument[1], _OTHER) + 1))
        elif code != codes.NEGATE:
            return _ALL
    negated = bool(items) and items[0][0] == codes.NEGATE
    return (_ALL - found | {_OTHER}) if negated else frozenset(found)
