"""Premises and a question in understood form, decided: status of a claim, the option that follows, who is certain.

What the readers of both languages share: keys of the same predicate in shorter words are made one, every ambiguous
reading must give the same status, and "unknown" is said only where nothing in the words could link what the form keeps
apart.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from nodes.logic.deciding import Theorist
from nodes.logic.form import (
    MOST_ATOMS,
    Atom,
    Count,
    Formula,
    Join,
    Not,
    Quantified,
    Status,
    Theory,
    atoms,
    either,
    negated,
    text,
    walk,
)
from nodes.logic.predicates import put
from nodes.logic.solved import Solved

OPPOSITES = (
    ("off", "on"), ("dry", "wet"), ("closed", "open"), ("dead", "alive"), ("absent", "present"), ("asleep", "awake"),
    ("false", "true"), ("empty", "full"), ("odd", "even"),
)  # fmt: skip
"""Where a text uses both, the first is the negation of the second."""
_WITH = ("to ", "in ", "at ", "on ", "for ", "with ", "from ", "into ", "by ")


@dataclass(frozen=True)
class Reading:
    """One way to understand a text."""

    premises: tuple[Formula, ...]
    claims: tuple[Formula, ...]
    """What is asked about: one claim, or one for each option."""
    restricted: tuple[Formula, ...] = ()
    """Predicates that universal statements are about: "all" may or may not say that there are any."""
    ambiguous: bool = False
    loose: frozenset[str] = frozenset()
    """Things that only "a ..." names: they may be one or any."""


@dataclass
class Case:
    """A text under its readings."""

    readings: Sequence[Reading]
    formal: bool = False
    """The question is about validity from the stated premises alone: no background, no existential import."""
    linked: Callable[[str, str], bool] = field(default=lambda a, b: bool(_stems(a) & _stems(b)))
    """Whether two different keys may speak of the same thing."""

    def __post_init__(self) -> None:
        self.readings = [united(reading) for reading in self.readings]

    def status(self, at: int = 0, *more: Formula) -> Status | None:
        """Status of claim `at` when `more` premises are added; None where readings differ or a link is possible."""
        found = {self._one(reading, at, more, extra) for reading in self.readings for extra in self._imports(reading)}
        if len(found) != 1:
            return None
        status = found.pop()
        if status == "unknown" and not self.closed(at, *more):
            return None
        return None if status in ("inconsistent", "undecided") else status

    def _imports(self, reading: Reading) -> tuple[bool, ...]:
        return (False,) if self.formal or not reading.restricted else (False, True)

    def _one(self, reading: Reading, at: int, more: tuple[Formula, ...], imports: bool) -> Status:
        premises = (*reading.premises, *more)
        if imports:
            premises += tuple(Quantified(kind="some", variable="x", inner=_of(one)) for one in reading.restricted)
        if len(atoms(*premises)) > MOST_ATOMS:
            return "undecided"
        return Theorist(Theory(premises=premises)).status(reading.claims[at])

    def closed(self, at: int, *more: Formula) -> bool:
        """Whether "it does not follow" is safe to say of claim `at`: the words leave no link that the form misses."""
        reading = self.readings[0]
        claim, premises = reading.claims[at], tuple(one for whole in (*reading.premises, *more) for one in _said(whole))
        names = [set(atom.terms) - {"x"} for atom in atoms(*premises)]
        known = {atom.name for atom in atoms(*premises)}
        if not {atom.name for atom in atoms(claim)} <= known or not _terms(claim) <= set().union(*names):
            return False
        if self.formal:
            return True
        seen = Counter(name for one in (*premises, claim) for name in {atom.name for atom in atoms(one)})
        keys = sorted(seen)
        seen.update(f"thing {term}" for one in (*premises, claim) for term in _terms(one) & reading.loose)
        if _terms(claim) and not any(_ground(one) for one in premises):
            return False
        lonely = any(count < 2 for count in seen.values())
        if lonely:
            return False
        return not any(self.linked(a, b) for i, a in enumerate(keys) for b in keys[i + 1 :])


def _ground(formula: Formula) -> bool:
    """A plain fact about a thing, perhaps several of them."""
    if isinstance(formula, Not):
        return _ground(formula.inner)
    if isinstance(formula, Join) and formula.kind == "and":
        return any(map(_ground, formula.parts))
    return isinstance(formula, Atom)


def _said(formula: Formula) -> tuple[Formula, ...]:
    """The statements that a premise joins by `and`."""
    if isinstance(formula, Join) and formula.kind == "and":
        return tuple(one for part in formula.parts for one in _said(part))
    return (formula,)


def _terms(*formulas: Formula) -> set[str]:
    return {term for atom in atoms(*formulas) for term in atom.terms} - {"x"}


def _of(formula: Formula) -> Formula:
    return put(formula, "x")


def united(reading: Reading) -> Reading:
    """The reading with one key for each predicate that the text says in longer and shorter words."""
    whole = (*reading.premises, *reading.claims)
    keys = list(dict.fromkeys(atom.name for atom in atoms(*whole)))
    same = _shorter(keys)
    there = set(keys) - set(same)
    denied = {a: b for a, b in OPPOSITES if a in there and b in there}
    change: Callable[[Formula], Formula] = lambda one: renamed(one, same, denied)  # noqa: E731
    return Reading(
        premises=tuple(map(change, reading.premises)),
        claims=tuple(map(change, reading.claims)),
        restricted=tuple(map(change, reading.restricted)),
        ambiguous=reading.ambiguous,
        loose=reading.loose,
    )


def _shorter(keys: Iterable[str]) -> dict[str, str]:
    """Verbs without their complement, or with a pronoun in its place, where just one complement is in the text."""
    keys = list(keys)
    same: dict[str, str] = {}
    for one in keys:
        stem, tilde, rest = one.partition("~")
        if not tilde or rest.strip() not in ("", "it", "them"):
            continue
        longer = [
            other
            for other in keys
            if other.startswith(f"{stem}~ ")
            and other != one
            and (rest.strip() or other.partition("~ ")[2].startswith(_WITH))
        ]
        longer = [other for other in longer if other.partition("~ ")[2] not in ("it", "them")]
        if len(longer) == 1:
            same[one] = longer[0]
    return same


def renamed(formula: Formula, same: dict[str, str], denied: dict[str, str]) -> Formula:
    """The formula with other keys: of the same predicate, or of the one that it denies."""
    if isinstance(formula, Atom):
        name = same.get(formula.name, formula.name)
        return negated(formula.model_copy(update={"name": denied[name]})) if name in denied else (
            formula.model_copy(update={"name": name})
        )  # fmt: skip
    if isinstance(formula, Not):
        return negated(renamed(formula.inner, same, denied))
    if isinstance(formula, Quantified):
        return formula.model_copy(update={"inner": renamed(formula.inner, same, denied)})
    if isinstance(formula, Join | Count):
        return formula.model_copy(update={"parts": tuple(renamed(part, same, denied) for part in formula.parts)})
    return formula


def _stems(key: str) -> set[str]:
    """Beginnings of the words of a key that carry meaning."""
    words = re.findall(r"[^\W\d_]+", key.lower())
    return {word[: max(4, len(word) - 3)] for word in words if len(word) > 3 and word not in ("with", "from", "that")}


def certain(case: Case, names: Sequence[str], claim: Callable[[str], Formula]) -> tuple[list[str], list[str]]:
    """Of the names: those whose claim follows, and, when none does, the fewest of which one at least must be right."""
    sure = [name for name in names if _holds(case, claim(name))]
    if sure:
        return sure, []
    among = list(names)
    if len(among) < 2 or not _holds(case, either(*map(claim, among))):
        return [], []
    for name in names:
        rest = [one for one in among if one != name]
        if rest and _holds(case, either(*map(claim, rest))):
            among = rest
    return [], among


def _holds(case: Case, claim: Formula) -> bool:
    asked = [Reading(one.premises, (claim,), one.restricted, one.ambiguous, one.loose) for one in case.readings]
    return Case(asked, case.formal, case.linked).status() == "entailed"


def solved(case: Case, answer: str, status: str, claim: str) -> Solved:
    """What is to be reported of a decided case."""
    premises = case.readings[0].premises
    said = tuple(text(one) for one in premises)
    return Solved.model_validate(
        {
            "reader": "statements",
            "answer": answer,
            "status": status,
            "conclusion": claim,
            "premises": said,
            "quantifiers": quantifiers(premises),
            "negations": negations(premises),
            "working": f"{'; '.join(said)} |- {claim}: {status}",
        }
    )


def quantifiers(premises: Iterable[Formula]) -> tuple[str, ...]:
    """The quantified parts, in the typed form."""
    found = (text(part) for one in premises for part in walk(one) if isinstance(part, Quantified))
    return tuple(dict.fromkeys(found))[:24]


def negations(premises: Iterable[Formula]) -> tuple[str, ...]:
    """What stands under a negation, in the typed form."""
    found = (text(part.inner) for one in premises for part in walk(one) if isinstance(part, Not))
    return tuple(dict.fromkeys(found))[:24]
