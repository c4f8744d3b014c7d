"""Knowledge: a folder of documents as an index that says where everything stands.

    knowledge = Knowledge.open(Path("docs"))
    for passage in knowledge.search("How high was revenue in 2023?", 4):
        knowledge.resolve(passage.place)          # the raw text or row, as the source has it

Search is BM25 (Robertson, Zaragoza 2009) over rows and paragraphs. The index is a snapshot: sources carry the hash of
the bytes that were read, and a folder with the same names and bytes is not read into an index twice. This module is the
only place that touches langchain-community (its parsers and its BM25 retriever), at the first use.

Opening reads files and computes: inside an event loop, call it in a thread.
"""

from __future__ import annotations

import hashlib
import json
import math
import threading
import unicodedata
import warnings
from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from langchain_core.documents import Document as Excerpt
from langchain_core.documents.base import Blob

from nodes import coordinates
from nodes.documents import contradictions, files, pinning, segments, tables
from nodes.documents.contradictions import Contradiction
from nodes.documents.files import Document
from nodes.documents.segments import Passage
from nodes.errors import InputError, SetupError

MOST_PASSAGES = 200_000
MOST_TERMS = 64
"""Terms of a question that are searched for, the rarest ones: a question may be a document itself."""
LONGEST_NAME = 80
"""Characters of a cell that can be the name of something."""
KEPT = 4
"""Indexes that stay in memory."""
_SUNSET = r"`langchain-community` is being sunset"
_open: OrderedDict[str, Knowledge] = OrderedDict()
_lock = threading.Lock()


@dataclass(frozen=True)
class Source:
    """One document of an index."""

    name: str
    """Path inside the folder."""
    kind: str
    version: str
    """First 12 hex digits of the SHA-256 of its bytes."""
    title: str
    size: int
    """Bytes."""
    tables: int
    characters: int
    """Length of the text that `chars` coordinates count in."""


class Knowledge:
    """An index over the documents of one folder; immutable, safe in any thread."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = {one.name: one for one in documents}
        self.sources = tuple(
            Source(one.name, one.kind, one.digest[:12], one.title, one.size, len(one.tables), len(one.text))
            for one in documents
        )
        self.digest = _digest((one.name, one.digest) for one in documents)
        self._passages, listed = _listed(documents)
        self._retriever = _retriever(self._passages, listed)

    @classmethod
    def open(cls, path: Path | str) -> Knowledge:
        """The index of a folder. The same bytes under the same names give the index that is in memory.

        Raises InputError; code: unknown_folder, no_sources, unreadable_file, too_big, bad_csv, bad_json, broken_pdf.
        """
        loaded = files.load(Path(path))
        digest = _digest((name, hashlib.sha256(data).hexdigest()) for name, data in loaded)
        with _lock:
            found = _open.get(digest) or cls([files.document(name, data, _pages) for name, data in loaded])
            _open[digest] = found
            _open.move_to_end(digest)
            while len(_open) > KEPT:
                _open.popitem(last=False)
        return found

    def search(self, question: str, k: int = 4, sources: Sequence[str] | None = None) -> list[Passage]:
        """At most `k` passages that share a term with the question, best first; ties in the order of the sources.

        `sources` restricts the search; None = what the question itself pins (`pinned`), else everything.
        Raises InputError (`unknown_source`).
        """
        allowed = self._allowed(self.pinned(question) if sources is None else sources)
        if self._retriever is None or k < 1:
            return []
        asked = self._asked(question)
        if not asked:
            return []
        scores = self._retriever.vectorizer.get_scores(asked)
        ranked = sorted(scores.nonzero()[0].tolist(), key=lambda at: (-scores[at], at))
        ranked = [at for at in ranked if not allowed or self._passages[at].source in allowed][:k]
        return [self._passages[at].model_copy(update={"score": round(float(scores[at]), 4)}) for at in ranked]

    def pinned(self, question: str) -> tuple[str, ...]:
        """Names of the sources that the question allows, empty = all. Raises InputError (`unknown_source`)."""
        return pinning.pinned(question, tuple(self._documents.values()))

    def resolve(self, coordinate: str) -> str:
        """The raw cell, row or span at a coordinate; `doc:` may be left out when there is one source only.

        Raises InputError (`bad_coordinate`, `unknown_source`, `unknown_coordinate`).
        """
        place = coordinates.parse(coordinate)
        if place.doc is None and len(self._documents) > 1:
            raise InputError(f"{coordinate!r} names no document: write doc:<name>, before it", "unknown_source")
        name = place.doc if place.doc is not None else next(iter(self._documents))
        self._allowed((name,))
        document = self._documents[name]
        return tables.resolve(place, document.text, document.tables)

    def entry(self, name: str) -> str:
        """Coordinate of the first cell that is this name, but for case, width and white space; empty when none is.

        It is the knowledge-base id of a mention: cells of rows under a heading count, headings and numbers do not.
        """
        return self._entries.get(_plain(name), "")

    @cached_property
    def _entries(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for document in self._documents.values():
            for number, table in enumerate(document.tables, 1):
                for row, cells in enumerate(table.rows[1:], 2):
                    for col, cell in enumerate(cells, 1):
                        if (plain := _plain(cell)) and len(plain) <= LONGEST_NAME and not plain.isnumeric():
                            place = coordinates.Coordinate(doc=document.name, table=number, row=row, col=col)
                            found.setdefault(plain, str(place))
        return found

    def contradictions(self) -> list[Contradiction]:
        """Values of one subject and attribute that differ between documents, with both places."""
        return contradictions.contradictions(self._documents.values())

    def _allowed(self, names: Sequence[str]) -> set[str]:
        if unknown := [name for name in names if name not in self._documents]:
            known = ", ".join(list(self._documents)[:8])
            raise InputError(f"there is no source {unknown[0]!r}; there are: {known}", "unknown_source")
        return set(names)

    def _asked(self, question: str) -> list[str]:
        """The question's terms that occur anywhere, the rarest first."""
        idf: dict[str, float] = self._retriever.vectorizer.idf
        known = [term for term in dict.fromkeys(segments.terms(question)) if term in idf]
        return sorted(known, key=lambda term: (-idf[term], term))[:MOST_TERMS]


