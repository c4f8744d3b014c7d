"""Chinese words of statements: names, nouns, and clauses without mood, aspect and negation.

了, 会, 才, 就, 都, 一定 are no part of what is said; a negation is taken out and told apart.
"""

from __future__ import annotations

import re

_SURNAMES = (
    "李王张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛阎余潘"
    "杜戴钟汪姜范方姚谭廖邹熊陆郝孔崔毛邱秦史顾侯邵孟段雷钱汤尹黎武乔贺赖龚严陶戚喻葛鲁韦俞柳鲍费倪殷毕伍"
    "温庄瞿茹聂辛"
)
_STARTS = (
    "去来参会能要不没未也都才就一是在说有得获赢买带拿签写到通拥做住唱跳画学教喜爱吃喝想必肯已将、和或与及跟，。？！的"
    "报当进坐开打看养选走迟加出"
)
_NAME = re.compile(
    r"(?:(?![老小](?:[师板人虎鼠年孩狗猫鸟偷麦时说]))[小老阿][\u4e00-\u9fff]|[甲乙丙丁戊己庚辛](?![\u4e00-\u9fff]?[级类])|[A-Z](?![A-Za-z])"
    rf"|[{_SURNAMES}](?:[^\W\d_A-Za-z{_STARTS}](?:[^\W\d_A-Za-z{_STARTS}](?=[{_STARTS}]))?))"
)
BUILDING = re.compile(
    r"如果|只有|除非|否则|要么|或者|或|并且|而且|但|那么|当且仅当|所有|有些|有的|每个|没有|并非|凡是|任何"
    r"|只要|因为|所以|谁|哪|什么|吗|，|,|“|”|比(?![赛如较例利特尔分])"
    r"|(?<![首成京])都(?![市城会])|除了|以外|之外|至少|恰|最多"
)
"""Words that build sentences and are never part of a clause."""
_MOOD = re.compile(
    r"^(?:(?:一定|必然|必定|肯定|确实|已经|曾经|将|就|则|才|也|都|均|便|还|又|真的|今天|必须|应当|应该)|(?:会|能够?|可以|要|可能)(?!员|计|议|场|力|量|求|素))+"
)
_DENIED = re.compile(r"^(?:并不是|并没有|并不|并未|没有|没|未|不是|不会|不能|不|无法)")
MIDDLE = re.compile(
    r"(?:就|才|便|则|也|一定|必然|必定|肯定)(?:会(?![员计议])|要|能)?|(?<![动晚议大协开聚社机体学])会(?![员计议场])"
)
INNER_NOT = re.compile(r"并没有|并不是|没有|没|不是|不会|不能|并不|并未|未(?!来|婚)|不(?!同|过|但|仅|锈|少|久|止)")
OPPOSITE = {"无效": "有效", "缺席": "出席", "关着": "开着", "错误": "正确"}


def plain(words: str) -> str:
    """Without signs of aspect."""
    said = re.sub(r"了(?!解|不起|如)|(?<=.)(?:着|呢|啊|的)$", "", words)
    return re.sub(r"(?<![通经超难度])过$", "", said)


def stripped(words: str) -> tuple[str, bool]:
    """The words without mood and aspect, and whether they were denied."""
    said, denied = words.strip("。？?，, “”"), False
    said = re.sub(r"(?:吗|么|呢|吧)$", "", said)
    while True:
        shorter = _MOOD.sub("", said)
        match = _DENIED.match(shorter)
        if match and not re.match(r"不(?:同|过|但|仅|锈|少|久|止)|没(?:收|落)|未(?:来|婚|成年)", shorter):
            denied = not denied
            shorter = ("是" if match[0].endswith("是") else "") + shorter[match.end() :]
        if shorter == said:
            return plain(said), denied
        said = shorter


def collected(body: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names and the nouns of a text."""
    names = dict.fromkeys(match[0] for match in _NAME.finditer(body) if _begins(body, match.start()))
    nouns: dict[str, None] = {}
    quantified = re.compile(
        r"(?:所有|有些|有的|某些|每[个位名]|没有|凡是|任何|不是所有)(?:的)?([^，,。？“”]{1,8}?)(?=都|均|是|不是)"
    )
    for pattern in (quantified, re.compile(r"是(?:一[个位名])?([^，,。？“”是不吗]{1,8})(?=[，,。？”“吗\n]|$)")):
        nouns.update(dict.fromkeys(match[1] for match in pattern.finditer(body)))
    kinds = tuple(noun for noun in nouns if not BUILDING.search(noun))
    for noun in kinds:
        single = re.compile(
            r"(?:^|[。；\n，,])(?!如果|只有|除非|那么|所以|因此|假如|若"
            rf"|要是)([^，,。？“”所有些没每凡任何结论是不各]{{1,4}})是(?:一[个位名种只])?{re.escape(noun)}(?=[。，,；\n吗])"
        )
        names.update(dict.fromkeys(match[1] for match in single.finditer(body) if match[1] not in kinds))
    return tuple(name for name in names if name not in kinds), kinds


def _begins(body: str, at: int) -> bool:
    """Whether a name may begin here: at the start of a clause, behind a connective or a list sign."""
    before = body[max(0, at - 3) : at]
    return not before or bool(
        re.search(
            r"[。；，,、：:“\"\n？?！\s（(]$|(?:只有|如果|除非|并非|或者?|和|与|那么|否则|要么|推出|断定|的|若|要是|假如|只要|当且仅当|非|使)$",
            before,
        )
    )
