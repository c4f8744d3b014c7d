"""Boolean expressions in words or signs: `not ( True ) and False or True is`. The formula reader and z3 decide."""

from __future__ import annotations

import re

from nodes.contracts import Language
from nodes.errors import ParseError
from nodes.logic.deciding import decide
from nodes.logic.form import Atom, Formula, Join, Not, Theory, atoms, negated, text, walk
from nodes.logic.solved import Solved
from nodes.logic.syntax import parse

_LEAD = re.compile(
    r"^\s*(?:(?:evaluate|compute|what is|what's|calculate|simplify|determine)\b[^:：\n]{0,80}?[:：]?\s*"
    r"|计算[^:：\n]{0,30}[:：]\s*|求[^:：\n]{0,30}[:：]\s*)?"
    r"(?P<core>(?:\b(?:not|and|or|xor|true|false)\b|[()（）\s&|!~¬∧∨⊕]|真|假|非|且|与|或){3,1500})"
    r"\s*(?:is|=|的值是|的值为|是|等于)?\s*(?:what)?\s*[:：?？。.]*\s*(?:True or False\??|真还是假[?？]?)?\s*$",
    re.IGNORECASE,
)
_SLOGAN = re.compile(r"\s*(?:true or false|真或假)\W*", re.IGNORECASE)
_ZH = {"真": " True ", "假": " False ", "非": " not ", "且": " and ", "与": " and ", "或": " or "}


def solve(question: str, language: Language) -> Solved | None:
    """The value of a question that is nothing but one boolean expression."""
    if len(question) > 2_000:
        return None
    found = _LEAD.match(question)
    core = found["core"] if found else ""
    chinese = any(sign in core for sign in "真假")
    for sign, word in _ZH.items():
        core = core.replace(sign, word)
    if _SLOGAN.fullmatch(question) or not re.search(r"\b(?:not|and|or|xor)\b|[&|!~¬∧∨⊕]", core, re.IGNORECASE):
        return None
    try:
        formula = parse(re.sub(r"\b(true|false)\b", lambda match: match[0].lower(), core, flags=re.IGNORECASE))
    except ParseError:
        return None
    if {atom.name for atom in atoms(formula)} - {"true", "false"}:
        return None
    status = decide(Theory(premises=(Atom(name="true"), negated(Atom(name="false")))), formula)
    if status not in ("entailed", "contradicted"):
        return None
    value = status == "entailed"
    words = ("真", "假") if chinese or (language == "zh" and "真" in question) else ("True", "False")
    return Solved(
        reader="boolean",
        answer=words[0] if value else words[1],
        status="entailed" if value else "contradicted",
        conclusion=core.strip(),
        working=f"{core.strip()}: {words[0] if value else words[1]}",
        negations=tuple(dict.fromkeys(_negations(formula))),
    )


def _negations(formula: Formula) -> list[str]:
    return [text(one.inner) for one in walk(formula) if isinstance(one, Not) and not isinstance(one.inner, Join)][:12]
