"""Things that change hands in pairs: who has what in the end. Every sentence that names two holders must be a swap."""

from __future__ import annotations

import re
from itertools import takewhile

from nodes.contracts import Language
from nodes.logic.solved import Solved, lettered

_NAME = r"[A-Z][\w'-]*"
_SWAP = re.compile(
    r"(?:First|Then|Next|Finally|Lastly|After that|Afterwards|Second|Third"
    rf"|Now)?,?\s*(?P<a>{_NAME}) and (?P<b>{_NAME}) "
    r"(?:swap|switch|trade|exchange)(?:ped|ed|d)?\b(?! with)(?: (?:their |the )?[a-z]+){0,3}"
)
_SWAP_ZH = re.compile(
    r"(?:首先|先|然后|接着|随后|之后|再|最后|第[一二三四五六七八九]次)?[，,]?(?P<a>[^\s，,和与跟]{1,4}?)(?:和|与|跟)(?P<b>[^\s，,]{1,4}?)(?:又|再"
    r"|相互|互相|彼此)?(?:交换|互换|对换|调换)了?(?:各自|彼此|手中|手里|手上)?的?[^，,。\d]{0,8}"
)
_END = re.compile(
    r"(?:At the end[^,.]*,|In the end,|Finally,|After (?:all"
    rf"|these)[^,.]*,)?\s*(?P<who>{_NAME}) (?P<has>[^.:?\n]*?)\s*[.:?]?\s*$"
)
_END_EN = re.compile(rf"(?:who|what|which)\b[^?\n]*?\bdoes (?P<who>{_NAME}) (?:have|hold)[^?\n]*\?\s*$", re.IGNORECASE)
_END_ZH = re.compile(
    r"(?:最后|最终|结束时|到最后)?[，,]?(?P<who>[^\s，,]{1,4}?)(?:手里|手中|手上)?(?:拿着|拿|有|得到|持有|的)(?:的)?(?:是)?(?:什么|哪)[^？?]*[？?]?\s*$"
)
_OPTIONS = re.compile(r"\n\s*(?:Options|选项)\s*[:：]|\n\s*[(（]?A[)）.、]")
MOST = 60
"""Swaps that are followed."""


def solve(question: str, language: Language) -> Solved | None:
    """What the named holder has in the end."""
    if len(question) > 6_000:
        return None
    body, *_ = _OPTIONS.split(question, maxsplit=1)
    start = _start(body, language)
    if start is None:
        return None
    holds, rest = start
    swapped = _swapped(rest, holds, language)
    if swapped is None:
        return None
    who, ends = swapped
    item = ends[who]
    menu = _OPTIONS.search(question) is not None
    answer = lettered(question, lambda option: _bare(option) == _bare(item)) if menu else item
    if answer is None or len(set(map(_bare, ends.values()))) != len(ends):
        return None
    trace = "; ".join(f"{name}: {thing}" for name, thing in ends.items())
    premises = tuple(f"{name}: {thing}" for name, thing in holds.items())
    return Solved(
        reader="swaps",
        answer=answer,
        status="entailed",
        conclusion=f"{who}: {item}",
        premises=premises,
        working=trace,
        rivals=tuple(thing for thing in ends.values() if thing != item),
    )


def _bare(thing: str) -> str:
    return re.sub(
        r"^(?:an?|the|一[个本张块条把支只])\s*", "", thing.strip().rstrip(".。").strip(), flags=re.IGNORECASE
    ).lower()


def _start(body: str, language: Language) -> tuple[dict[str, str], str] | None:
    """Who has what at first, and the text behind it: `...: Ann has a kite, Bob has a drum, and Cy has a bell.`"""
    if language == "zh" and "：" in body:
        return _start_zh(body)
    _, colon, tail = body.partition(":")
    sentence, stop, rest = tail.partition(".\n") if ".\n" in tail else tail.partition(". ")
    if not colon or not stop:
        return None
    parts = re.split(r",\s+(?:and\s+)?|\s+and\s+(?=[A-Z])", sentence.strip())
    words = [part.split() for part in parts]
    if len(words) < 2 or any(len(one) < 3 or not re.fullmatch(_NAME, one[0]) for one in words):
        return None
    common = [
        column[0]
        for column in takewhile(lambda column: len(set(column)) == 1, zip(*(w[1:] for w in words), strict=False))
    ]
    verbs = [word for word in common if word not in ("a", "an", "the")] if common else []
    if not verbs:
        return None
    holds = {one[0]: " ".join(one[1 + len(common) :]) for one in words}
    complete = len(holds) == len(words) and all(holds.values())
    return (holds, rest) if complete else None


def _start_zh(body: str) -> tuple[dict[str, str], str] | None:
    _, _, tail = body.partition("：")
    sentence, stop, rest = tail.partition("。")
    pattern = re.compile(r"(?P<who>[^，,、；]{1,4}?)(?:拿着|拿了|拿|有|持有|得到|抱着)(?P<thing>[^，,、；。]{1,12})")
    found = [pattern.fullmatch(part.strip()) for part in re.split(r"[，,、；]", sentence)]
    holds = {match["who"]: match["thing"] for match in found if match}
    return (holds, rest) if stop and len(holds) == len(found) > 1 else None


def _swapped(rest: str, holds: dict[str, str], language: Language) -> tuple[str, dict[str, str]] | None:
    """Follow the swaps; the last sentence asks. None when a sentence is not understood."""
    now = dict(holds)
    sentences = [one.strip() for one in re.split(r"[.。;；\n]\s*|(?<=[?？])", rest) if one.strip()]
    if not 1 < len(sentences) <= MOST:
        return None
    for sentence in sentences[:-1]:
        named = [name for name in holds if re.search(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])", sentence)]
        match = (_SWAP_ZH if language == "zh" else _SWAP).fullmatch(sentence)
        if match and match["a"] in now and match["b"] in now and match["a"] != match["b"] and len(named) == 2:
            now[match["a"]], now[match["b"]] = now[match["b"]], now[match["a"]]
        elif named or re.search(r"\d", sentence):
            return None
    ends = [_END_ZH] if language == "zh" else [_END_EN, _END]
    asked = next((match for pattern in ends if (match := pattern.fullmatch(sentences[-1]))), None)
    others = [name for name in holds if asked and name != asked["who"] and name in sentences[-1]]
    return (asked["who"], now) if asked and asked["who"] in now and not others else None
