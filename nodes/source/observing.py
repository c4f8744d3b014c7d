"""What a program does: evaluated here where that is certain, else run in the sandbox if running is allowed.

A program that is run is run twice with other hash seeds. Where the two differ (order of a set, clock, random numbers)
it has no one outcome, and nothing is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from nodes import sandbox
from nodes.sandbox import Execution, Limits
from nodes.source.bounds import Beyond
from nodes.source.evaluating import Observed, evaluate

SEEDS = (0, 1)
_MARK = "\x1fvalue\x1f"
_FAILED = ("timeout", "memory", "output", "processes", "refused", "unavailable")


@dataclass(frozen=True)
class Observer:
    """How programs may be looked at."""

    limits: Limits | None = None
    """None = nothing is run."""

    def look(self, source: str, expression: str = "") -> Observed:
        """What the program does. Raises Beyond where that is not certain. Blocks while it runs."""
        try:
            return _evaluated(source, expression)
        except Beyond:
            if self.limits is None:
                raise
            return _told(_ran(source, expression, self.limits), source)

    async def alook(self, source: str, expression: str = "") -> Observed:
        """The same without blocking the event loop while it runs."""
        try:
            return _evaluated(source, expression)
        except Beyond:
            if self.limits is None:
                raise
            program = _program(source, expression)
            runs = [await sandbox.arun(program, self.limits, seed) for seed in SEEDS]
            return _told(tuple(runs), source)


@lru_cache(maxsize=256)
def _remembered(source: str, expression: str) -> Observed | Beyond:
    try:
        return evaluate(source, expression)
    except Beyond as beyond:
        return beyond


def _evaluated(source: str, expression: str) -> Observed:
    """The eight branches of a question are checked against the same program: it is evaluated once."""
    found = _remembered(source, expression)
    if isinstance(found, Beyond):
        raise Beyond(str(found))
    return found


@lru_cache(maxsize=64)
def _ran(source: str, expression: str, limits: Limits) -> tuple[Execution, ...]:
    program = _program(source, expression)
    return tuple(sandbox.run(program, limits, seed) for seed in SEEDS)


def _program(source: str, expression: str) -> str:
    """The program; behind it, on lines of its own, what shows the value of the expression."""
    if not expression:
        return source
    return f"{source}\n\nprint({_MARK!r} + repr({expression}))\n"


def _told(runs: tuple[Execution, ...], source: str) -> Observed:
    """What all runs agree on. Raises Beyond when they do not, or when one was stopped."""
    first = runs[0]
    if first.status in _FAILED:
        raise Beyond(f"{first.status}: {first.reason}")
    if len({(one.status, one.stdout, one.raised, one.line) for one in runs}) > 1:
        raise Beyond("two runs of it differ")
    if first.raised in ("ModuleNotFoundError", "ImportError"):
        raise Beyond("a module that the sandbox does not have")
    if first.line and first.line > len(source.splitlines()):
        raise Beyond("what was asked for cannot be shown")
    printed, mark, value = first.stdout.rpartition(_MARK)
    if not mark:
        printed, value = first.stdout, ""
    if " at 0x" in first.stdout:
        raise Beyond("it shows an address")
    return Observed(
        printed=printed,
        raised=first.raised if first.exit_code else "",
        line=first.line,
        value=value.removesuffix("\n") if mark else None,
        run=True,
    )
