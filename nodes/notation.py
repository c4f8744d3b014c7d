"""Rewrites how people and models write arithmetic (LaTeX, Chinese, words, currency, Markdown) to plain signs.

The order of the rewriting rules matters: what hides signs (code, commands) goes first. Code becomes blank, because
nothing is claimed there.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import cn2an

from nodes.traced import Traced

_N = r"\d+(?:\.\d+)?"
_CN = "零〇一二两三四五六七八九十百千万亿点"
_CN_SIGNS = " ".join(_CN)
_CN_OPERATOR = "加上?|减去?|乘以|乘|除以|等于"
_FRACTION = r"\\[dtc]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}"
_GROUPED = r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,]*\d)"
_CHINESE_NUMBER = (  # from the first numeral of a run, without going back: a run is looked at once
    rf"(?<![{_CN}])[{_CN}]++(?=[ \t]*+(?:{_CN_OPERATOR}|[-+*/=]))"
    rf"|(?<=[加减乘以去上于+*/=])[ \t]*[{_CN}]+(?![{_CN}分第])"
)
Replacement = str | Callable[[re.Match[str]], str]
_WIDE = str.maketrans("０１２３４５６７８９＋－＝（）．％，−–×✕∗⋅·÷≒≃≅", "0123456789+-=().%,--*****/≈≈≈")


def _arabic(match: re.Match[str]) -> str:
    """A Chinese numeral in digits, or unchanged when it is none (万一, 点)."""
    try:
        value = cn2an.cn2an(match[0].strip(), "smart")
    except ValueError:
        return match[0]
    return str(int(value) if float(value).is_integer() else value)


_RULES: tuple[tuple[str, str, Replacement], ...] = (
    ("`", r"```[\s\S]*?(?:```|\Z)|`[^`\n]*`", "\n"),
    ("\\", r"\\(?:text|mathrm|mathbf|textbf|mbox|boxed|operatorname)[ \t]*\{([^{}]*)\}", r" \1 "),
    ("\\", _FRACTION, r" ((\1)/(\2))"),
    ("\\", _FRACTION, r" ((\1)/(\2))"),
    ("\\", _FRACTION, r" ((\1)/(\2))"),
    ("\\", r"\\(?:times|cdot|ast)(?![A-Za-z])", " * "),
    ("\\", r"\\div(?![A-Za-z])", " / "),
    ("\\", r"\\(?:approx|simeq)(?![A-Za-z])", "≈"),
    ("\\", r"\\(?:left|right|quad|qquad|displaystyle|,|;|:|!| )(?![A-Za-z])", " "),
    ("\\", r"\\[()\[\]]|\\begin\{[^}]*\}|\\end\{[^}]*\}", "\n"),
    ("\\", r"\\([%$&#])", r"\1"),
    ("\\", r"\\\\", "\n"),
    ("{,}", r"\{,\}", ","),
    (",", _GROUPED, lambda match: match[0].replace(",", "")),
    ("&", r"&", " "),
    ("²", r"²", "^2"),
    ("³", r"³", "^3"),
    ("$ € £ ¥ ￥ ₹", r"[$€£¥￥₹]", " "),
    ("**", r"(?<![\d)])\*\*|\*\*(?![\d(])", " "),
    ("- * •", r"^[ \t]*[-*•][ \t]+", "‣ "),
    ("", r"^([ \t]*)\(?\d+[.)、][ \t]+", "‣ "),
    ("= ≈", r"\n\s*(?==|≈)", " "),
    ("/", rf"(?<![\w.])({_N})[ \t]+(\d+)/(\d+)(?![\w/])", r"(\1+\2/\3)"),
    ("plus added", rf"({_N})[ \t]*(?:plus|added to)[ \t]+(?=\d)", r"\1 + "),
    ("minus", rf"({_N})[ \t]*minus[ \t]+(?=\d)", r"\1 - "),
    ("times multiplied", rf"({_N})[ \t]*(?:times|multiplied by)[ \t]+(?=\d)", r"\1 * "),
    ("divided", rf"({_N})[ \t]*divided by[ \t]+(?=\d)", r"\1 / "),
    ("%", rf"({_N}[ \t]*%)[ \t]*(?:of|的)[ \t]*(?=\d)", r"\1 * "),
    ("/", rf"({_N}/\d+)[ \t]*of[ \t]+(?=\d)", r"\1 * "),
    ("的", rf"({_N})的[ \t]*(?={_N}[ \t]*(?:%|/))", r"\1*"),
    ("equal", r"[ \t](?:equals|is equal to)[ \t]+(?=\d)", " = "),
    ("x X", r"(?<=\d)[ \t]*[xX][ \t]*(?=\d)", " * "),
    ("x X", r"(?<=\))[ \t]*[xX][ \t]*(?=\d)|(?<=\d) [xX] (?=\()", " * "),
    (_CN_SIGNS, _CHINESE_NUMBER, _arabic),
    ("加", rf"({_N}[ \t]*[\u4e00-\u9fff]{{0,2}}?)加上?[ \t]*(?=\d)", r"\1+"),
    ("减", rf"({_N}[ \t]*[\u4e00-\u9fff]{{0,2}}?)减去?[ \t]*(?=\d)", r"\1-"),
    ("乘", rf"({_N}[ \t]*[\u4e00-\u9fff]{{0,2}}?)乘以?[ \t]*(?=\d)", r"\1*"),
    ("除", rf"({_N}[ \t]*[\u4e00-\u9fff]{{0,2}}?)除以[ \t]*(?=\d)", r"\1/"),
    ("等于", r"等于[ \t]*(?=\d)", "="),
    ("(", r"(?<=\d)[ \t]*\((?:[A-Za-z][A-Za-z ',./-]*|[\u4e00-\u9fff、]+)\)(?=[ \t]*(?:[-+*/=),.]|$))", " "),
)
"""What a text must hold for the rule to be tried (any of these; it is the faster search), a pattern, and what replaces
it, in order; nested fractions are undone from the inside, three deep."""
RULES = tuple(
    (tuple(needed.split()), re.compile(pattern, re.MULTILINE), replacement) for needed, pattern, replacement in _RULES
)


def plain_signs(text: str) -> Traced:
    """The text in ASCII signs: + - * / ^ ( ) % = and ≈; it remembers the original places."""
    traced = Traced(text)
    traced.text = traced.text.translate(_WIDE)
    for needed, pattern, replacement in RULES:
        if not needed or any(sign in traced.text for sign in needed):
            traced.sub(pattern, replacement)
    return traced
