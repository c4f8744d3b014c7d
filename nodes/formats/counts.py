"""How many words, characters, sentences, paragraphs, list items ... a text has, as a range of fair readings.

People count differently ("well-known" is one word or two, a list item is a sentence or not). A demand is only called
broken when every fair count breaks it, so each count is the lowest and the highest one.
"""

from __future__ import annotations

import re

Range = tuple[int, int]
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"[^\W_\u3400-\u9fff]+(?:['’\-–./,:@_][^\W_\u3400-\u9fff]+)*")
_PART = re.compile(r"[^\W_\u3400-\u9fff]+")
_END = re.compile(r"[.!?。！？…]+[\"'”’」』)）*_]*(?=\s|$)|[。！？]")
_BETWEEN = re.compile(
    r"(?<![A-Z])(?<!\b[A-Z]r)(?<!\b[A-Z]rs)(?<!\be\.g)(?<!\bi\.e)(?<!\betc)[.!?]+[\"'”’)*_]*(?=\s+[\"'“‘(*]*"
    r"[A-Z\d]|\s*$)|[。！？]+"
)
_BULLET = re.compile(r"^[ \t]*(?:[-*+•·●▪◦][ \t]+|•)\S", re.MULTILINE)
_NUMBERED = re.compile(r"^[ \t]*(?:\*\*)?(?:\d{1,3}[.)、．:：]|[（(]\d{1,3}[)）])[ \t]*\S", re.MULTILINE)
_HIGHLIGHT = re.compile(
    r"\*\*\*?[^*\n]+?\*\*\*?|(?<![*\\])\*(?!\s)[^*\n]+?\*|(?<!\w)_(?!\s)[^_\n]+?_(?!\w)|(?<!\w)__[^_\n]+?__(?!\w)"
)
_PLACEHOLDER = re.compile(r"\[[^\[\]\n]+\](?!\()")
_RULE = re.compile(r"^[ \t]*(?:\*[ \t]*){3,}$|^[ \t]*(?:-[ \t]*){3,}$", re.MULTILINE)


def words(text: str) -> Range:
    """Latin words; with Chinese signs counted as words as the highest reading."""
    found = len(_WORD.findall(text))
    han = len(_HAN.findall(text))
    parts = len(_PART.findall(text))
    return found if not han else min(found, found + han), max(parts, len(text.split())) + han


def characters(text: str) -> Range:
    """Chinese signs and Latin words (as Chinese editors count) up to every sign that is not a space."""
    han, latin = len(_HAN.findall(text)), len(_WORD.findall(text))
    return min(han + latin, len(text.strip())), max(len(re.sub(r"\s", "", text)), len(text.strip()))


def sentences(text: str) -> Range:
    """Full stops that surely end a sentence, up to every line and every stop."""
    lines = [line for line in text.split("\n") if re.search(r"\w", line)]
    sure = len(_BETWEEN.findall(text))
    loose = sum(max(1, len(_END.findall(line)) + (not _END.search(line[-3:]))) for line in lines)
    return min(max(sure, 1 if lines else 0), loose), max(loose, sure)


def paragraphs(text: str) -> Range:
    """Blocks between empty lines; headings and rules may or may not count, and so may single lines."""
    blocks = [block for block in re.split(r"\n[ \t]*\n", _RULE.sub("\n", text)) if block.strip()]
    plain = [block for block in blocks if not re.match(r"\s*(?:#{1,6}\s|<<|《《|\*\*[^*\n]+\*\*\s*$)", block)]
    lines = [line for line in text.split("\n") if line.strip()]
    return len(plain) if plain else min(1, len(lines)), max(len(blocks), len(lines) if len(blocks) <= 1 else 0)


def divided(text: str, divider: str) -> Range:
    """Parts between lines that hold the divider."""
    parts = [
        part for part in re.split(rf"^[ \t]*{re.escape(divider)}[ \t]*$", text, flags=re.MULTILINE) if part.strip()
    ]
    return len(parts), len(parts)


def bullets(text: str) -> Range:
    """Lines that begin with a bullet; the lowest reading leaves out indented ones."""
    found = [match[0] for match in _BULLET.finditer(_RULE.sub("", text))]
    return sum(not one.startswith((" ", "\t")) for one in found), len(found)


def numbered(text: str) -> Range:
    """Lines that begin with a number; the lowest reading leaves out indented ones."""
    found = [match[0] for match in _NUMBERED.finditer(text)]
    return sum(not one.startswith((" ", "\t")) for one in found), len(found)


def highlights(text: str) -> Range:
    """Parts in italics or bold."""
    bare = re.sub(r"^[ \t]*[-*+][ \t]+", "", text, flags=re.MULTILINE)
    found = len(_HIGHLIGHT.findall(bare))
    return found, found


def placeholders(text: str) -> Range:
    """Words in square brackets that are no links."""
    found = len(_PLACEHOLDER.findall(text))
    return found, found


def headings(text: str, level: str) -> Range:
    """Hashed headings of a level; of all levels for an empty one."""
    hashes = rf"#{{{level}}}" if level else "#{1,6}"
    found = len(re.findall(rf"^ {{0,3}}{hashes}[ \t]+\S", text, re.MULTILINE))
    return found, found


def capitals(text: str) -> Range:
    """Words of capital letters only; one-letter words may or may not count."""
    found = [word for word in _PART.findall(text) if word.isupper()]
    return sum(len(word) > 1 for word in found), len(found)


def occurrences(text: str, word: str) -> Range:
    """Whole words at the lowest, anywhere in the text at the highest; case does not matter."""
    folded, wanted = text.casefold(), word.casefold()
    anywhere = folded.count(wanted)
    if not wanted.isascii():
        return anywhere, anywhere
    return len(re.findall(rf"(?<!\w){re.escape(wanted)}(?!\w)", folded)), anywhere


def marked(text: str, marker: str) -> Range:
    """Sections that begin with the marker and a number or letter."""
    found = len(
        re.findall(
            rf"(?<![^\W_]){re.escape(marker)}[ \t]*(?:\d+|[IVX]+\b|[A-Z]\b|[一二三四五六七八九十]+)",
            text,
            re.IGNORECASE,
        )
    )
    return found, found
