"""Which sources a question pins: "use only the 2023 report", "只看2023年的报告", "according to prices.csv only".

A pin needs a word of restriction beside a document's name, title or year. A pinned document that is not there is an
error with a name, never an answer from another one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from nodes.documents.files import KINDS, Document
from nodes.errors import InputError

_ENDINGS = "|".join(ending[1:] for ending in KINDS)
_DOCUMENT = (
    r"report|document|file|table|edition|version|filing|paper|note|memo|manual|list|sheet|handbook|policy|contract"
)
_RESTRICTION = (
    re.compile(r"\b(?:only|just|solely|exclusively)\b(?P<what>[^\n。；;!?！？]{1,120})", re.IGNORECASE),
    re.compile(
        r"\b(?:according to|based on|using|from|per)\b(?P<what>[^\n。；;!?！？]{1,100}?)"
        r"\b(?:only|alone|exclusively|solely)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:只|仅|单|就)(?:能|可以?|许|准|需|要|用|看|按|依据?|根据|参考|参照|查|从|使用|基于|以|限于?){1,4}(?P<what>[^\n。；，;！？!?]{1,60})"
    ),
)
_FILE = re.compile(rf"[\w()（）-]+(?: [\w()（）-]+)?\.(?:{_ENDINGS})(?![A-Za-z])", re.IGNORECASE)
_DATED = re.compile(
    rf"(?P<year>(?:19|20)\d\d)\s?(?:年度?|annual|financial|q[1-4])?\s?(?:的)?\s?(?:\w{{1,20}} )?"
    rf"(?:{_DOCUMENT}|年报|报告|文件|文档|资料|版本?|手册|表格|名单|合同)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def pinned(question: str, documents: Sequence[Document]) -> tuple[str, ...]:
    """Names of the documents that the question allows; empty when it allows all.

    Raises InputError (`unknown_source`) when it allows only a file or a year's document that is not there.
    """
    for pattern in _RESTRICTION:
        for match in pattern.finditer(question[:20_000]):
            if found := _named(_folded(match["what"]), documents):
                return found
    return ()


def _named(words: str, documents: Sequence[Document]) -> tuple[str, ...]:
    """Documents that the words behind a restriction name: by file name, title, stem, then by year."""
    by_name = tuple(one.name for one in documents if any(name in words for name in _names(one)))
    if by_name:
        return by_name
    if file := _FILE.search(words):
        raise _unknown(file[0].strip(), documents)
    if dated := _DATED.search(words):
        of_year = tuple(one.name for one in documents if dated["year"] in _years(one))
        if not of_year:
            raise _unknown(dated[0], documents)
        return of_year
    return ()


def _names(document: Document) -> list[str]:
    """What a document may be called: path, file name, its stem with blanks for marks, its title. Not a bare word."""
    base = document.name.rpartition("/")[2]
    stem = base.rpartition(".")[0]
    spoken = re.sub(r"[_\-.]+", " ", stem).strip()
    long = [name for name in (stem, spoken, document.title) if len(name) >= 5 or re.search(r"[\u4e00-\u9fff]{3}", name)]
    return [_folded(name) for name in (document.name, base, *long)]


def _years(document: Document) -> set[str]:
    """Years of the name and the title; of the first lines where neither has one."""
    return set(_YEAR.findall(f"{document.name} {document.title}")) or set(_YEAR.findall(document.text[:200]))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _unknown(what: str, documents: Sequence[Document]) -> InputError:
    names = ", ".join(one.name for one in documents[:8]) + (" ..." if len(documents) > 8 else "")
    return InputError(f"the question allows only {what!r}, which is none of the sources: {names}", "unknown_source")
