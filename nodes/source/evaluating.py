"""What a program does, without running it: `evaluate` walks its syntax tree (`nodes.source.interpreter`)."""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass

from nodes.source.bounds import Beyond, Fuel, shown
from nodes.source.interpreter import Interpreter, Raised

LONGEST_SOURCE = 20_000
"""Characters of a program that are looked at."""


@dataclass(frozen=True)
class Observed:
    """What one program did."""

    printed: str = ""
    raised: str = ""
    """Class name of the exception that ended it."""
    line: int | None = None
    """Line, from 1, where that exception came up."""
    value: str | None = None
    """`repr` of the expression that was asked for; None when it was not reached."""
    calls: tuple[str, ...] = ()
    """Its own functions in the order in which they were called."""
    run: bool = False
    """True when the sandbox ran it, False when it was evaluated here."""


def parse(source: str, mode: str = "exec") -> ast.AST:
    """The syntax tree. Raises SyntaxError, also where Python says ValueError or gives up, and Beyond for a giant."""
    if len(source) > LONGEST_SOURCE:
        raise Beyond("the program is too long")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source, mode=mode)
    except (ValueError, UnicodeError) as error:
        raise error if isinstance(error, SyntaxError) else SyntaxError(str(error)) from error
    except (RecursionError, MemoryError) as error:
        raise Beyond("the program is nested too deeply") from error


def evaluate(source: str, expression: str = "") -> Observed:
    """What the program prints and raises, and the value of `expression` after it. Raises Beyond if unsure."""
    try:
        module = parse(source)
        asked = parse(expression.strip(), "eval") if expression else None
        compile(source, "program", "exec", dont_inherit=True)  # what only the compiler rejects: `return` outside, ...
    except SyntaxError as error:
        return Observed(raised=type(error).__name__, line=error.lineno)
    except (ValueError, RecursionError, MemoryError) as error:
        raise Beyond("the compiler gives up") from error
    assert isinstance(module, ast.Module)
    machine = Interpreter()
    raised, line, value = "", None, None
    try:
        machine.run(module.body, machine.globals)
        if isinstance(asked, ast.Expression):
            result = machine.value(asked.body, machine.globals)
            shown(result, Fuel())
            value = repr(result)
    except Raised as fault:
        raised, line = type(fault.error).__name__, fault.line
    except Beyond:
        raise
    except Exception as error:  # a fault of the interpreter is no finding about the program
        raise Beyond(f"{type(error).__name__}: {error}") from error
    return Observed(machine.written, raised, line, value, tuple(machine.calls))
