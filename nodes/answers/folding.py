"""Fold a text to one width, one sign set and no wrapping, so that later steps see plain characters.

Nothing here decides what a text means; it only removes what never changes a meaning: full-width forms, typographic
signs, Markdown and LaTeX wrappers, a leading "answer:" and closing punctuation.
"""

from __future__ import annotations

import re
import unicodedata

_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿ"
_FROM_SUPERSCRIPT = str.maketrans(_SUPERSCRIPTS, "0123456789-+n")
_SUPERSCRIPT_RUN = re.compile(f"[{_SUPERSCRIPTS}]+")
_VULGAR = re.compile("(?<=\\d)(?=[¼½¾⅐-⅞])")
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("−‐‑‒–—﹣", "-"),
        **dict.fromkeys("×∙·⋅", "*"),
        **dict.fromkeys("“”„‟″", '"'),
        **dict.fromkeys("‘’‚‛′", "'"),
        **dict.fromkeys("～∼〜", "~"),
        "÷": "/",
        "⁄": "/",
        "∶": ":",
        "≤": "<=",
        "≥": ">=",
        "⩽": "<=",
        "⩾": ">=",
        "≈": "~",
        "π": "\\pi ",
        "∞": "\\infty ",
        "∪": "\\cup ",
        "∩": "\\cap ",
        "∅": "\\emptyset ",
        "±": "\\pm ",
        "º": "°",
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad"),
    }
)
_TRADITIONAL = str.maketrans(
    "負萬億點兩個號時週禮對錯圓塊錢頭隻條張頁顆歲輛為選擇", "负万亿点两个号时周礼对错圆块钱头只条张页颗岁辆为选择"
)
_TRADITIONAL_SIGN = re.compile("[負萬億點兩個號時週禮對錯圓塊錢頭隻條張頁顆歲輛為選擇]")
_BETWEEN_CHINESE = re.compile(r"(?<=[一-鿿])\s+(?=[一-鿿])")
_TEXT_MACRO = re.compile(
    r"\\(?:text(?:bf|it|rm|normal|tt|sf)?|mathrm|mathbf|mathit|mathsf|mathtt|mbox|hbox|operatorname|bm|boldsymbol)\s*\{([^{}]*)\}"
)
_BOX = re.compile(r"\\(?:boxed|fbox)\s*\{")
_DOUBLED = re.compile(r"(?<!\\)\\\\(?=(?:left|right|[dt]?frac|boxed|sqrt|text|pi|cdot|times)(?![a-z]))")
_EMPHASIS = re.compile(r"(?<![\w)\]])\*\*|\*\*(?![\w(\[])|__")
_SPACING = re.compile(r"\\(?:[,;:!> ]|q?quad\b|displaystyle\b|left\b|right\b|[bB]igg?[lr]?\b|limits\b)\.?|~")
_MATH = re.compile(
    r"\$\$(.+?)\$\$|(?<!\\)\$(?!\d[\d,.]*\s+[a-z])([^$]+)(?<!\\)\$(?!\d)|\\\((.*?)\\\)|\\\[(.*?)\\\]", re.DOTALL
)
_LOOSE_DELIMITER = re.compile(r"\\[()\[\]]|^\s*\$+(?!\s?-?[\d.])")
_PREFIX = re.compile(
    r"^(?:(?:so|thus|hence|therefore)?,?\s*(?:the\s+|my\s+)?(?:final\s+|correct\s+)?answer\s*(?:is\b\s*:?|[:=]|(?=\s))"
    r"|(?:最终|正确|最后)?答案\s*(?:[:=]|是|为)|答\s*[:])\s*",
    re.IGNORECASE,
)
_CLOSING = " \t\r\n.。,;；!！、"


def fold(text: str) -> str:
    """One width and one sign set: full-width to ASCII, superscripts to `^{n}`, minus signs to `-`."""
    text = _SUPERSCRIPT_RUN.sub(lambda run: "^{" + run[0].translate(_FROM_SUPERSCRIPT) + "}", text)
    text = _VULGAR.sub(" ", text)
    signed = text.translate(_SIGNS)
    plain = unicodedata.normalize("NFKC", signed).translate(_SIGNS)
    return plain.translate(_TRADITIONAL) if _TRADITIONAL_SIGN.search(plain) else plain


def braces(text: str) -> dict[int, int]:
    """Index of each opening brace and of the one that closes it, in one pass. LaTeX escapes `\\{` do not count."""
    closing: dict[int, int] = {}
    opened: list[int] = []
    escaped = False
    for index, char in enumerate(text):
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif char == "{":
            opened.append(index)
        elif char == "}" and opened:
            closing[opened.pop()] = index
    return closing


def unbox(text: str) -> str:
    """Replace every complete `\\boxed{x}` or `\\fbox{x}` by x."""
    closing = braces(text)
    dropped: set[int] = set()
    for match in _BOX.finditer(text):
        end = closing.get(match.end() - 1)
        if end is not None:
            dropped.update(range(match.start(), match.end()), (end,))
    return "".join(char for index, char in enumerate(text) if index not in dropped) if dropped else text


def unwrap(text: str) -> str:
    """Fold, then take away Markdown emphasis, LaTeX delimiters, text macros, an answer prefix and end punctuation."""
    text = _DOUBLED.sub(r"\\", text)
    text = fold(unbox(re.sub(r",\\!\s*", ",", text)))
    text = _EMPHASIS.sub("", text).strip()
    text = _MATH.sub(lambda math: f" {math[math.lastindex or 0]} ", text)
    text = _LOOSE_DELIMITER.sub(" ", text).strip()
    while (flat := _TEXT_MACRO.sub(r" \1 ", text)) != text:
        text = flat
    text = text.replace("\\%", "%").replace("\\$", "$").replace("\\#", "#").replace("\\&", "&")
    text = re.sub(r"\^\s*\{?\s*\\circ\s*\}?|\\degree\b", "°", text)
    text = _BETWEEN_CHINESE.sub("", re.sub(r"\s+", " ", text).strip())
    text = re.sub(r"^负(?=\d)", "-", text)
    if text.startswith("`") and text.endswith("`"):
        text = text.strip("`").strip()
    text = _PREFIX.sub("", text, count=1)
    return text.lstrip(" :").rstrip(_CLOSING) or text


def formulas(text: str) -> list[str]:
    """The contents of LaTeX math delimiters, in order."""
    return [math[math.lastindex or 0].strip() for math in _MATH.finditer(text)]


def tidy(text: str) -> str:
    """Drop LaTeX spacing and sizing commands, which never change a value."""
    return re.sub(r"\s+", " ", _SPACING.sub(" ", text)).strip()


def words(text: str) -> str:
    """Plain-text normal form: casefolded words without articles and punctuation, single spaces."""
    folded = re.sub(r"[^\w%+\-*/<>=.]+|(?<!\d)[.]|[.](?!\d)|_", " ", fold(text).casefold())
    kept = [word for word in folded.split() if word not in ("a", "an", "the")]
    return " ".join(kept)
