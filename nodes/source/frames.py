"""What an evaluated program is made of while it runs: scopes, functions, returns and exceptions on their way."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from nodes.source.bounds import Unsaid


class Raised(Exception):
    """An exception of the program, with the line (from 1) where it came up."""

    def __init__(self, error: Exception, line: int) -> None:
        super().__init__(str(error))
        self.error = error
        self.line = line


@dataclass
class Scope:
    """The names of one call, or of the module."""

    names: dict[str, Any] = field(default_factory=dict)
    own: frozenset[str] = frozenset()
    """Names that the function assigns; unset ones are an UnboundLocalError."""
    outer: Scope | None = None
    """The enclosing function."""


@dataclass
class Function:
    """A function of the program."""

    name: str
    arguments: ast.arguments
    body: list[ast.stmt] | ast.expr
    scope: Scope
    defaults: list[Any]
    named_defaults: dict[str, Any]
    own: frozenset[str]


@dataclass(frozen=True)
class Return:
    """A function is done."""

    value: Any


def bound(function: Function, arguments: list[Any], named: dict[str, Any]) -> dict[str, Any]:
    """The names of a call by parameter. Raises TypeError as Python does, if without its words."""
    told = function.arguments
    parameters = [one.arg for one in (*told.posonlyargs, *told.args)]
    by_keyword = {one.arg for one in (*told.args, *told.kwonlyargs)}
    names = dict(zip(parameters, arguments, strict=False))
    rest = arguments[len(parameters) :]
    if rest and told.vararg is None:
        raise TypeError(Unsaid())
    others: dict[str, Any] = {}
    for name, value in named.items():
        if name in names and name in by_keyword:
            raise TypeError(Unsaid())
        (names if name in by_keyword else others)[name] = value
    if others and told.kwarg is None:
        raise TypeError(Unsaid())
    defaults = dict(zip(parameters[len(parameters) - len(function.defaults) :], function.defaults, strict=True))
    names = {**defaults, **function.named_defaults, **names}
    if not {*parameters, *(one.arg for one in told.kwonlyargs)} <= set(names):
        raise TypeError(Unsaid())
    if told.vararg:
        names[told.vararg.arg] = tuple(rest)
    if told.kwarg:
        names[told.kwarg.arg] = others
    return names


def unset(name: str, local: bool) -> NameError:
    """What Python raises for a name whose scope is known but that has no value yet."""
    if local:
        return UnboundLocalError(f"cannot access local variable {name!r} where it is not associated with a value")
    return NameError(f"cannot access free variable {name!r} where it is not associated with a value in enclosing scope")


def own_nodes(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of a function without those of functions, classes and comprehensions inside it."""
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.comprehension):
            waiting += [node.iter, *node.ifs]
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting.extend(ast.iter_child_nodes(node))


def own_names(arguments: ast.arguments, body: list[ast.stmt] | ast.expr) -> frozenset[str]:
    """Names that belong to a call of the function: its parameters and what it assigns."""
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    names = {one.arg for one in every if one is not None}
    given_away: set[str] = set()
    for node in own_nodes(body if isinstance(body, list) else [body]):
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            names.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            given_away.update(node.names)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update(one.asname or one.name for one in node.names)
    return frozenset(names - given_away)
