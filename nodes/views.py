"""Document views: when a question brings several documents, each branch takes the side of one (REQUIREMENTS A3).

A branch that believes one document runs into every place where another one differs; a branch that reads them all as one
text smooths such places over. What differs in numbers and days is found without any branch as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import prompts
from nodes.contracts import Language
from nodes.coordinates import Coordinate, parse
from nodes.documents import tables
from nodes.documents.claims import Claim
from nodes.documents.contradictions import Contradiction, contradictions
from nodes.documents.files import Document

MOST = 16
"""Documents of one question."""
SHORTEST = 10
"""Characters of a document."""
_NAMED = (
    r"(?:document|doc|source|report|text|article|passage|version|file|memo|contract) ?[A-H\d]{1,3}"
    r"|(?:文档|文件|材料|报告|资料|来源|报道|文章|版本|合同|记录) ?[A-H\d一二三四五六七八九十甲乙丙丁]{1,3}"
)
_MARK = re.compile(
    rf"^[ \t]*[*#\[【（(]{{0,3}}[ \t]*(?P<name>{_NAMED})[ \t]*[\]】）)*]{{0,3}}[ \t]*(?:[:：\n.、]|$)",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True)
class View:
    """One document of a question."""

    name: str
    """As the question calls it: `Document 1`, `材料二`."""
    span: tuple[int, int]
    """Where its text stands in the question."""


def views(question: str) -> tuple[View, ...]:
    """The documents of a question that names at least two of them, in order; else nothing.

    The last one ends at the first blank line behind it, where the question usually stands, or at the end.
    """
    marks = list(_MARK.finditer(question))
    names = [" ".join(mark["name"].split()) for mark in marks]
    if not 2 <= len(marks) <= MOST or len({name.casefold() for name in names}) != len(names):
        return ()
    ends = [mark.start() for mark in marks[1:]] + [_end(question, marks[-1].end())]
    found = [View(name, (mark.end(), end)) for name, mark, end in zip(names, marks, ends, strict=True)]
    return tuple(found) if all(len(question[slice(*one.span)].strip()) >= SHORTEST for one in found) else ()


def _end(question: str, start: int) -> int:
    body = len(question[start:]) - len(question[start:].lstrip())
    blank = question.find("\n\n", start + body)
    return len(question) if blank < 0 else blank


def lenses(names: Sequence[str], language: Language) -> tuple[str, ...]:
    """One stance for each document, in order: it believes that one and holds the others against it."""
    prompt = prompts.load("lenses/documents/view")
    joint = "、" if language == "zh" else ", "
    quoted = [f"《{name}》" if language == "zh" else f'"{name}"' for name in names]
    return tuple(
        prompt.render(language, name=one, others=joint.join(other for other in quoted if other != one))
        for one in quoted
    )


def differing(question: str) -> list[Contradiction]:
    """Numbers and days that the documents of a question give differently, with their places in the question."""
    found = views(question)
    documents = [_document(one, question[slice(*one.span)]) for one in found]
    starts = {one.name: one.span[0] for one in found}
    listed = []
    for one in contradictions(documents):
        first, second = _placed(one.first, question, starts), _placed(one.second, question, starts)
        listed.append(replace(one, first=first, second=second))
    return listed


def _document(view: View, text: str) -> Document:
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return Document(name=view.name, kind="txt", digest=digest, size=len(text), text=text, tables=tables.find(text))


def _placed(claim: Claim, question: str, starts: dict[str, int]) -> Claim:
    """The claim with a coordinate of the question instead of one of its document."""
    place, start = parse(claim.place), starts[claim.source]
    if place.start is not None and place.end is not None:
        return replace(claim, place=str(Coordinate(start=place.start + start, end=place.end + start)))
    before = sum(table.span is not None and table.span[1] <= start for table in tables.find(question))
    return replace(claim, place=str(replace(place, doc=None, table=before + (place.table or 1))))
