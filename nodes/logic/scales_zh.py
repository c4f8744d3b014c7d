"""The Chinese words for places in an order; see `nodes.logic.scales`."""

from __future__ import annotations

import re

from nodes.logic.scales import Place, Resolve

_WORDS: dict[str, tuple[frozenset[str], int]] = {
    word: (frozenset(scales.split()), direction)
    for scales, first, last in (
        ("height", "高 高大", "矮 低"),
        ("age", "年长 老 年纪大 年龄大 岁数大 旧", "年轻 年幼 年纪小 年龄小 岁数小 新"),
        ("age size number", "大", "小"),
        ("price", "贵 昂贵", "便宜"),
        ("weight", "重 沉", "轻"),
        ("rank speed", "快 跑得快", "慢 跑得慢"),
        ("rank time", "早 先到 早到 先 靠前", "晚 后到 晚到 迟 后 靠后"),
        ("length", "长", "短"),
        ("number", "多", "少"),
        ("fat", "胖", "瘦"),
        ("distance", "远", "近"),
        ("strength", "强", "弱"),
        ("width", "宽", "窄"),
        ("thickness", "厚", "薄"),
        ("level", "高", "低"),
    )
    for words, direction in ((first, -1), (last, 1))
    for word in words.split()
}
_WORDS["高"] = (frozenset({"height", "level"}), -1)
_WORDS["低"] = (frozenset({"height", "level"}), 1)
_ANY = "|".join(sorted(_WORDS, key=len, reverse=True))
_TAIL = r"(?:到(?:达)?(?:终点|学校|教室|公司|场|了)*|一些|一点|得多|很多|些|点)?"
_COUNT = r"(?P<nth>[一二两三四五六七八九十]|\d{1,2})"
_UNIT = r"(?:[个位名本只辆棵盆张座件条把]|的)?(?:的)?[\u4e00-\u9fff]{0,2}"
_THAN = re.compile(rf"比(?P<m>.{{1,8}}?)(?:要|还|更)?(?P<word>{_ANY}){_TAIL}")
_SIDE = re.compile(
    r"(?:紧|就|站|坐|放|排|摆)?在(?P<m>.{1,8}?)的?(?P<near>紧邻的?|紧挨的?|正)?(?P<side>左|右|前|后)(?:边|侧|面|方)?"
)
_NEXT = re.compile(r"(?:和|与|跟)(?P<m>.{1,8}?)相邻|紧?(?:挨着|邻近|靠着)(?P<o>.{1,8})")
_BETWEEN = re.compile(r"(?:站|坐|放|排)?在(?P<m>.{1,8}?)(?:和|与|跟)(?P<o>.{1,8}?)(?:的)?(?:之间|中间)")
_END = re.compile(
    rf"(?:站|坐|放|排|摆|位于)?(?:是|在)?最(?:(?P<side>左|右|前|后)(?:边|侧|面|端)?|(?P<word>{_ANY}))(?:的)?{_TAIL}{_UNIT}"
)
_FROM = re.compile(
    r"(?:站|坐|放|排|摆)?(?:是|在)?(?:从)?(?P<side>左|右|前|后)(?:边|面)?(?:起|往[左右前后]|开始)*(?:数)?(?:起"
    rf"|的)?(?<![左右前后边面])第{_COUNT}{_UNIT}"
)
_LAST = re.compile(rf"(?:是|得了?|排(?:在)?|获得?|跑了?)?(?:了)?(?:倒数第{_COUNT}|最后(?:一)?)(?:名|个|位)?(?:{_TAIL})")
_PLACED = re.compile(rf"(?:是|得了?|排(?:在)?|获得?|跑了?)?(?:了)?第{_COUNT}(?:名|个|位)?{_TAIL}")
_SUPER = re.compile(rf"(?:是)?第{_COUNT}(?P<word>{_ANY})(?:的)?{_UNIT}")
_MIDDLE = re.compile(
    r"(?:站|坐|放|排|摆)?(?:是|在)?(?:最|正)?中间(?:的)?(?:那)?[个位名本只辆]?(?:的)?[\u4e00-\u9fff]{0,2}"
)
_ENDS = {"左": -1, "前": -1, "右": 1, "后": 1}
_RANK = frozenset({"rank", "time", "side", "level"})


def count(word: str) -> int:
    """2 of 二, 两 or 2."""
    return int(word) if word.isdecimal() else {"两": 2}.get(word) or "一二三四五六七八九十".index(word) + 1


def chinese(words: str, resolve: Resolve) -> Place | None:
    """What the words behind the subject say: 比小红高, 在最左边, 是右数第二本."""
    said = words.strip().rstrip("。？?！! ")
    if match := re.match(r"不(?=比|在|是)|没有?(?=在|排)|并?非", said):
        found = chinese(said[match.end() :], resolve)
        if found is None or found.negative:
            return None
        return Place(found.scales, found.relation, found.right, found.direction, found.other, found.adjacent, True)
    said = re.sub(r"^(?:的?(?:位置|名次))|^(?:一定|必然|肯定|就|也|都|又)", "", said)
    return _relation(said, resolve) or _absolute(said)


def _relation(said: str, resolve: Resolve) -> Place | None:
    if match := _BETWEEN.fullmatch(said):
        first, second = resolve(match["m"]), resolve(match["o"])
        return Place(frozenset(), "between", first, other=second) if first and second else None
    if match := _NEXT.fullmatch(said):
        first = resolve(match["m"] or match["o"])
        return Place(frozenset(), "next", first) if first else None
    for pattern in (_THAN, _SIDE):
        match = pattern.fullmatch(said)
        other = match and resolve(match["m"])
        if match and other:
            if pattern is _THAN:
                scales, direction = _WORDS[match["word"]]
                return Place(scales, "<", other, direction)
            scales = frozenset({"side"}) if match["side"] in "左右" else _RANK
            return Place(
                scales, "<", other, _ENDS[match["side"]], adjacent=bool(match["near"]) or said.startswith("紧")
            )
    return None


def _absolute(said: str) -> Place | None:
    if _MIDDLE.fullmatch(said):
        return Place(frozenset(), "middle")
    if match := _END.fullmatch(said):
        if match["side"]:
            return Place(frozenset({"side"}) if match["side"] in "左右" else _RANK, "=", 1, _ENDS[match["side"]])
        scales, direction = _WORDS[match["word"]]
        return Place(scales, "=", 1, direction)
    if match := _FROM.fullmatch(said):
        scales = frozenset({"side"}) if match["side"] in "左右" else _RANK
        return Place(scales, "=", count(match["nth"]), _ENDS[match["side"]])
    if match := _LAST.fullmatch(said):
        return Place(_RANK, "=", count(match["nth"]) if match["nth"] else 1, 1)
    if match := _SUPER.fullmatch(said):
        scales, direction = _WORDS[match["word"]]
        return Place(scales, "=", count(match["nth"]), direction)
    match = _PLACED.fullmatch(said)
    return Place(_RANK, "=", count(match["nth"]), -1) if match else None
