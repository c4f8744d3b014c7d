"""What a reader says about a question that it understood in full, and the words in which the question wants its answer.

A question names its own answers ("True, False or Uncertain", “能”或“不能”) or leaves them to yes and no. Asked whether
something follows, "no" means that it does not follow; asked whether something is so, "no" means that the contrary
follows, and what is open is said to be open.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from nodes.answers import choices
from nodes.contracts import Contract, Language
from nodes.logic.form import Status


class Solved(Contract):
    """One question, understood and decided."""

    reader: str
    """Which kind of wording it was: order, lies, boolean, schedule, swaps, walk, statements."""
    answer: str
    """In the form that the question asks for."""
    status: Literal["entailed", "contradicted", "unknown"]
    """Of the conclusion that is asked about; of the answer, where no conclusion is given."""
    conclusion: str = ""
    """The claim that was decided, in the typed form or in words."""
    premises: tuple[str, ...] = ()
    quantifiers: tuple[str, ...] = ()
    negations: tuple[str, ...] = ()
    """The formulas that stand under a negation."""
    hidden: str = ""
    """The option that is the unstated premise."""
    working: str = ""
    rivals: tuple[str, ...] = ()
    """The other names that the question could have had for an answer."""
    open_among: tuple[str, ...] = ()
    """Names of which at least one is right, while none of them is certain."""


class Wording(Contract):
    """How the answer is to be said."""

    entailed: str
    contradicted: str
    unknown: str | None
    """None: the question offers yes and no only."""
    follows: bool = False
    """The question is whether the claim follows: what is open is then a no."""

    def of(self, status: Status) -> str | None:
        """The word for a status; None for one that is no answer."""
        if status == "entailed":
            return self.entailed
        if status == "contradicted":
            return self.contradicted
        return (self.contradicted if self.follows else self.unknown) if status == "unknown" else None


_WORDS = re.compile(
    r"(?P<yes>\b(?:true|yes|entailed|entailment|valid|correct)\b)[\s\"'”’/,:;-]{1,6}(?:(?:or|and)\s+)?[\"'“‘]?"
    r"(?P<no>false|no|contradicted|contradiction|contradictory|invalid|incorrect|not valid)\b"
    r"(?:[\s\"'”’/,;-]{1,6}(?:or\s+)?[\"'“‘]?"
    r"(?P<open>uncertain|unknown|undetermined|neither|neutral|unsure|not given|cannot be (?:determined|known"
    r"|said)|can't tell)\b)?",
    re.IGNORECASE,
)
_OPEN_ZH = "(?:无法|不能|不可)(?:确定|判断|断定)|不确定|未知|不知道|不一定"
_WORDS_ZH = re.compile(
    r"[“\"「]?(?P<yes>能|可以|是|对|会|正确|真|成立|一定|有效|必然|在)[”\"」]?\s*(?:[、，,/]|或者?|还是)?\s*[“\"「]?"
    r"(?P<no>不能|不可以|不是|不对|不会|不一定|否|错误|错|假|不成立|无效|不必然|不在)[”\"」]?"
    rf"(?:\s*(?:[、，,/]|或者?|还是)*\s*[“\"「]?(?P<open>{_OPEN_ZH})[”\"」]?)?"
)
_MORE = re.compile(
    r"\b(?:explain|justify|describe|summari[sz]e|translate|rewrite|prove|discuss|show (?:your|all|the) (?:work"
    r"|steps|reasoning)"
    r"|write|compose|draft|generate|create|implement|step[- ]by[- ]step|give (?:your |the |a )?(?:reasons?"
    r"|proof|explanation))\b"
    r"|\b(?:json|yaml|xml|csv|markdown|python|in (?:french|german|spanish|chinese|english))\b"
    r"|解释|说明(?:理由|原因|为什么)|给出(?:理由|证明|过程|推理)|证明|翻译|改写|总结|概括|写(?:一|出)|生成|编写|表格|一步一步|逐步",
    re.IGNORECASE,
)
TOLD = re.compile(
    r"(?:please |only |and |then )*(?:answer|explain|justify|reply|respond|give|think|choose|select|state|show"
    r"|let's)\b[^?]*"
    r"|(?:请|只|仅|并|用一句话|简要)[^？?]*",
    re.IGNORECASE,
)
"""A sentence that tells how to answer."""
_AFTER = re.compile(
    r"(?:(?:a|answer|答案|答|回答|选择)\s*[:：]?|(?:please |only )?(?:answer|choose|select|pick|reply|respond|give"
    r"|think|let's) [^\n?]*"
    r"|(?:请|只|仅)[^\n？?]*)?",
    re.IGNORECASE,
)
"""What may stand behind the last option: how to answer."""
_FOLLOWS = re.compile(
    r"\b(?:valid|invalid|does it (?:logically |necessarily )?follow|follows? from|can (?:we|it be) (?:conclude"
    r"|infer)|must\b)"
    r"|能否|推出|断定|推断|得出|一定|必然",
    re.IGNORECASE,
)


def wording(question: str, language: Language) -> Wording:
    """The words that the question offers for its answer; yes, no and "cannot be determined" where it offers none."""
    pattern = _WORDS_ZH if language == "zh" else _WORDS
    offered = [*pattern.finditer(question)] or [*_WORDS.finditer(question)]
    found = offered[-1] if offered else None
    follows = asks_what_follows(question)
    if found is None:
        words = ("是", "否", "无法确定") if language == "zh" else ("Yes", "No", "Cannot be determined")
        return Wording(entailed=words[0], contradicted=words[1], unknown=words[2], follows=follows)
    yes, no = found["yes"], found["no"]
    return Wording(entailed=yes, contradicted=no, unknown=found["open"], follows=follows and found["open"] is None)


def asks_what_follows(question: str) -> bool:
    """Whether the question is what follows, so that "no" only says that something does not."""
    return bool(_FOLLOWS.search(question))


def lettered(question: str, right: Callable[[str], bool | None]) -> str | None:
    """The one offered option that is right, with its letter; None when none or several are, or one is not read."""
    offered = {letter: option.split("\n")[0].strip() for letter, option in choices(question).items()}
    verdicts = {letter: right(option) for letter, option in offered.items()}
    if not offered or not _ends(question, offered[max(offered)]):
        return None
    winners = [letter for letter, verdict in verdicts.items() if verdict]
    if len(winners) != 1 or None in verdicts.values():
        return None
    return f"({winners[0]}) {offered[winners[0]]}"


def _ends(question: str, last: str) -> bool:
    """Whether nothing is asked behind the last option."""
    _, found, rest = question.rpartition(last or "\0")
    return bool(found) and bool(_AFTER.fullmatch(rest.strip(" .。;；\n")))


def asks_more(question: str) -> bool:
    """Whether the question wants more than a short answer: an explanation, another task, a format of its own."""
    return bool(_MORE.search(question))


def yes_no(value: bool, question: str, language: Language) -> tuple[str, Literal["entailed", "contradicted"]]:
    """The word for a plain truth, and its status."""
    words = wording(question, language)
    return (words.entailed, "entailed") if value else (words.contradicted, "contradicted")
