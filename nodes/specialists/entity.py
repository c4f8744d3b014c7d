"""rte-a, entity: who and what a text mentions, with spans that code finds, never the model.

Rules find what has a form of its own (days, amounts, addresses, titles, names with known endings); one structured call
names the rest and gives each a kind. A mention that does not stand in the source is sent back once and dropped if it
is still missing. Its check looks every item of a candidate's list up in the source.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic import ValidationInfo, field_validator

from nodes import extraction, mentions, structured
from nodes.contracts import Candidate, Check, Contract, Finding, Hit, Language, Model, Request
from nodes.documents.segments import terms
from nodes.errors import ModelCallOff, ParseError
from nodes.mentions import Kind, Mention
from nodes.structured import Structured

LONGEST_TEXT = 20_000
"""Characters of a candidate's answer that are checked."""
SUPPORTED = 0.5
"""Share of an item's terms that the source has, from which it is not called missing."""
BY_RULE: frozenset[Kind] = frozenset({"email", "url", "date", "time", "money"})
"""Kinds that rules find completely."""
_PAIR = re.compile(r"\s*(?:(?P<kind>[^:：=;；]{1,20})[:：=]\s*)?(?P<words>[^;；\n]+)")
_KIND_WORDS: dict[str, Kind] = {
    **{kind: kind for kind in get_args(Kind)},
    "人": "person", "人名": "person", "人物": "person", "people": "person", "机构": "organisation",
    "组织": "organisation", "公司": "organisation", "organization": "organisation", "company": "organisation",
    "org": "organisation", "地点": "place", "地名": "place", "location": "place", "city": "place", "country": "place",
    "日期": "date", "时间": "time", "金额": "money", "amount": "money", "邮箱": "email", "网址": "url", "书名": "title",
    "作品": "title", "book": "title", "产品": "product", "事件": "event",
}  # fmt: skip


class Plan(Contract):
    """What the model is asked for."""

    mentions: str = ""
    """`kind: mention; kind: mention`, copied from the text. It comes first: the answer is chosen from it."""
    answer: str = ""
    """What is asked, parts separated by semicolons."""


class Facts(Contract):
    """What the specialist found."""

    mentions: tuple[Mention, ...] = ()
    """In the order of the text; none overlaps another of the same origin."""
    dropped: tuple[str, ...] = ()
    """What the model named and the text does not hold."""


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("mentions", "answer")},
    "required": ["mentions", "answer"],
    "additionalProperties": False,
}
"""Strings only: a small model that may leave an array empty does so."""


class Entity:
    """The entity specialist."""

    id = "rte-a"
    name = "entity"
    after: tuple[str, ...] = ()
    answers = False
    """Not yet measured to help on the default model."""
    asks = False
    """The same; what rules find, and the check, stay on."""
    facts: type[Contract] = Facts

    async def answer(self, request: Request, earlier: Mapping[str, Finding], model: Model) -> Finding:  # noqa: ARG002
        """What rules find answers a request for nothing but their kinds; else the model's choice, tied to the text."""
        question, asked = request.question, extraction.wanted(request.question)
        known = mentions.find(question, *(asked.span if asked else (0, len(question))))
        if asked and asked.verbatim and set(asked.kinds) <= BY_RULE | {"other"} and set(asked.kinds) & BY_RULE:
            chosen = [one for one in known if one.kind in asked.kinds]
            if chosen:
                return _finding(known, (), listed([one.text for one in chosen], request.language))
        try:
            reply = await structured.ask(request, self.name, tied(question), SCHEMA, model)
        except ModelCallOff:
            if not known:
                raise
            return _finding(known, (), None)
        return _said(reply, known, request, asked is not None and asked.verbatim)

    def check(self, request: Request, candidate: Candidate) -> list[Check]:
        """Whether each item of a list that was to be extracted stands in the request; silent where unsure."""
        if candidate.status != "answered" or candidate.source == f"specialist:{self.name}":
            return []
        asked = extraction.wanted(request.question)
        found = extraction.items(candidate.answer[:LONGEST_TEXT]) if asked and asked.verbatim else []
        if not found or not extraction.comparable([words for words, _ in found], request.question):
            return []
        known = set(terms(request.question))
        checked = (_checked(words, span, request.question, known, candidate) for words, span in found)
        return [one for one in checked if one]

    def screen(self, text: str, language: Language) -> list[Hit]:  # noqa: ARG002
        """Names have no policy here."""
        return []


