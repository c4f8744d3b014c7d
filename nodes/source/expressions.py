"""Expressions of an evaluated program: operators, displays, formatted strings, subscripts, comprehensions."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from nodes.source import operations
from nodes.source.bindings import MISSING, Bindings
from nodes.source.bounds import CONTAINERS, Beyond, fits, narrow, ordered, shown
from nodes.source.frames import Raised, Scope

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Expressions(Bindings):
    """Evaluates what is no call and no function."""

    def _Constant(self, node: ast.Constant, scope: Scope) -> Any:  # noqa: ARG002
        if isinstance(node.value, (bytes, complex)) or node.value is ...:
            raise Beyond(f"a constant in line {node.lineno}")
        return node.value

    def _NamedExpr(self, node: ast.NamedExpr, scope: Scope) -> Any:
        value = self.value(node.value, scope)
        self._assign(node.target, value, scope)
        return value

    def _BinOp(self, node: ast.BinOp, scope: Scope) -> Any:
        left, right = self.value(node.left, scope), self.value(node.right, scope)
        return self._guard(node, operations.binary, type(node.op), left, right, self.fuel)

    def _UnaryOp(self, node: ast.UnaryOp, scope: Scope) -> Any:
        return self._guard(node, operations.UNARY[type(node.op)], self.value(node.operand, scope))

    def _BoolOp(self, node: ast.BoolOp, scope: Scope) -> Any:
        stops = isinstance(node.op, ast.Or)
        for one in node.values:
            value = self.value(one, scope)
            if bool(value) == stops:
                break
        return value

    def _Compare(self, node: ast.Compare, scope: Scope) -> Any:
        left = self.value(node.left, scope)
        for operation, after in zip(node.ops, node.comparators, strict=True):
            right = self.value(after, scope)
            result = self._guard(node, operations.compare, type(operation), left, right, self.fuel)
            if not result:
                return result
            left = right
        return result

    def _IfExp(self, node: ast.IfExp, scope: Scope) -> Any:
        return self.value(node.body if self.value(node.test, scope) else node.orelse, scope)

    def _elements(self, nodes: Sequence[ast.expr], scope: Scope) -> list[Any]:
        """Values of a display or of arguments, starred ones spread."""
        found: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                spread = self.value(node.value, scope)
                ordered(spread)
                found += self._guard(node, self.fuel.items, spread)
            else:
                found.append(self.value(node, scope))
        fits(len(found))
        return found

    def _List(self, node: ast.List, scope: Scope) -> list[Any]:
        return self._elements(node.elts, scope)

    def _Tuple(self, node: ast.Tuple, scope: Scope) -> tuple[Any, ...]:
        return tuple(self._elements(node.elts, scope))

    def _Set(self, node: ast.Set, scope: Scope) -> Any:
        return self._guard(node, set, self._elements(node.elts, scope))

    def _Dict(self, node: ast.Dict, scope: Scope) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                self._guard(node, made.update, self.value(value, scope))
            else:
                one = self.value(key, scope)
                self._guard(node, made.__setitem__, one, self.value(value, scope))
        return made

    def _JoinedStr(self, node: ast.JoinedStr, scope: Scope) -> str:
        text = "".join(str(self.value(one, scope)) for one in node.values)
        fits(len(text))
        return text

    def _FormattedValue(self, node: ast.FormattedValue, scope: Scope) -> Any:
        value = self.value(node.value, scope)
        spec = self.value(node.format_spec, scope) if node.format_spec else ""
        narrow(spec, ":")
        shown(value, self.fuel)
        if node.conversion in (ord("r"), ord("a")):
            value = repr(value) if node.conversion == ord("r") else ascii(value)
        return self._guard(node, format, str(value) if node.conversion == ord("s") else value, spec)

    def _Subscript(self, node: ast.Subscript, scope: Scope) -> Any:
        owner = self.value(node.value, scope)
        return self._guard(node, self._subscript, owner, self.value(node.slice, scope))

    def _subscript(self, owner: Any, key: Any) -> Any:
        if isinstance(owner, type):
            raise Beyond("a type with parameters")
        found = owner[key]
        self.fuel.touch(found if isinstance(key, slice) else key)
        return found

    def _Slice(self, node: ast.Slice, scope: Scope) -> slice:
        return slice(*(self.value(one, scope) if one else None for one in (node.lower, node.upper, node.step)))

    def _Attribute(self, node: ast.Attribute, scope: Scope) -> Any:
        owner = self.value(node.value, scope)
        if isinstance(owner, operations.Module) and node.attr in owner.names:
            return owner.names[node.attr]
        if isinstance(owner, Exception) and node.attr == "args":
            return owner.args
        if isinstance(owner, type) and (owner, node.attr) in operations.OF_TYPES:
            return operations.OF_TYPES[owner, node.attr]
        if isinstance(owner, type) and node.attr in operations.METHODS.get(owner, ()):
            return operations.Method(owner, node.attr)
        if node.attr in operations.METHODS.get(type(owner), ()):
            return operations.Method(type(owner), node.attr, owner)
        if not isinstance(owner, (*CONTAINERS, str, int, float, type(None))):
            raise Beyond(f"attribute {node.attr!r}")
        self._guard(node, getattr, owner, node.attr)
        raise Beyond(f"attribute {node.attr!r}")

    # ---- comprehensions

    def _each(self, node: ast.expr, scope: Scope) -> Iterator[Any]:
        """The elements of what a loop goes over; what that is, is evaluated at once."""
        many = self.value(node, scope)
        ordered(many)
        return self._one_by_one(node, self._guard(node, iter, many))

    def _one_by_one(self, node: ast.expr, iterator: Iterator[Any]) -> Iterator[Any]:
        """One element at a time: the container may change on the way."""
        while (one := self._guard(node, next, iterator, MISSING)) is not MISSING:
            self.fuel.burn()
            yield one

    def _inner(self, node: Comprehension, scope: Scope) -> Iterator[Scope]:
        """One scope, again and again with the targets of the comprehension set."""
        targets = [one.target for one in node.generators]
        own = frozenset(name.id for one in targets for name in ast.walk(one) if isinstance(name, ast.Name))
        first = self._each(node.generators[0].iter, scope)
        return self._nested(node.generators, 0, first, Scope(own=own, outer=scope))

    def _nested(
        self, generators: Sequence[ast.comprehension], at: int, elements: Iterator[Any], scope: Scope
    ) -> Iterator[Scope]:
        for one in elements:
            self._assign(generators[at].target, one, scope)
            if not all(self.value(test, scope) for test in generators[at].ifs):
                continue
            if at + 1 == len(generators):
                yield scope
            else:
                yield from self._nested(generators, at + 1, self._each(generators[at + 1].iter, scope), scope)

    def _ListComp(self, node: ast.ListComp, scope: Scope) -> list[Any]:
        return self.fuel.items(self.value(node.elt, inner) for inner in self._inner(node, scope))

    def _SetComp(self, node: ast.SetComp, scope: Scope) -> Any:
        found = self.fuel.items(self.value(node.elt, inner) for inner in self._inner(node, scope))
        return self._guard(node, set, found)

    def _GeneratorExp(self, node: ast.GeneratorExp, scope: Scope) -> Iterator[Any]:
        return self._lazily(node, self._inner(node, scope))

    def _lazily(self, node: ast.GeneratorExp, scopes: Iterator[Scope]) -> Iterator[Any]:
        try:
            for inner in scopes:
                yield self.value(node.elt, inner)
        except Raised as raised:
            if isinstance(raised.error, StopIteration):
                # Raised outside of the generator, in the line that asked it for the next element.
                raise RuntimeError("generator raised StopIteration") from raised
            raise

    def _DictComp(self, node: ast.DictComp, scope: Scope) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for inner in self._inner(node, scope):
            key = self.value(node.key, inner)
            self._guard(node, made.__setitem__, key, self.value(node.value, inner))
            fits(len(made))
        return made
