"""What a family of questions makes: a draft. The package gives it an id and makes a case of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

_MAX_DECIMALS = 12


@dataclass(frozen=True)
class Draft:
    """One question with its gold."""

    text: str
    gold: str
    accepted: tuple[str, ...] = ()
    """More right answers."""
    hidden: bool = True
    """The gold is worked out, so it must not stand in the text; False where the answer is chosen or copied from it."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """What a reader needs to compute the gold anew."""


def shows(text: str, answer: str) -> bool:
    """True when `answer` stands in `text` as a number or word of its own; Chinese has no word ends."""
    if not answer:
        return False
    before = r"(?<![\w.,])" if answer[0].isascii() and answer[0].isalnum() else ""
    after = r"(?![\w]|[.,]\d)" if answer[-1].isascii() and answer[-1].isalnum() else ""
    return re.search(before + re.escape(answer) + after, text, re.IGNORECASE | re.ASCII) is not None


def decimal(value: Fraction | int) -> str:
    """A number with finitely many decimals, as written: `7`, `0.25`. Raises ValueError for others."""
    value = Fraction(value)
    for places in range(_MAX_DECIMALS + 1):
        scaled = value * 10**places
        if scaled.denominator == 1:
            digits = str(abs(scaled.numerator)).rjust(places + 1, "0")
            whole = digits[: len(digits) - places] + ("." + digits[-places:] if places else "")
            return "-" + whole if value < 0 else whole
    raise ValueError(f"{value} has no short decimal form")
