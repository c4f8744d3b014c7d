"""Regular Chinese statements to formulas: 只有…才, 除非…否则, 如果…就, 要么, 当且仅当, 并非, 所有, 有些, 没有, 恰有.

A clause is a known name with a predicate, or a proposition of its own. What is left of it must be the same words for
the same thing; a clause that keeps a connective was not understood.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from nodes.logic.form import Atom, Count, Formula, Join, Quantified, atoms, both, either, implies, negated
from nodes.logic.predicates import SLOT, put
from nodes.logic.words_zh import BUILDING, INNER_NOT, MIDDLE, OPPOSITE, plain, stripped

_LEAD = re.compile(
    r"^(?:(?:前提|已知|条件|题目|问题|事实|规定|现在|目前|这次|另外|此外|而且|并且|但是?|然而|因此|所以|其中|现已知道?|结果|后来)[一二三四\d]?[：:，,]?)+"
)
_ALL = re.compile(
    r"^(?:所有|全部|一切|每一?[个位名只辆本台盏]?|凡是?|任何一?[个位名只]?)(?:的)?(?P<n>[^，,]+?)(?P<d>都|均|皆|必须?|就)?(?P<v>不是|都是"
    r"|是)(?P<m>.+)$|^(?:所有|全部|一切|每一?[个位名只辆本台盏]?|凡是?|任何一?[个位名只]?)(?:的)?(?P<n2>[^，,]+?)(?:都|均|皆)(?P<v2>.+)$"
)
_ANY = re.compile(r"^(?:有些|有的|某些|有一?[个位名些]|存在|至少有一?[个位名盏只辆本台])(?P<rest>.+)$")
_NONE = re.compile(r"^(?:没有(?:一[个位名只])?|不存在)(?P<rest>.+)$")
_NOT_ALL = re.compile(r"^(?:并非|不是|并不是)(?P<s>(?:所有|每|全部|一切|任何).+)$")
_COUNTED = re.compile(
    r"(?:[两二三四五六七八\d](?:[个位名]?人|[个位名台盏只件][^中]{0,3}))?(?:之中|当中|中|里)?"
    r"(?P<how>恰好?|只|仅|至少|至多|最多|正好)有?(?P<k>[一二两三1-3])(?:[个位名]?人|[个位名台盏只件])(?:是)?(?P<v>.+)"
)
_HOW: dict[str, Literal["at_least", "at_most", "exactly"]] = {"至少": "at_least", "至多": "at_most", "最多": "at_most"}
_NUMBERS = {"一": 1, "二": 2, "两": 2, "三": 3, "1": 1, "2": 2, "3": 3}
_CONDITIONALS = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("iff", r"当且仅当(?P<a>[^，,]+)(?:的?时候?)?[，,](?P<s>[^，,]*?)才?(?P<b>[^才]+)"),
        ("iff", r"(?P<b>.+?)[，,]?当且仅当[，,]?(?P<a>.+)"),
        ("only", r"只有(?P<a>.+?)[，,](?P<s>[^，,]*?)才(?P<b>.+)"),
        ("only", r"只有(?P<a>[^，,才]+?)才(?P<b>[^，,]+)"),
        ("unless", r"除非(?P<a>.+?)[，,](?:否则|不然|要不然)(?P<b>.+)"),
        ("unless", r"(?P<b>.+?)[，,]除非(?P<a>.+)"),
        ("only", r"除非(?P<a>.+?)[，,](?P<s>[^，,]*?)才(?P<b>.+)"),
        (
            "if",
            r"(?:如果|假如|假设|要是|倘若|若是|若|只要|一旦)(?P<a>.+?)(?:的话)?[，,](?:那么|那|则|就)?[，,]?(?P<b>.+)",
        ),
    )
)
"""What is the condition (a) of what (s + b). `only`: the second says that the first is so."""
_ARTICLE = re.compile(r"^(?:一|某)[个位名只条辆]")


@dataclass
class Text:
    """Names and nouns of the text, and what reading it brought up."""

    names: tuple[str, ...]
    nouns: tuple[str, ...]
    said: tuple[str, ...] = ()
    """What stands behind the names, in plain words."""
    two_way: bool = False
    ambiguous: bool = False
    restricted: list[Formula] = field(default_factory=list)

    # whole sentences

    def sentence(self, words: str) -> Formula | None:
        """The formula of one sentence."""
        said = _LEAD.sub("", words.strip().strip('“”"').strip("，, "))
        said = re.sub(r"[（(][^（）()]*(?:都|也)[^（）()]*[)）]", "", said)
        if not said or len(said) > 200:
            return None
        whole = self._conditional(said) or self._denied(said) or self._quantified(said) or self._joined(said)
        if whole is not None:
            return whole
        parts = [part for part in re.split("[，,]", said) if part]
        if len(parts) < 2 or (
            BUILDING.match(parts[0])
            and not _NONE.match(parts[0])
            and not _ALL.match(parts[0])
            and not _ANY.match(parts[0])
        ):
            return self.clause(said)
        found = [self.sentence(part) for part in parts]
        return both(*[one for one in found if one is not None]) if None not in found else None

    def _conditional(self, said: str) -> Formula | None:
        for kind, pattern in _CONDITIONALS:
            match = pattern.fullmatch(said)
            if match is None:
                continue
            condition, result = match["a"], match.groupdict().get("s", "") + match["b"]
            if kind == "iff":
                return self._pair("iff", condition, result)
            if kind == "unless":
                return self._unless(condition, result)
            return self._rule(result, condition) if kind == "only" else self._rule(condition, result)
        return None

    def _rule(self, condition: str, result: str) -> Formula | None:
        """If ... then ...; without subjects it is a rule about everybody."""
        left, right = self.sentence(condition), self.sentence(result)
        whole = implies(left, right) if left is not None and right is not None else None
        if any(name in condition + result for name in self.names):
            return whole
        one, other = self._general(condition), self._general(result)
        if one is None or other is None or not self._said(one, other):
            return whole
        return Quantified(kind="every", variable="x", inner=implies(put(one, "x"), put(other, "x")))

    def _general(self, words: str) -> Formula | None:
        """A predicate without a subject; a bare noun where the text says it of a name: 会员 is 是会员."""
        found = self.predicate(words)
        kind = self.noun(words) if found and not self._said(found) else None
        return kind if kind and self._said(kind) else found

    def _said(self, *formulas: Formula) -> bool:
        """Whether the text says any of these predicates of a name."""
        return any(re.match(re.escape(atom.name), said) for atom in atoms(*formulas) for said in self.said)

    def _unless(self, condition: str, result: str) -> Formula | None:
        left, right = self.sentence(condition), self.sentence(result)
        if left is None or right is None:
            return None
        self.ambiguous = True
        return Join(kind="xor", parts=(left, right)) if self.two_way else implies(negated(left), right)

    def _pair(self, kind: str, a: str, b: str) -> Formula | None:
        left, right = self.sentence(a), self.sentence(b)
        return Join.model_validate({"kind": kind, "parts": (left, right)}) if left and right else None

    def _denied(self, said: str) -> Formula | None:
        match = re.fullmatch(r"(?:并非|并不是|不是说|不可能)(?P<s>.+)", said) or _NOT_ALL.fullmatch(said)
        inner = self.sentence(match["s"]) if match else None
        return inner and negated(inner)

    def _quantified(self, said: str) -> Formula | None:
        if counted := self._counted(said):
            return counted
        if match := _ALL.fullmatch(said):
            noun, verbal = (
                match["n"] or match["n2"],
                (match["v"] or "").removeprefix("都") + (match["m"] or "") or match["v2"],
            )
            return self._bound("every", self.noun(noun), self.predicate(verbal))
        for kind, pattern in (("some", _ANY), ("none", _NONE)):
            match = pattern.fullmatch(said)
            split = self._noun_first(match["rest"]) if match else None
            if split is not None:
                return self._bound(kind, self.noun(split[0]), self.predicate(split[1]))
        match = re.fullmatch(r"(?P<n>[^，,]+?的人?|[^，,都]+)都(?P<v>.+)", said)
        if match and not any(name in match["n"] for name in self.names) and self._known(match["n"]):
            return self._bound("every", self.noun(match["n"]), self.predicate(match["v"]))
        return None

    def _known(self, words: str) -> bool:
        return words in self.nouns or words.endswith(("的人", "者"))

    def _counted(self, said: str) -> Formula | None:
        """`甲、乙、丙三人中恰有一人获奖`."""
        names, _, at = self._listed(said)
        match = _COUNTED.fullmatch(said[at:]) if len(names) > 1 else None
        verbal = self.predicate(match["v"]) if match else None
        if match is None or verbal is None:
            return None
        parts = tuple(put(verbal, name) for name in names)
        return Count(kind=_HOW.get(match["how"], "exactly"), number=_NUMBERS[match["k"]], parts=parts)

    def _noun_first(self, rest: str) -> tuple[str, str] | None:
        """`司机退休了` into a known noun and what is said of it."""
        known = sorted((noun for noun in self.nouns if rest.startswith(noun) and len(rest) > len(noun)), key=len)
        if known:
            return known[-1], rest[len(known[-1]) :]
        match = re.fullmatch(r"(?P<n>[^是不没]{1,8}?)(?P<v>(?:不是|是).+)", rest)
        return (match["n"], match["v"]) if match else None

    def _bound(self, kind: str, restriction: Formula | None, verbal: Formula | None) -> Formula | None:
        if restriction is None or verbal is None:
            return None
        if kind == "some":
            return Quantified(kind="some", variable="x", inner=put(both(restriction, verbal), "x"))
        self.restricted.append(restriction)
        said = negated(verbal) if kind == "none" else verbal
        return Quantified(kind="every", variable="x", inner=put(implies(restriction, said), "x"))

    def _joined(self, said: str) -> Formula | None:
        said, exact = re.subn(r"[，,]但(?:是)?(?:不是|并非|不会|不能|不)(?:[两二]?[人者个]?)?都[^，,]*$", "", said)
        if exact:
            inner = self._joined(said)
            two = inner if isinstance(inner, Join) and inner.kind == "or" and len(inner.parts) == 2 else None
            return two and Join(kind="xor", parts=two.parts)
        if match := re.fullmatch(r"(?P<s>[^，,]{1,4})要么(?P<a>[^，,]+)[，,]要么(?P<b>[^，,]+)", said):
            return self._pair("xor", match["s"] + match["a"], match["s"] + match["b"])
        if match := re.fullmatch(r"要么(?P<a>.+?)[，,]?要么(?P<b>[^，,]+)(?:[，,].*(?:一|不能都.*))?", said):
            return self._pair("xor", match["a"], match["b"])
        if match := re.fullmatch(r"(?:或者)(?P<a>.+?)[，,]?或者(?P<b>.+)|(?P<c>[^，,]+)[，,]或者?(?P<d>[^，,]+)", said):
            return self._pair("or", match["a"] or match["c"], match["b"] or match["d"])
        return self._several(said)

    def _several(self, said: str) -> Formula | None:
        """`张三或李四去`, `甲、乙和丙都去`."""
        names, joints, at = self._listed(said)
        rest = re.sub(r"^(?:[两二三四五六]|\d)(?:[个位名]?人|[个位名台](?:机器)?)?", "", said[at:])
        verbal = self.predicate(rest) if len(names) > 1 else None
        disjoint = any(joint.startswith("或") for joint in joints)
        if verbal is None or (disjoint and any(joint in "和与及跟" for joint in joints)):
            return None
        parts = [put(verbal, name) for name in names]
        return either(*parts) if disjoint else both(*parts)

    def _listed(self, said: str) -> tuple[list[str], list[str], int]:
        """The names at the beginning, what joins them, and where they end."""
        names: list[str] = []
        joints: list[str] = []
        at = 0
        while (name := self._name_at(said, at)) is not None:
            names.append(name)
            at += len(name)
            joint = re.compile(r"或者?|[、和与及跟]|以及").match(said, at)
            if joint is None or self._name_at(said, joint.end()) is None:
                break
            joints.append(joint[0])
            at = joint.end()
        return names, joints, at

    def _name_at(self, said: str, at: int) -> str | None:
        return next((name for name in sorted(self.names, key=len, reverse=True) if said.startswith(name, at)), None)

    # clauses

    def clause(self, words: str) -> Formula | None:
        """A known name and its predicate, else a proposition."""
        name = self._name_at(words, 0)
        if name is not None:
            verbal = self.predicate(words[len(name) :])
            return verbal and put(verbal, name)
        said, denied = stripped(MIDDLE.sub("", words))
        inner = list(INNER_NOT.finditer(said))
        if len(inner) > 1 or len(said) > 20:
            return None
        if inner:
            be = "是" if inner[0][0].endswith("是") else ""
            said, denied = plain(said[: inner[0].start()] + be + said[inner[0].end() :]), not denied
        if len(said) < 2 or BUILDING.search(said) or re.search("[不没未]", said):
            return None
        for bad, good in OPPOSITE.items():
            if said.endswith(bad):
                said, denied = said.removesuffix(bad) + good, not denied
        atom = Atom(name=said)
        return negated(atom) if denied else atom

    def predicate(self, words: str) -> Formula | None:
        """What is said of a thing: 不是编辑, 参加了评审, 有借书证."""
        said, denied = stripped(words)
        said = re.sub(r"^是(?:一|某)[个位名只条辆]", "是", said)
        if not said or BUILDING.search(said) or re.search(r"[不没未]", said) or len(said) > 16:
            return None
        if said in OPPOSITE:
            said, denied = OPPOSITE[said], not denied
        atom = Atom(name=said, terms=(SLOT,))
        return negated(atom) if denied else atom

    def noun(self, words: str) -> Formula | None:
        """A noun as a predicate: 编辑 is 是编辑; 通过考试的人 is 通过考试."""
        said = _ARTICLE.sub("", words.strip()).removeprefix("的")
        if said.endswith("的人"):
            return self.predicate(said[:-2])
        return None if not said or BUILDING.search(said) or len(said) > 12 else Atom(name=f"是{said}", terms=(SLOT,))
