"""Evaluates a small, pure part of Python by walking its syntax tree: what it prints, returns and raises, and where.

Nothing is executed: no import but constants and functions of `math`, no file, no clock, no attribute but the methods of
plain values, and every step is counted. Numbers, strings, lists, tuples, dictionaries, sets, functions with closures,
comprehensions, exceptions and loops behave exactly as in Python, because each operation on values is Python's own.
Classes, generators, files and everything else are `Beyond`: the sandbox may run them, here nobody guesses.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from nodes.source import operations
from nodes.source.bounds import CONTAINERS, WRITTEN, Beyond, Fuel, Unsaid, fits, narrow, ordered, shown

_MISSING = object()
_BREAK, _CONTINUE = object(), object()
_ERRORS = {
    name: one
    for name, one in vars(builtins).items()
    if isinstance(one, type) and issubclass(one, Exception) and not issubclass(one, Warning)
}


Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


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


class Interpreter:
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

    def run(self, body: Sequence[ast.stmt], scope: Scope) -> Any:
        """Execute statements: None, a Return, or the sign of a loop that is left."""
        for statement in body:
            self.fuel.burn()
            done = self._statement(statement)(statement, scope)
            if done is not None:
                return done
        return None

    def value(self, node: ast.expr, scope: Scope) -> Any:
        """Evaluate an expression."""
        self.fuel.burn()
        found = getattr(self, f"_{type(node).__name__}", None)
        if found is None:
            raise Beyond(f"{type(node).__name__} in line {node.lineno}")
        return found(node, scope)

    def _statement(self, statement: ast.stmt) -> Callable[[Any, Scope], Any]:
        found: Callable[[Any, Scope], Any] | None = getattr(self, f"_do_{type(statement).__name__}", None)
        if found is None:
            raise Beyond(f"{type(statement).__name__} in line {statement.lineno}")
        return found

    def _guard(self, node: ast.expr | ast.stmt, function: Callable[..., Any], *arguments: Any) -> Any:
        """Do one operation of the program on plain values: whatever Python raises then is the program's exception."""
        try:
            return function(*arguments)
        except (Beyond, Raised, RecursionError):
            raise
        except Exception as error:
            raise Raised(error, node.lineno) from error

    # ---- statements

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
            owner, key = self.value(target.value, scope), self._key(target.slice, scope)
            old = self._guard(target, self._subscript, owner, key)
            new = self._guard(node, operations.binary, kind, old, self.value(node.value, scope), self.fuel, True)
            self._guard(node, self._store, owner, key, new)
        else:
            raise Beyond(f"assignment in line {node.lineno}")

    def _do_Delete(self, node: ast.Delete, scope: Scope) -> None:
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                owner, key = self.value(target.value, scope), self._key(target.slice, scope)
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
        if node.decorator_list or any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in _own_nodes(node.body)):
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

    # ---- names and targets

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
            owner, key = self.value(target.value, scope), self._key(target.slice, scope)
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

    # ---- expressions

    def _Constant(self, node: ast.Constant, scope: Scope) -> Any:  # noqa: ARG002
        if isinstance(node.value, (bytes, complex)) or node.value is ...:
            raise Beyond(f"a constant in line {node.lineno}")
        return node.value

    def _Name(self, node: ast.Name, scope: Scope) -> Any:
        home: Scope | None = scope
        while home is not None:
            if node.id in home.names:
                return home.names[node.id]
            if node.id in home.own:
                raise Raised(_unset(node.id, home is scope), node.lineno)
            home = home.outer
        if node.id in self.globals.names:
            return self.globals.names[node.id]
        known = operations.BUILTINS.get(node.id, _ERRORS.get(node.id, _MISSING))
        if known is not _MISSING:
            return known
        if node.id in ("print", "__name__"):
            return {"print": print, "__name__": "__main__"}[node.id]
        if hasattr(builtins, node.id):
            raise Beyond(f"the built-in {node.id!r}")
        raise Raised(NameError(f"name {node.id!r} is not defined"), node.lineno)

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
        return self._guard(node, self._subscript, owner, self._key(node.slice, scope))

    def _subscript(self, owner: Any, key: Any) -> Any:
        if isinstance(owner, type):
            raise Beyond("a type with parameters")
        found = owner[key]
        self.fuel.touch(found if isinstance(key, slice) else key)
        return found

    def _key(self, node: ast.expr, scope: Scope) -> Any:
        return self.value(node, scope)

    def _Slice(self, node: ast.Slice, scope: Scope) -> slice:
        return slice(*(self.value(one, scope) if one else None for one in (node.lower, node.upper, node.step)))

    def _Attribute(self, node: ast.Attribute, scope: Scope) -> Any:
        owner = self.value(node.value, scope)
        if isinstance(owner, operations.Module) and node.attr in owner.names:
            return owner.names[node.attr]
        if isinstance(owner, Exception) and node.attr == "args":
            return owner.args
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
        while (one := self._guard(node, next, iterator, _MISSING)) is not _MISSING:
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
        scopes = self._inner(node, scope)
        return (self.value(node.elt, inner) for inner in scopes)

    def _DictComp(self, node: ast.DictComp, scope: Scope) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for inner in self._inner(node, scope):
            key = self.value(node.key, inner)
            self._guard(node, made.__setitem__, key, self.value(node.value, inner))
            fits(len(made))
        return made

    # ---- functions

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
            own=_own_names(arguments, body),
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


def _unset(name: str, local: bool) -> NameError:
    """What Python raises for a name whose scope is known but that has no value yet."""
    if local:
        return UnboundLocalError(f"cannot access local variable {name!r} where it is not associated with a value")
    return NameError(f"cannot access free variable {name!r} where it is not associated with a value in enclosing scope")


def _own_nodes(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of a function without those of functions, classes and comprehensions inside it."""
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.comprehension):
            waiting += [node.iter, *node.ifs]
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting.extend(ast.iter_child_nodes(node))


def _own_names(arguments: ast.arguments, body: list[ast.stmt] | ast.expr) -> frozenset[str]:
    """Names that belong to a call of the function: its parameters and what it assigns."""
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    names = {one.arg for one in every if one is not None}
    given_away: set[str] = set()
    for node in _own_nodes(body if isinstance(body, list) else [body]):
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
