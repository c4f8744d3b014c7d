"""Names in Python source: which scope has which, and which are used although nothing binds them (`symtable`)."""

from __future__ import annotations

import ast
import builtins
import symtable
from collections.abc import Iterable, Iterator

from nodes.source.bounds import Beyond
from nodes.source.syntax import table, tree

_ALWAYS = frozenset(dir(builtins)) | {"__file__", "__name__", "__doc__", "__builtins__", "__annotations__"}
_EXECUTES = frozenset(("exec", "eval", "globals", "locals", "vars", "setattr"))


def tables(source: str) -> list[symtable.SymbolTable]:
    """Every scope, the module first, in order of lines. Empty for source that does not compile."""
    try:
        waiting = [table(source)]
    except (SyntaxError, Beyond):
        return []
    found = []
    while waiting:
        one = waiting.pop(0)
        found.append(one)
        waiting += one.get_children()
    return found


def scopes(source: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """Scope, kind of binding (`local`, `global`, `free`, `parameter`) and its names."""
    found = []
    for scope in tables(source):
        kinds: dict[str, list[str]] = {}
        for symbol in scope.get_symbols():
            kinds.setdefault(_kind(scope, symbol), []).append(symbol.get_name())
        title = "module" if scope.get_type() == "module" else f"{scope.get_type()} {scope.get_name()}"
        found += [(title, kind, tuple(sorted(names))) for kind, names in sorted(kinds.items())]
    return found


def _kind(scope: symtable.SymbolTable, symbol: symtable.Symbol) -> str:
    if symbol.is_parameter():
        return "parameter"
    if symbol.is_free():
        return "free"
    own = symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
    if scope.get_type() == "module":
        return "local" if own else "global"
    return "local" if symbol.is_local() else "global"


def bound(source: str) -> frozenset[str]:
    """Names that the module level binds, in any way."""
    everywhere = tables(source)
    if not everywhere:
        return frozenset()
    own = {one.get_name() for one in everywhere[0].get_symbols() if _kind(everywhere[0], one) == "local"}
    declared = {one.get_name() for scope in everywhere[1:] for one in scope.get_symbols() if one.is_declared_global()}
    return frozenset(own | declared)


def unbound(source: str, known: Iterable[str] = ()) -> list[tuple[str, int]]:
    """Names that are read although nothing binds them, each with its first line. `known` are bound elsewhere.

    Empty where names may come from somewhere that cannot be seen: a star import, `exec`, `globals()`.
    """
    module = tree(source)
    if module is None or any(_hides(node) for node in ast.walk(module)):
        return []
    settled = bound(source) | _ALWAYS | set(known)
    wanted = {
        one.get_name()
        for scope in tables(source)
        for one in scope.get_symbols()
        if one.is_referenced() and one.get_name() not in settled and _looked_up_globally(scope, one)
    }
    return [(name, line) for name, line in _first_uses(module) if name in wanted]


def _looked_up_globally(scope: symtable.SymbolTable, symbol: symtable.Symbol) -> bool:
    return symbol.is_global() or (scope.get_type() == "module" and not symbol.is_assigned())


def _hides(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return any(one.name == "*" for one in node.names)
    return isinstance(node, ast.Name) and node.id in _EXECUTES


def _first_uses(module: ast.Module) -> Iterator[tuple[str, int]]:
    seen: set[str] = set()
    uses = [one for one in ast.walk(module) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]
    for one in sorted(uses, key=lambda use: (use.lineno, use.col_offset)):
        if one.id not in seen:
            seen.add(one.id)
            yield one.id, one.lineno
