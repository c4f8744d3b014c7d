"""What a program does, without running it: `evaluate` walks its syntax tree (`nodes.source.interpreter`)."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from nodes.source.bounds import Beyond, Fuel, shown
from nodes.source.frames import Raised
from nodes.source.interpreter import Interpreter
from nodes.source.syntax import compiles, parse


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


def evaluate(source: str, expression: str = "") -> Observed:
    """What the program prints and raises, and the value of `expression` after it. Raises Beyond if unsure."""
    try:
        module = parse(source)
        asked = parse(expression.strip(), "eval") if expression else None
        compiles(source)
    except SyntaxError as error:
        return Observed(raised=type(error).__name__, line=error.lineno)
    assert isinstance(module, ast.Module)
    end = len(source.splitlines()) + 1
    machine = Interpreter()
    raised, line, value = "", None, None
    try:
        machine.run(module.body, machine.globals)
        if isinstance(asked, ast.Expression):
            ast.increment_lineno(asked, end)
            result = machine.value(asked.body, machine.globals)
            shown(result, Fuel())
            value = repr(result)
    except Raised as fault:
        raised, line = type(fault.error).__name__, fault.line if fault.line <= end else None
    except Beyond:
        raise
    except Exception as error:  # a fault of the interpreter is no finding about the program
        raise Beyond(f"{type(error).__name__}: {error}") from error
    return Observed(machine.written, raised, line, value, tuple(machine.calls))
