"""Answers a question about a program from what the program does, and compares other answers with that one."""

from __future__ import annotations

import ast
import re
from typing import Literal

from nodes.source import names
from nodes.source.bounds import Beyond
from nodes.source.evaluating import Observed
from nodes.source.observing import Observer
from nodes.source.questions import Asked
from nodes.source.syntax import compiles

By = Literal["nothing", "reading", "evaluation", "run"]
_WITHOUT_RUNNING = frozenset(("valid", "invalid", "unbound"))
LONGEST_ANSWER = 400
"""Characters of an answer that is compared; a longer one is an essay."""
_ONE_LINE = re.compile(
    r"\b(?:first|second|third|last|final|\d+(?:st|nd|rd|th)) (?:printed |output )?"
    r"(?:line|value|number|time|iteration|print)\b"
    r"|第.{1,3}(?:行|次|个)|最后一?(?:行|次|个)",
    re.IGNORECASE,
)
_OUTPUT = re.compile(r"\boutputs?\b|输出", re.IGNORECASE)
_YES = re.compile(r"^\W*(?:yes|true|valid|是的?|对|正确|合法|能|会|有)(?![\u4e00-\u9fffa-z])", re.IGNORECASE)
_NO = re.compile(
    r"^\W*(?:no|not valid|false|invalid|否|不是|不对|不正确|不合法|不能|不会|没有|错误)(?![a-z])", re.IGNORECASE
)
_ERROR = re.compile(r"\b[A-Z]\w*(?:Error|Exception|Interrupt|Exit|Iteration|Warning)\b")


def static(asked: Asked) -> str | None:
    """The answer to a question that needs no observation; None for all others, and where it is not certain."""
    if asked.kind in ("valid", "invalid"):
        return _whether(asked)
    if asked.kind == "unbound":
        found = names.unbound(asked.source)
        return found[0][0] if len(found) == 1 else None
    return None


def needs_observation(asked: Asked) -> bool:
    """Whether the program must be evaluated or run."""
    return asked.kind not in _WITHOUT_RUNNING


def answer(asked: Asked, seen: Observed) -> str | None:
    """The answer that the observation gives; None where it gives none."""
    match asked.kind:
        case "raises":
            return seen.raised or None
        case "line":
            return str(seen.line) if seen.raised and seen.line else None
        case "calls":
            return None if seen.run else ", ".join(seen.calls[:20]) or None
    if seen.raised:
        return None
    match asked.kind:
        case "prints":
            text = seen.printed.strip("\n")
            return text if text and not ("\n" in text and _ONE_LINE.search(asked.around)) else None
        case "lines":
            return str(len(seen.printed.splitlines()))
        case "returns" | "value":
            # "The output of f(3)" may mean either, where the call prints as well.
            either = seen.printed and _OUTPUT.search(asked.around)
            return None if either else seen.value
    return None


def solve(asked: Asked, observer: Observer) -> tuple[str | None, By]:
    """The answer, or None, and where it comes from. Blocks while a program is run."""
    if not needs_observation(asked):
        return static(asked), "reading"
    try:
        alone = observer.look(asked.source) if _prints_on_the_way(asked) else None
        seen = observer.look(asked.source, asked.expression)
    except Beyond:
        return None, "nothing"
    return (None if alone and alone.printed else answer(asked, seen)), _by(seen)


async def asolve(asked: Asked, observer: Observer) -> tuple[str | None, By]:
    """The same without blocking the event loop."""
    if not needs_observation(asked):
        return static(asked), "reading"
    try:
        alone = await observer.alook(asked.source) if _prints_on_the_way(asked) else None
        seen = await observer.alook(asked.source, asked.expression)
    except Beyond:
        return None, "nothing"
    return (None if alone and alone.printed else answer(asked, seen)), _by(seen)


def _prints_on_the_way(asked: Asked) -> bool:
    """What one call prints is asked for: it can be told from the rest only if the program alone prints nothing."""
    return asked.kind == "prints" and bool(asked.expression)


def _by(seen: Observed) -> By:
    return "run" if seen.run else "evaluation"


def _whether(asked: Asked) -> str | None:
    try:
        compiles(asked.source)
        good = True
    except SyntaxError:
        good = False
    except Beyond:
        return None
    if asked.kind == "invalid":
        good = not good
    chinese = re.search(r"[\u4e00-\u9fff]", asked.around) and not re.search(r"\byes\b", asked.around, re.IGNORECASE)
    return ("是" if good else "否") if chinese else ("yes" if good else "no")


def same(asked: Asked, real: str, stated: str) -> bool | None:
    """Whether a stated answer is the real one; None where the statement cannot be read."""
    stated = _bare(stated)
    if not stated or len(stated) > LONGEST_ANSWER + 2 * len(real):
        return None
    match asked.kind:
        case "valid" | "invalid":
            said = "yes" if _YES.match(stated) else "no" if _NO.match(stated) else ""
            return (said == "yes") == (real in ("yes", "是")) if said else None
        case "raises":
            found = set(_ERROR.findall(stated))
            return real in found if len(found) == 1 else None
        case "line" | "lines":
            numbers = re.findall(r"\d+", stated)
            return numbers[0] == real if len(numbers) == 1 else None
        case "calls":
            known = set(real.split(", ")) | names.bound(asked.source)
            said_names = [word for word in re.findall(r"\w+", stated) if word in known]
            return said_names == real.split(", ") if said_names else None
        case "unbound":
            words = re.findall(r"\w+", stated)
            return real in words if len(words) <= 6 else None
    return alike(real, stated)


def alike(real: str, stated: str) -> bool:
    """Equal as text without outer blanks, as Python literals, or but for the quotes around a string."""
    one, other = (" ".join(text.split()) for text in (real, stated))
    if one == other:
        return True
    if one.strip("'\"") == other.strip("'\"") and (one[:1] in "'\"") != (other[:1] in "'\""):
        return True
    left, right = literal(real), literal(stated)
    return left is not None and right is not None and repr(left[0]) == repr(right[0])


def literal(text: str) -> tuple[object] | None:
    """The value of a Python literal, in a box because it may be None."""
    try:
        return (ast.literal_eval(text.strip()),)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None


def _bare(stated: str) -> str:
    """Without fences, backticks, dollars and a final full stop."""
    text = stated.strip()
    fenced = re.fullmatch(r"```\w*\n?(.*?)\n?```", text, re.DOTALL)
    text = fenced[1] if fenced else text
    for mark in ("`", "$", "**"):
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
            text = text[len(mark) : -len(mark)]
    text = re.sub(r"^\\text(?:tt)?\{(.*)\}$", r"\1", text)
    return text.strip()
