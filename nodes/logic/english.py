"""Questions about English statements: valid or not, true or false or uncertain, yes or no, who, which option.

The text is cut into premises and what is asked; `nodes.logic.grammar` reads each sentence, `nodes.logic.statements`
decides. One premise that is not understood and nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nodes.answers import choices
from nodes.contracts import Language
from nodes.logic.form import Formula, Join, Quantified, Status, atoms, implies, negated, text
from nodes.logic.grammar import Grammar, clean
from nodes.logic.options import hidden, must_be_true
from nodes.logic.predicates import SLOT, put
from nodes.logic.solved import Solved, wording
from nodes.logic.statements import Case, Reading, certain, solved, united
from nodes.logic.words import key

MOST = 24
"""Premises that are read."""
_VALID = re.compile(r"\bis the (?:argument|inference|reasoning)\b[^?\n]*\b(?:valid|invalid)\b[^?\n]*\?", re.IGNORECASE)
_INTRO = re.compile(r"^.*?\bargument\b[^.:?]*:\s*", re.IGNORECASE | re.DOTALL)
_THUS = re.compile(
    r"^(?:therefore|so|hence|thus|consequently|in consequence|as a result|accordingly|from this follows"
    r"|it follows(?: that)?|this entails that"
    r"|we (?:may|can) conclude(?: that)?|this implies that|all this entails that|conclusion"
    r"|in conclusion)\b(?:,? necessarily\b)?\s*(?:that\b)?\s*[:,]?\s*",
    re.IGNORECASE,
)
_CONCLUSION = re.compile(
    r"(?:^|\n|\.\s)\s*(?:conclusion|claim|hypothesis|statement)\s*:\s*(?P<claim>[^\n.]+)(?:\.\s|\.?\n).*$",
    re.IGNORECASE | re.DOTALL,
)
_FOLLOWS = re.compile(
    r"(?:does it (?:\w+ly )?follow(?: that)?|does this imply(?: that)?|is it (?:true|certain|the case) that"
    r"|can (?:we|it be|one) (?:\w+ly )?(?:conclude|concluded|infer|inferred)(?: that)?)"
    r"\s*:?\s*(?P<claim>[^?\n]+?)\s*(?:\?|\.|(?= answer\b)|\n|$)(?P<rest>[\s\S]*)$",
    re.IGNORECASE,
)  # fmt: skip
_ANSWER = re.compile(
    r"(?:please )?(?:answer|reply|respond|read|explain|justify|think|give)\b.*|(?:premises?|facts|rules|context"
    r"|options|question)\s*:?",
    re.IGNORECASE,
)
_ONE_WAY = re.compile(r"read [\"“']unless[\"”'] as", re.IGNORECASE)
_CUT = re.compile(
    r"(?<=[\w\"”)'’%!])[.!][\"”]?\s+(?=[\"“\[]?[A-Z\d])|\n+|(?<=\?)[\"”]?\s+|\.(?=(?:so|finally|hence|therefore"
    r"|plus|moreover|then),)"
)
_ASKED = re.compile(
    r"(?P<aux>is|are|was|were|does|do|did|will|would|can|could|has|have|must|may|shall|should)\b (?P<rest>.+)",
    re.IGNORECASE,
)
_WHO = re.compile(
    r"(?:who|which (?:one|person|of \w[\w ,]*?))(?: must| certainly)? (?P<rest>(?:is|are|was|has|have|can|will"
    r"|did|does|must|\w+).*)",
    re.IGNORECASE,
)
_MUST = re.compile(
    r"\bwhich\b.*\b(?:must be true|is (?:certainly|necessarily) true|follows?\b|can be (?:concluded|inferred))",
    re.IGNORECASE,
)
_HIDDEN = re.compile(r"\bwhich\b.*\b(?:unstated|missing|hidden|implicit|assum\w+)\b", re.IGNORECASE)
_SO = re.compile(r"^(?P<p>.+?)[,;.]? (?:so|therefore|hence|thus),? (?P<q>.+)$", re.IGNORECASE | re.DOTALL)
_BARE = frozenset(("do", "did", "does", "will", "would", "must", "shall", "should"))
_PLACE = re.compile(r"\b(?:is|are|was|were) (?:not )?((?:in|on|at|for|under|inside) (?:this |the |a )?\w+)")


@dataclass(frozen=True)
class _Parts:
    """The text, cut."""

    premises: tuple[str, ...]
    asked: str
    formal: bool = False
    one_way: bool = False
    """`unless` is defined as `if not`."""


def solve(question: str, language: Language) -> Solved | None:
    """The answer to a question about English statements that are all understood."""
    if language != "en" or len(question) > 5_000:
        return None
    whole = question.replace("’", "'").replace("\r", "")
    menu = choices(whole)
    if menu and (_HIDDEN.search(whole) or _MUST.search(whole)):
        return _menu(whole, menu)
    body = re.sub(r"\n\s*options?\s*:.*$", "", whole, flags=re.IGNORECASE | re.DOTALL)
    if menu:
        return None
    parts = _argument(body) or _concluded(body) or _asked(body)
    if parts is None or not 1 <= len(parts.premises) <= MOST:
        return None
    if match := _WHO.fullmatch(parts.asked.rstrip("? ")):
        return _who(parts, match["rest"], question)
    case = _case(parts, lambda grammar, things: _claim(parts.asked, grammar, things))
    status = case.status() if case else None
    if case and status is None:
        status = _generic(parts)
    answer = wording(question, language).of(status) if status else None
    if case is None or answer is None or status is None:
        return None
    return solved(case, answer, status, text(case.readings[0].claims[0]))


def _generic(parts: _Parts) -> Status | None:
    """`Do snakes have fur?`: the contrary follows of all of them; "all do" was not decided."""

    def contrary(grammar: Grammar, things: frozenset[str]) -> Formula | None:
        claim = _claim(parts.asked, grammar, things)
        if not grammar.general or not isinstance(claim, Quantified) or not isinstance(claim.inner, Join):
            return None
        restriction, verbal = claim.inner.parts
        return claim.model_copy(update={"inner": implies(restriction, negated(verbal))})

    case = _case(parts, contrary)
    return "contradicted" if case and case.status() == "entailed" else None


# cutting the text


def _sentences(body: str) -> list[str]:
    cut = [re.sub(r"^\[BG\]\s*", "", one.strip().strip('"“”').strip()) for one in _CUT.split(body)]
    return [one for one in cut if one.strip(" .") and not _ANSWER.fullmatch(one)]


def _argument(body: str) -> _Parts | None:
    """`"First, ... Second, ... Therefore, ..." Is the argument valid or invalid?`"""
    asked = _VALID.search(body)
    if asked is None:
        return None
    sentences = _sentences(_INTRO.sub("", body[: asked.start()].strip().strip('"“”'), count=1))
    *premises, last = sentences or [""]
    match = _THUS.match(last)
    if match is None or any(_THUS.match(one) for one in premises):
        return None
    return _Parts(tuple(premises), last[match.end() :], formal=True)


def _concluded(body: str) -> _Parts | None:
    """`Conclusion: ...` or `Does it follow that ...`."""
    if match := _CONCLUSION.search(body):
        return _Parts(tuple(_sentences(body[: match.start()])), match["claim"])
    match = _FOLLOWS.search(body)
    if match is None or (match["rest"].strip() and not _ANSWER.fullmatch(match["rest"].strip())):
        return None
    return _Parts(tuple(_sentences(body[: match.start()])), match["claim"])


def _asked(body: str) -> _Parts | None:
    """Statements, then one question."""
    sentences = _sentences(body)
    questions = [one for one in sentences if one.rstrip().endswith("?")]
    if len(questions) != 1:
        return None
    return _Parts(
        tuple(one for one in sentences if one != questions[0]), questions[0], one_way=bool(_ONE_WAY.search(body))
    )


# reading


def _case(parts: _Parts, asked: Callable[[Grammar, frozenset[str]], Formula | None]) -> Case | None:
    """All readings of the text; None when something is not understood under one of them."""
    first = _reading(parts, Grammar(), asked)
    if first is None:
        return None
    readings = [first]
    if first.ambiguous:
        others = [Grammar(exclusive=True), *([] if parts.one_way else [Grammar(two_way=True)])]
        found = [_reading(parts, grammar, asked) for grammar in others]
        if None in found:
            return None
        readings += [one for one in found if one is not None]
    return Case(readings, parts.formal)


def _reading(
    parts: _Parts, grammar: Grammar, asked: Callable[[Grammar, frozenset[str]], Formula | None]
) -> Reading | None:
    whole = " ".join((*parts.premises, parts.asked))
    grammar.places = frozenset(place for spot in _PLACE.findall(whole) if (place := key(spot)))
    premises: list[Formula] = []
    for sentence in parts.premises:
        found = grammar.sentence(sentence)
        if found is None:
            return None
        premises.append(found)
    things = frozenset(term for atom in atoms(*premises) for term in atom.terms) - {"x"}
    grammar.asking = True
    claim = asked(grammar, things)
    if claim is None or not premises:
        return None
    kinds = {atom.name for atom in atoms(*premises, claim)}
    if things & kinds or any(atom.terms == (SLOT,) for atom in atoms(*premises, claim)):
        return None
    return Reading(tuple(premises), (claim,), tuple(grammar.restricted), grammar.ambiguous, frozenset(grammar.loose))


def _claim(asked: str, grammar: Grammar, things: frozenset[str]) -> Formula | None:
    """The statement that is asked about."""
    said = clean(asked.strip().rstrip("?").strip())
    match = _ASKED.fullmatch(said) if asked.rstrip().endswith("?") else None
    if match is None:
        return grammar.sentence(said)
    words = match["rest"].split(" ")
    aux = match["aux"].lower()
    cuts = range(min(len(words) - 1, 6), 0, -1)
    known = [at for at in cuts if key(" ".join(words[:at])) in things or words[:at] == ["it"]]
    for at in known or cuts:
        subject, rest = " ".join(words[:at]), " ".join(words[at:])
        verbal = grammar.verbal(f"{'does' if aux in _BARE else aux} {rest}")
        if verbal is None:
            continue
        if subject == "it":
            return grammar.sentence(f"it {aux} {rest}")
        if known or (at == 1 and subject[:1].isupper()):
            return put(verbal, key(subject) or subject)
        if aux in ("do", "are", "can") and (plural := grammar.every(subject, verbal)):
            return plural
    return None


def _who(parts: _Parts, rest: str, question: str) -> Solved | None:
    found: list[Formula] = []

    def asked(grammar: Grammar, _: frozenset[str]) -> Formula | None:
        verbal = grammar.verbal(rest)
        found.extend([verbal] if verbal else [])
        return verbal and put(verbal, "who")

    case = _case(parts, asked)
    if case is None:
        return None
    claim = case.readings[0].claims[0]
    premises = case.readings[0].premises
    known = {atom.name for atom in atoms(*premises)}
    names = sorted({term for atom in atoms(*premises) for term in atom.terms} - {"x"}, key=question.lower().find)
    if not {atom.name for atom in atoms(claim)} <= known or not 2 <= len(names) <= 8:
        return None
    given = {term for one in premises for atom in atoms(one) if one == atom for term in atom.terms}
    right, among = certain(case, [one for one in names if one not in given] or names, lambda name: _named(claim, name))
    spelled = {name: _spelled(name, question) for name in names}
    if right:
        said = solved(case, ", ".join(spelled[one] for one in right), "entailed", text(claim))
        return said.model_copy(update={"rivals": tuple(spelled[one] for one in names if one not in right)})
    if len(among) < 2:
        return None
    listed = " or ".join(spelled[one] for one in among)
    said = solved(case, f"At least one of them, {listed}, but it is not certain which", "unknown", text(claim))
    return said.model_copy(update={"open_among": tuple(spelled[one] for one in among)})


def _named(claim: Formula, name: str) -> Formula:
    return put(_slotted(claim), name)


def _slotted(claim: Formula) -> Formula:
    """The claim about `who`, with the slot in its place."""
    source = claim.model_dump_json().replace('"who"', f'"{SLOT}"')
    return type(claim).model_validate_json(source)


def _spelled(name: str, question: str) -> str:
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", question, re.IGNORECASE)
    return found[0] if found else name


# options


def _menu(whole: str, menu: dict[str, str]) -> Solved | None:
    """The option that must be true, or the one that makes an argument valid."""
    body = re.split(r"\n\s*[(]?A[).]", whole, maxsplit=1)[0]
    stated = [one for one in _sentences(body) if not one.rstrip().endswith("?")]
    quoted = re.search(r"[\"“]([^\"”]+)[\"”]", body)
    options = [option.split("\n")[0].strip() for option in menu.values()]
    if _HIDDEN.search(body):
        match = _SO.fullmatch((quoted[1] if quoted else " ".join(stated)).strip())
        read = _read_all([match["p"], match["q"], *options]) if match else None
        if read is None:
            return None
        one = united(Reading((read.premises[0],), read.premises[1:]))
        return hidden(whole, one.premises, one.claims[0], one.claims[1:])
    premises = _sentences(quoted[1]) if quoted else stated
    read = _read_all([*premises, *options]) if premises else None
    if read is None:
        return None
    given, claims = read.premises[: len(premises)], read.premises[len(premises) :]
    return must_be_true(whole, Reading(given, claims, read.restricted))


def _read_all(sentences: Sequence[str]) -> Reading | None:
    """All sentences as premises; None when one is not understood, or has two readings."""
    grammar = Grammar()
    found = [grammar.sentence(one) for one in sentences]
    known = tuple(one for one in found if one is not None)
    if len(known) != len(found) or grammar.ambiguous:
        return None
    return Reading(known, (), tuple(grammar.restricted))
