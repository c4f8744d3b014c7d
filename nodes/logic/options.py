"""Questions that offer statements: the one that must be true, or the one that makes an argument valid."""

from __future__ import annotations

from nodes.answers import choices
from nodes.logic.form import Formula, text
from nodes.logic.solved import Solved, lettered
from nodes.logic.statements import Case, Reading, solved


def must_be_true(question: str, reading: Reading) -> Solved | None:
    """The one option (a claim of the reading each, in order) that follows from the premises."""
    case = Case([reading], formal=True)
    menu = choices(question)
    if len(menu) != len(reading.claims):
        return None
    statuses = {option.split("\n")[0].strip(): case.status(at) for at, option in enumerate(menu.values())}
    answer = lettered(question, lambda option: None if statuses[option] is None else statuses[option] == "entailed")
    return solved(case, answer, "entailed", answer) if answer else None


def hidden(question: str, given: tuple[Formula, ...], claim: Formula, options: tuple[Formula, ...]) -> Solved | None:
    """The one option that the premises lack: with it, and not without it, the claim follows."""
    menu = [option.split("\n")[0].strip() for option in choices(question).values()]
    if len(menu) != len(options):
        return None
    added = dict(zip(menu, options, strict=True))

    def fills(option: str) -> bool:
        return Case([Reading((*given, added[option]), (claim,))], formal=True).status() == "entailed"

    plain = Case([Reading(given, (claim,))], formal=True)
    answer = lettered(question, fills)
    if answer is None or plain.status() == "entailed":
        return None
    return solved(plain, answer, "entailed", text(claim)).model_copy(update={"hidden": answer})
