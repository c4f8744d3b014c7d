"""What a request demands of the form of its reply, as typed constraints, and the test of a text against one.

`asked.read` finds them in a request. A test answers True, False or None: None where the text cannot be judged fairly.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from typing import Literal

import yaml
from pydantic import Field

from nodes.contracts import Contract
from nodes.formats import counts, markdown, objects, schema
from nodes.formats.faults import FormatFault
from nodes.language import detect

Kind = Literal[
    "words", "characters", "sentences", "paragraphs", "bullets", "numbered", "sections", "headings", "highlights",
    "placeholders", "capitals", "keyword", "letter", "excluded", "begins", "ends", "quoted", "upper", "lower",
    "no_comma", "title", "postscript", "json", "schema", "keys", "yaml", "csv", "table", "choices", "language",
    "responses",
]  # fmt: skip
Scope = Literal["", "paragraph", "sentence"]
Verdict = tuple[bool | None, str]
LONGEST = 50_000
"""Characters of a text that are tested."""


class Constraint(Contract):
    """One demand on the form of a reply that a program can test."""

    kind: Kind
    low: int | None = Field(default=None, ge=0)
    """At least so many; None = no lower bound."""
    high: int | None = Field(default=None, ge=0)
    """At most so many; None = no upper bound."""
    words: tuple[str, ...] = ()
    """Words that the demand names: keywords, columns, keys, a phrase, a schema."""
    each: Scope = ""
    """What the bounds are for: the whole reply, or each paragraph or sentence of it."""
    claim: str
    """The words of the request."""

    @property
    def counted(self) -> bool:
        """True when it is about how many."""
        return self.low is not None or self.high is not None


def holds(one: Constraint, text: str) -> Verdict:
    """Whether the text meets the constraint, and what was found instead; None where it cannot be judged."""
    text = text.strip()
    if not text or len(text) > LONGEST:
        return None, ""
    if one.each:
        return _each(one, text)
    if one.kind in _COUNTS:
        return _within(one, _COUNTS[one.kind](one, text))
    return _TESTS[one.kind](one, text)


def _within(one: Constraint, found: counts.Range) -> Verdict:
    """Broken only when every fair count is out of bounds; met only when every one is within."""
    low, high = found
    least, most = one.low or 0, one.high if one.high is not None else 10**9
    shown = str(low) if low == high else f"{low}-{high}"
    if high < least or low > most:
        return False, shown
    return (True if least <= low and high <= most else None), shown


def _each(one: Constraint, text: str) -> Verdict:
    """The bounds for each paragraph or sentence; only what is broken for sure is told."""
    pattern = r"\n\s*\n" if one.each == "paragraph" else r"(?<=[.!?。！？])\s*(?=\S)|\n+"
    parts = [part for part in re.split(pattern, text) if re.search(r"\w", part)]
    tested = [_within(one, _COUNTS[one.kind](one, part)) for part in parts]
    worst = next((found for ok, found in tested if ok is False), "")
    if worst:
        # A cut at a full stop inside a number or an abbreviation makes parts too short, never too long.
        return (False if one.high is not None else None), worst
    return (True if tested and all(ok for ok, _ in tested) else None), ""


_COUNTS: dict[str, Callable[[Constraint, str], counts.Range]] = {
    "words": lambda _, text: counts.words(text),
    "characters": lambda _, text: counts.characters(text),
    "sentences": lambda _, text: counts.sentences(text),
    "paragraphs": lambda one, text: counts.divided(text, one.words[0]) if one.words else counts.paragraphs(text),
    "bullets": lambda _, text: counts.bullets(text),
    "numbered": lambda _, text: counts.numbered(text),
    "sections": lambda one, text: counts.marked(text, one.words[0]),
    "headings": lambda one, text: counts.headings(text, one.words[0] if one.words else ""),
    "highlights": lambda _, text: counts.highlights(text),
    "placeholders": lambda _, text: counts.placeholders(text),
    "capitals": lambda _, text: counts.capitals(text),
    "keyword": lambda one, text: counts.occurrences(text, one.words[0]),
    "letter": lambda one, text: (text.casefold().count(one.words[0].casefold()),) * 2,
    "responses": lambda one, text: counts.divided(text, one.words[0]),
}


def _json(text: str) -> Verdict:
    """The whole reply, or its only fenced block with nothing around it."""
    inner, around = objects.unwrapped(text)
    try:
        objects.strict(inner)
    except FormatFault as fault:
        return (None if fault.kind in ("depth", "number") else False), f"{fault}"[:200]
    return (False, "words around the JSON") if "text_around" in around else (True, "")


def _schema(one: Constraint, text: str) -> Verdict:
    ok, why = _json(text)
    if not ok:
        return ok, why
    try:
        wanted = objects.strict(one.words[0])
        broken = schema.violations(objects.strict(objects.unwrapped(text)[0]), wanted)
    except FormatFault as fault:
        return None, f"{fault.kind}: {fault}"[:200]
    return not broken, "; ".join(f"{each.path}: {each.message}" for each in broken[:3])


def _keys(one: Constraint, text: str) -> Verdict:
    ok, why = _json(text)
    if not ok:
        return ok, why
    value = objects.strict(objects.unwrapped(text)[0])
    rows = value if isinstance(value, list) else [value]
    missing = [key for key in one.words for row in rows[:50] if not isinstance(row, dict) or key not in row]
    return not missing, f"without {missing[0]!r}" if missing else ""


def _yaml(text: str) -> Verdict:
    try:
        value = yaml.safe_load(_unfenced(text)) if len(text) < 20_000 and "&" not in text else ...
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        return False, str(error).split("\n")[0][:200]
    return (None, "") if value is ... else (isinstance(value, dict | list), type(value).__name__)


def _csv(text: str) -> Verdict:
    try:
        rows = [row for row in csv.reader(io.StringIO(_unfenced(text))) if row]
    except csv.Error as error:
        return False, str(error)
    widths = {len(row) for row in rows}
    return (len(widths) == 1 and widths != {1}) or None, f"rows of {sorted(widths)} cells"


def _unfenced(text: str) -> str:
    fenced = re.fullmatch(r"```\w*\n(.*?)\n?```", text, re.DOTALL)
    return fenced[1] if fenced else text


def _table(one: Constraint, text: str) -> Verdict:
    """A table that renders; with these columns, where they are named; of so many columns."""
    found = markdown.tables(text)
    if not found:
        return (None if re.search(r"<table|\\begin\{tabular", text) else False), "no table that renders"
    columns = [[_plain(cell) for cell in table.columns] for table in found]
    if one.words and [_plain(word) for word in one.words] not in columns:
        return False, " | ".join(found[0].columns)[:200]
    return (not one.counted or any(_within(one, (len(each),) * 2)[0] for each in columns)), f"{len(columns[0])} columns"


def _plain(cell: str) -> str:
    return re.sub(r"[*_`\s]", "", cell).casefold()


def _begins(one: Constraint, text: str) -> Verdict:
    opening = re.sub(r"^[\s\"“'#*<「]+", "", text)
    wanted = re.sub(r"[\s.。!！,，]+$", "", one.words[0])
    return opening.casefold().startswith(wanted.casefold()), opening[:40]


def _ends(one: Constraint, text: str) -> Verdict:
    def bare(words: str) -> str:
        return re.sub(r"[\s\"”'’*_.。!！」`]+$", "", words).casefold()

    return bare(text).endswith(bare(one.words[0])), text[-40:]


def _excluded(one: Constraint, text: str) -> Verdict:
    found = [word for word in one.words if counts.occurrences(text, word)[0]]
    return not found, ", ".join(found)[:200]


def _choices(one: Constraint, text: str) -> Verdict:
    met = [word for word in one.words if re.sub(r"\W+$", "", word).casefold() in text.casefold()]
    return len(met) > 0, "" if met else text[:40]


def _cased(text: str, change: Callable[[str], str]) -> Verdict:
    """Letters of one case; code and links are left out."""
    bare = re.sub(r"`[^`\n]*`|https?://\S+", "", text)
    wrong = next((a for a, b in zip(bare.split(), change(bare).split(), strict=False) if a != b), "")
    return not wrong, wrong


_TESTS: dict[str, Callable[[Constraint, str], Verdict]] = {
    "json": lambda _, text: _json(text),
    "schema": _schema,
    "keys": _keys,
    "yaml": lambda _, text: _yaml(text),
    "csv": lambda _, text: _csv(text),
    "table": _table,
    "begins": _begins,
    "ends": _ends,
    "excluded": _excluded,
    "choices": _choices,
    "quoted": lambda _, text: (text[0] in "\"“「＂'‘" and text[-1] in "\"”」＂'’", f"{text[:10]} ... {text[-10:]}"),
    "upper": lambda _, text: _cased(text, str.upper),
    "lower": lambda _, text: _cased(text, str.lower),
    "no_comma": lambda _, text: (not re.search("[,，]", text), f"{len(re.findall('[,，]', text))} commas"),
    "title": lambda _, text: (bool(re.search(r"<<[^\n<>]*\S[^\n<>]*>>|《《[^\n《》]+》》", text)), ""),
    "postscript": lambda one, text: (one.words[0].casefold() in text.casefold(), ""),
    "language": lambda one, text: (detect(text) == one.words[0], detect(text)),
}
