"""Regular English statements to formulas: quantified, negated, conditional and coordinated sentences.

A sentence is read by the first rule that understands all of it; None means that it was not understood. Things are the
names and definite phrases of the text, or one bound variable. `either ... or` and `unless` have two readings each,
which are arguments: what holds under one only is not certain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from nodes.logic.form import Formula, Join, Quantified, both, implies, negated
from nodes.logic.predicates import AUX, put
from nodes.logic.subjects import Subjects
from nodes.logic.words import EMPTY, key, verb

LONGEST, DEEPEST, MOST_TRIES = 500, 7, 4_000
"""Characters of a sentence, clauses inside each other, clauses tried in a text."""
_MARKERS = re.compile(
    r"^(?:(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|fourth(?:ly)?|fifth|next|now|then|moreover|furthermore"
    r"|plus|finally|lastly|also|besides|in addition"
    r"|first of all|to begin with|to start with|(?:first|second|third|fourth|fifth|another) premise"
    r"|premise(?: \d+)?|note that|we know that"
    r"|suppose(?: that)?|assume(?: that)?|\d+|additionally|and|but|however|given that)\s*(?:[,:.)]\s*"
    r"|\s(?=every|all|no |some)))+",
    re.IGNORECASE,
)
_FALSE = re.compile(r"it(?: is|'s) (?:false|not true|not the case|not so|untrue) that (?P<s>.+)", re.IGNORECASE)
_UNCLEAR = re.compile(rf"{_FALSE.pattern.partition('(?P<s>')[0]}.+, (?:and|but|or) ", re.IGNORECASE)
"""How far the negation reaches is open."""
_TRUE = re.compile(r"it(?: is|'s) (?:true|the case|certain|known) that (?P<s>.+)", re.IGNORECASE)
_IF = re.compile(r"(?:if|whenever|when|in case) (?P<a>.+?)(?:,? then |, )(?P<b>.+)", re.IGNORECASE)
_CUT = re.compile(rf"(?<=\w)[,]? (?=(?:{AUX}|neither)\b)|, (?=(?:{AUX})\b)")
_GENERIC = re.compile(
    r"(?:someone|somebody|something|anyone|anybody|anything|a person|people|a man|things?)\b(?P<rest>.*)", re.IGNORECASE
)
_SUFFICIENT = re.compile(
    r"(?P<a>(?:not )?being .+?) is (?P<kind>sufficient|necessary|required|enough) for (?P<b>(?:not )?being .+)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:it|he|she|they)\b", re.IGNORECASE)


def clean(sentence: str) -> str:
    """A sentence without markers such as `Second,`, contractions opened."""
    said = re.sub(r"\s+", " ", sentence).strip().rstrip(".!;, ").strip()
    said = _MARKERS.sub("", said)
    said = re.sub(r"\bcan(?:not|'t|’t)\b", "can not", said, flags=re.IGNORECASE)
    said = re.sub(r"\bwon['’]t\b", "will not", said)
    return re.sub(r"n['’]t\b", " not", said)


@dataclass
class Grammar(Subjects):
    """Reads sentences one after the other."""

    two_way: bool = False
    """`A unless B` also says that B excludes A."""
    tries: int = 0

    def sentence(self, words: str) -> Formula | None:
        """The formula of one sentence; None = not understood."""
        said = clean(words)
        if not said or _UNCLEAR.match(said) or len(said) > LONGEST or self.depth >= DEEPEST or self.tries > MOST_TRIES:
            return None
        self.depth += 1
        self.tries += 1
        try:
            return self._truth(said) or self._conditional(said) or self._plain(said) or self._joined(said)
        finally:
            self.depth -= 1

    def _truth(self, said: str) -> Formula | None:
        if match := _FALSE.fullmatch(said):
            inner = self._sides(match["s"]) or self.sentence(match["s"])
            return inner and negated(inner)
        match = _TRUE.fullmatch(said)
        return self.sentence(match["s"]) if match else None

    def _sides(self, said: str) -> Formula | None:
        """`both Ben and Cora signed` under a negation."""
        return self._plain(said) if said.startswith("both ") else None

    # conditionals

    def _conditional(self, said: str) -> Formula | None:
        for pattern, kind in (
            (r"(?P<a>.+) if and only if (?P<b>.+)", "iff"),
            (r"(?P<a>.+?),? only (?:if|when) (?P<b>.+)", "implies"),
        ):
            match = re.fullmatch(pattern, said, re.IGNORECASE)
            if match and not re.match(r"(?:if|unless)\b", said, re.IGNORECASE):
                left, right = self.sentence(match["a"]), self.sentence(match["b"])
                return Join.model_validate({"kind": kind, "parts": (left, right)}) if left and right else None
        if match := _IF.fullmatch(said):
            return self._if(match["a"], match["b"]) or self._longer_if(said)
        return self._unless(said) or self._if_behind(said)

    def _longer_if(self, said: str) -> Formula | None:
        """The condition ends at a later comma than the first."""
        body = said.partition(" ")[2]
        for comma in list(re.finditer(r",? then |, ", body))[1:4]:
            if found := self._if(body[: comma.start()], body[comma.end() :]):
                return found
        return None

    def _if(self, condition: str, result: str) -> Formula | None:
        outer = self.variable
        self.variable = ""
        left = self._generic(condition, bool(_PRONOUN.search(result))) or self.sentence(condition)
        right = left and self.sentence(result)
        bound, self.variable = self.variable, outer
        if left is None or right is None:
            return None
        whole = implies(left, right)
        return Quantified(kind="every", variable=bound, inner=whole) if bound else whole

    def _generic(self, condition: str, meant: bool) -> Formula | None:
        """`something can fly`, `an object is red` (when the result says `it`): the condition of a rule."""
        match = _GENERIC.match(condition)
        for subject, rest in splits(condition) if meant and not match else []:
            verbal = self.verbal(rest) if re.match(r"an? ", subject, re.IGNORECASE) else None
            restriction = verbal and self.phrase(subject)
            if verbal and (restriction or key(subject) in EMPTY):
                self.variable = "x"
                return put(both(restriction, verbal) if restriction else verbal, "x")
        verbal = self.verbal(match["rest"].strip()) if match else None
        if verbal is None:
            return None
        self.variable = "x"
        return put(verbal, "x")

    def _if_behind(self, said: str) -> Formula | None:
        match = re.fullmatch(r"(?P<b>.+?),? (?:if|whenever|provided that) (?P<a>.+)", said, re.IGNORECASE)
        if match is None or self.sentence(match["b"]) is None:  # read first: what a pronoun of the condition stands for
            return None
        return self._if(match["a"], match["b"])

    def _unless(self, said: str) -> Formula | None:
        match = re.fullmatch(r"unless (?P<a>.+?), (?P<b>.+)|(?P<d>.+?),? unless (?P<c>.+)", said, re.IGNORECASE)
        if match is None:
            return None
        left, right = self.sentence(match["a"] or match["c"]), self.sentence(match["b"] or match["d"])
        if left is None or right is None:
            return None
        self.ambiguous = True
        return Join(kind="xor", parts=(left, right)) if self.two_way else implies(negated(left), right)

    # coordination of sentences

    def _joined(self, said: str) -> Formula | None:
        body, kind = self.either_or(said)
        if kind != "xor" and not re.search(r"\b(?:and|or|but)\b|, nor ", body):
            return None
        for match in list(re.finditer(r",? (?:(?P<or>or)|and|but) (?!not both)", body))[:6]:
            joins = "or" if match["or"] else "and"
            if (kind in ("or", "xor")) != (joins == "or") and kind:
                continue
            right_side = body[match.end() :]
            if not _has_subject(right_side):
                continue
            left = self.sentence(body[: match.start()])
            right = left and self.sentence(right_side)
            if left and right:
                return Join.model_validate({"kind": kind or joins, "parts": (left, right)})
        return None

    def _plain(self, said: str) -> Formula | None:
        if match := _SUFFICIENT.fullmatch(said):
            return self._sufficient(match)
        body, kind = self.either_or(said)
        for subject, rest in splits(body):
            verbal = self.verbal(rest)
            self.plural = (
                bool(re.match(r"(?:are|were|do|have)\b", rest)) or verb(rest.split(" ")[0]) == rest.split(" ")[0]
            )
            build = verbal and self.subject(subject, kind, verbal)
            if build is not None:
                return build
        match = re.fullmatch(r"there (?:is|are|exists?) (?P<np>.+)", body, re.IGNORECASE)
        return self._exists(match["np"]) if match else None

    def _exists(self, phrase: str) -> Formula | None:
        """`there is somebody who ...`, `there is a dog that ...`."""
        said = re.sub(
            r"^(?:somebody|someone|something|at least one|some)\b\s*", "thing ", phrase.strip(), flags=re.IGNORECASE
        )
        restriction = self.phrase(said)
        return restriction and Quantified(kind="some", variable="x", inner=put(restriction, "x"))

    def _sufficient(self, match: re.Match[str]) -> Formula | None:
        left, right = self.nominal(match["a"]), self.nominal(match["b"])
        if left is None or right is None:
            return None
        if match["kind"].lower() in ("necessary", "required"):
            left, right = right, left
        return self.universal(left, right)


def splits(said: str) -> list[tuple[str, str]]:
    """Subject and predicate, at each auxiliary from the last to the first, then at each verb."""
    found = [(said[: cut.start()], said[cut.end() :]) for cut in _CUT.finditer(said)]
    words = said.split(" ")
    verbs = [
        at
        for at in range(1, min(len(words), 12))
        if words[at].islower() and verb(words[at]) and not _CUT.match(f"x {words[at]}", 1)
    ]
    return found[::-1][:6] + [(" ".join(words[:at]), " ".join(words[at:])) for at in verbs[:4]]


def _has_subject(words: str) -> bool:
    """Whether a second clause has a subject of its own: something stands before its verb."""
    return bool(splits(words))
