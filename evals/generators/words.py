"""Words that several families take their people and things from, and how a list is spoken."""

from __future__ import annotations

from collections.abc import Sequence

from nodes.contracts import Language

_ENGLISH = "Anna Ben Clara David Emma Felix Grace Henry Irene Jack Laura Martin Nora Oscar Paula Simon"
_CHINESE = "小明 小红 小刚 小丽 小华 小军 小芳 小强 小雨 小杰 小琳 小宇 小梅 小涛 小洁 小波"
PEOPLE: dict[Language, tuple[str, ...]] = {"en": tuple(_ENGLISH.split()), "zh": tuple(_CHINESE.split())}


def listed(items: Sequence[str], language: Language) -> str:
    """`a, b and c`; `a、b和c`."""
    if len(items) < 2:
        return "".join(items)
    comma, last = (", ", " and ") if language == "en" else ("、", "和")
    return comma.join(items[:-1]) + last + items[-1]
