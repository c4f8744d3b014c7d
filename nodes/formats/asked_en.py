"""English wordings of demands on the form of a reply."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nodes.formats.constraints import Constraint
from nodes.formats.counted_en import DIRECTED, counted
from nodes.formats.english import COUNT, OPERATOR, bounds, demand, in_quotes, number
from nodes.formats.worded_en import whole, worded


def demands(sentence: str) -> Iterator[Constraint]:
    """The demands of one sentence."""
    if not re.search(r"[A-Za-z]{3}", sentence):
        return
    if DIRECTED.search(sentence):
        yield from counted(sentence)
        yield from worded(sentence)
    yield from whole(sentence)


_SECTIONED = re.compile(
    r"\b(?:each|every|the)\s+(?:beginning\s+)?(?:of\s+)?(?:each\s+|the\s+)?\w+\s+(?:starting\s+|"
    r"begin\w*\s+|marked\s+)?(?:with|by|as)\s+[\"“']?(?P<mark>[A-Za-z]+)\s+X\b",
    re.IGNORECASE,
)


_STEPS = re.compile(
    rf"numbered list (?:with|of)\s+(?:{OPERATOR}\s+)?{COUNT}\b"
    rf"|(?:{OPERATOR.replace('op>', 'op2>')}\s+){COUNT.replace('n>', 'n2>')}\s+(?:steps|items|points)",
    re.IGNORECASE,
)
_TWO = re.compile(r"\b(?P<mark>[A-Z][A-Za-z]+) 1\b[\s,\"”]+(?:and|,)[\s\"“]+(?P=mark) 2\b")
_PHRASES = re.compile(
    r"\b(?:answer|reply|respond|say|choose|choos\w+|contain|pick)\b[^\n]{0,80}?(?P<list>(?:\(?[\"“”'‘][^\"“”\n]{"
    r"2,60}?[\"”'’]\)?[\s,]*(?:or|and)?\s*){2,})",
    re.IGNORECASE,
)


def spread(text: str) -> Iterator[Constraint]:
    """Demands that run over several sentences."""
    if re.search(
        r"\bone of the following|\bexact phrase|\bexactly with one|\bjust say|\bAnswer [\"“”]|"
        r"following options|following phrases",
        text,
    ):
        for match in _PHRASES.finditer(text[:4_000]):
            options = tuple(dict.fromkeys(in_quotes(match["list"])))
            if len(options) > 1:
                yield demand("choices", match[0], options[:8])
                break
    if re.search(r"\b(?:two|2) (?:different |versions|\w+ versions)", text, re.IGNORECASE) and (
        stars := re.search(r"separat\w+[^.\n]{0,60}?(?P<mark>\*{3,})", text, re.IGNORECASE)
    ):
        yield demand("responses", stars[0], (stars["mark"],), found={"low": 2, "high": 2})
    section = re.search(rf"\b(?:{OPERATOR}\s+)?{COUNT}\s+sections?\b", text, re.IGNORECASE)
    if section and (mark := _SECTIONED.search(text)):
        yield demand("sections", mark[0], (mark["mark"],), found=bounds(section["op"] or "", number(section["n"])))
    elif (two := _TWO.search(text)) and re.search(r"\b(?:beginning|sections?)\b", text, re.IGNORECASE):
        yield demand("sections", two[0], (two["mark"],), found={"low": 2, "high": 2})
    divided = re.search(rf"\b(?:{OPERATOR}\s+)?{COUNT}\s+(?:paragraphs?|sections?)\b", text, re.IGNORECASE)
    if divided and re.search(r"(?:separat\w+|divid\w+)[^\n]{0,60}?(?<!\*)\*\*\*(?!\*)", text, re.IGNORECASE):
        yield demand("paragraphs", divided[0], ("***",), found=bounds(divided["op"] or "", number(divided["n"])))
    if re.search(r"\bnumbered list\b|\benumerated list\b", text, re.IGNORECASE):
        steps = _STEPS.search(text)
        found = bounds(steps["op"] or steps["op2"] or "", number(steps["n"] or steps["n2"])) if steps else {"low": 2}
        yield demand("numbered", steps[0] if steps else "numbered list", found=found)
