"""A request to rewrite: the text that is to be rewritten, the register that is asked for, and the target language.

None where the request is no rewriting or its text cannot be told from its words: the check of the style specialist is
silent then.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from nodes.contracts import Language
from nodes.language import detect

Length = Literal["shorter", "longer", "same"]
LONGEST = 20_000
"""Characters of a request that are read."""
SHORTEST = 6
"""Characters of a text worth rewriting."""
_ASKED = re.compile(
    r"\b(?:rewrit(?:e|ing)|rephras(?:e|ing)|paraphras(?:e|ing)|reword(?:ing)?|polish|proofread|"
    r"(?:edit|simplify) (?:this|the (?:text|sentence|paragraph|following (?:text|sentence|"
    r"paragraph))|for|my)|shorten|condense|"
    r"tone down|soften|translate|expand|tidy up|improve the (?:wording|style|tone)|copy-?edit|restate)\b"
    r"|\b(?:make|turn|put|change|write|convert|rewrite)\b[^.\n]{0,40}?\b(?:this|it|the (?:following|"
    r"sentence|text|email|paragraph|message|note)|the)\b[^.\n]{0,60}?"
    r"\b(?:sound|formal|informal|polite|politer|professional|casual|friendl\w+|warmer|"
    r"shorter|concise|wordy|plain|simple[r]?|passive|active|tone|voice|"
    r"style|confident|register|english|chinese|neutral|marketing|copy|lively|technical|message to)\b"
    r"|改写|改得|润色|换一?种说法|换句话说|精简|缩短|缩写|扩写|翻译|重写|优化一?下?(?:表达|措辞|文字)|改(?:成|为)[^\n]{0,16}?(?:语气|口吻|风格|文体|人称|"
    r"被动句|主动句|白话|书面语|口语|文案|格式)|(?:改|写)(?:得|的)?[^\n]{0,6}?(?:通顺|礼貌|正式|自信|委婉|平和|亲切|简洁)|改正[^\n]{0,8}(?:错别字|语病|语法)"
    r"|用大白话",
    re.IGNORECASE,
)
_SUMS = re.compile(
    r"\$[^$\n]*[\\^=+][^$\n]*\$|\\(?:frac|sqrt|sin|cos|left)|\b(?:which of the following|"
    r"expression|equation|fraction)\b|方程|算式|分数|YYYY|提取|抽取|\bextract\b",
    re.IGNORECASE,
)
"""Signs of mathematics and of questions with options: those are not rewritten."""
_QUOTED = re.compile(r"\A[\"“「](.*)[\"”」]\Z", re.DOTALL)
_SHORTER = re.compile(
    r"\b(?:shorten|shorter|condense|concise|less wordy|half its length|brief)\b|精简|缩短|缩写|缩成|简洁|太啰嗦",
    re.IGNORECASE,
)
_LONGER = re.compile(r"\b(?:expand|longer|elaborate|flesh out)\b|扩写|展开|丰富", re.IGNORECASE)
_FOREIGN = re.compile(
    r"\b(?:into|to)\s+(?P<en>English|Chinese|Mandarin|\w+ish|French|German|Japanese|Korean|"
    r"Russian|Italian)\b|(?:翻译?成|译为|译成)(?P<zh>英文|英语|中文|汉语|[\u4e00-\u9fff]{1,2}[文语])",
    re.IGNORECASE,
)
_LANGUAGES: dict[str, Language] = {
    "english": "en", "chinese": "zh", "mandarin": "zh", "英文": "en", "英语": "en", "中文": "zh", "汉语": "zh"
}  # fmt: skip
_REGISTERS: tuple[tuple[str, str], ...] = (
    ("plain", r"\bplain|\bsimple|\bsimplify|non-native|twelve-year-old|child|大白话|通俗|白话|小学生"),
    ("formal", r"\bformal|\bprofessional|正式|专业的?表达|书面语|商务"),
    ("casual", r"\bcasual|\binformal|text message|\bfriendl|随意|口语|朋友|亲切"),
    ("polite", r"\bpolite|courteous|tone down|warmer|礼貌|委婉|平和|客气"),
    ("marketing", r"\bmarketing|advert|\bcopy\b|slogan|广告|文案|营销"),
    ("technical", r"\btechnical|engineers|技术文档|技术风格"),
    ("neutral", r"\bneutral|encyclop|客观|百科"),
)


@dataclass(frozen=True)
class Task:
    """One rewriting."""

    source: str
    """The text that is to be rewritten."""
    register: str
    """plain, formal, casual, polite, marketing, technical, neutral, or empty."""
    length: Length
    target: Language | None
    """Language of the result; None = one that is not told apart here."""
    translated: bool
    """True when the result is in another language than the source."""
    place: tuple[int, int]
    """Start and end of the source in the request."""


def read(question: str) -> Task | None:
    """The rewriting that a request asks for."""
    if len(question) > LONGEST:
        return None
    for words, start, end in _cuts(question):
        source = question[start:end].strip()
        if len(source) >= SHORTEST and _ASKED.search(words) and not _SUMS.search(words + source[:200]):
            return _task(words, source, (start, end))
    return None


def _task(words: str, source: str, place: tuple[int, int]) -> Task:
    inner = _QUOTED.match(source)
    source = inner[1].strip() if inner and not re.search(r"[\"“”]", inner[1]) else source
    register = next((name for name, pattern in _REGISTERS if re.search(pattern, words, re.IGNORECASE)), "")
    length: Length = "shorter" if _SHORTER.search(words) else "longer" if _LONGER.search(words) else "same"
    own = detect(source)
    foreign = _FOREIGN.search(words)
    target = _LANGUAGES.get((foreign["en"] or foreign["zh"]).lower()) if foreign else own
    return Task(source, register, length, target, bool(foreign) and target != own, place)


def _cuts(question: str) -> list[tuple[str, int, int]]:
    """Ways to cut the request in words and text: at the first line break, at a colon."""
    cuts = []
    head, _, rest = question.strip("\n").partition("\n")
    if rest.strip() and len(head) <= 400:
        start = question.index(head) + len(head) + 1
        cuts.append((head, start, len(question)))
    colon = re.search(r"[:：](?!//)\s*(?=\S)", question)
    if colon and colon.start() <= 400 and "\n" not in question[: colon.start()]:
        cuts.append((question[: colon.start()], colon.end(), len(question)))
    asked = re.match(r"[^\n?？]{8,120}[?？]\s+(?=\S)", question)
    if asked and not cuts:
        cuts.append((asked[0], asked.end(), len(question)))
    if not cuts:
        quoted = re.search(r"[\"“「]([^\"“”「」\n]{12,})[\"”」]", question)
        if quoted:
            cuts.append((question[: quoted.start()] + question[quoted.end() :], quoted.start(1), quoted.end(1)))
    return cuts
