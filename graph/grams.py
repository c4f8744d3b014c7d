"""Chinese words in full text search.

SQLite's tokenizer takes a run of Chinese characters as one word, and its trigram tokenizer finds nothing shorter than
three characters, while most Chinese words have two. So each text has a column of its pairs of neighbours: 机器学习
becomes 机器 器学 学习 习, and a search for 学习 is a search for the word 学习 in that column. The last character stands
alone, so that a single character is found as the beginning of some word. Latin words beside Chinese ones are repeated
there, because the tokenizer would glue them to their neighbours.
"""

from __future__ import annotations

import re

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_RUN = re.compile(f"([{_CJK}]+)|((?:(?![{_CJK}_])\\w)+)")
_HAS_CJK = re.compile(f"[{_CJK}]")


def grams(text: str) -> str:
    """The search words of a text that has Chinese (or Japanese, Korean) characters; empty for others."""
    if not _HAS_CJK.search(text):
        return ""
    return " ".join(piece for run, word in _RUN.findall(text) for piece in (_pairs(run) if run else [word]))


def match(search: str) -> str:
    """An FTS5 query that finds every word of `search`; words may begin alike. Empty when there is no word in it."""
    words = _RUN.findall(search)
    return " AND ".join(_phrase(run) if run else f'"{word}"*' for run, word in words)


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run))]


def _phrase(run: str) -> str:
    """Neighbouring pairs as a phrase: the run as it stands in the text."""
    words = f'"{run}"*' if len(run) == 1 else f'"{" ".join(_pairs(run)[:-1])}"'
    return f"{{question_grams answer_grams}} : {words}"
