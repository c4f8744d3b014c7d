"""Names, and what is assigned to: the part of the interpreter that everything else stands on."""

from __future__ import annotations

import ast
import builtins
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from nodes.source import operations
from nodes.source.bounds import CONTAINERS, Beyond, Fuel, ordered
from nodes.source.frames import Function, Raised, Scope, unset

MISSING = object()
_ERRORS = {
    name: one
    for name, one in vars(builtins).items()
    if isinstance(one, type) and issubclass(one, Exception) and not issubclass(one, Warning)
}


class Bindings(ABC):
    """One program under evaluation."""

    def __init__(self, fuel: Fuel | None = None) -> None:
        self.fuel = fuel or Fuel()
        self.globals = Scope()
        self.calls: list[str] = []
        """Names of the program's functions in the order in which they were called."""
        self._written: list[str] = []
        self._length = 0
        self._handled: list[Raised] = []

    @property
    def written(self) -> str:
        """What was printed so far."""
        return "".join(self._written)

    @abstractmethod
    def run(self, body: Sequence[ast.stmt], scope: Scope) -> Any:
        """Execute statements."""

    def value(self, node: ast.expr, scope: Scope) -> Any:
        """Evaluate an expression."""
        self.fuel.burn()
        found = getattr(self, f"_{type(node).__name__}", None)
        if found is None:
            raise Beyond(f"{type(node).__name__} in line {node.lineno}")
        return found(node, scope)

    def _guard(self, node: ast.expr | ast.stmt, function: Callable[..., Any], *arguments: Any) -> Any:
        """Do one operation of the program on plain values: whatever Python raises then is the program's exception."""
        try:
            return function(*arguments)
        except (Beyond, Raised, RecursionError):
            raise
        except Exception as error:
            raise Raised(error, node.lineno) from error

    def _home(self, name: str, scope: Scope) -> Scope:
        """The scope that an assignment to `name` goes to."""
        if scope is self.globals or name in scope.own:
            return scope
        outer = scope.outer
        while outer is not None and outer is not self.globals:
            if name in outer.own:
                return outer
            outer = outer.outer
        return self.globals

    def _bind(self, name: str, value: Any, scope: Scope) -> None:
        self._home(name, scope).names[name] = value

    def _assign(self, target: ast.expr, value: Any, scope: Scope) -> None:
        if isinstance(target, ast.Name):
            self._bind(target.id, value, scope)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, value, scope)
        elif isinstance(target, ast.Subscript):
            owner, key = self.value(target.value, scope), self.value(target.slice, scope)
            self._guard(target, self._store, owner, key, value)
        else:
            raise Beyond(f"assignment in line {target.lineno}")

    def _unpack(self, target: ast.Tuple | ast.List, value: Any, scope: Scope) -> None:
        ordered(value)
        if not hasattr(value, "__iter__"):
            raise Raised(TypeError(f"cannot unpack non-iterable {type(value).__name__} object"), target.lineno)
        values = self._guard(target, self.fuel.items, value)
        wanted = len(target.elts)
        star = next((at for at, one in enumerate(target.elts) if isinstance(one, ast.Starred)), None)
        if star is not None:
            rest = len(values) - wanted + 1
            if rest < 0:
                words = f"not enough values to unpack (expected at least {wanted - 1}, got {len(values)})"
                raise Raised(ValueError(words), target.lineno)
            values[star : star + rest] = [values[star : star + rest]]
        elif len(values) != wanted:
            words = f"not enough values to unpack (expected {wanted}, got {len(values)})"
            if len(values) > wanted:
                words = f"too many values to unpack (expected {wanted})"
            raise Raised(ValueError(words), target.lineno)
        for one, part in zip(target.elts, values, strict=True):
            self._assign(one.value if isinstance(one, ast.Starred) else one, part, scope)

    def _store(self, owner: Any, key: Any, value: Any) -> None:
        if isinstance(owner, (Function, type)):
            raise Beyond("assignment to a part of a function")
        if isinstance(key, slice) and not isinstance(value, (str, *CONTAINERS)):
            value = self.fuel.items(value)
        self.fuel.touch(value if isinstance(key, slice) else key)
        owner[key] = value

    def _Name(self, node: ast.Name, scope: Scope) -> Any:
        home: Scope | None = scope
        while home is not None:
            if node.id in home.names:
                return home.names[node.id]
            if node.id in home.own:
                raise Raised(unset(node.id, home is scope), node.lineno)
            home = home.outer
        if node.id in self.globals.names:
            return self.globals.names[node.id]
        known = operations.BUILTINS.get(node.id, _ERRORS.get(node.id, MISSING))
        if known is not MISSING:
            return known
        if node.id in ("print", "__name__"):
            return {"print": print, "__name__": "__main__"}[node.id]
        if hasattr(builtins, node.id):
            raise Beyond(f"the built-in {node.id!r}")
        raise Raised(NameError(f"name {node.id!r} is not defined"), node.lineno)
