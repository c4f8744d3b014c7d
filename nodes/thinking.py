"""Thinking text told apart from the answer: `<think> ... </think>` inside a reply. Pure.

Four shapes occur in the field: a closed block, an empty block, a block that never closes (the cap came first), and a
closing tag alone (the chat template had already opened the block).
"""

from __future__ import annotations

from dataclasses import dataclass

from nodes.contracts import Reply

OPEN, CLOSE = "<think>", "</think>"


@dataclass(frozen=True)
class Thinking:
    """A reply in two parts."""

    answer: str
    reasoning: str
    closed: bool
    """False = the block never ended, so there is no answer."""


def separate(text: str) -> Thinking:
    """Split a reply at its thinking block. A tag later than at the start is ordinary text."""
    opened = text.lstrip().startswith(OPEN)
    head, close, rest = text.partition(CLOSE)
    if opened and not close:
        return Thinking("", text.lstrip()[len(OPEN) :].strip(), closed=False)
    if not close or (not opened and OPEN in head):
        return Thinking(text, "", closed=True)
    thought = head.lstrip()[len(OPEN) :] if opened else head
    return Thinking(rest.lstrip("\r\n"), thought.strip(), closed=True)


def unclosed(reply: Reply) -> bool:
    """True when the model was still thinking as its reply ended: there is thought, and no answer after it."""
    return bool(reply.reasoning) and not reply.text.strip()


class AnswerOnly:
    """Filters a stream of text pieces: passes the answer, holds back a thinking block."""

    def __init__(self) -> None:
        self._held: str | None = ""

    def feed(self, piece: str) -> str:
        """The part of the text so far that is now known to be answer."""
        if self._held is None:
            return piece
        self._held += piece
        start = self._held.lstrip()
        if start.startswith(OPEN):
            _, close, rest = start.partition(CLOSE)
            return self._release(rest.lstrip("\r\n")) if close and rest.lstrip("\r\n") else ""
        return "" if OPEN.startswith(start) else self._release(self._held)

    def end(self) -> str:
        """What is still held when the stream ends: a beginning that looked like a tag, never an open block."""
        held, self._held = self._held or "", None
        return "" if held.lstrip().startswith(OPEN) else held

    def _release(self, text: str) -> str:
        self._held = None
        return text
