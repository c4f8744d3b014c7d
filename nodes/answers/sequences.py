"""Several values in one answer: lists, tuples, sets, intervals, mappings, matrices and bare enumerations.

Python, JSON and LaTeX write these alike, so one reader serves all three. Elements are parsed by the caller's `parse`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from nodes.answers import folding
from nodes.answers.values import Value, sequence

ITEMS = 200
Parse = Callable[[str], Value]

_CONJUNCTION = re.compile(r"\s+(?:and|or)\s+|(?<=[)\]}])\s*(?:and|or|或|和)\s*(?=[(\[{])|(?<=\d)\s*[和或]\s*(?=-?\d)")
_RANGE = re.compile(r"^(?P<low>[^\s~,]+(?: \w+)?)\s*(?:~|到|至|\bto\b|-(?=\s*[$€£¥\d]))\s*(?P<high>[^\s~,]+(?: .*)?)$")
_ROWS = re.compile(r"\\begin\{([pbvBV]?matrix|array)\}(?:\{[^{}]*\})?(.*?)\\end\{\1\}", re.DOTALL)
_PAIRED_SET = re.compile(r"\\[{}]|\\[lr]brace\b")
_CAPITAL = re.compile(r"[A-Z]")
_JOINED_CAPITALS = re.compile(r"(?<=[A-Z])\s*[和与及]\s*(?=[A-Z](?![A-Za-z]))")
_KEY = re.compile(r"""\s*(?:(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*:|[^'"\s:,]+\s*:(?!\d\d\b))""")


def read(text: str, parse: Parse, ordered: bool = False) -> Value | None:
    """A collection, or None when the text holds a single value. `ordered`: the question asks for an order."""
    matrix = _matrix(text, parse)
    if matrix is not None:
        return matrix
    text = _PAIRED_SET.sub(lambda brace: "{" if brace[0] in ("\\{", "\\lbrace") else "}", folding.tidy(text))
    if "\\cup" in text:
        parts = [parse(part) for part in text.split("\\cup") if part.strip()]
        return sequence(parts, "{}", text) if len(parts) > 1 else None
    if text in ("\\emptyset", "\\varnothing"):
        return sequence((), "{}", text)
    if text[:1] in "([{" and len(text) > 1 and text[-1] in ")]}" and _wraps(text):
        return _bracketed(text, parse)
    return _enumerated(text, parse, ordered) or _range(text, parse)


def _bracketed(text: str, parse: Parse) -> Value | None:
    inside, shape = text[1:-1].strip(), text[0] + text[-1]
    parts = split(inside)
    if parts is None or len(parts) > ITEMS or (shape[0] == "{") != (shape[1] == "}"):
        return None
    if shape == "{}" and parts and all(_KEY.match(part) for part in parts):
        return _mapping(parts, parse, text)
    if shape == "{}" and not parts and text == "{}":
        return Value("mapping", frozenset(), text, shape="{}")
    if len(parts) < 2 and shape not in ("[]", "{}") and not (shape == "()" and inside.endswith(",")):
        return None
    return sequence([parse(part) for part in parts], shape, text)


def _mapping(parts: list[str], parse: Parse, text: str) -> Value:
    pairs = []
    for part in parts:
        key = _KEY.match(part)
        at = key.end() if key else 0
        pairs.append(sequence([parse(part[: at - 1]), parse(part[at:])], "()", part))
    return Value("mapping", frozenset((pair.kind, pair.key) for pair in pairs), text, items=tuple(pairs), shape="{}")


def _enumerated(text: str, parse: Parse, ordered: bool) -> Value | None:
    """`a, b and c`; of numbers and single capitals a set unless an order was asked for, of words in their order."""
    text = _JOINED_CAPITALS.sub(", ", text)
    groups = split(text, ";")
    if groups and len(groups) > 1 and all("," in part for part in groups):
        parts = [f"({part})" for part in groups]
    else:
        found = split(text)
        if found is None or not 2 <= len(found) <= ITEMS:
            return None
        parts = found
    items = [parse(part) for part in parts]
    mathematical = all(item.kind in ("number", "symbolic", "sequence", "relation") for item in items)
    capitals = all(_CAPITAL.fullmatch(part.strip()) for part in parts)
    if not mathematical and any(len(part.split()) > 4 or len(part) > 40 for part in parts):
        return None
    return sequence(items, "", text, ordered=ordered or not (mathematical or capitals))


def _range(text: str, parse: Parse) -> Value | None:
    """`3-5`, `10 to 20 kg`, `三到五`: two ends, the first smaller."""
    match = _RANGE.match(text)
    if match is None:
        return None
    low, high = parse(match["low"]), parse(match["high"])
    if low.kind == "date" == high.kind or (low.kind == "time" == high.kind):
        return sequence((low, high), "-", text)
    if low.kind != "number" or high.kind != "number" or low.number is None or high.number is None:
        return None
    return sequence((low, high), "-", text) if low.number < high.number else None


def _matrix(text: str, parse: Parse) -> Value | None:
    match = _ROWS.search(text)
    outside = text[: match.start()] + text[match.end() :] if match else ""
    if match is None or re.sub(r"\\left|\\right|[\[\]()|\s]|\\[lr]brack", "", outside):
        return None
    rows = [row for row in re.split(r"\\\\", match[2]) if row.strip()]
    if not rows or len(rows) > ITEMS:
        return None
    return sequence([sequence([parse(cell) for cell in row.split("&")], "row", row) for row in rows], "matrix", text)


def _wraps(text: str) -> bool:
    """The first bracket closes at the very end; round and square may mix, as intervals do."""
    depth = 0
    for index, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if depth == 0:
            return index == len(text) - 1
    return False


def split(text: str, separators: str = ",;、") -> list[str] | None:
    """Top-level parts between separators and the words and / or; None when brackets or quotes do not match."""
    parts, depth, start, quote = [], 0, 0, ""
    for index, char in enumerate(text):
        if quote:
            quote = "" if char == quote and text[index - 1] != "\\" else quote
        elif char in "'\"" and (index == 0 or not text[index - 1].isalnum()):
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif depth == 0 and char in separators and not (char == "," and _groups_digits(text, index)):
            parts.append(text[start:index])
            start = index + 1
        if depth < 0:
            return None
    if depth or quote:
        return None
    parts.append(text[start:])
    if separators != ";":
        parts = [piece for part in parts for piece in _CONJUNCTION.split(part)]
    trimmed = (re.sub(r"^(?:and|or)\s+", "", part.strip()) for part in parts)
    return [part for part in trimmed if part]


def _groups_digits(text: str, index: int) -> bool:
    """The comma of 1,000: one to three digits before, exactly three after."""
    after = text[index + 1 : index + 5]
    before = text[max(0, index - 4) : index]
    return bool(re.match(r"\d{3}(?!\d)", after)) and bool(re.search(r"(?<!\d)\d{1,3}$", before)) and before[-1:] != " "
