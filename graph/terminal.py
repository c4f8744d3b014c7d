"""What may reach a terminal: text whose control characters are made visible, and JSON that hides none.

Questions, answers and error texts of servers are other people's words. An escape sequence in them could move the
cursor, rename the window or rewrite what was printed before, so it is shown as `\\x1b`, never sent. Line ends and tabs
stay; lone surrogates, which no terminal can be sent, are shown as `\\ud800`.
"""

from __future__ import annotations

import json
import re
from typing import Any

DOCTOR = "see: octavo doctor"
"""The way out that an error of the engine names."""
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 without tab and line feed, DEL, C1
    "\u2028\u2029"  # line ends that only some programs see
    "\u202a-\u202e\u2066-\u2069"  # overrides of the writing direction: they show text in another order
    "\ud800-\udfff]"
)
_UNSAFE_IN_JSON = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    """The text with every unsafe character written as an escape of Python; `\\r\\n` becomes `\\n`."""
    return _UNSAFE.sub(_escaped, text.replace("\r\n", "\n")) if _UNSAFE.search(text) else text


def one_line(text: str) -> str:
    """As `visible`, with white space collapsed."""
    return visible(" ".join(text.split()))


def to_json(value: Any) -> str:
    """JSON on one line, readable (Chinese stays Chinese), without a character that a terminal would act on."""
    return _UNSAFE_IN_JSON.sub(_escaped_in_json, json.dumps(value, ensure_ascii=False))


def _escaped(found: re.Match[str]) -> str:
    number = ord(found[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def _escaped_in_json(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
