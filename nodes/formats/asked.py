"""Reads the demands on the form of a reply out of a request, in Chinese and English. Silent on the rest.

Only the user's own words count: code blocks and long quotations are the text to work on. A number is a demand only in
a sentence that tells what to do ("your answer must", "write", "用三段"), because "he reads at least 20 words" is no
demand. Demands on parts that cannot be told apart (each step, each cell) are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from nodes.contracts import Language
from nodes.formats import asked_en, asked_zh
from nodes.formats.constraints import Constraint

LONGEST = 12_000
"""Characters that are read; of a longer request half at either end."""
MOST = 24
"""Constraints that are kept."""
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTED = re.compile(r"(?<![\w.,!?])[\"“](?=\S)[^\"“”\n]{90,2000}(?<=\S)[\"”](?!\w)|「[^」\n]{60,2000}」")
_SCHEMA = re.compile(r"```(?:json)?[ \t]*\n(\{.*?\})\s*```", re.DOTALL)
_SENTENCE = re.compile(
    r"(?:[^.!?。！？；;\n]|(?<=\d)\.(?=\d)|(?<=\bi)\.(?=e)|(?<=\be)\.(?=g)|(?<=i\.e|e\.g)\.|"
    r"(?<=P)\.(?=[PS])|(?<=P\.S)\.|\.(?=[\"”*]))+"
    r"[.!?。！？；;]*"
)


@lru_cache(maxsize=512)  # asked once for each candidate of a question
def read(question: str, language: Language) -> tuple[Constraint, ...]:
    """The demands, in the order of the request; each kind of bound once."""
    text = question if len(question) <= LONGEST else f"{question[: LONGEST // 2]}\n{question[-LONGEST // 2 :]}"
    found: dict[tuple[str, str, tuple[str, ...]], Constraint] = {}
    for one in (*_schemas(text), *_sentences(masked(text), language)):
        key = (one.kind, one.each, one.words)
        found[key] = _merged(found[key], one) if key in found else one
    return tuple(_agreed(list(found.values())))[:MOST]


def _merged(first: Constraint, second: Constraint) -> Constraint:
    """What is said twice is one demand; a lower and an upper bound make a range."""
    if first.low is None and first.high is not None and second.high is None:
        return first.model_copy(update={"low": second.low})
    if first.high is None and first.low is not None and second.low is None:
        return first.model_copy(update={"high": second.high})
    return first


def masked(text: str) -> str:
    """The text with fenced blocks and long quotations blanked, places kept."""
    for pattern in (_FENCE, _QUOTED):
        text = pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    return text


def _sentences(text: str, language: Language) -> Iterator[Constraint]:
    chinese = language == "zh" or bool(re.search(r"[\u4e00-\u9fff]{4}", text))
    lines = text.split("\n")
    listed = "\n".join(line for line in lines if len(line) < 2_000)
    for match in _SENTENCE.finditer(listed):
        sentence = match[0].strip()
        if not 3 < len(sentence) < 600:
            continue
        if chinese:
            yield from asked_zh.demands(sentence)
        yield from asked_en.demands(sentence)
    yield from asked_en.spread(listed)
    if chinese:
        yield from asked_zh.spread(listed)


def _schemas(text: str) -> Iterator[Constraint]:
    """A JSON Schema that the request shows and calls one."""
    if not re.search(r"schema|模式", text, re.IGNORECASE):
        return
    for match in _SCHEMA.finditer(text):
        if re.search(r'"(?:\$schema|properties|type|items|required)"\s*:', match[1]):
            yield Constraint(kind="schema", words=(match[1],), claim="schema")
            return


def _agreed(found: list[Constraint]) -> Iterator[Constraint]:
    """Leave out what another demand makes senseless."""
    kinds = {one.kind for one in found}
    for one in found:
        if one.kind == "json" and kinds & {"schema", "keys"}:
            continue
        if one.kind in ("title", "quoted", "begins", "ends", "postscript") and kinds & {"json", "schema", "keys"}:
            continue
        yield one
