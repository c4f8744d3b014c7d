"""Calls of an evaluated program: its own functions with their closures, built-in ones, and `print`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from nodes.source import operations
from nodes.source.bounds import CONTAINERS, WRITTEN, Beyond, Unsaid, shown
from nodes.source.expressions import Expressions
from nodes.source.frames import Function, Raised, Return, Scope, bound, own_names


class Calls(Expressions):
    """Makes functions and calls them."""

    def _Lambda(self, node: ast.Lambda, scope: Scope) -> Function:
        return self._function("<lambda>", node.args, node.body, scope)

    def _function(self, name: str, arguments: ast.arguments, body: list[ast.stmt] | ast.expr, scope: Scope) -> Function:
        return Function(
            name=name,
            arguments=arguments,
            body=body,
            scope=scope,
            defaults=[self.value(one, scope) for one in arguments.defaults],
            named_defaults={
                one.arg: self.value(default, scope)
                for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
                if default is not None
            },
            own=own_names(arguments, body),
        )

    def _Call(self, node: ast.Call, scope: Scope) -> Any:
        if isinstance(node.func, ast.Attribute):
            owner = self.value(node.func.value, scope)
            if isinstance(owner, tuple(operations.METHODS)):
                arguments, named = self._elements(node.args, scope), self._named(node, scope)
                return self._guard(
                    node, operations.method, owner, node.func.attr, arguments, named, self._called, self.fuel
                )
        function = self.value(node.func, scope)
        arguments, named = self._elements(node.args, scope), self._named(node, scope)
        return self._guard(node, self.call, function, arguments, named)

    def _named(self, node: ast.Call, scope: Scope) -> dict[str, Any]:
        named: dict[str, Any] = {}
        for one in node.keywords:
            value = self.value(one.value, scope)
            if one.arg is None and not isinstance(value, dict):
                raise Beyond("** of something else")
            named |= value if one.arg is None else {one.arg: value}
        return named

    def _called(self, function: Any, arguments: Sequence[Any]) -> Any:
        return self.call(function, list(arguments), {})

    def call(self, function: Any, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Call a function of the program or a built-in one."""
        if function is print:
            return self._print(arguments, named)
        if isinstance(function, Function):
            return self._enter(function, arguments, named)
        if operations.is_builtin(function):
            return operations.builtin(function, arguments, named, self._called, self.fuel)
        if isinstance(function, operations.Method):
            owner = [function.owner] if function.owner is not None else arguments[:1]
            rest = arguments if function.owner is not None else arguments[1:]
            if not owner or type(owner[0]) is not function.kind:
                raise TypeError(Unsaid())
            return operations.method(owner[0], function.name, rest, named, self._called, self.fuel)
        if isinstance(function, type) and issubclass(function, Exception):
            return function(*arguments)
        if isinstance(function, (*CONTAINERS, str, int, float, type(None))):
            raise TypeError(f"{type(function).__name__!r} object is not callable")
        raise Beyond("a call of something else")

    def _enter(self, function: Function, arguments: list[Any], named: dict[str, Any]) -> Any:
        scope = Scope(own=function.own, outer=function.scope if function.scope is not self.globals else None)
        scope.names = bound(function, arguments, named)
        try:
            if isinstance(function.body, ast.expr):
                return self.value(function.body, scope)
            self.calls.append(function.name)
            done = self.run(function.body, scope)
        except (Beyond, Raised, RecursionError):
            raise
        except Exception as error:  # a fault of this interpreter, which must not pass for the program's
            raise Beyond(f"a call of {function.name}: {error!r}") from error
        return done.value if isinstance(done, Return) else None

    def _print(self, arguments: list[Any], named: dict[str, Any]) -> None:
        if set(named) - {"sep", "end", "flush"}:
            raise Beyond("print to somewhere else")
        for one in arguments:
            if not isinstance(one, type):
                shown(one, self.fuel)
        separator, end = (named.get(name, plain) for name, plain in (("sep", " "), ("end", "\n")))
        text = (" " if separator is None else separator).join(map(str, arguments)) + ("\n" if end is None else end)
        self._length += len(text)
        if self._length > WRITTEN:
            raise Beyond("it prints too much")
        self._written.append(text)
