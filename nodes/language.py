"""Which of the two prompt languages a text is written in.

The share of Han characters among words decides: a Han character counts as one word, a run of two or more Latin
letters as one (single letters are variables). Kana makes a text Japanese, which is served in English. Code is no
language: fenced blocks are left out, unless nothing else is there; so are LaTeX commands.
"""

from __future__ import annotations

import re

from nodes.contracts import Language

SAMPLE = 4_000
"""Characters that are looked at, from either end of a long text."""
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]")
_LATIN = re.compile(r"[^\W\d_]{2,}")
_LATEX = re.compile(r"\\[A-Za-z]+")
_HAN_START = re.compile(r"\W*[\u4e00-\u9fff]{4}")
_SENTENCE = re.compile(r"[\n。！？；：!?;:]|\.\s")


def detect(text: str) -> Language:
    """Language of `text`; English where there is no sign of either."""
    sample = text if len(text) <= 2 * SAMPLE else f"{text[:SAMPLE]}\n{text[-SAMPLE:]}"
    prose = _FENCE.sub(" ", sample)
    share = han_share(prose if prose.strip() else sample)
    return "zh" if share >= 0.5 or (share > 0 and _asked_in_chinese(prose)) else "en"


def han_share(text: str) -> float:
    """Han characters / (Han characters + other words), 0 to 1; 0 when kana shows that the Han characters are kanji."""
    han = len(_HAN.findall(text))
    kana = len(_KANA.findall(text))
    if not han or kana > han / 4:
        return 0.0
    words = len(_LATIN.findall(_LATEX.sub(" ", _HAN.sub(" ", text))))
    return han / (han + words)


def _asked_in_chinese(text: str) -> bool:
    """True when the first words, the first or the last sentence, where a request usually stands, are Chinese."""
    if _HAN_START.match(text):
        return True
    sentences = [part for part in _SENTENCE.split(text) if part.strip()]
    return bool(sentences) and max(han_share(sentences[0]), han_share(sentences[-1])) >= 0.7
