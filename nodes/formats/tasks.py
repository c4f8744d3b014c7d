"""Requests that need no model: repair this JSON or table, turn this JSON into YAML, this CSV into a table.

A request is taken only when it names what it wants, shows one piece of data, and asks for nothing else (sorting,
renaming, translating): whatever would change the content is left to others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from nodes.contracts import Language
from nodes.formats import asked, constraints, conversions, objects, tables
from nodes.formats.conversions import Notation
from nodes.formats.faults import FormatFault
from nodes.formats.mending import same_words

LONGEST_WORDS = 240
"""Characters of the request beside the data."""
_FENCE = re.compile(r"```[ \t]*\w*[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)
_CHANGES = re.compile(
    r"\b(?:sort\w*|renam\w*|remov\w*|delet\w*|filter\w*|translat\w*|only the (?!valid|"
    r"json|yaml|csv|table|repaired|fixed|corrected|result)|except|add(?:ing)?|group\w*|"
    r"total\w*|sum|"
    r"count\w*|first|last|summar\w*|extract\w*|uppercase|lowercase|nested|keys? (?:named|"
    r"called)|as numbers?|camel\w*)\b"
    r"|排序|重命名|改名|删除|去掉|筛选|翻译|添加|增加|合计|汇总|统计|提取|只保留|大写|小写|数字类型",
    re.IGNORECASE,
)
_REPAIR = re.compile(
    r"\b(?:repair|fix|mend|correct|broken|invalid|malformed|clean up)\b"
    r"|修复|修好|修成|修正|坏了|有误|不合法|纠正|显示不出来|改正",
    re.IGNORECASE,
)
_CONVERT = re.compile(
    r"\b(?:convert|turn|transform|change|rewrite|put|give|format|make|present|show|express|output)\b"
    r"|转换?|改成|改为|变成|做成|整理成|表示",
    re.IGNORECASE,
)
_NAMES: dict[str, str] = {
    "json": r"JSON",
    "yaml": r"YAML",
    "csv": r"CSV",
    "table": r"(?:markdown|md)[ -]?(?:table|表格)|表格|\btable",
}
_TO = (
    r"(?:\b(?:to|into|as|in|for)\s+(?:an?\s+|the\s+|valid\s+|proper\s+)*"
    r"|(?:成|为|转|用|以)\s*(?:一个|合法的?|标准的?)?\s*)"
)


@dataclass(frozen=True)
class Done:
    """A request that was carried out."""

    output: str
    how: Literal["repaired", "converted"]
    repairs: tuple[str, ...]


def solve(question: str, language: Language) -> Done | None:
    """The finished output, or None where a model is needed."""
    found = _split(question)
    if found is None:
        return None
    words, data = found
    if len(words) > LONGEST_WORDS or _CHANGES.search(words):
        return None
    try:
        done = _done(words, data)
    except FormatFault:
        return None
    wanted = asked.read(question, language) if done else ()
    return done if done and all(constraints.holds(one, done.output)[0] is not False for one in wanted) else None


def _done(words: str, data: str) -> Done | None:
    source, target = _notation(data), _target(words)
    if target is None and _REPAIR.search(words) and source and re.search(_NAMES[source], words, re.IGNORECASE):
        target = source
    if source is None or target is None:
        return None
    if source == target:
        return _repaired(data, source) if _REPAIR.search(words) else None
    if not _CONVERT.search(words):
        return None
    value, repairs = conversions.parse(data, source)
    return Done(conversions.write(value, target), "converted", repairs)


def _repaired(data: str, notation: Notation) -> Done | None:
    if notation == "json":
        read = objects.repair(data)
        return Done(read.text, "repaired", read.repairs) if isinstance(read.value, dict | list) else None
    if notation == "table":
        mended, defects = tables.mend(data)
        left = {one.kind for one in tables.defects(mended)}
        return (
            None
            if left or not same_words(data, mended)
            else Done(mended, "repaired", tuple(one.kind for one in defects))
        )
    return None


def _target(words: str) -> Notation | None:
    """The notation that the words ask for."""
    names: tuple[Notation, ...] = get_args(Notation)
    for name in names:
        if re.search(rf"{_TO}(?:{_NAMES[name]})", words, re.IGNORECASE):
            return name
    return None


def _split(question: str) -> tuple[str, str] | None:
    """The user's words and the one piece of data: a fenced block, or the lines from the first that is no sentence."""
    fenced = _FENCE.findall(question)
    if fenced:
        return (_FENCE.sub(" ", question), fenced[0]) if len(fenced) == 1 else None
    head, _, rest = question.partition("\n")
    if rest.strip():
        return head, rest.strip("\n")
    inline = re.fullmatch(r"([^{\[]{4,240}?[:：])\s*([{\[].*)", question, re.DOTALL)
    return (inline[1], inline[2]) if inline else None


def _notation(data: str) -> Notation | None:
    """What a piece of data is written in."""
    text = data.strip()
    if text.startswith(("{", "[")):
        return "json"
    if "|" in text or "｜" in text:
        return "table"
    lines = text.split("\n")
    commas = {line.count(",") for line in lines}
    if (
        len(lines) > 1
        and len(commas) == 1
        and commas != {0}
        and not re.search(r"^\s*[-*\d]+[.)]?\s", text, re.MULTILINE)
    ):
        return "csv"
    return "yaml" if re.match(r"[^\s:]{1,40}:(?:\s|$)", text) and len(lines) > 1 else None
