"""Bytes to text: UTF-8 (with or without mark), UTF-16 with a mark, GB18030. Never a guess that garbles."""

from __future__ import annotations

import codecs
import re

from nodes.errors import InputError

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_FOREIGN = re.compile(r"[^\x00-\x7f]")


def decode(data: bytes, name: str) -> str:
    """The text without its mark. Raises InputError (`unreadable_file`) for binary data and other encodings."""
    for encoding in _candidates(data):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            break
        if encoding != "gb18030" or _plausible(text):
            return text
    raise InputError(
        f"cannot read {name!r}: it is no text in UTF-8, UTF-16 with a byte order mark, or GB18030", "unreadable_file"
    )


def _candidates(data: bytes) -> tuple[str, ...]:
    marked = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), None)
    return (marked,) if marked else ("utf-8", "gb18030")


def _plausible(text: str) -> bool:
    """True for Chinese: Latin-1 read as GB18030 gives rare characters outside the everyday set (GB 2312)."""
    foreign = _FOREIGN.findall(text[:100_000])
    known = sum(len(one.encode("gb2312", "ignore")) > 0 for one in foreign)
    return 2 * known >= len(foreign)
