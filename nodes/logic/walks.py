"""Step instructions: does the walker return to the starting point? Every instruction must be understood."""

from __future__ import annotations

import re

from nodes.contracts import Language
from nodes.logic.solved import Solved, yes_no

_ASKED = re.compile(
    r"(?:return|come back|get back|end up|back) (?:to|at|where) (?:the |your |his |her |their "
    r"|you )?(?:start\w*|origin)|(?:回到|返回|走回)(?:了)?(?:出发点|起点|原点|原来的?位置)",
    re.IGNORECASE,
)
_SPLIT = re.compile(r"[.。;；!！\n:：]|[,，]|\bthen\b|然后|接着|再(?=向|往|走)", re.IGNORECASE)
_EN = re.compile(
    r"(?:(?:you |and |first |next |now )*)(?:(?P<face>always face forward|face forward at all times)"
    r"|turn (?P<turn>left|right|around|back)"
    r"|(?:take|walk|go|move|step) (?P<n>\d{1,6}|a|one|two|three|four|five|six|seven|eight|nine"
    r"|ten) (?:more )?(?:steps?|paces?|meters?|metres?)(?: to the)?(?: (?P<way>left|right|forwards?|backwards?"
    r"|ahead|back))?)",
    re.IGNORECASE,
)
_ZH = re.compile(
    r"(?:(?P<face>始终面(?:向|朝)前方?|一直面(?:向|朝)前方?)"
    r"|(?:向|往)?(?P<turn>左|右|后)转(?:身|弯)?|(?P<around>转身|掉头|向后转)"
    r"|(?:(?:向|往|朝)(?P<way>前|后|左|右)(?:面|方|边)?)?(?:走|退|移动|迈)?(?P<n>\d{1,6}|[一二两三四五六七八九十])(?:步|米))"
)
_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = {
    word: number for number, word in enumerate(_DIGITS)
} | {"a": 1} | dict(zip("一二三四五六七八九十", range(1, 11), strict=True)) | {"两": 2}  # fmt: skip
_TURNS = {"left": 3, "right": 1, "around": 2, "back": 2, "左": 3, "右": 1, "后": 2}
_WAYS = {"": 0, "forward": 0, "forwards": 0, "ahead": 0, "right": 1, "backward": 2, "backwards": 2, "back": 2,
    "left": 3, "前": 0, "右": 1, "后": 2, "左": 3}  # fmt: skip
_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
_FRAME = re.compile(
    r"\s*(?:if|suppose|imagine)? ?(?:you|we|i|someone) (?:follow|start|stand|are standing)\b"
    r"|\s*(?:如果)?(?:你)?(?:按照?|根据|依照|从起点|从出发点|站在)|\s*(?:instructions?|指令)\s*[:：]?\s*$",
    re.IGNORECASE,
)
"""What leads in to the instructions."""
_OPTIONS = re.compile(r"\n\s*(?:Options|选项)\s*[:：].*$", re.IGNORECASE | re.DOTALL)
MOST = 200
"""Instructions that are followed."""


def solve(question: str, language: Language) -> Solved | None:
    """Yes or no, where the question is a list of instructions and whether they lead back."""
    if len(question) > 6_000 or not _ASKED.search(question):
        return None
    parts = [part.strip() for part in _SPLIT.split(_body(question)) if part.strip() and not _FRAME.match(part)]
    found = [_EN.fullmatch(part) or _ZH.fullmatch(part) for part in parts]
    moves = [match for match in found if match]
    if not moves or len(moves) != len(found) or len(moves) > MOST:
        return None
    x, y = _walked([match.groupdict() for match in moves])
    answer, status = yes_no((x, y) == (0, 0), question, language)
    ends = f"({x}, {y})"
    working = f"终点相对起点的位置：{ends}" if language == "zh" else f"Place at the end, seen from the start: {ends}"
    return Solved(reader="walk", answer=answer, status=status, premises=tuple(parts)[:40], working=working)


def _body(question: str) -> str:
    """The instructions alone: without the clause that asks and without the offered answers."""
    sentences = re.split(r"(?<=[?？])", _OPTIONS.sub("", question))
    return " ".join(re.sub(r"[^.。:：,，;；\n]*$", "", one) if _ASKED.search(one) else one for one in sentences)


def _walked(moves: list[dict[str, str | None]]) -> tuple[int, int]:
    facing = x = y = 0
    for move in moves:
        if move["turn"] or move.get("around"):
            facing += _TURNS[(move["turn"] or "后").lower()]
        elif move["n"]:
            number = int(move["n"]) if move["n"].isdecimal() else _NUMBERS[move["n"].lower()]
            step = _STEPS[(facing + _WAYS[(move["way"] or "").lower()]) % 4]
            x, y = x + number * step[0], y + number * step[1]
    return x, y
