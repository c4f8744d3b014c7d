"""The choices a question offers, and which of them an answer names.

A menu is a run of letters from A upwards, `(A) x`, `A) x`, `A. x`, `A、x` or `A: x`. An answer is then one of those
letters, said as a letter, as letter and text, or as the text alone; anything else is off the menu and never guessed at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from nodes.answers import folding

_STYLES = tuple(
    (re.compile(pattern), least)
    for pattern, least in (
        (r"(?m)^[ \t>*-]*[(（]([A-Z])[)）]", 2),
        (r"(?m)^[ \t>*-]*([A-Z])\s?[.．)）、:：]", 2),
        (r"(?<!\w)[(（]([A-Z])[)）]", 3),
        (r"(?<![A-Za-z0-9(（])([A-Z])[.．)）、:：](?!\w\.)", 3),
    )
)
_LETTER = re.compile(
    r"^(?:(?i:(?:the )?(?:correct )?(?:answer|option|choice)(?: is)?)|选项?|故选|应选|答案[是为]?)?\s*[:]?\s*"
    r"[(\[]?([A-Za-z])[)\]]?(?:$|\s*[.):、,;-]\s*|\s+(?=is\b|是|正确)|(?=[项是,]))(.*)$",
    re.DOTALL,
)
_BRACKETED = re.compile(r"\(([A-Z])\)")
_UNDECIDED = re.compile(r"\bor\b|\bnot\b|\bneither\b|或|不是|并非")
_SEVERAL = re.compile(r"^\(?[A-Z]\)?(?:(?:\s*(?:,|、|;|和|及|与|&|\band\b|\bor\b))+\s*\(?[A-Z]\)?)+$|^[A-Z]{2,6}$")


LENGTH = 2000
"""Characters of an answer that are compared with the menu."""


def choices(question: str) -> dict[str, str]:
    """Offered letters and their texts, in order; empty when the question offers none."""
    best: dict[str, str] = {}
    for pattern, least in _STYLES:
        found = _run(question, pattern)
        if len(found) >= least and len(found) > len(best) and 2 * len(set(found.values())) > len(found):
            best = found
    return best


def _run(question: str, pattern: re.Pattern[str]) -> dict[str, str]:
    """The last run of consecutive letters from A that this style gives."""
    last: list[re.Match[str]] = []
    run: list[re.Match[str]] = []
    for mark in pattern.finditer(question):
        if mark[1] == "A":
            run = [mark]
        elif run and ord(mark[1]) == ord(run[-1][1]) + 1:
            run.append(mark)
            last = run
    if not last:
        return {}
    ends = [mark.start() for mark in last[1:]] + [len(question)]
    texts = [question[mark.end() : end] for mark, end in zip(last, ends, strict=True)]
    texts[-1] = texts[-1].split("\n\n")[0]
    return {mark[1]: text.strip().rstrip(",;，；、").strip() for mark, text in zip(last, texts, strict=True)}


def pick(answer: str, offered: Mapping[str, str], same: Callable[[str, str], bool]) -> str | None:
    """Letter (or sorted letters) that `answer` names; None = off the menu. `same` compares two texts by value."""
    text = folding.unwrap(answer[:LENGTH])
    if _SEVERAL.match(text):
        letters = sorted(set(re.findall(r"\b[A-Z]\b", text) or text))
        return "".join(letters) if all(letter in offered for letter in letters) else None
    letter = _LETTER.match(text)
    bracketed = set(_BRACKETED.findall(text))
    if letter and (letter[1].isupper() or not letter[2]) and len(bracketed) < 2:
        named = letter[1].upper()
        return named if named in offered else None
    if len(bracketed) == 1:
        named = bracketed.pop()
        return named if named in offered else None
    literal = [name for name, option in offered.items() if folding.unwrap(option) == text]
    if len(literal) == 1:
        return literal[0]
    equal = [name for name, option in offered.items() if same(text, option)]
    if equal:
        return equal[0] if len(equal) == 1 else None
    return _contained(text, offered)


def _contained(text: str, offered: Mapping[str, str]) -> str | None:
    """The one option whose words the answer repeats; a longer option beats those inside it; "x or y" is none."""
    said = f" {folding.words(text)} "
    if _UNDECIDED.search(said):
        return None
    hits = {
        name: words for name, option in offered.items() if (words := folding.words(option)) and f" {words} " in said
    }
    widest = [
        name for name, words in hits.items() if not any(words != other and words in other for other in hits.values())
    ]
    return widest[0] if len(widest) == 1 else None
