"""The exact messages that the model gets for one question, as text files.

A changed prompt shows up in review as a changed snapshot; `python -m tests.prompts.snapshots` rewrites them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import prompts
from nodes.branch import STANCES, branch_call
from nodes.contracts import Language, Message, ModelCall, Request, Route
from nodes.messages import messages
from nodes.verify import ballot_call

FOLDER = Path(__file__).parent / "snapshots"
QUESTIONS: dict[Language, str] = {
    "en": 'A pen costs $3 and a book "costs" {{4}} times as much. How much is a book?',
    "zh": "一支笔3元，一本书的价格是它的4倍。一本书多少元？",
}


def request(language: Language) -> Request:
    return Request(run="snapshot", question=QUESTIONS[language], language=language)


def route(form: str = "closed") -> Route:
    return Route.model_validate(
        {"top": "other", "scores": {}, "reason": "", "difficulty": 0, "budget": 8, "form": form}
    )


def rendered() -> Iterator[tuple[str, str]]:
    """File name and text of every snapshot."""
    for language in QUESTIONS:
        asked = request(language)
        for index, stance in enumerate(STANCES):
            yield f"{language}.branch.{index}.{stance}", told(branch_call(asked, "closed", index))
        yield f"{language}.open.0.direct", told(branch_call(asked, "open", 0))
        yield f"{language}.verify", told(ballot_call(asked, ("12", "7"), "ab"))
        for name in prompts.names("specialists"):
            yield f"{language}.{name.replace('/', '.')}", spoken(specialist_messages(asked, name))
        slots = {"fault": "the reply is not JSON", "reply": "{", "schema": "{}"}
        yield f"{language}.repair", spoken(messages(asked, prompts.load("repair"), **slots))


def specialist_messages(asked: Request, name: str) -> tuple[Message, ...]:
    """A specialist's messages; what it fills in besides the question stands there by name."""
    prompt = prompts.load(name)
    own = {*re.findall(r"\{\{([a-z_]+)\}\}", prompt.sections[asked.language])} - {"question"}
    return messages(asked, prompt, **{slot: f"({slot})" for slot in own})


def told(call: ModelCall) -> str:
    return spoken(call.messages)


def spoken(said: tuple[Message, ...]) -> str:
    return "".join(f"[{one.role}]\n{one.content}\n\n" for one in said)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name, text in rendered():
        (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")
