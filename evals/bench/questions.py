"""Questions and replies of the benchmarks: distinct questions, replies that depend on nothing but the request.

Three of eight branches say something else, so that the judge has camps to weigh. The question concerns no specialist
that calls the model: a question of eight branches is exactly eight calls.
"""

from __future__ import annotations

import zlib
from typing import Any

STEPS = (
    "Let us go through the statement once more and write down what it says.",
    "There are three shelves and each of them carries nine plates, so 3 * 9 = 27 plates stand there.",
    "Five of them are taken away, which leaves 27 - 5 = 22 plates, and nobody puts any of them back.",
    "Nothing else in the statement changes the number of plates, and no plate is counted twice.",
)
ANSWERS = ("22", "22", "22", "22", "22", "27", "27", "17")


def question(number: int) -> str:
    """Question `number`."""
    return (
        f"Cupboard {number}: each of three shelves carries nine plates, and five plates in all are taken away."
        " Nobody puts a plate back. Who says how the cupboard looks now, and which plates are where?"
    )


def own_reply(body: dict[str, Any]) -> str:
    """As `reply`, with a first sentence that no other question's replies have: nothing is stored once for all."""
    return f"This is about {str(body['messages'][-1]['content'])[:200]!r}.\n{reply(body)}"


def reply(body: dict[str, Any]) -> str:
    """The reply to a request body: four sentences and a marked answer, about 100 tokens."""
    last = str(body["messages"][-1]["content"])
    answer = ANSWERS[zlib.crc32(last.encode()) % len(ANSWERS)]
    return "\n".join(STEPS) + f"\n\nANSWER: {answer}"
