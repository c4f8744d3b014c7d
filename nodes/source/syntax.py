"""Python's own parser and compiler on text that nobody vouches for: quiet, bounded, and with two ways to fail only."""

from __future__ import annotations

import ast
import symtable
import warnings
from collections.abc import Callable
from typing import TypeVar

from nodes.source.bounds import Beyond

LONGEST_SOURCE = 20_000
"""Characters of a program that are looked at."""
Result = TypeVar("Result")


def parse(source: str, mode: str = "exec") -> ast.AST:
    """The syntax tree. Raises SyntaxError, or Beyond for what is too long or nested too deeply."""
    return _quietly(lambda: ast.parse(source, mode=mode), source)


def compiles(source: str) -> None:
    """Raises SyntaxError for what the compiler rejects: more than the parser does, a `return` outside for one."""
    _quietly(lambda: compile(source, "program", "exec", dont_inherit=True), source)


def table(source: str) -> symtable.SymbolTable:
    """The names of the module and, as its children, of every scope in it. Raises SyntaxError or Beyond."""
    return _quietly(lambda: symtable.symtable(source, "program", "exec"), source)


def tree(source: str) -> ast.Module | None:
    """The syntax tree of a program with at least one statement, or None."""
    try:
        found = parse(source)
    except (SyntaxError, Beyond):
        return None
    return found if isinstance(found, ast.Module) and found.body else None


def _quietly(work: Callable[[], Result], source: str) -> Result:
    if len(source) > LONGEST_SOURCE:
        raise Beyond("the program is too long")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they are about the program, and would be printed to the user
            return work()
    except SyntaxError:
        raise
    except ValueError as error:
        raise SyntaxError(str(error)) from error
    except (RecursionError, MemoryError) as error:
        raise Beyond("the program is nested too deeply") from error
