"""Requests to extract: what they ask for, where their source text is, and what a reply claims to have found.

Read conservatively: a request is one of extraction when it asks for things of a kind and gives a text to take them
from. Anything else gets no checks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from nodes.answers import choices
from nodes.documents.segments import terms
from nodes.mentions import Kind

LONGEST_ITEM = 80
"""Characters of a list item that can be a mention; longer ones are explanations."""
MOST_ITEMS = 100
QUOTED_SHARE = 0.3
"""Share of a request from which a quotation is its text and not a word it is about."""
SHORTEST_SOURCE = 20
"""Characters of a text that something can be taken from."""
_KIND_WORDS: tuple[tuple[Kind, str, str], ...] = (
    ("email", "e-?mails?(?: address(?:es)?)?", "电子邮箱|电子邮件|邮箱"),
    ("url", "urls?|links|web addresses", "网址|链接"),
    ("date", "dates|(?:every|each) date", "日期"),
    ("time", "times(?: of day)?", "时刻|钟点"),
    ("money", "(?:sums|amounts)(?: of money)?|prices", "金额|价格"),
    ("person", "people|persons|characters|(?:every|each|any) (?:person|name)", "人名|人物|姓名|所有的人"),
    ("organisation", "organi[sz]ations|companies|firms|universities|institutions|(?:every|each) (?:company|firm)",
     "机构|组织名|公司|大学|企业"),
    ("place", "places|locations|cities|countries|rivers|towns|(?:every|each) (?:place|city|country|location)",
     "地名|地点|城市|国家|河流"),
    ("product", "products|brands", "产品|品牌"),
    ("title", "books|titles", "书名|作品"),
    ("event", "events", "事件|赛事"),
    ("other", "named entity|(?:named )?entit(?:y words|ies)|names|mentions|(?:every|all)[^.?!\\n]{1,60} mentioned",
     "命名实体|实体|专有名词|名称"),
)  # fmt: skip
_VERB = r"\b(?:extract|list|find|identify|name|pull out|pick out|tag|mark|give|which|what|recogni[sz]e)\b"
_VERB_ZH = "(?:写出|提取|抽取|列出|找出|识别|标注|哪些|提到了?|给出|指出)"
_ASKED = re.compile(f"{_VERB}|{_VERB_ZH}", re.IGNORECASE)
_KINDS = tuple(
    (
        kind,
        re.compile(
            rf"{_VERB}[^.?!\n]{{0,60}}?(?<![A-Za-z])(?:{english})(?![A-Za-z])|{_VERB_ZH}[^。？！\n]{{0,24}}?(?:{chinese})"
            rf"|(?:{chinese})[^。？！\n]{{0,12}}(?:抽取|提取|找|列|标)出",
            re.IGNORECASE,
        ),
    )
    for kind, english, chinese in _KIND_WORDS
)
_GIVEN = re.compile(
    r"\b(?:in|from|of|does) (?:the|this|these|that|here)\b"
    r"|\b(?:following|below|above|mentioned|text|passage|sentence|paragraph|message|note|cv)\b"
    r"|下面|下文|以下|文中|这段|这篇|句子|段落|上文|文本|出现",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\bhow (?:many|much)\b|\bnumber of\b|\brelation(?:s|ship)?\b"
    r"|\b(?:translate|write|invent|suggest|recommend|generate|create|compose)\b"
    r"|多少|几个|之间|关系|翻译|编写|推荐|生成|创作|设计",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"|「[^「」]*」")
_REFORMED = re.compile(
    r"canonical|full form|normali[sz]e|in the form|YYYY|translate|ISO|lower ?case|upper ?case"
    r"|规范|改写|格式|全称|翻译|译成|简称",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*(?:[-*•·]|\(?\d{1,3}[.)、）]|（\d{1,3}）)\s*")
_LABEL = re.compile(r"^\**[\w \u4e00-\u9fff/()（）-]{1,30}\**\s*[:：]\s*")
_SPLIT = re.compile(r"\s*[;；、\n]\s*")
_EDGE = " \t*_`\"'“”‘’「」《》.。,，:："
_NONE = re.compile(r"(?:none|nothing|n/?a|no \w+|无|没有.*|不存在)$", re.IGNORECASE)


@dataclass(frozen=True)
class Wanted:
    """What a request of extraction asks for."""

    kinds: tuple[Kind, ...]
    span: tuple[int, int]
    """Where the source text stands in the request."""
    verbatim: bool
    """False when the request wants another form than the text's."""


