"""One pass over the tokens of broken JSON that mends what has one reading only, in linear time and without recursion.

Mended: comments, curly and single quotes, Python's literals, unquoted keys, commas that are missing, doubled or
trailing, a missing colon, a missing value (null), dots that stand for "and so on", brackets that were never closed.
Anything that could be read in two ways (a quote inside a string, words without quotes) is left to the caller: None.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

_TOKEN = re.compile(
    r"""(?P<space>\s+)
    | (?P<comment>//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)
    | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|“[^”“"\\\n]*”|‘[^’‘'\\\n]*’)
    | (?P<cut>"[^"\\\n{}\[\],:]*\Z)
    | (?P<number>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-]))
    | (?P<word>[^\W\d][\w$]*(?![\w.$-]))
    | (?P<dots>\.\.\.|…)
    | (?P<sign>[{}\[\]:,，：;])""",
    re.VERBOSE,
)
_LITERALS = {
    "true": "true", "false": "false", "null": "null",
    "True": "true", "False": "false", "None": "null", "TRUE": "true", "FALSE": "false", "NULL": "null", "Null": "null",
    "undefined": "null", "NaN": "null",
}  # fmt: skip
_SIGNS = {"，": ",", "：": ":"}
_SHUT = {"{": "}", "[": "]"}
_BEHIND = re.compile(r"\s*(\S?)")
_BAD_ESCAPE = re.compile(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|(.))', re.DOTALL)
Wants = Literal["key", "colon", "value", "comma", "end"]


@dataclass(frozen=True)
class Tidied:
    """Valid JSON text and what was mended."""

    text: str
    repairs: tuple[str, ...]


class _Unclear(Exception):
    """There is more than one reading."""


@dataclass
class _Writer:
    """What has been written, the brackets that are open, and what may come next."""

    out: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    wants: Wants = "value"
    repairs: dict[str, None] = field(default_factory=dict)
    spaced: bool = True
    """White space, a comment or a sign stands right before the token."""

    def note(self, repair: str) -> None:
        self.repairs[repair] = None

    def after_value(self) -> None:
        self.wants = "comma" if self.open else "end"

    def opened(self, sign: str) -> None:
        self.before_value()
        self.out.append(sign)
        self.open.append(sign)
        self.wants = "key" if sign == "{" else "value"

    def before_value(self) -> None:
        """Make room for a value: a comma or a colon may be missing."""
        if self.wants == "colon":
            self.note("colon")
            self.out.append(": ")
        elif self.wants == "comma" and self.open[-1] == "[" and self.spaced:
            self.note("comma")
            self.out.append(", ")
        elif self.wants != "value":
            raise _Unclear
        self.wants = "value"

    def scalar(self, text: str) -> None:
        self.before_value()
        self.out.append(text)
        self.after_value()

    def key(self, text: str) -> None:
        if self.wants == "comma":
            self.note("comma")
            self.out.append(", ")
        self.out.append(text)
        self.wants = "colon"

    def comma(self) -> None:
        if self.wants == "value" and self.open and self.open[-1] == "{":
            self.missing_value()
        if self.wants == "comma":
            self.out.append(", ")
            self.wants = "key" if self.open[-1] == "{" else "value"
        elif self.wants in ("key", "value") and self.open:
            self.note("comma")
        elif self.wants == "end":
            self.note("text_around")
        else:
            raise _Unclear

    def missing_value(self) -> None:
        self.note("value")
        self.out.append("null")
        self.after_value()

    def shut(self, sign: str) -> None:
        """Close brackets down to the one that the sign shuts."""
        while self.open and _SHUT[self.open[-1]] != sign:
            self.note("bracket")
            self.shut_one()
        if not self.open:
            raise _Unclear
        self.shut_one()

    def shut_one(self) -> None:
        if self.wants == "colon":
            raise _Unclear
        if self.open[-1] == "{" and self.wants == "value":
            self.missing_value()
        if self.out[-1] == ", ":
            self.out.pop()
            self.note("comma")
        self.out.append(_SHUT[self.open.pop()])
        self.after_value()

    def finished(self) -> str:
        """The whole text, with what is still open closed."""
        if self.wants == "value" and not self.open:
            raise _Unclear
        if self.wants == "colon":
            self.note("value")
            self.out.append(": null")
            self.after_value()
        while self.open:
            self.note("bracket")
            self.shut_one()
        return "".join(self.out)


def tidy(text: str) -> Tidied | None:
    """The mended text, or None where it has no object or array, or more than one reading."""
    if not text.lstrip().startswith(("{", "[", "/", "#")):
        return None
    writer = _Writer()
    try:
        for kind, token, following in _tokens(text):
            _take(writer, kind, token, following)
            writer.spaced = kind in ("space", "comment", "sign", "dots")
        result = writer.finished()
        json.loads(result)
    except (_Unclear, ValueError, RecursionError):
        return None
    return Tidied(result, tuple(writer.repairs))


def _tokens(text: str) -> Iterator[tuple[str, str, str]]:
    """Kind and text of each token, and the sign behind it (space skipped) or an empty text."""
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _Unclear
        at = match.end()
        behind = _BEHIND.match(text, at) if match.lastgroup == "string" else None
        yield match.lastgroup or "", match[0], behind[1] if behind else ""


def _take(writer: _Writer, kind: str, token: str, following: str) -> None:
    if kind == "space":
        return
    if kind in ("comment", "dots"):
        writer.note(kind)
        return
    if kind == "sign":
        _sign(writer, token)
    elif writer.wants == "key" or (writer.wants == "comma" and writer.open[-1] == "{"):
        _key(writer, kind, token, following)
    else:
        _value(writer, kind, token)


def _sign(writer: _Writer, token: str) -> None:
    sign = _SIGNS.get(token, token)
    if sign != token:
        writer.note("fullwidth_sign")
    if sign in "{[":
        writer.opened(sign)
    elif sign in "}]":
        writer.shut(sign)
    elif sign == ",":
        writer.comma()
    elif sign == ":" and writer.wants == "colon":
        writer.out.append(": ")
        writer.wants = "value"
    elif sign == ";" and writer.wants == "end":
        writer.note("text_around")
    else:
        raise _Unclear


def _key(writer: _Writer, kind: str, token: str, following: str) -> None:
    if kind == "cut":
        token, kind, following = _ended(writer, token), "string", ":"
    if kind == "string" and (writer.wants == "key" or (writer.spaced and following in (":", "："))):
        writer.key(_string(writer, token))
    elif kind in ("word", "number") and writer.wants == "key":
        writer.note("quotes")
        writer.key(json.dumps(token, ensure_ascii=False))
    else:
        raise _Unclear


def _value(writer: _Writer, kind: str, token: str) -> None:
    if kind in ("string", "cut"):
        writer.scalar(_string(writer, token if kind == "string" else _ended(writer, token)))
    elif kind == "number":
        writer.scalar(token)
    elif kind == "word" and token in _LITERALS:
        if _LITERALS[token] != token:
            writer.note("literal")
        writer.scalar(_LITERALS[token])
    else:
        raise _Unclear


def _ended(writer: _Writer, token: str) -> str:
    """A string that the end of the text cut, with its closing quote."""
    writer.note("bracket")
    return f'{token.rstrip()}"'


def _string(writer: _Writer, token: str) -> str:
    """The token as a JSON string."""
    inner = token[1:-1]
    if token[0] != '"':
        writer.note("quotes")
        inner = inner.replace("\\'", "'").replace('"', '\\"').replace('\\\\"', '\\"')
    mended = _BAD_ESCAPE.sub(lambda match: match[0] if match[1] else match[2], inner)
    mended = re.sub(r"[\x00-\x1f]", lambda match: f"\\u{ord(match[0]):04x}", mended)
    if mended != token[1:-1] and token[0] == '"':
        writer.note("escape")
    return f'"{mended}"'
