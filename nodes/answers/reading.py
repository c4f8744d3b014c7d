"""Where a reply marks its answer.

The LAST mark wins, whatever its kind: an answer line, `\\boxed{}`, a phrase such as "the answer is", a field of a JSON
reply. A mark that holds nothing, or only the template's own placeholder, is no mark. A reply without a mark is
unreadable: nothing is guessed from its last number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from nodes.answers import folding, menu
from nodes.answers.parsing import same
from nodes.contracts import Form

Found = Literal["answer_line", "boxed", "phrase", "structured", "whole"]


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer, where it was found, and its place: `text[start:end] == answer`."""

    answer: str
    kind: Found
    span: tuple[int, int]


_LINE = re.compile(
    r"(?:^|(?<=[\s.。!?，,*_#>(]))(?:(?:the|my)\s+)?(?:(?:final|correct)\s+)?\*{0,3}answer\*{0,3}\s*[:：]\**[ \t]*"
    r"(?P<tail>[^\n]*)"
    r"|(?:最终|正确|最后)?的?答案\**\s*[:：]\**[ \t]*(?P<zh>[^\n]*)"
    r"|(?:^|(?<=\n))[ \t*#>]*(?:最终答案|最后答案)\**[ \t]*\n(?P<below>[^\n]*)",
    re.IGNORECASE,
)
_EXPLICIT = re.compile(
    r"^[ \t>*_#]*(?:(?:final\s+)?answer|(?:最终)?答案)\**\s*[:：]\**[ \t]*", re.IGNORECASE | re.MULTILINE
)
_ABOUT_IT = "correct|accurate|incorrect|reasonable|verified|confirmed|obtained|found|based|that"
"""Words after "the answer is" that speak of the answer instead of giving it."""
_PHRASE = re.compile(
    r"\banswer\b(?:\s+(?:to|for)\s+[^.\n]{1,80}?)?\s+(?:is|would\s+be|should\s+be|must\s+be|will\s+be)\b"
    rf"(?!\s+(?:not|{_ABOUT_IT})\b)\s*:?\s*(?P<en>[^\n]*(?:\n\s*[^\n]+)?)"
    r"|答案(?:应该|应当|应)?[是为]\s*[:：]?\s*(?P<zh>[^\n]*)"
    r"|(?:故选|所以选|因此选|应选|应该选|故应选|正确选项[是为]|选择)\s*[:：]?\s*(?P<pick>[(（]?[A-Z][)）]?(?:[.、．][^\n。]*)?)",
    re.IGNORECASE,
)
_CONTENT_LINE = re.compile(r"\s*(?P<line>[^\n]+)")
_QUOTED = re.compile(r"""\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`\n]+`)""")
_SENTENCE = re.compile(r"[。！？?]|(?<!\\)!|\.(?=\s|$)|\n")
_BOXED = re.compile(r"\\(?:boxed|fbox)\s*(?=\{)")
_JOINT = re.compile(
    r"(?:\s*\b[a-z]{2,12}\b(?=\s*(?:,|and\b|or\b)))?"
    r"(?:[A-Za-z](?:_\{?\w\}?)?\s*=|[\s,;$、]|\\[()\[\], ]|\\q?quad|\\text\{\s*(?:and|or)\s*\}|and|or|和|或)*"
)
_PERCENT = re.compile(r"(?:\s|\\[)\]]|\$)*(?:\\?%|percent\b|pct\b)")
_JSON_KEYS = ("answer", "final_answer", "result", "答案", "最终答案")
_PLACEHOLDER = re.compile(
    r"[<\[{(]?\s*(?:(?:your|the|final|short)\s+)*(?:answer|result|value|choice|letter|option)s?(?:\s+here)?\s*[>\]})]?|<[^<>]{0,60}>|x|[._…?-]+"
    r"|[<\[【(（]?\s*(?:你的|最终)?答案\s*[>\]】)）]?",
    re.IGNORECASE,
)
SHORT = 200
"""Characters up to which an answer may be a placeholder or nothing but delimiters."""
_EDGE = "*_`:：。.,，;；!！"


def read(text: str, form: Form = "closed", offered: Mapping[str, str] | None = None) -> Reading | None:
    """The answer that `text` marks last, or None when it marks none (`unreadable`).

    `offered` is the question's menu: an answer that is not on it is None too. An `open` answer is everything after the
    last answer line, else the whole text.
    """
    if form == "open":
        return _open(text)
    last = _last_mark(text)
    if offered:
        last = last or _last_line(text, offered)
        if last is not None and menu.pick(last.answer, offered, same) is None:
            return None
    return last