def _listed(documents: Sequence[Document]) -> tuple[list[Passage], list[list[str]]]:
    """Passages with their terms and those of their document's name and title, which tell like documents apart.

    Passages without a term of their own cannot be found and are left out.
    """
    found: list[Passage] = []
    listed: list[list[str]] = []
    for document in documents:
        about = segments.terms(f"{document.name.rpartition('.')[0]} {document.title}")[:MOST_TERMS]
        for passage in segments.passages(document):
            if words := segments.terms(passage.text):
                found.append(passage)
                listed.append(words + about)
        if len(found) > MOST_PASSAGES:
            raise InputError(f"the folder holds more than {MOST_PASSAGES} rows and paragraphs", "too_big")
    return found, listed


def _retriever(passages: Sequence[Passage], listed: Sequence[list[str]]) -> Any:
    """LangChain's BM25 retriever over the passages, or None when there are none.

    Its idf is replaced: that of Okapi is zero or below for a term in half of the passages, so that two documents could
    never be told apart. log(1 + (N - n + 0.5) / (n + 0.5)) is always positive (as in Lucene).
    """
    if not passages:
        return None
    words = iter(listed)
    excerpts = [Excerpt(page_content=one.place) for one in passages]
    try:
        retriever = community().BM25Retriever.from_documents(excerpts, preprocess_func=lambda _: next(words))
    except ImportError as error:
        raise SetupError(f"the knowledge index needs the package rank-bm25: {error}") from error
    many, used = len(passages), Counter(term for one in retriever.vectorizer.doc_freqs for term in one)
    retriever.vectorizer.idf = {term: math.log1p((many - n + 0.5) / (n + 0.5)) for term, n in used.items()}
    return retriever


@cache
def community() -> SimpleNamespace:
    """What is used of langchain-community, imported at the first use.

    Its notice of sunset is filtered by its words; it is a requirement, and nothing else of it is used: its csv loader
    strips cells, its text loader folds line ends, its html loader drops tables.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=_SUNSET, category=DeprecationWarning)
        from langchain_community.document_loaders.parsers.pdf import PyPDFParser
        from langchain_community.retrievers.bm25 import BM25Retriever
    return SimpleNamespace(PyPDFParser=PyPDFParser, BM25Retriever=BM25Retriever)


def _pages(data: bytes) -> list[str]:
    """Text of each page of a pdf. Raises InputError (`broken_pdf`)."""
    blob = Blob.from_data(data, mime_type="application/pdf")
    try:
        return [page.page_content for page in community().PyPDFParser(mode="page").lazy_parse(blob)]
    except ImportError as error:
        raise SetupError(f"pdf files need the package pypdf: {error}") from error
    except Exception as error:  # a parser of hostile bytes fails in any way; every one is told by its name
        raise InputError(f"the pdf cannot be read: {type(error).__name__}: {error}", "broken_pdf") from error


def _plain(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _digest(versions: Any) -> str:
    """SHA-256 over names and hashes of the sources, first 16 hex digits."""
    listed = json.dumps(sorted(versions), ensure_ascii=False)
    return hashlib.sha256(listed.encode("utf-8", "surrogateescape")).hexdigest()[:16]
