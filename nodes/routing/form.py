"""Whether an answer can be compared with others (`closed`) or is itself what was asked for (`open`)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from nodes.contracts import Form

FITS = 0.5
"""Lexicon score from which a text is about numbers or logic."""
WRITTEN = ("entity", "relation", "style", "format", "code")
"""Labels whose answers are texts."""

_OPTION = re.compile(
    r"(?:^|[\s（(])\(?[A-Ga-g][).．、]\s*\S|^- (?:yes|no|valid|invalid)\b", re.MULTILINE | re.IGNORECASE
)
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_MAKE = re.compile(
    r"\b(?:write|explain|translate|summari[sz]e|list(?! *:)|draft|describe|compose|create|generate|design|suggest"
    r"|discuss|outline|rewrite|rephrase|paraphrase|edit|implement|provide|give me|tell me about|make an?|advise"
    r"|recommend|prove|elaborate|extract|analy[sz]e|introduce|develop|plan|compare and contrast|act as|imagine|craft)\b"
    r"|写|解释|翻译|总结|概括|列出|列举|起草|描述|编写|生成|设计|建议|讨论|改写|润色|介绍|分析|说明|证明|提供|制定|实现|扮演|抽取|提取|谈谈|推荐|给我|请给出",
    re.IGNORECASE,
)
_OPEN_QUESTION = re.compile(
    r"\bhow (?:do|does|did|can|could|would|should|to)\b|\bwhy\b|what are (?:the|some)\b"
    r"|怎么|怎样|如何|为什么|为何|有哪些|哪些",
    re.IGNORECASE,
)
_SHORT_ANSWER = re.compile(
    r"\bhow (?:many|much|long|far|old|tall|fast|often)\b|\b(?:who|when|where|which|what is|what was|what will|whose)\b"
    r"|\b(?:true|false|valid|invalid|yes|no) or (?:true|false|valid|invalid|yes|no|not)\b|\b(?:options|choose|select)\b"
    r"|\b(?:find|compute|calculate|evaluate|solve|simplify|determine|if)\b"
    r"|\b(?:concatenate|reverse|sort|count|spell|convert|alphabeti[sz]e|round)\b"
    r"|\b(?:return value|what (?:does|will|would) .{0,80}(?:print|output|return)|complete the rest)\b|\bis[ \t]*$"
    r"|^[ \t]*(?:is|are|was|were|do|does|did|can|could|will|would|has|have)\b"
    r"|多少|几|谁|哪(?:个|一|位|年|天|里|国)|何时|是否|吗[？?]?|对(?:还是|或)错|正确|选项|计算|求|星期"
    r"|拼接|连接起来|倒过来|反转|排序|换算|多[深高长宽重远快久]"
    r"|(?:为|是|等于)[ \t]*[：:]?[ \t]*$|（\s*）|\(\s*\)|[=＝][ \t]*[？?]?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)


def form_of(text: str, scores: Mapping[str, float]) -> Form:
    """`closed` for a question with a short answer that can be compared, `open` for anything that is to be written."""
    if len(_OPTION.findall(text)) >= 2 and not _MAKE.match(text.strip()):
        return "closed"
    prose = _FENCED.sub(" ", text)  # words inside code ask for nothing
    make, ask = bool(_MAKE.search(prose)), bool(_SHORT_ANSWER.search(prose))
    if make or _OPEN_QUESTION.search(prose):
        reasoning = max(scores["numeric"], scores["logic"])
        return "closed" if ask and reasoning > max(scores[label] for label in WRITTEN) else "open"
    return "closed" if ask or max(scores["numeric"], scores["logic"]) >= FITS else "open"
