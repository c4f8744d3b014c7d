"""English predicates: what stands behind a subject, or restricts a noun, as a formula with a slot for the thing.

Auxiliaries, negations, verbs, nouns, adjectives, places, relative clauses, and lists of them. Of the two readings of
`either ... or`, the one that `exclusive` names is taken, and `ambiguous` is set.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from nodes.logic.form import Atom, Count, Formula, Join, Not, Quantified, both, either, negated
from nodes.logic.words import EMPTY, key, verb, verb_key

SLOT = "_"
"""Stands for the subject in the formula of a predicate."""
AUX = r"is|are|was|were|am|will|would|shall|must|may|can|could|should|does|do|did|has|have|had|never"
_ADVERBS = re.compile(
    r"\b(?:however|also|certainly|definitely|indeed|therefore|always|necessarily)\s+|,? (?:too|also|as well)$",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"(?P<how>at least one of these|none of these|none of this|all of these|all of this): (?P<items>.+)", re.IGNORECASE
)
_ARTICLE = re.compile(r"(?:an?|not|being|neither|the|from|in|on|at)\b|[a-z-]+ (?:of|to) ")
RELATIVE = re.compile(r",? (?:who|that|which) ", re.IGNORECASE)
_PP = re.compile(r" (?=(?:in|on|at|for|from|under|inside|with) )")
_PARTICIPLE = re.compile(
    r"(?:ed|en|ne|wn|un|um|ung)$|^(?:been|come|become|gone|got|paid|met|won|lost|read|left|made|bought|taught"
    r"|sold|sent)$"
    r"|^(?:built|kept|held|told)$"
)


def put(formula: Formula, thing: str) -> Formula:
    """The formula with `thing` in the place of the slot."""
    if isinstance(formula, Atom):
        return formula.model_copy(update={"terms": tuple(thing if term == SLOT else term for term in formula.terms)})
    if isinstance(formula, Not | Quantified):
        return formula.model_copy(update={"inner": put(formula.inner, thing)})
    if isinstance(formula, Join | Count):
        return formula.model_copy(update={"parts": tuple(put(part, thing) for part in formula.parts)})
    return formula


def predicate(name: str) -> Formula:
    """The predicate of the slot."""
    return Atom(name=name, terms=(SLOT,))


@dataclass
class Predicates:
    """Reads predicates."""

    exclusive: bool = False
    """`either A or B` excludes both."""
    places: frozenset[str] = frozenset()
    """Prepositional phrases that the text uses as predicates of their own: `in this room`."""
    ambiguous: bool = False
    """A word with two readings was met."""

    def either_or(self, said: str) -> tuple[str, str]:
        """Without `either` and `but not both`, and how the two sides are joined: `or`, `xor`, or empty."""
        body, exact = re.subn(r",? but not both(?: of them)?$", "", said, flags=re.IGNORECASE)
        body, open_ = re.subn(r",? or both(?: of them)?$|\s*\([^()]*both[^()]*\)", "", body, flags=re.IGNORECASE)
        body, marked = re.subn(r"^either ", "", body, flags=re.IGNORECASE)
        if exact:
            return body, "xor"
        if marked and not open_:
            self.ambiguous = True
            return body, "xor" if self.exclusive else "or"
        return body, "or" if marked else ""

    # one subject, one predicate

    def phrase(self, words: str) -> Formula | None:
        """A noun with a relative clause or a place behind it, as a predicate of the slot."""
        head, *more = RELATIVE.split(words.strip(), maxsplit=1)
        found = self._head(head)
        clause = self.verbal(more[0].rstrip(",")) if more else None
        if found is None or (more and clause is None):
            return None
        parts = [one for one in (*found, clause) if one is not None]
        return both(*parts) if parts else None

    def _head(self, words: str) -> list[Formula] | None:
        head, *place = _PP.split(words, maxsplit=1)
        spot = key(place[0]) if place else None
        if spot and spot.startswith("with "):
            spot = f"have~ {spot[5:]}"  # an employee with a badge has a badge
        elif spot is None or spot not in self.places:
            head, spot = words, None
        parts = re.split(r",? (?:or|and) (?=an? )", head)
        names = [key(part) for part in parts]
        if None in names or len(parts) > 1:
            return None
        nouns = [predicate(str(name)) for name in names if name not in EMPTY]
        return nouns + ([predicate(spot)] if spot else [])

    def verbal(self, words: str) -> Formula | None:
        """A predicate: from the first auxiliary or verb to the end."""
        said = _ADVERBS.sub(" ", words.strip()).strip(" ,")
        said = re.sub(r"^, ", "", said)
        first, _, rest = said.partition(" ")
        low = first.lower()
        for match in (
            () if said.startswith("neither") else re.finditer(r",? (?P<how>and|or) (?=(?P<next>[a-z]+))", said)
        ):
            if re.fullmatch(AUX, match["next"]) or verb(match["next"]) not in (None, match["next"]):
                left, right = self.verbal(said[: match.start()]), self.verbal(said[match.end() :])
                return Join.model_validate({"kind": match["how"], "parts": (left, right)}) if left and right else None
        if low in ("is", "are", "was", "were", "am", "be"):
            return self._progressive(rest) or self.nominal(rest)
        if low in ("would", "could", "should", "may") and rest.startswith("have "):
            return None  # what would have been is no statement about what is
        if low in ("do", "does", "did") and rest in ("it", "so", "this"):
            return predicate("do~ it")
        if low in ("will", "would", "shall", "must", "do", "does", "did", "should"):
            return self._bare(rest)
        if low in ("can", "may", "could"):
            inner = self._bare(rest)
            return inner and _renamed(inner, "can ")
        if low in ("has", "have", "had") and (perfect := self._perfect(rest)):
            return perfect
        if low == "never":
            inner = self.verbal(rest)
            return inner and negated(inner)
        if re.fullmatch(r"(?:do|does|did|done) (?:it|so|this)", said):
            return predicate("do~ it")
        return self._verbs(said)

    def _bare(self, words: str) -> Formula | None:
        """What follows an auxiliary."""
        if words.startswith(("not ", "never ")):
            inner = self._bare(words.partition(" ")[2])
            return inner and negated(inner)
        return self.verbal(words)

    def _perfect(self, words: str) -> Formula | None:
        body, denied = re.subn(r"^(?:not|never) ", "", words)
        first = body.partition(" ")[0]
        participle = verb(first) if _PARTICIPLE.search(first) else None
        found = self.verbal(body) if participle else None
        return found and (negated(found) if denied else found)

    def _progressive(self, words: str) -> Formula | None:
        body, denied = re.subn(r"^not ", "", words)
        first = body.partition(" ")[0]
        found = self._verbs(body) if first.endswith("ing") and verb(first) else None
        return found and (negated(found) if denied else found)

    def _verbs(self, words: str) -> Formula | None:
        """Verbs joined by and, or, neither ... nor."""
        if match := re.fullmatch(r"neither (?P<a>.+) nor (?P<b>.+)", words):
            left, right = self.verbal(match["a"]), self.verbal(match["b"])
            return both(negated(left), negated(right)) if left and right else None
        body = re.sub(r"^both (?=.+ and )", "", words)
        for match in re.finditer(r",? (?P<how>and|or) ", body):
            tail = body[match.end() :]
            first = tail.partition(" ")[0]
            if verb(first) or re.fullmatch(AUX, first):
                left, right = self._verbs(body[: match.start()]), self.verbal(tail)
                return Join.model_validate({"kind": match["how"], "parts": (left, right)}) if left and right else None
        if match := re.fullmatch(r"(?:get|gets|got|become|becomes|became|turns?|turned) (?P<state>[a-z]+)", body):
            return self._base(match["state"])
        name = verb_key(body)
        return predicate(name) if name else None

    def nominal(self, words: str) -> Formula | None:
        """What stands behind `is`: nouns, adjectives and places, denied and joined."""
        said = re.sub(r"\b[Bb]eing ", "", _ADVERBS.sub(" ", words.strip()).strip(" ,"))
        said = re.sub(r"^Not ", "not ", said)
        if match := re.fullmatch(r"(?P<a>.+?),? and,? in addition,? (?P<b>.+)", said):
            left, right = self.nominal(match["a"]), self.nominal(match["b"])
            return both(left, right) if left and right else None
        match = re.fullmatch(r"(?P<a>.+?),? (?:and|but) (?P<b>(?:not both|both|neither) .+)", said)
        if match and not match["a"].startswith(("neither", "both", "not both")):
            left, right = self.nominal(match["a"]), self._fixed(match["b"])
            return both(left, right) if left and right else None
        return self._fixed(said) or self._list(said) or self._base(said)

    def _fixed(self, said: str) -> Formula | None:
        """`neither a nor b`, `not both a and b`, `at least one of these: a, b or c`."""
        if match := _LISTED.fullmatch(said):
            parts = self._items(re.split(r",\s*(?:or |and )?| or | and ", match["items"].rstrip(",")))
            if not parts:
                return None
            how = match["how"].lower()
            return either(*parts) if how.startswith("at") else both(*(map(negated, parts) if how[0] == "n" else parts))
        for pattern, how in (
            (r"neither (?P<l>.+)", "none"),
            (r"not both (?P<l>.+)", "not both"),
            (r"both (?P<l>.+)", "both"),
        ):
            match = re.fullmatch(pattern, said)
            if match:
                joint = r",?\s+nor\s+(?:also )?" if how == "none" else r",?\s+and\s+(?:also )?"
                parts = self._items(re.split(joint, match["l"]))
                if not parts or len(parts) < 2:
                    return None
                return (
                    both(*map(negated, parts))
                    if how == "none"
                    else negated(both(*parts))
                    if how == "not both"
                    else both(*parts)
                )
        return None

    def _items(self, words: list[str]) -> list[Formula] | None:
        found = [self._base(re.sub(r"^is ", "", one)) for one in words]
        known = [one for one in found if one is not None]
        return known if len(known) == len(found) else None

    def _list(self, said: str) -> Formula | None:
        body, kind = self.either_or(said)
        pieces, signs = _pieces(body)
        if len(pieces) < 2 or len(signs) != 1:
            return None
        denied = [piece.startswith("not ") for piece in pieces]
        if denied[0] and not all(denied):
            return None
        parts = self._items(pieces)
        if not parts:
            return None
        joined = signs.pop()
        return Join.model_validate({"kind": kind if kind and joined == "or" else joined, "parts": tuple(parts)})

    def _base(self, said: str) -> Formula | None:
        if said.startswith("not "):
            inner = self._base(said[4:])
            return inner and negated(inner)
        head, *clause = RELATIVE.split(said, maxsplit=1)
        if clause:
            return self.phrase(said)
        name = key(head)
        return predicate(name) if name and name not in EMPTY else None


def _renamed(formula: Formula, prefix: str) -> Formula:
    if isinstance(formula, Atom):
        return formula.model_copy(update={"name": prefix + formula.name})
    if isinstance(formula, Not):
        return Not(inner=_renamed(formula.inner, prefix))
    if isinstance(formula, Join):
        return formula.model_copy(update={"parts": tuple(_renamed(part, prefix) for part in formula.parts)})
    return formula


def _pieces(said: str) -> tuple[list[str], set[str]]:
    """A list at its commas and connectives, where these join phrases and are not part of a name."""
    pieces, signs, start = [], set(), 0
    for match in re.finditer(r",? (?P<how>and|or) |, ", said):
        before, behind = said[start : match.start()].split(" ")[-1], said[match.end() :]
        plain = bool(before) and before[0].islower() and behind[:1].islower()
        if _ARTICLE.match(behind) or plain:
            pieces.append(said[start : match.start()])
            signs |= {match["how"]} if match["how"] else set()
            start = match.end()
    return [*pieces, said[start:]], signs
