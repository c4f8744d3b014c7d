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
_TEXT_MACRO = re.compile(
    r"\\(?:text(?:bf|it|rm|normal|tt|sf)?|mathrm|mathbf|mathit|mathsf|mathtt|mbox|hbox|operatorname|bm|boldsymbol)\s*\{([^{}]*)\}"
)
_SPACING = re.compile(r"\\(?:[,;:!> ]|q?quad\b|displaystyle\b|left\b|right\b|[bB]igg?[lr]?\b|limits\b)\.?|~")
_MATH_OPEN = re.compile(r"\\[\[(]|\\[\])]|\$\$?")
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
    return unicodedata.normalize("NFKC", signed).translate(_SIGNS)


def group(text: str, start: int) -> int:
    """Index of the brace that closes the one at `start`, or -1. LaTeX escapes `\\{` do not count."""
    depth = 0
    index = start
    while index < len(text):
        char = text[index]
        if char == "\\":
            index += 2
            continue
        if char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                return index
        index += 1
    return -1


def unbox(text: str) -> str:
    """Replace every complete `\\boxed{x}` or `\\fbox{x}` by x."""
    for macro in ("\\boxed", "\\fbox"):
        while (start := text.find(macro)) >= 0:
            brace = start + len(macro)
            end = group(text, brace) if text[brace : brace + 1] == "{" else -1
            inner = text[brace + 1 : end] if end > 0 else ""
            text = text[:start] + inner + text[end + 1 if end > 0 else brace :]
    return text


def unwrap(text: str) -> str:
    """Fold, then take away Markdown emphasis, LaTeX delimiters, text macros, an answer prefix and end punctuation."""
    text = fold(unbox(text)).replace("**", "").replace("__", "").strip()
    text = _MATH_OPEN.sub(" ", text)
    while (flat := _TEXT_MACRO.sub(r" \1 ", text)) != text:
        text = flat
    text = text.replace("\\%", "%").replace("\\$", "$").replace("\\#", "#").replace("\\&", "&")
    text = re.sub(r"\^\s*\{?\s*\\circ\s*\}?|\\degree\b", "°", text)
    text = re.sub(r"\s+", " ", text).strip()
    if text.startswith("`") and text.endswith("`"):
        text = text.strip("`").strip()
    text = _PREFIX.sub("", text, count=1)
    return text.lstrip(" :").rstrip(_CLOSING) or text


def tidy(text: str) -> str:
    """Drop LaTeX spacing and sizing commands, which never change a value."""
    return re.sub(r"\s+", " ", _SPACING.sub(" ", text)).strip()


def words(text: str) -> str:
    """Plain-text normal form: casefolded words without articles and punctuation, single spaces."""
    folded = re.sub(r"[^\w%+\-*/<>=.]+|(?<!\d)[.]|[.](?!\d)|_", " ", fold(text).casefold())
    kept = [word for word in folded.split() if word not in ("a", "an", "the")]
    return " ".join(kept)
