"""rte-h, safety: rules as data, and personal data found by checksum. No model call.

`screen` reads a text that comes in or leaves. Block rules describe a request for harm, with exceptions for benign
look-alikes (`safety_rules.toml`); identity numbers, bank cards, telephone numbers and e-mail addresses are masked in
the text that leaves. Over-blocking is as bad as missing: where a rule is in doubt, it passes.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, cast

from nodes.contracts import Candidate, Check, Contract, Finding, Hit, Language, Model, Request
from nodes.errors import SetupError
from nodes.specialists import personal

RULES = Path(__file__).with_name("safety_rules.toml")
PIECE = 4_000
"""Characters that block and notice rules read at either end of a long text; personal data is found anywhere."""
Severity = Literal["notice", "redact", "block"]


class Facts(Contract):
    """What the specialist found in the question."""

    hits: tuple[Hit, ...] = ()


@dataclass(frozen=True)
class Rule:
    """One compiled rule."""

    id: str
    severity: Severity
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None
    notices: dict[str, str]


@cache
def rules() -> tuple[Rule, ...]:
    """The rules of `safety_rules.toml`. Raises SetupError for a rule that cannot be used."""
    return read_rules(RULES.read_text(encoding="utf-8"))


def read_rules(text: str) -> tuple[Rule, ...]:
    """Compile a rule file's text."""
    raw = tomllib.loads(text)
    words = raw.get("words", {})
    found = [_compiled(rule, words) for rule in raw["rule"]]
    if len({rule.id for rule in found}) != len(found):
        raise SetupError(f"two safety rules share an id: {sorted(rule.id for rule in found)}")
    return tuple(found)


def _compiled(raw: Mapping[str, object], words: Mapping[str, str]) -> Rule:
    try:
        patterns = [*cast(list[str], raw["en"]), *cast(list[str], raw["zh"])]
        unless = cast(list[str], raw.get("unless", []))
        severity = cast(Severity, raw["severity"])
        if severity not in ("notice", "redact", "block"):
            raise ValueError(f"severity {severity!r}")
        return Rule(
            id=str(raw["id"]),
            severity=severity,
            pattern=_alternation(patterns, words),
            unless=_alternation(unless, words) if unless else None,
            notices={"en": str(raw["notice_en"]), "zh": str(raw["notice_zh"])},
        )
    except (KeyError, ValueError, re.error) as error:
        raise SetupError(f"safety rule {raw.get('id')!r} cannot be used: {error!r}") from error


def _alternation(patterns: list[str], words: Mapping[str, str]) -> re.Pattern[str]:
    filled = [re.sub(r"\{([a-z_]+)\}", lambda match: words[match[1]], pattern) for pattern in patterns]
    return re.compile("|".join(f"(?:{pattern})" for pattern in filled), re.IGNORECASE)


class Safety:
    """The safety specialist."""

    id = "rte-h"
    name = "safety"
    after: tuple[str, ...] = ()
    answers = False
    asks = False
    facts: type[Contract] = Facts

    async def answer(self, request: Request, earlier: Mapping[str, Finding], model: Model) -> Finding:  # noqa: ARG002
        """The policy hits of the question; rules only, no model call."""
        facts = Facts(hits=tuple(self.screen(request.question, request.language)))
        return Finding(specialist=self.name, status="ok", facts=facts.model_dump(mode="json"))

    def check(self, request: Request, candidate: Candidate) -> list[Check]:
        """Personal data in a candidate's text, except what the user wrote in the question.

        The rules that block describe requests; finish tries them on the one text that leaves, not on every branch.
        """
        hits = [(hit, candidate.text[slice(*hit.span)]) for hit in personal.find(candidate.text, request.language)]
        return [
            Check(specialist=self.name, kind="policy", outcome="fail", claim=claim, found=hit.rule, span=hit.span)
            for hit, claim in hits
            if claim not in request.question
        ]

    def blocks(self, text: str, language: Language) -> list[Hit]:
        """The rules alone that end a request; personal data in it is no reason to."""
        return [hit for hit in _ruled(text, language) if hit.severity == "block"]

    def screen(self, text: str, language: Language) -> list[Hit]:
        """Every rule that matches, once per rule, and every span of personal data, in text order."""
        found = [*_ruled(text, language), *personal.find(text, language)]
        return sorted(found, key=lambda hit: hit.span)


def _ruled(text: str, language: Language) -> Iterator[Hit]:
    starts = (0,) if len(text) <= 2 * PIECE else (0, len(text) - PIECE)
    for start in starts:
        piece = text if len(starts) == 1 else text[start : start + PIECE]
        for rule in rules():
            match = rule.pattern.search(piece)
            if match and not (rule.unless and rule.unless.search(piece)):
                span = (start + match.start(), start + match.end())
                yield Hit(rule=rule.id, severity=rule.severity, span=span, notice=rule.notices[language])


specialist = Safety()