def wanted(question: str) -> Wanted | None:
    """What is to be extracted, or None for every other request."""
    span = source(question)
    said = (question[: span[0]] + "\n" + question[span[1] :])[:2_000]
    if span[1] - span[0] < SHORTEST_SOURCE or _NOT.search(said) or choices(question):
        return None
    kinds = tuple(kind for kind, pattern in _KINDS if pattern.search(said))
    if not kinds or not _GIVEN.search(said):
        return None
    return Wanted(kinds, span, not _REFORMED.search(said))


def source(question: str) -> tuple[int, int]:
    """Span of the text that a request works on: what follows the line that asks, a long quotation, what stands before
    a last line that asks, or what follows a colon; empty when there is none of these.
    """
    head, line, rest = question.partition("\n")
    if line and len(rest.strip()) >= SHORTEST_SOURCE and _ASKED.search(head):
        return len(head) + 1, len(question)
    quoted = max(
        (match.span() for match in _QUOTED.finditer(question)), key=lambda span: span[1] - span[0], default=None
    )
    if quoted and quoted[1] - quoted[0] > max(SHORTEST_SOURCE, QUOTED_SHARE * len(question)):
        return quoted[0] + 1, quoted[1] - 1
    last = question.rstrip().rfind("\n") + 1
    if last > SHORTEST_SOURCE and _ASKED.search(question[last:]):
        return 0, last
    colon = max(question.find("："), question.find(": "))
    return (colon + 1, len(question)) if 0 < colon < len(question) - SHORTEST_SOURCE else (0, 0)


def items(answer: str) -> list[tuple[str, tuple[int, int]]]:
    """What an answer lists, with spans: parts between semicolons, 、 or line breaks, without bullets and labels."""
    found: list[tuple[str, tuple[int, int]]] = []
    at = 0
    for part in _SPLIT.split(answer):
        place = answer.find(part, at)
        at = place + len(part)
        bare = _LABEL.sub("", _BULLET.sub("", part), count=1)
        bare = re.sub(r"\s*[（(][^（）()]*[）)]\s*$", "", bare).strip(_EDGE)
        if 1 < len(bare) <= LONGEST_ITEM and not _NONE.match(bare):
            inner = part.rfind(bare)
            found.append((bare, (place + inner, place + inner + len(bare))))
    return found[:MOST_ITEMS]


def locate(words: str, text: str, start: int = 0) -> tuple[int, int] | None:
    """Where words stand in a text: exactly, or but for case, width, kind of quotes and white space."""
    at = text.find(words, start) if words.strip() else -1
    if at >= 0:
        return at, at + len(words)
    pieces = [re.escape(piece) for piece in unicodedata.normalize("NFKC", words).strip(_EDGE).split()]
    if not pieces or sum(map(len, pieces)) > 500:
        return None
    found = re.compile(r"\s+".join(pieces), re.IGNORECASE).search(text, start)
    return found.span() if found else None


def support(words: str, text_terms: set[str]) -> float:
    """Share of the words' terms that the text has, 0 to 1; 1 for words without any term."""
    own = terms(words)
    return sum(one in text_terms for one in own) / len(own) if own else 1.0


def comparable(found: Sequence[str], question: str) -> bool:
    """False when the answer is in a script that the request does not use: it translates, so nothing can be missing."""
    han, latin = re.compile(r"[\u4e00-\u9fff]"), re.compile(r"[A-Za-z]")
    answer = " ".join(found)
    return not (han.search(answer) and not han.search(question)) and not (
        latin.search(answer) and not latin.search(question)
    )
