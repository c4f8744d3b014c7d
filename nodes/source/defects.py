"""What a reader of Python looks for first: who calls whom, which exceptions are raised, and classic defects."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from nodes.source.names import unbound

_MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_SHADOWED = frozenset(
    ("list", "dict", "set", "str", "int", "float", "len", "sum", "min", "max", "sorted", "type", "id", "input", "print")
)
_CHANGES = frozenset(("append", "remove", "pop", "insert", "clear", "extend", "add", "discard", "update"))


@dataclass(frozen=True)
class Defect:
    """One suspicious place."""

    line: int
    kind: str
    why: str


def call_chain(module: ast.Module) -> list[tuple[str, str]]:
    """Caller and called function, for functions that the module defines, in order of lines."""
    known = {node.name for node in ast.walk(module) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
    found: dict[tuple[str, str], None] = {}
    for caller, call in _calls(module, "module"):
        name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
        if name in known:
            found[caller, name] = None
    return list(found)


def _calls(node: ast.AST, inside: str) -> Iterator[tuple[str, ast.Call]]:
    waiting = [(node, inside)]
    while waiting:
        one, owner = waiting.pop()
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
            owner = one.name
        if isinstance(one, ast.Call):
            yield owner, one
        waiting += [(child, owner) for child in reversed(list(ast.iter_child_nodes(one)))]


def raised(module: ast.Module) -> list[tuple[int, str]]:
    """Line and exception of each `raise` and `assert`."""
    found = []
    for node in ast.walk(module):
        if isinstance(node, ast.Raise):
            thrown = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            found.append((node.lineno, _title(thrown) if thrown else "the same again"))
        elif isinstance(node, ast.Assert):
            found.append((node.lineno, "AssertionError"))
    return sorted(found)


def _title(thrown: ast.expr) -> str:
    name: str = thrown.id if isinstance(thrown, ast.Name) else getattr(thrown, "attr", "an expression")
    return name


def defects(source: str, module: ast.Module) -> list[Defect]:
    """Classic defects, in order of lines."""
    found = [Defect(line, "unbound name", f"nothing binds {name!r}") for name, line in unbound(source)]
    for node in ast.walk(module):
        found += _of_function(node)
        found += _of_comparison(node)
        found += _of_handler(node)
        found += _of_loop(node)
        found += _unreachable(node)
    return sorted(set(found), key=lambda one: (one.line, one.kind))


def _of_function(node: ast.AST) -> Iterator[Defect]:
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return
    arguments = node.args
    for default in [*arguments.defaults, *filter(None, arguments.kw_defaults)]:
        if isinstance(default, _MUTABLE):
            yield Defect(default.lineno, "mutable default", "all calls share this one object")
    for one in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
        if one.arg in _SHADOWED:
            yield Defect(one.lineno, "shadowed built-in", f"the parameter hides {one.arg!r}")


def _of_comparison(node: ast.AST) -> Iterator[Defect]:
    if not isinstance(node, ast.Compare):
        return
    for operation, value in zip(node.ops, node.comparators, strict=True):
        literal = isinstance(value, ast.Constant) and isinstance(value.value, (int, str, float))
        if isinstance(operation, (ast.Is, ast.IsNot)) and literal and not isinstance(getattr(value, "value", 0), bool):
            yield Defect(node.lineno, "identity of a literal", "`is` compares objects, not values")


def _of_handler(node: ast.AST) -> Iterator[Defect]:
    if (
        isinstance(node, ast.ExceptHandler)
        and node.type is None
        and not any(isinstance(one, ast.Raise) for one in node.body)
    ):
        yield Defect(node.lineno, "bare except", "it swallows every exception")


def _of_loop(node: ast.AST) -> Iterator[Defect]:
    if not isinstance(node, ast.For) or not isinstance(node.iter, ast.Name):
        return
    for inner in ast.walk(node):
        change = isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and inner.func.attr in _CHANGES
        if change and isinstance(inner.func.value, ast.Name) and inner.func.value.id == node.iter.id:  # type: ignore[attr-defined]
            yield Defect(
                node.lineno, "changed while iterated", f"the loop changes {node.iter.id!r}, over which it goes"
            )


def _unreachable(node: ast.AST) -> Iterator[Defect]:
    body = getattr(node, "body", None)
    if not isinstance(body, list):
        return
    for before, after in pairwise(body):
        if isinstance(before, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            yield Defect(after.lineno, "unreachable", "nothing behind it in this block is reached")
            return
