"""A model's translation of a question into the typed form: read strictly, tied to the words of the text, then decided.

Small models translate unsteadily, so a translation counts only when three things agree: every name in it consists of
words of the question, z3 finds its premises consistent, and what z3 decides is what the model itself answered. All
else is unstable, and unstable is no evidence.
"""

from __future__ import annotations

import re

from nodes.answers import choices
from nodes.contracts import Contract, Language
from nodes.errors import ParseError
from nodes.logic.deciding import Theorist
from nodes.logic.form import Compare, Formula, Quantified, Theory, atoms, text, walk
from nodes.logic.solved import Solved, wording
from nodes.logic.syntax import parse

MOST_PREMISES = 24
_LETTERED = re.compile(r"(?:^|[;；\n])\s*[(（]?([A-Z])[)）]?\s*[:：.]\s*")
_SAME = {
    "yes": "entailed", "true": "entailed", "entailed": "entailed", "valid": "entailed", "no": "contradicted",
    "false": "contradicted", "contradicted": "contradicted", "unknown": "unknown", "uncertain": "unknown",
    "invalid": "unknown",
}  # fmt: skip


class Translation(Contract):
    """What the model is asked for."""

    premises: str
    """Formulas, separated by semicolons."""
    claim: str
    """One formula; for a question with options one for each letter, `A: ...; B: ...`."""
    verdict: str
    """The model's own answer: yes, no, unknown or a letter."""


class Unstable(Exception):
    """The translation is no evidence; the message says why."""


def decided(translation: Translation, question: str, language: Language) -> Solved:
    """The answer that a stable translation gives. Raises Unstable, whatever the translation."""
    premises = _formulas(translation.premises)
    offered = choices(question)
    claims = _claims(translation.claim, bool(offered))
    _tied([*premises, *claims.values()], question)
    theorist = Theorist(Theory(premises=premises, order=_order(premises, claims)))
    if offered:
        return _option(theorist, premises, claims, offered, translation.verdict)
    return _status(theorist, premises, claims[""], translation.verdict, question, language)


def _formulas(source: str) -> tuple[Formula, ...]:
    parts = [part for part in re.split(r"[;；\n]|。|\.\s", source) if part.strip(" .。")]
    if not 1 <= len(parts) <= MOST_PREMISES:
        raise Unstable(f"{len(parts)} premises")
    return tuple(_formula(part) for part in parts)


def _formula(source: str) -> Formula:
    try:
        return parse(source)
    except ParseError as fault:
        raise Unstable(str(fault)) from fault


def _claims(source: str, menu: bool) -> dict[str, Formula]:
    """Formula by letter; under the empty letter where nothing is offered."""
    if not menu:
        return {"": _formula(source)}
    pieces = _LETTERED.split(source)
    found = {letter: _formula(claim) for letter, claim in zip(pieces[1::2], pieces[2::2], strict=False)}
    if len(found) < 2:
        raise Unstable("no claim for each option")
    return found


def _order(premises: tuple[Formula, ...], claims: dict[str, Formula]) -> tuple[str, ...]:
    """The objects that stand in an order, where places are numbered."""
    compared = [one for whole in (*premises, *claims.values()) for one in walk(whole) if isinstance(one, Compare)]
    if not any(isinstance(side, int) for one in compared for side in (one.left, one.right)):
        return ()
    names = [side for one in compared for side in (one.left, one.right) if isinstance(side, str)]
    return tuple(dict.fromkeys(names))[:12]


def _tied(formulas: list[Formula], question: str) -> None:
    """Every name consists of words of the question, save the variables of quantifiers."""
    low = question.lower()
    bound = {one.variable for whole in formulas for one in walk(whole) if isinstance(one, Quantified)}
    names = [name for atom in atoms(*formulas) for name in (atom.name, *atom.terms) if name not in bound]
    names += [
        side
        for whole in formulas
        for one in walk(whole)
        if isinstance(one, Compare)
        for side in (one.left, one.right)
        if isinstance(side, str)
    ]
    for name in dict.fromkeys(names):
        if not any(_named(part, low) for part in re.split(r"[_\-\d]+", name.lower()) if part):
            raise Unstable(f"{name!r} is no word of the question")


def _named(part: str, low: str) -> bool:
    """A word of the question, in this or another ending; Chinese: in one piece, or all of its characters."""
    if not part.isascii():
        return part in low or all(sign in low for sign in part)
    stem = part[: max(3, len(part) - 3)] if len(part) > 3 else part
    return bool(re.search(rf"(?<![a-z]){re.escape(stem)}", low))


def _option(
    theorist: Theorist, premises: tuple[Formula, ...], claims: dict[str, Formula], offered: dict[str, str], verdict: str
) -> Solved:
    right = [letter for letter, claim in claims.items() if theorist.holds(claim)]
    own = re.sub(r"[^A-Z]", "", verdict.strip().upper()[:3])
    if len(right) != 1 or right[0] not in offered:
        raise Unstable(f"{len(right)} options follow")
    if own != right[0]:
        raise Unstable(f"the model answers {verdict[:20]!r}, its translation {right[0]!r}")
    answer = f"({right[0]}) {offered[right[0]]}"
    return _solved(premises, claims[right[0]], answer, "entailed")


def _status(
    theorist: Theorist, premises: tuple[Formula, ...], claim: Formula, verdict: str, question: str, language: Language
) -> Solved:
    status = theorist.status(claim)
    own = _SAME.get(verdict.strip().strip(".").lower(), "")
    if status in ("inconsistent", "undecided"):
        raise Unstable(f"the premises are {status}")
    if status != own:
        raise Unstable(f"the model answers {verdict[:20]!r}, its translation says {status}")
    if status == "unknown" and not set(atoms(claim)) <= set(atoms(*premises)):
        raise Unstable("the claim speaks of what no premise mentions")
    answer = wording(question, language).of(status)
    if answer is None:
        raise Unstable(f"no word for {status}")
    return _solved(premises, claim, answer, status)


def _solved(premises: tuple[Formula, ...], claim: Formula, answer: str, status: str) -> Solved:
    said = tuple(text(one) for one in premises)
    return Solved.model_validate(
        {
            "reader": "model",
            "answer": answer,
            "status": status,
            "conclusion": text(claim),
            "premises": said,
            "working": f"{'; '.join(said)} |- {text(claim)}: {status}",
        }
    )
