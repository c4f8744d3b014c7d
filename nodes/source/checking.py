"""Deterministic tests of a candidate: its answer, the outputs that it states, its syntax and its names."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from nodes.contracts import Candidate, Check, Request
from nodes.source import names, outputs, questions, snippets, solving
from nodes.source.bounds import Beyond
from nodes.source.observing import Observer
from nodes.source.snippets import PYTHON, Block
from nodes.source.syntax import parse

NAME = "code"
LONGEST_TEXT = 20_000
"""Characters of a candidate that are checked; no branch writes more."""
PROGRAMS = 3
"""Programs of one candidate that are observed."""
MODULES = sys.stdlib_module_names | {"np", "pd", "plt", "sns", "tf", "torch", "nn", "sp", "sympy", "numpy", "pandas"}
_NO_PYTHON_3 = re.compile(r"^\s*(?:>>> |\.\.\. |[%!]\w|\$ )|^\s*\.\.\.\s*$|^\s*print +[\"'\w]", re.MULTILINE)
"""Interactive sessions, shell lines, gaps, Python 2: no program of Python 3, and no fault either."""


def checks(request: Request, candidate: Candidate, observer: Observer) -> list[Check]:
    """Every test that says something, in the order of the text; the answer's comes last."""
    text = candidate.text[:LONGEST_TEXT]
    blocks = snippets.blocks(text)
    found = [*_syntax(blocks, request), *_names(blocks, request), *_outputs(text, observer)]
    found.sort(key=lambda one: one.span or (0, 0))
    return [*found, *_result(request, candidate, observer)]


def _check(kind: str, passed: bool, claim: str, real: str, span: tuple[int, int] | None) -> Check:
    outcome = "pass" if passed else "fail"
    return Check(specialist=NAME, kind=kind, outcome=outcome, claim=claim[:400], found=real[:400], span=span)


def _whole_python(blocks: list[Block]) -> list[Block]:
    return [one for one in blocks if one.language in PYTHON and one.closed and not _NO_PYTHON_3.search(one.code)]


def _syntax(blocks: list[Block], request: Request) -> Iterator[Check]:
    """Python blocks that do not parse; those that repeat code of the question are the question's."""
    for block in _whole_python(blocks):
        if block.code.strip() in request.question:
            continue
        try:
            parse(block.code)
        except SyntaxError as error:
            lines = block.code.splitlines()
            line = lines[error.lineno - 1] if error.lineno and error.lineno <= len(lines) else block.code
            yield _check("syntax", False, line.strip(), f"line {error.lineno}: {error.msg}", block.span)
        except Beyond:
            continue


def _names(blocks: list[Block], request: Request) -> Iterator[Check]:
    """Names that no block before, and nothing in the question, binds; in blocks that print, which are no fragments.

    A module that is used but not imported says nothing about the answer: people leave such lines out.
    """
    whole = _whole_python(blocks)
    known = set(re.findall(r"[^\W\d]\w*", request.question[:LONGEST_TEXT])) if whole else set()
    known |= MODULES if whole else set()
    for block in whole:
        if "print(" not in block.code:
            known |= names.bound(block.code)
            continue
        for name, line in names.unbound(block.code, known):
            claim = block.code.splitlines()[line - 1].strip()
            yield _check("names", False, claim, f"nothing binds {name!r}", block.span)
        known |= names.bound(block.code)


def _outputs(text: str, observer: Observer) -> Iterator[Check]:
    """Stated outputs of the candidate's own programs against the real ones."""
    for claim in outputs.claims(text)[:PROGRAMS]:
        try:
            seen = observer.look(claim.program.code)
        except Beyond:
            continue
        if seen.raised and seen.raised in claim.stated:
            continue
        real = seen.raised or seen.printed.strip()
        passed = not seen.raised and outputs.agree(seen.printed, claim.stated)
        yield _check("output", passed, claim.stated.strip(), real, claim.span)


def _result(request: Request, candidate: Candidate, observer: Observer) -> list[Check]:
    """The candidate's answer against what the program of the question does."""
    if candidate.status != "answered" or candidate.source == f"specialist:{NAME}":
        return []
    asked = questions.read(request.question)
    real, _ = solving.solve(asked, observer) if asked else (None, "nothing")
    if asked is None or real is None:
        return []
    equal = solving.same(asked, real, candidate.answer)
    if equal is None:
        return []
    at = candidate.text.rfind(candidate.answer)
    return [_check("result", equal, candidate.answer, real, (at, at + len(candidate.answer)) if at >= 0 else None)]