def tied(question: str) -> type[Plan]:
    """The plan, valid only when every mention stands in the question: what does not is a fault, and repaired once."""

    class Tied(Plan):
        """A plan tied to its text."""

        @field_validator("mentions")
        @classmethod
        def _in_the_text(cls, value: str, info: ValidationInfo) -> str:  # noqa: ARG003
            if missing := [words for _, words in pairs(value) if not extraction.locate(words, question)]:
                raise ValueError(f"these do not stand in the text, copy them exactly or leave them out: {missing[:5]}")
            return value

    return Tied


def pairs(text: str) -> list[tuple[Kind, str]]:
    """Kind and words of each mention in `kind: words; kind: words`; the last kind holds until the next."""
    found: list[tuple[Kind, str]] = []
    kind: Kind = "other"
    for part in re.split(r"[;；\n]", text)[: mentions.MOST]:
        match = _PAIR.fullmatch(part)
        if match and match["words"].strip():
            if match["kind"]:
                kind = _KIND_WORDS.get(match["kind"].strip().strip("*- ").lower(), "other")
            found.append((kind, match["words"].strip(' \t"“”*.。')))
    return [(kind, words) for kind, words in found if words]


def _said(reply: Structured[Plan], known: Sequence[Mention], request: Request, verbatim: bool) -> Finding:
    """The finding of a reply; of one that named missing things twice, what is left of it."""
    spent = {"calls": reply.calls, "usage": reply.usage, "seconds": reply.seconds, "repaired": reply.repaired}
    plan = reply.value or _last(reply)
    if plan is None:
        return Finding(specialist=Entity.name, status="failed", error=reply.error, **spent)
    named, dropped = placed(pairs(plan.mentions), request.question)
    parts = [part.strip() for part in re.split(r"[;；\n]", plan.answer) if part.strip()]
    if verbatim:
        dropped += [part for part in parts if not extraction.locate(part, request.question)]
        spans = [extraction.locate(part, request.question) for part in parts]
        parts = [request.question[slice(*span)] for span in spans if span]
    answer = listed(list(dict.fromkeys(parts)), request.language) or None
    every = mentions.linked(sorted([*named, *_beside(known, named)], key=lambda one: one.start), request.question)
    return _finding(every, dropped, answer).model_copy(update=spent)


def _last(reply: Structured[Plan]) -> Plan | None:
    """The last reply, its missing mentions left in; None when it is no plan at all."""
    try:
        return structured.parse(reply.replies[-1], Plan) if reply.replies else None
    except ParseError:
        return None


def placed(named: Sequence[tuple[Kind, str]], text: str) -> tuple[list[Mention], list[str]]:
    """Mentions with the spans that code finds for them, a repeated one at its next place; and what has none."""
    found: list[Mention] = []
    dropped: list[str] = []
    after: dict[str, int] = {}
    for kind, words in named:
        span = extraction.locate(words, text, after.get(words, 0))
        if span is None:
            if words not in after:
                dropped.append(words)
            continue
        after[words] = span[1]
        found.append(mentions.mention(text, *span, kind, "model"))
    return found, dropped


def _beside(known: Sequence[Mention], named: Sequence[Mention]) -> list[Mention]:
    """Rule mentions that overlap none of the model's."""
    return [one for one in known if all(one.end <= other.start or other.end <= one.start for other in named)]


def listed(parts: Sequence[str], language: Language) -> str:
    """Parts as one answer."""
    return ("；" if language == "zh" else "; ").join(dict.fromkeys(parts))


def _finding(found: Sequence[Mention], dropped: Sequence[str], answer: str | None) -> Finding:
    facts = Facts(mentions=tuple(found[: mentions.MOST]), dropped=tuple(dropped[:20]))
    working = "; ".join(f"{one.text} [{one.kind} {one.start}-{one.end}]" for one in facts.mentions[:40])
    return Finding(
        specialist=Entity.name, status="ok", facts=facts.model_dump(mode="json"), answer=answer, working=working
    )


def _checked(words: str, span: tuple[int, int], question: str, known: set[str], candidate: Candidate) -> Check | None:
    """One item looked up; None where its words are there, but not together."""
    place = extraction.locate(words, question)
    if place is None and extraction.support(words, known) >= SUPPORTED:
        return None
    base = candidate.text.rfind(candidate.answer) if candidate.answer else -1
    return Check(
        specialist=Entity.name,
        kind="mention",
        outcome="fail" if place is None else "pass",
        claim=words,
        found="" if place is None else f"chars:{place[0]}-{place[1]}",
        span=(base + span[0], base + span[1]) if base >= 0 else None,
    )


specialist = Entity()