def _open(text: str) -> Reading | None:
    marks = list(_EXPLICIT.finditer(text))
    for mark in reversed(marks):
        reading = _trimmed(text, mark.end(), len(text), "answer_line", edge="")
        if reading is not None:
            return reading
    return _trimmed(text, 0, len(text), "whole", edge="")


def _last_mark(text: str) -> Reading | None:
    """The mark that starts last and holds an answer."""
    spans = [span for finder in (_lines, _boxes, _phrases, _structured) for span in finder(text)]
    readings = (_trimmed(text, *span) for span in sorted(spans, reverse=True))
    return next((reading for reading in readings if reading is not None), None)


def _lines(text: str) -> Iterator[tuple[int, int, Found]]:
    for match in _LINE.finditer(text):
        start, end = match.span(match.lastgroup or "tail")
        if not text[start:end].strip(_EDGE + " \t\r"):
            start, end = _next_line(text, end)
        yield start, end, "answer_line"


def _next_line(text: str, at: int) -> tuple[int, int]:
    """The first line with content after `at`: an answer written below its mark."""
    line = _CONTENT_LINE.match(text, at)
    return line.span("line") if line else (at, at)


def _boxes(text: str) -> Iterator[tuple[int, int, Found]]:
    """Each complete box; boxes joined by nothing but commas and "and" are one answer."""
    closing = folding.braces(text)
    group: tuple[int, int, int] | None = None
    for match in _BOXED.finditer(text):
        end = closing.get(match.end())
        if end is None or (group and match.start() < group[1]):
            continue
        if group and _JOINT.fullmatch(text, group[1] + 1, match.start()):
            group = (group[0], end, group[2] + 1)
        else:
            if group:
                yield _box(text, *group)
            group = (match.start(), end, 1)
    if group:
        yield _box(text, *group)


def _box(text: str, start: int, end: int, boxes: int) -> tuple[int, int, Found]:
    """The content of one box; of several, or of one with a percent sign behind it, the whole passage."""
    percent = _PERCENT.match(text, end + 1)
    whole = start - (text[start - 1 : start] == "$")
    if percent:
        return whole, percent.end(), "boxed"
    return (whole, end + 1, "boxed") if boxes > 1 else (text.index("{", start) + 1, end, "boxed")


def _phrases(text: str) -> Iterator[tuple[int, int, Found]]:
    for match in _PHRASE.finditer(text):
        name = match.lastgroup or "en"
        start, end = match.span(name)
        stop = _SENTENCE.search(text, _enclosed(text, start, end), end)
        yield start, stop.start() if stop else end, "phrase"


def _enclosed(text: str, start: int, end: int) -> int:
    """Where a leading quotation or bracket closes, else where the content begins: its stops end no sentence."""
    quoted = _QUOTED.match(text, start, end)
    if quoted:
        return quoted.end()
    while start < end and text[start].isspace():
        start += 1
    depth = 0
    for at in range(start, end):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth <= 0:
            return at
    return start


def _structured(text: str) -> Iterator[tuple[int, int, Found]]:
    stripped = text.strip().removeprefix("```json").removeprefix("```").removesuffix("```").strip()
    if not stripped.startswith("{") or not stripped.endswith("}"):
        return
    try:
        data = json.loads(stripped)
    except (ValueError, RecursionError):
        return
    for key in _JSON_KEYS if isinstance(data, dict) else ():
        if key in data:
            value = data[key]
            written = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            start = text.rfind(written)
            if start >= 0:
                yield start, start + len(written), "structured"
            return


def _last_line(text: str, offered: Mapping[str, str]) -> Reading | None:
    """A reply that ends with a bare offered letter: `(B)` or `B. yellow ball`."""
    end = len(text.rstrip())
    start = text.rfind("\n", 0, end) + 1
    line = text[start:end].strip().strip("*")
    match = re.match(r"^[(（]?([A-Z])(?:[)）.、:：]|$)", line)
    if match is None or match[1] not in offered:
        return None
    rest = folding.words(line[match.end() :])
    if rest and rest not in folding.words(offered[match[1]]):
        return None
    return _trimmed(text, start, end, "phrase")


def _trimmed(text: str, start: int, end: int, kind: Found, edge: str = _EDGE) -> Reading | None:
    """Narrow a span to its content; None when nothing is left but a placeholder."""
    while start < end and (text[start] in edge or text[start].isspace()):
        start += 1
    while end > start and (text[end - 1] in edge or text[end - 1].isspace()):
        end -= 1
    answer = text[start:end]
    if not answer or (
        len(answer) <= SHORT
        and (_PLACEHOLDER.fullmatch(folding.unbox(answer).strip(_EDGE + " ")) or not folding.unwrap(answer).strip())
    ):
        return None
    return Reading(answer, kind, (start, end))
