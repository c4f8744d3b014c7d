"""What can be seen wrong in a reply without knowing the answer: flags on a Candidate, never a reason to drop it.

Calibrated on recorded branches of the default model; the thresholds are far from what sound replies show.
"""

from __future__ import annotations

import re

from nodes.contracts import Form, Reply, Request
from nodes.language import han_share
from nodes.thinking import unclosed

GRAM = 24
"""Characters of the pieces that are counted to see repetition."""
DISTINCT = 0.35
"""Share of different pieces below which a text repeats itself."""
FEWEST = {"en": 40, "zh": 15}
"""Characters of reasoning below which there are no steps to speak of."""
_NOT_PROSE = re.compile(r"```.*?(?:```|\Z)|\\[A-Za-z]+|\\[()\[\]]|[$#*_`]|\\boxed\{[^}]*\}", re.DOTALL)
_LAST_LINE = re.compile(r"^[^\n]*\\boxed[^\n]*$|^\W*(?:answer|答案)\W.*\Z", re.IGNORECASE | re.MULTILINE | re.DOTALL)


def flags(reply: Reply, request: Request, form: Form, truncated: bool) -> tuple[str, ...]:
    """Names of all that apply, in the order of the contract."""
    found = {
        "truncated": truncated,
        "repeating": reply.finish == "repetition" or repeating(reply.text),
        "mixed_language": mixed_language(reply.text, request),
        "no_steps": form == "closed" and not reply.reasoning and no_steps(reply.text, request),
        "unclosed_thinking": "<think>" in reply.text or unclosed(reply),
    }
    return tuple(name for name, applies in found.items() if applies)


def repeating(text: str) -> bool:
    """True when the second half of a text of some length says few things many times."""
    tail = re.sub(r"\s+", " ", text)[-1_500:]
    if len(tail) < 10 * GRAM:
        return False
    grams = [tail[start : start + GRAM] for start in range(len(tail) - GRAM + 1)]
    return len(set(grams)) < DISTINCT * len(grams)


def mixed_language(text: str, request: Request) -> bool:
    """True when a Chinese question is answered mostly in Latin words, or Han characters turn up without a cause."""
    prose = _NOT_PROSE.sub(" ", text)
    share = han_share(prose)
    if request.language == "zh":
        return share < 0.5 and len(prose.split()) > 12 and han_share(request.question) > 0.7
    return share >= 0.08 and han_share(request.question) == 0


def no_steps(text: str, request: Request) -> bool:
    """True when next to nothing stands beside the marked answer: the prompt's "analyse first" was not followed."""
    return len(_LAST_LINE.sub("", text).strip()) < FEWEST[request.language]
