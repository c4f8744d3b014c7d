"""Evaluates a small, pure part of Python by walking its syntax tree: what it prints, returns and raises, and where.

Nothing is executed: no import but constants and functions of `math`, no file, no clock, no attribute but the methods of
plain values, and every step is counted. Numbers, strings, lists, tuples, dictionaries, sets, functions with closures,
comprehensions, exceptions and loops behave exactly as in Python, because each operation on values is Python's own.
Classes, generators, files and everything else are `Beyond`: the sandbox may run them, here nobody guesses.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from nodes.source import operations
from nodes.source.bounds import Beyond
from nodes.source.calls import Calls
from nodes.source.frames import Raised, Return, Scope, own_nodes

_BREAK, _CONTINUE = object(), object()


class Interpreter(Calls):
    """One program under evaluation."""

    def run(self, body: Sequence[ast.stmt], scope: Scope) -> Any:
        """Execute statements: None, a Return, or the sign of a loop that is left."""
        for statement in body:
            self.fuel.burn()
            done = self._statement(statement)(statement, scope)
            if done is not None:
                return done
        return None

    def _statement(self, statement: ast.stmt) -> Callable[[Any, Scope], Any]:
        found: Callable[[Any, Scope], Any] | None = getattr(self, f"_do_{type(statement).__name__}", None)
        if found is None:
            raise Beyond(f"{type(statement).__name__} in line {statement.lineno}")
        return found

    def _do_Expr(self, node: ast.Expr, scope: Scope) -> None:
        self.value(node.value, scope)

    def _do_Pass(self, node: ast.Pass, scope: Scope) -> None:
        """Nothing."""

    def _do_Break(self, node: ast.Break, scope: Scope) -> object:  # noqa: ARG002
        return _BREAK

    def _do_Continue(self, node: ast.Continue, scope: Scope) -> object:  # noqa: ARG002
        return _CONTINUE

    def _do_Return(self, node: ast.Return, scope: Scope) -> Return:
        return Return(self.value(node.value, scope) if node.value else None)

    def _do_Global(self, node: ast.Global, scope: Scope) -> None:
        """Known from the function's own names."""

    _do_Nonlocal = _do_Global

    def _do_Assign(self, node: ast.Assign, scope: Scope) -> None:
        value = self.value(node.value, scope)
        for target in node.targets:
            self._assign(target, value, scope)

    def _do_AnnAssign(self, node: ast.AnnAssign, scope: Scope) -> None:
        if node.value:
            self._assign(node.target, self.value(node.value, scope), scope)

    def _do_AugAssign(self, node: ast.AugAssign, scope: Scope) -> None:
        kind, target = type(node.op), node.target
        if isinstance(target, ast.Name):
            old = self.value(ast.copy_location(ast.Name(target.id, ast.Load()), target), scope)
            new = self._guard(node, operations.binary, kind, old, self.value(node.value, scope), self.fuel, True)
            self._assign(target, new, scope)
        elif isinstance(target, ast.Subscript):
            owner, key = self.value(target.value, scope), self.value(target.slice, scope)
            old = self._guard(target, self._subscript, owner, key)
            new = self._guard(node, operations.binary, kind, old, self.value(node.value, scope), self.fuel, True)
            self._guard(node, self._store, owner, key, new)
        else:
            raise Beyond(f"assignment in line {node.lineno}")

    def _do_Delete(self, node: ast.Delete, scope: Scope) -> None:
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                owner, key = self.value(target.value, scope), self.value(target.slice, scope)
                self._guard(target, lambda owner=owner, key=key: owner.__delitem__(key))
            elif isinstance(target, ast.Name) and target.id in scope.names:
                del scope.names[target.id]
            else:
                raise Beyond(f"del in line {node.lineno}")

    def _do_If(self, node: ast.If, scope: Scope) -> Any:
        return self.run(node.body if self.value(node.test, scope) else node.orelse, scope)

    def _do_While(self, node: ast.While, scope: Scope) -> Any:
        while self.value(node.test, scope):
            done = self.run(node.body, scope)
            if done is _BREAK:
                return None
            if isinstance(done, Return):
                return done
        return self.run(node.orelse, scope)

    def _do_For(self, node: ast.For, scope: Scope) -> Any:
        for one in self._each(node.iter, scope):
            self._assign(node.target, one, scope)
            done = self.run(node.body, scope)
            if done is _BREAK:
                return None
            if isinstance(done, Return):
                return done
        return self.run(node.orelse, scope)

    def _do_FunctionDef(self, node: ast.FunctionDef, scope: Scope) -> None:
        if node.decorator_list or any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in own_nodes(node.body)):
            raise Beyond(f"the function in line {node.lineno}")
        self._bind(node.name, self._function(node.name, node.args, node.body, scope), scope)

    def _do_Import(self, node: ast.Import, scope: Scope) -> None:
        for one in node.names:
            if one.name != "math":
                raise Beyond(f"import of {one.name}")
            self._bind(one.asname or one.name, operations.Module(operations.MATH), scope)

    def _do_ImportFrom(self, node: ast.ImportFrom, scope: Scope) -> None:
        for one in node.names:
            if node.module == "typing":
                continue
            if node.module != "math" or one.name not in operations.MATH:
                raise Beyond(f"import from {node.module}")
            self._bind(one.asname or one.name, operations.MATH[one.name], scope)

    def _do_Assert(self, node: ast.Assert, scope: Scope) -> None:
        if not self.value(node.test, scope):
            words = [self.value(node.msg, scope)] if node.msg else []
            raise Raised(AssertionError(*words), node.lineno)

    def _do_Raise(self, node: ast.Raise, scope: Scope) -> None:
        if node.exc is None:
            error: Any = self._handled[-1].error if self._handled else RuntimeError("No active exception to reraise")
        else:
            error = self.value(node.exc, scope)
        if isinstance(error, type):
            error = error()
        if not isinstance(error, Exception):
            raise Beyond(f"raise in line {node.lineno}")
        # An exception that is raised again still comes from where it came up.
        raise next((one for one in self._handled if one.error is error), None) or Raised(error, node.lineno)

    def _do_Try(self, node: ast.Try, scope: Scope) -> Any:
        try:
            done = self._tried(node, scope)
        except Raised:
            left = self.run(node.finalbody, scope)
            if left is not None:
                return left
            raise
        left = self.run(node.finalbody, scope)
        return done if left is None else left

    def _tried(self, node: ast.Try, scope: Scope) -> Any:
        try:
            done = self.run(node.body, scope)
        except Raised as raised:
            for handler in node.handlers:
                if handler.type is None or self._catches(self.value(handler.type, scope), raised.error):
                    return self._handle(handler, raised, scope)
            raise
        return self.run(node.orelse, scope) if done is None else done

    def _catches(self, kinds: Any, error: Exception) -> bool:
        wanted = kinds if isinstance(kinds, tuple) else (kinds,)
        if not all(isinstance(one, type) and issubclass(one, BaseException) for one in wanted):
            raise Beyond("an except clause")
        return isinstance(error, wanted)

    def _handle(self, handler: ast.ExceptHandler, raised: Raised, scope: Scope) -> Any:
        if handler.name:
            self._bind(handler.name, raised.error, scope)
        self._handled.append(raised)
        try:
            return self.run(handler.body, scope)
        finally:
            self._handled.pop()
            if handler.name:
                self._home(handler.name, scope).names.pop(handler.name, None)
