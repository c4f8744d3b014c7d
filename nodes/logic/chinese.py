"""Questions about Chinese statements: what follows, whether something is so, who is certain.

The text is cut into premises and what is asked; `nodes.logic.grammar_zh` reads each sentence, `nodes.logic.statements`
decides. One premise that is not understood and nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nodes.answers import choices
from nodes.contracts import Language
from nodes.logic.form import Formula, atoms, text
from nodes.logic.grammar_zh import Text
from nodes.logic.options import hidden, must_be_true
from nodes.logic.solved import Solved, wording
from nodes.logic.statements import Case, Reading, certain, renamed, solved
from nodes.logic.words_zh import collected, stripped

_CUT = re.compile(r"[。；;！!\n]|(?<=[？?])")
_DROP = re.compile(
    r"^(?:请|只|用).{0,4}(?:回答|说明|解释|给出|写出).*|.*(?:只表示|的意思是).*|(?:二者|两者|两个|只能).{0,4}(?:只选|选|取|居|必居).{0,4}一.*|选项.*|每人.*居一"
)
_ONE_WAY = re.compile(r"除非.*(?:只表示|的意思是)")
_FOLLOWS = re.compile(
    r"^(?:那么|请问|问)?[，,：:]?(?:由此|据此|从中|因此|这样|我们)?(?:能否|是否能?(?:够)?|能不能|能|可以|可否)(?:够|由此|据此|就此)?(?:推出|断定|推断出?|得出|确定"
    r"|肯定|认为)(?:结论)?[：:，,]?(?P<s>.+?)(?:吗|么)?[？?]?$"
)
_CONCLUSION = re.compile(r"(?:^|[\n。])\s*(?:结论|命题)[：:]\s*(?P<s>[^\n。]+)[\n。]")
_MUST = re.compile(r"(?:哪一?项|哪一?个|哪些).{0,8}(?:一定|必然|必定|肯定)?(?:为真|正确|成立|推出)")
_HIDDEN = re.compile(r"(?:隐含|省略|缺少|暗含|默认|隐藏)的?(?:前提|假设)|假设.{0,6}(?:哪一?项|哪一?个)")
_SO = re.compile(r"^(?P<p>.+?)[，,。；](?:所以|因此|故|因而|可见)[，,]?(?P<q>.+)$")
_THERE = frozenset(("在", "去", "来", "参加", "到", "在场", "到场"))
"""What `who must be there` asks for, where the premises say who goes."""
_WHO = re.compile(r"^(?:(?:那么|请问|问)[，,]?)?(?:谁|哪(?:一)?[个位]人?)(?P<v>.+?)[？?]?$")


@dataclass(frozen=True)
class _Parts:
    premises: tuple[str, ...]
    asked: str
    one_way: bool = False


def solve(question: str, language: Language) -> Solved | None:
    """The answer to a question about Chinese statements that are all understood."""
    if language != "zh" or len(question) > 3_000:
        return None
    menu = choices(question)
    body = re.split(r"\n\s*[(（]?A[)）.、．]", question, maxsplit=1)[0] if menu else question
    names, nouns = collected(question)
    if menu:
        return _menu(question, body, tuple(menu.values()), names, nouns)
    parts = _parts(body)
    if parts is None or not 1 <= len(parts.premises) <= 24:
        return None
    who = _WHO.fullmatch(parts.asked)
    if who:
        return _who(parts, who["v"], names, nouns)
    asked = parts.asked
    readings = _readings(parts, names, nouns, [asked])
    case = Case(readings, linked=_linked) if readings else None
    status = case.status() if case else None
    answer = wording(question, language).of(status) if status else None
    if case is None or status is None or answer is None:
        return None
    return solved(case, answer, status, text(case.readings[0].claims[0]))


def _parts(body: str) -> _Parts | None:
    one_way = bool(_ONE_WAY.search(body))
    if match := _CONCLUSION.search(body):
        return _Parts(tuple(_sentences(body[: match.start()])), match["s"].strip("。 "), one_way)
    sentences = _sentences(body)
    questions = [one for one in sentences if re.search(r"[？?]$", one)]
    if len(questions) != 1:
        return None
    asked = questions[0]
    premises = [one for one in sentences if one != asked]
    # 如果王五去了，那么谁一定在？ The condition of the question is one more premise.
    if match := re.fullmatch(
        r"(?:如果|假如|若|要是|已知|现在)(?P<a>.+?)(?:的话)?[，,](?:那么|那|则|请问)?(?P<q>.+)", asked
    ):
        premises.append(match["a"])
        asked = match["q"]
    asked = re.sub(r"^(?:那么|请问|问)[，,：:]?", "", asked)
    asked = re.sub(r"[，,]?这个?(?:结论|说法|推理)是?(?:否)?(?:正确|成立|对)(?:的?吗|么)?(?=[？?]?$)", "", asked)
    if match := _FOLLOWS.fullmatch(asked):
        asked = match["s"].strip("“”")
    return _Parts(tuple(premises), asked, one_way)


def _sentences(body: str) -> list[str]:
    cut = [one.strip() for one in _CUT.split(body)]
    return [
        one for one in cut if one.strip("。，, ：:") and not _DROP.fullmatch(one) and one not in ("前提：", "结论：")
    ]


def _readings(parts: _Parts, names: tuple[str, ...], nouns: tuple[str, ...], asked: Sequence[str]) -> list[Reading]:
    """All readings of the text; none when something is not understood."""
    found = []
    for two_way in (False, True):
        reader = Text(names, nouns, _said(names, (*parts.premises, *asked)), two_way)
        premises = [reader.sentence(one) for one in parts.premises]
        claims = [reader.sentence(re.sub(r"(?:吗|么|呢)?[？?]?$", "", one)) for one in asked]
        known = tuple(one for one in (*premises, *claims) if one is not None)
        if len(known) != len(premises) + len(claims):
            return []
        found.append(
            Reading(known[: len(premises)], known[len(premises) :], tuple(reader.restricted), reader.ambiguous)
        )
        if not reader.ambiguous or parts.one_way:
            break
    merged = [_merged(one) for one in found]
    return [] if any(_mixed(one) for one in merged) else merged


def _said(names: tuple[str, ...], sentences: Iterable[str]) -> tuple[str, ...]:
    """What the clauses say of the names they begin with."""
    clauses = [clause for sentence in sentences for clause in re.split("[，,]", sentence)]
    found = (stripped(clause[len(name) :])[0] for clause in clauses for name in names if clause.startswith(name))
    return tuple(one for one in found if one)


def _mixed(reading: Reading) -> bool:
    """Whether the same words are a proposition here and a predicate there: something was not understood."""
    whole = atoms(*reading.premises, *reading.claims)
    alone = {atom.name for atom in whole if not atom.terms}
    return any(
        atom.name.endswith(one.name) or one.name.endswith(atom.name)
        for atom in whole
        if atom.terms
        for one in whole
        if one.name in alone
    )


def _merged(reading: Reading) -> Reading:
    """One key for what the text says in longer and shorter words: 参加 and 参加评审, 没有借书证 and 有借书证."""
    whole = [atom for atom in atoms(*reading.premises, *reading.claims) if atom.terms]
    keys = list(dict.fromkeys(atom.name for atom in whole))
    same: dict[str, str] = {}
    for one in keys:
        longer = [other for other in keys if other != one and _extends(other, one)]
        if len(longer) == 1:
            same[one] = longer[0]
    stated = {atom.name for atom in atoms(*reading.premises)}
    lone = [one for one in keys if one in _THERE and one not in stated and one not in same]
    rest = [one for one in keys if one not in same and one not in lone]
    if len(lone) == 1 and len(rest) == 1:
        same[lone[0]] = rest[0]  # who must be there, where all that is said is who goes

    def changed(formulas: Iterable[Formula]) -> tuple[Formula, ...]:
        return tuple(renamed(one, same, {}) for one in formulas)

    return Reading(changed(reading.premises), changed(reading.claims), changed(reading.restricted), reading.ambiguous)


def _extends(longer: str, key: str) -> bool:
    """Whether a key only adds to another: 参加评审 to 参加, 有借书证 to 借书证."""
    return longer == f"有{key}" or (longer.startswith(key) and not key.startswith("是"))


def _linked(a: str, b: str) -> bool:
    """Whether two keys share two characters that carry meaning."""
    pairs = [{word[at : at + 2] for at in range(len(word) - 1)} for word in (a, b)]
    return any(not re.match(r"[是有在一个名]", pair) for pair in pairs[0] & pairs[1])


def _menu(
    question: str, body: str, menu: tuple[str, ...], names: tuple[str, ...], nouns: tuple[str, ...]
) -> Solved | None:
    """The option that must be true, or the hidden premise of a quoted argument."""
    quoted = re.search(r"[“\"]([^“”\"]+)[”\"]", body)
    options = [option.split("\n")[0].strip() for option in menu]
    if _HIDDEN.search(body):
        match = _SO.fullmatch(quoted[1].strip("。 ")) if quoted else None
        readings = _readings(_Parts((match["p"],), ""), names, nouns, [match["q"], *options]) if match else []
        if len(readings) != 1:
            return None
        claim, *added = readings[0].claims
        return hidden(question, readings[0].premises, claim, tuple(added))
    if not _MUST.search(body):
        return None
    stated = [quoted[1]] if quoted else [one for one in _sentences(body) if not re.search(r"[？?]$|哪", one)]
    readings = _readings(_Parts(tuple(stated), ""), names, nouns, options) if stated else []
    return must_be_true(question, readings[0]) if len(readings) == 1 else None


def _who(parts: _Parts, words: str, names: tuple[str, ...], nouns: tuple[str, ...]) -> Solved | None:
    """谁一定在？ The names that are certain, or those of which one at least must be right."""
    people = [name for name in names if any(name in one for one in parts.premises)]
    if not 2 <= len(people) <= 8:
        return None
    readings = _readings(parts, names, nouns, [name + words for name in people])
    if not readings:
        return None
    claims = dict(zip(people, readings[0].claims, strict=True))
    case = Case(readings, linked=_linked)
    given = {name for name, claim in claims.items() if claim in readings[0].premises}
    known = {atom.name for atom in atoms(*readings[0].premises)}
    if not {atom.name for atom in atoms(*claims.values())} <= known:
        return None
    right, among = certain(case, [name for name in people if name not in given] or people, lambda name: claims[name])
    said = f"谁{words}"
    if right:
        found = solved(case, "、".join(right), "entailed", said)
        return found.model_copy(update={"rivals": tuple(name for name in people if name not in right)})
    if len(among) < 2:
        return None
    answer = f"{'和'.join(among)}中至少有一人，但不能确定是哪一个"
    return solved(case, answer, "unknown", said).model_copy(update={"open_among": tuple(among)})


# options
