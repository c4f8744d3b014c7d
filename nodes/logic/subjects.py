"""English subjects: every, some, no, none of, only, names and lists of names, and what a predicate says of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from nodes.logic.form import Count, Formula, Join, Quantified, atoms, both, implies, negated
from nodes.logic.predicates import Predicates, put
from nodes.logic.words import BUILDING, key, verb

_EVERY = re.compile(r"(?:every|each|all(?: of)?(?: the)?|any) (?P<np>.+)", re.IGNORECASE)
_SOME = re.compile(
    r"(?:some(?: of the)?|at least one(?: of the)?|there (?:is|are|exists?)(?: at least one| some| an?)?) (?P<np>.+)",
    re.IGNORECASE,
)
_NO = re.compile(r"(?:no|none of the|not a single|not one) (?P<np>.+)", re.IGNORECASE)
_NOT_ALL = re.compile(r"not (?:every|each|all(?: of)?(?: the)?) (?P<np>.+)", re.IGNORECASE)
_ONLY = re.compile(r"only (?P<np>.+)", re.IGNORECASE)
_PRONOUNS = {
    "every": re.compile(
        r"(?:every(?:one|body|thing)|any(?:one|body|thing)|(?:who|what|which)ever)\b(?P<rest>.*)", re.IGNORECASE
    ),
    "some": re.compile(r"(?:there (?:is|exists) )?(?:somebody|someone|something)\b(?P<rest>.*)", re.IGNORECASE),
    "no": re.compile(r"(?:no one|nobody|nothing)\b(?P<rest>.*)", re.IGNORECASE),
}
_COUNTED = re.compile(
    r"(?P<how>exactly one|at least one|at most one|only one|exactly two|at least two|at most two|none|not all"
    r"|not every one|all)(?: of)? (?:the (?:two |three |four |five )?\w+,? )?(?P<names>[A-Z].+?),?",
    re.IGNORECASE,
)  # fmt: skip
_HOW: dict[str, tuple[str, int]] = {
    "exactly one": ("exactly", 1), "only one": ("exactly", 1), "at least one": ("at_least", 1),
    "at most one": ("at_most", 1),
    "exactly two": ("exactly", 2), "at least two": ("at_least", 2), "at most two": ("at_most", 2),
}  # fmt: skip
_DEFINITE = re.compile(r"(?:the|this|these|those|my|his|her|its|their|our|your|they|we|you|an?)\b|.+'s ", re.IGNORECASE)
_IT = frozenset(("it", "he", "she", "they"))


@dataclass
class Subjects(Predicates):
    """Reads subjects."""

    last: str = ""
    """The thing that a pronoun stands for."""
    variable: str = ""
    """The bound variable that a pronoun stands for."""
    restricted: list[Formula] = field(default_factory=list)
    """What universal statements speak about."""
    loose: set[str] = field(default_factory=set)
    """Things that only "a ..." names."""
    asking: bool = False
    """What is read is the claim, not a premise."""
    plural: bool = False
    general: bool = False
    """The claim is about a kind, said with a bare plural."""
    depth: int = 0

    def subject(self, subject: str, kind: str, verbal: Formula) -> Formula | None:
        """What the predicate says of the subject; `kind` is how a list of names is joined, where that is marked."""
        found = self._indefinite(subject, verbal) or self._quantified(subject, verbal)
        if found is None and not re.match(r"(?:every|each|any|no|not|some)\b", subject, re.IGNORECASE):
            found = self._several(subject, kind, verbal) or self._single(subject, verbal)
        return found

    def universal(self, restriction: Formula, verbal: Formula) -> Formula:
        """The predicate holds of everything of which the restriction holds."""
        self.restricted.append(restriction)
        return Quantified(kind="every", variable="x", inner=implies(put(restriction, "x"), put(verbal, "x")))

    def _bound(self, kind: str, restriction: Formula | None, verbal: Formula) -> Formula:
        if kind == "some":
            inner = both(restriction, verbal) if restriction else verbal
            return Quantified(kind="some", variable="x", inner=put(inner, "x"))
        said = negated(verbal) if kind == "no" else verbal
        if restriction is None:
            return Quantified(kind="every", variable="x", inner=put(said, "x"))
        return self.universal(restriction, said)

    def _indefinite(self, subject: str, verbal: Formula) -> Formula | None:
        for kind, pattern in _PRONOUNS.items():
            match = pattern.fullmatch(subject)
            if match:
                rest = match["rest"].strip()
                rest = re.sub(r"^(?:who|that|which) ", "", rest)
                restriction = (self.verbal(rest.rstrip(",")) or self._placed(rest)) if rest else None
                if rest and restriction is None:
                    return None
                return self._bound(kind, restriction, verbal)
        return None

    def _placed(self, rest: str) -> Formula | None:
        """`everyone from Earth`."""
        return self.nominal(rest) if re.match(r"(?:from|in|on|at|with) ", rest) else None

    def _quantified(self, subject: str, verbal: Formula) -> Formula | None:
        for kind, pattern in (("not all", _NOT_ALL), ("every", _EVERY), ("some", _SOME), ("no", _NO), ("only", _ONLY)):
            match = pattern.fullmatch(subject)
            if (
                match is None
                or re.match(r"[A-Z]\w*(?:,| and )", match["np"])
                or (kind == "only" and match["np"][0].isupper())
            ):
                continue
            phrases = re.split(r",? and no ", match["np"]) if kind == "no" else [match["np"]]
            restrictions = [self.phrase(phrase) for phrase in phrases]
            known = [one for one in restrictions if one is not None]
            if len(known) != len(restrictions):
                return None
            if kind == "only":
                return self.universal(verbal, known[0])
            if kind == "not all":
                return negated(self.universal(known[0], verbal))
            return both(*(self._bound(kind, one, verbal) for one in known))
        return None

    def _several(self, subject: str, kind: str, verbal: Formula) -> Formula | None:
        """`Ann and Ben`, `Ann or Ben`, `neither Ann nor Ben`, `exactly one of Ann, Ben and Cy`."""
        counted = _COUNTED.fullmatch(subject)
        how = counted["how"].lower() if counted else ""
        body = counted["names"] if counted else subject
        body, neither = re.subn(r"^neither (?=.+ nor )", "", body, flags=re.IGNORECASE)
        body, every = re.subn(r"^both ", "", body, flags=re.IGNORECASE)
        names = [part for part in re.split(r",\s*(?:and|or|nor)?\s*|\s+(?:and|or|nor)\s+", body) if part]
        things = [self.thing(name) for name in names]
        if len(names) < 2 or None in things:
            return None
        parts = tuple(put(verbal, str(thing)) for thing in things)
        if how or neither:
            return _counted(how or "none", parts)
        disjoint = bool(re.search(r"\bor\b", body))
        if disjoint == bool(re.search(r"\band\b", body)) or (disjoint and every):
            return None
        return Join.model_validate({"kind": kind or "or", "parts": parts}) if disjoint else both(*parts)

    def _single(self, subject: str, verbal: Formula) -> Formula | None:
        if self.plural and not _DEFINITE.match(subject):
            restriction = None if self.asking or self.depth > 1 else self.phrase(subject[:1].lower() + subject[1:])
            return restriction and self.universal(restriction, verbal)
        if subject.lower() == "it" and {one.name for one in atoms(verbal)} <= {"rain~", "snow~"}:
            return put(verbal, "it")
        thing = self.thing(subject)
        if thing and re.match(r"an? ", subject, re.IGNORECASE):
            self.loose.add(thing)
        return put(verbal, thing) if thing else None

    def every(self, subject: str, verbal: Formula) -> Formula | None:
        """The claim that a bare plural makes in a question: `Do snakes have fur`, of a kind that a premise is about."""
        restriction = self.phrase(subject) if subject.endswith("s") and not _DEFINITE.match(subject) else None
        names = {atom.name for one in self.restricted for atom in atoms(one)}
        if restriction is None or not {atom.name for atom in atoms(restriction)} <= names:
            return None
        self.general = True
        return self.universal(restriction, verbal)

    def thing(self, words: str) -> str | None:
        """The name of a thing: a proper name, a definite phrase, or what a pronoun stands for."""
        low = words.strip().lower()
        if low in _IT:
            return self.variable or self.last or None
        found = key(words.strip())
        if found is None or len(found.split()) > 5 or low.split(" ")[0] in BUILDING or _verbal(words):
            return None
        self.last = found
        return found

    # predicates


def _verbal(words: str) -> bool:
    """Whether a verb was left among the words of a thing: `Ann created a podcast`."""
    return any(word.islower() and word.endswith("ed") and verb(word) for word in words.split()[1:])


def _counted(how: str, parts: tuple[Formula, ...]) -> Formula | None:
    if how == "none":
        return both(*map(negated, parts))
    if how in ("not all", "not every one"):
        return negated(both(*parts))
    if how == "all":
        return both(*parts)
    kind, number = _HOW[how]
    return Count.model_validate({"kind": kind, "number": number, "parts": parts})
