"""Intake: a raw question becomes a Request, or a named error before any model call.

The text itself passes unchanged. A question that leaves less than `SMALLEST_ANSWER` tokens of the context window is
refused with the number of tokens it is over. One that leaves less than a branch's own cap is accepted: `messages.fit`
lowers the cap of that call to what is left, which is at least `SMALLEST_ANSWER`.
"""

from __future__ import annotations

import math
import unicodedata
from typing import cast, get_args

from nodes.branch import longest_messages
from nodes.contracts import Mode, Model, Request
from nodes.errors import ContextExceeded, InputError
from nodes.language import detect

SMALLEST_ANSWER = 128
"""Tokens below which reasoning and an answer do not fit."""
MODES: tuple[str, ...] = get_args(Mode)


async def intake(
    question: str | None, *, mode: str, deadline: float | None, run: str, max_text: int, model: Model
) -> Request:
    """Check one raw question and count its tokens. `deadline` in seconds, `max_text` in characters.

    Raises InputError (`code` says which limit) and ContextExceeded. The model is asked for a token count only.
    """
    text = accept(question, mode=mode, deadline=deadline, max_text=max_text)
    request = Request(
        run=run, question=text, mode=check_mode(mode), language=detect(text), deadline=check_deadline(deadline)
    )
    await check_window(request, model)
    return request


def accept(question: str | None, *, mode: str, deadline: float | None, max_text: int) -> str:
    """All tests that need no model; returns the question unchanged. Raises InputError."""
    check_mode(mode)
    check_deadline(deadline)
    return check_text(question, max_text)


def check_text(question: str | None, max_text: int) -> str:
    """Raises InputError for text that no step could work with. Cheapest tests first: the text may be huge."""
    if not isinstance(question, str):
        raise InputError(f"there is no question: it must be text, not {type(question).__name__}", "empty_question")
    if len(question) > max_text:
        over = len(question) - max_text
        raise InputError(
            f"the question has {len(question)} characters, {over} more than the limit of {max_text}"
            " (OCTAVO_MAX_TEXT): shorten it",
            "question_too_long",
        )
    if (place := question.find("\0")) >= 0:
        raise InputError(f"the question has a NUL byte at character {place}: remove it", "nul_byte")
    try:
        question.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"the question has the lone surrogate {question[error.start]!r} at character {error.start}, which is not"
            " text: decode the input as UTF-8",
            "lone_surrogate",
        ) from None
    if not any(map(_visible, question)):
        raise InputError("the question is empty: there is nothing but blank space in it", "empty_question")
    return question


def _visible(character: str) -> bool:
    """False for white space, control and format characters (zero-width ones), blank fillers and lone marks."""
    return unicodedata.category(character)[0] not in "ZCM" and character not in "\u115f\u1160\u3164\uffa0\u2800"


def check_mode(mode: str) -> Mode:
    """Raises InputError for an unknown mode."""
    if mode not in MODES:
        raise InputError(f"unknown mode {mode!r}: one of {', '.join(MODES)}", "unknown_mode")
    return cast(Mode, mode)


def check_deadline(deadline: float | None) -> float | None:
    """Raises InputError unless `deadline` is None or a positive, finite number of seconds."""
    if deadline is None:
        return None
    try:
        seconds = math.nan if isinstance(deadline, bool) or not isinstance(deadline, int | float) else float(deadline)
    except OverflowError:  # a whole number beyond any float; it may be too long to print as well
        raise InputError("bad deadline: more seconds than a number can hold", "bad_deadline") from None
    if not math.isfinite(seconds):
        raise InputError(f"bad deadline {deadline!r}: a number of seconds", "bad_deadline")
    if seconds <= 0:
        raise InputError(f"bad deadline {deadline!r}: it must be more than 0 seconds", "bad_deadline")
    return seconds


async def check_window(request: Request, model: Model) -> None:
    """Raises ContextExceeded when the longest branch prompt leaves less than `SMALLEST_ANSWER` tokens."""
    window = await model.measure(longest_messages(request))
    over = window.tokens + SMALLEST_ANSWER - window.limit
    if over > 0:
        about = "" if window.exact else "about "
        raise ContextExceeded(
            f"the question is {about}{over} tokens over: its prompt has {about}{window.tokens} tokens and an answer"
            f" needs {SMALLEST_ANSWER}, the model's context window holds {window.limit}: shorten the question"
            " or use a model with a larger window",
            over,
        )
