"""Chinese wordings of demands on the form of a reply."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from nodes.formats.constraints import Constraint, Kind, Scope

_DIGITS = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_N = r"(?P<n>\d{1,5}|[一二两三四五六七八九十百]{1,5})"
_OP = (
    r"(?P<op>不[得能要应宜可会该]{0,2}超过|不多于|不超出|最多|至多|少于|不到|低于|不少于|不低于|至少|超过|多于|"
    r"控制在|限制在|限制为|限|正好|恰好|刚好|保持在)"
)
_PLAIN = r"(?P<plain>必须是|共|总共|分为|分成|分|用|以|写|列出|列|给出|有|包含|为)"
_UNITS: tuple[tuple[str, Kind], ...] = (
    (r"个?(?:汉字|中文字|字符|字)(?!段|母|体|面|典|幕|号)", "characters"),
    (r"句话?|个句子", "sentences"),
    (r"(?:个段落|段话|段文字|段)(?!时间|路|距离|代码|音频|视频|经历|旅程|绳)", "paragraphs"),
    (r"(?:个|条)(?:要点|项目符号|无序列表项|bullet)", "bullets"),
    (r"(?:个?步骤?)(?=$|[，。、！；]|回答|说明|完成)", "numbered"),
)
_COUNTED = [
    (
        re.compile(
            rf"(?:{_OP}[^，。；,\d一二两三四五六七八九十百]{{0,6}}|{_PLAIN}(?:为|成|出|了)?)?{_N}(?:[-~－—到至]+(?P<to>\d{{1,5}}))?\s*(?"
            rf":{unit})(?P<tail>以内|之内|以下|以上|左右|上下)?"
        ),
        kind,
    )
    for unit, kind in _UNITS
]
_DIRECTED = re.compile(
    r"请|要求|回答|回复|答案|输出|写|用不|列出|列成|介绍|描述|概括|总结|总结成|说明|解释|字数|控制|限制|改写|生成|起草|撰写|编写|作文|文章|全文|整个|做成|整理|"
    r"^用|分(?:成|为)?[一二两三四五六]段|给出|翻译|润色|缩写|扩写|谈谈|说说|写一|组织|提供|确保|保证|帮我|把|每"
)
_EACH = re.compile(
    r"每(?:一|个|条|句|段|句话|段话|个句子|个段落)?(?P<what>段|句|步|点|条|项|层|列|栏|行|个|章|次|天|人|名|篇|道)"
)
_FINE = re.compile(r"除了?每|天|月|年")
_JSON = re.compile(
    r"(?:用|以|按|成|为|输出|返回|写一个|写成|生成|只要|合法的?|有效的?|符合[^，。]{0,20}的?)\s*(?:一个|一段)?\s*(?:标准|"
    r"合法|有效)?的?\s*JSON|JSON\s*(?:格式|对象|数组|字符串数组)(?:输出|返回|回答|回复|给出)?|只(?:返回|输出|要)[^，。]{0,10}JSON",
    re.IGNORECASE,
)
_TARGET = re.compile(
    r"(?:转换?成|转换?为|改成|改为|变成|整理成|做成|输出为|转)\s*(?:一个)?\s*(?P<what>JSON|YAML|CSV|XML|HTML|SQL|TOML)",
    re.IGNORECASE,
)
_TABLE = re.compile(
    r"(?:做成|整理成|列成|转成|转换成|转换为|生成|用|制作|创建|画|改成|修好|这个)(?!以下|下面|上面|上述)[^，。；下上]{0,12}?表格(?!中的|"
    r"里的|数据)|表格(?:的?形式|格式|方式|中呈现|呈现)|Markdown\s*表格"
)
_QUOTED = re.compile(r"[“\"「『‘'](?P<word>[^”\"」』’'“\n]{1,60})[”\"」』’']")


def number(text: str) -> int:
    """Value of digits or of a Chinese number up to 999."""
    if text.isdigit():
        return int(text)
    total, digit = 0, 0
    for sign in text:
        if sign == "百":
            total, digit = total + (digit or 1) * 100, 0
        elif sign == "十":
            total, digit = total + (digit or 1) * 10, 0
        else:
            digit = _DIGITS[sign]
    return total + digit


def bounds(op: str, value: int, tail: str) -> dict[str, int] | None:
    """Bounds of an operator and of the words behind; None = only about so many."""
    if tail in ("左右", "上下"):
        return None
    if tail in ("以内", "之内", "以下") or re.fullmatch(
        r"不[得能要应宜可会该]{0,2}超过|不多于|不超出|最多|至多|控制在|限制在|限制为|限|保持在", op
    ):
        return {"high": value}
    if tail == "以上" or re.fullmatch(r"不少于|不低于|至少", op):
        return {"low": value}
    if op in ("少于", "不到", "低于"):
        return {"high": max(value - 1, 0)}
    if op in ("超过", "多于"):
        return {"low": value + 1}
    return {"low": value, "high": value}


def _demand(
    kind: Kind, claim: str, words: tuple[str, ...] = (), each: Scope = "", found: Mapping[str, int] | None = None
) -> Constraint:
    low, high = (found or {}).get("low"), (found or {}).get("high")
    return Constraint(kind=kind, words=words, each=each, claim=claim.strip()[:200], low=low, high=high)


def demands(sentence: str) -> Iterator[Constraint]:
    """The demands of one sentence."""
    if not re.search(r"[\u4e00-\u9fff]{2}", sentence):
        return
    sum_asked = re.search(r"多少|第?几", sentence) and "请" not in sentence
    if _DIRECTED.search(sentence) and not sum_asked:
        behind = 0
        for clause in re.split(r"(?<=[，,：:])(?!\d)", sentence):
            yield from _counted(clause, sentence[:behind])
            behind += len(clause)
        yield from _form(sentence)
    yield from _wordings(sentence)


def _counted(clause: str, before: str) -> Iterator[Constraint]:
    each = _scope(clause)
    if each == "" and "每" in before and not re.search("全文|整个|总共|总字数|总长", clause):
        each = _scope(before[before.rindex("每") :])
    if each is None:
        return
    for pattern, kind in _COUNTED:
        for match in pattern.finditer(clause):
            if _meant(kind, match, each, clause) and (found := _found(match)):
                yield _demand(kind, match[0], each=each, found=found)


def _found(match: re.Match[str]) -> dict[str, int] | None:
    """The bounds of a match: 两三句 is two to three."""
    op, value = match["op"] or match["plain"] or "", match["n"]
    if match["to"]:
        return {"low": number(value), "high": int(match["to"])}
    if len(value) == 2 and all(sign in _DIGITS for sign in value):
        return {"low": _DIGITS[value[0]], "high": _DIGITS[value[1]]}
    found = bounds(op, number(value), match["tail"] or "")
    # "Write a paragraph about" (写一段) is the usual word for some text, no count.
    return None if found == {"low": 1, "high": 1} and "个段落" not in match[0] else found


def _meant(kind: Kind, match: re.Match[str], each: Scope, clause: str) -> bool:
    """True when the number limits the reply: 这三段, 第二句 and a bare 100字 do not."""
    op, tail = match["op"] or match["plain"] or "", match["tail"] or ""
    if number(match["n"]) == 0 or (each and each.startswith(kind[:-1])) or re.search("常规|之一", clause):
        return False
    if re.search(r"这|那|前|后|第|上|下面|以下", clause[: match.start()][-2:]):
        return False
    if kind == "characters":
        return bool(tail or match["to"] or _limit(op) or op in ("正好", "恰好", "刚好"))
    return bool(op or tail) or kind == "bullets"


def _limit(op: str) -> bool:
    return bool(
        re.fullmatch(
            r"不[少低多]于|不[得能要应宜可会该]{0,2}超过|至[少多]|最多|少于|超过|多于|控制在|限制在|限制为|限|保持在|不到",
            op,
        )
    )


def _scope(clause: str) -> Scope | None:
    """What bounds are for: "" = the whole reply; None = parts that cannot be told apart."""
    match = _EACH.search(clause)
    if not match:
        return (
            None
            if re.search(
                r"(?:标题|名称|一栏|题目|描述|主题|条目)(?:长度|字数|都|应|须|要|不|在|限|最)|各[段句个]", clause
            )
            else ""
        )
    if re.search(r"句", match[0]) or re.match(r"(?:个)?句", clause[match.end() :]):
        return "sentence"
    if "段" in match[0] or re.match(r"(?:个)?段", clause[match.end() :]):
        return "paragraph"
    return None


_BAN = re.compile(
    r"(?:不要|不能|不得|不可|不应|不准|禁止|避免|请勿|勿)(?:在[^，。]{0,12}中)?(?:使用|出现|包含|提到|提及|用|写)(?P<list>[^。；\n]*)"
)
_TIMES = re.compile(
    r"[“\"「『‘'](?P<word>[^”\"」』’'“\n]{1,20})[”\"」』’'](?:这个)?(?:一?[字词]|词语|关键词|短语)?[^，。]{0,6}?(?P<op>至少|"
    r"不少于|最多|不超过|正好|恰好)?\s*(?:出现|使用|提到)\s*(?P<op2>至少|不少于|最多|不超过|正好|恰好)?\s*(?P<n>\d{1,3}|"
    r"[一二两三四五六七八九十])\s*次"
)
_START = re.compile(
    r"(?:以|用)[“\"「『‘'](?P<phrase>[^”\"」』’'\n]{1,60})[”\"」』’'](?:这[^，。]{0,4})?(?:开头|开始|开篇|起笔)"
)
_STOP = re.compile(
    r"(?:以|用)[“\"「『‘'](?P<phrase>[^”\"」』’'\n]{1,60})[”\"」』’'](?:这[^，。]{0,4})?(?:结尾|结束|"
    r"收尾|作结)|(?:最后|结尾)[^，。]{0,3}[说写加][^“\"「，。]{0,6}[“\"「『](?P<phrase2>[^”\"」』\n]{1,60})[”\"」』]"
)


def _listed(text: str) -> tuple[str, ...]:
    """Quoted words that follow at once."""
    if re.search("拼音|偏旁|部首|后缀|前缀|字头", text):
        return ()
    return tuple(_QUOTED.findall(text)) if re.match(r"[^“”\"「」，。]{0,8}[“\"「『‘']", text) else ()


def _wordings(sentence: str) -> Iterator[Constraint]:
    if (ban := _BAN.search(sentence)) and (words := _listed(ban["list"])):
        yield _demand("excluded", ban[0], words[:20])
    elif ban and re.search(r"逗号", ban["list"]):
        yield _demand("no_comma", ban[0])
    if match := _TIMES.search(sentence):
        op = match["op"] or match["op2"] or "至少"
        yield _demand("keyword", match[0], (match["word"],), found=(bounds(op, number(match["n"]), "") or {}))
    if "每" not in sentence and (match := _START.search(sentence)):
        yield _demand("begins", match[0], (match["phrase"],))
    if "每" not in sentence and (match := _STOP.search(sentence)):
        yield _demand("ends", match[0], (match["phrase"] or match["phrase2"],))
    if re.search(r"双尖括号|<<[^<>\n]*>>", sentence) and "标题" in sentence:
        yield _demand("title", sentence)
    if re.search(r"(?:整个|全部|全文|你的)[^，。]{0,8}(?:放在|置于|包在|用|包含在)[^，。]{0,4}双引号", sentence):
        yield _demand("quoted", sentence)
    if match := re.search(r"(?:整个|全部)?(?:回答|输出|内容)?(?:全部|都)用大写(?:英文)?字母", sentence):
        yield _demand("upper", match[0])
    elif match := re.search(r"(?:全部|都)用小写(?:英文)?字母", sentence):
        yield _demand("lower", match[0])


def _form(sentence: str) -> Iterator[Constraint]:
    """JSON, YAML, CSV, tables, headings."""
    target = _TARGET.search(sentence)
    what = target["what"].lower() if target else ""
    if (
        _JSON.search(sentence)
        and what in ("", "json")
        and not re.search(r"(?:什么是|是什么|解析|不要|不用)\s*JSON", sentence, re.IGNORECASE)
    ):
        yield _demand("json", sentence)
        keys = re.search(r"(?:键|字段)(?:名)?(?:分别)?(?:为|是|有|包括|包含|：)(?P<list>[^。\n]{2,120})", sentence)
        if keys and (names := tuple(_QUOTED.findall(keys["list"]))):
            yield _demand("keys", keys[0], names[:20])
    if what in ("yaml", "csv"):
        yield _demand("yaml" if what == "yaml" else "csv", sentence)
    if _TABLE.search(sentence) and not re.search(r"html|latex|csv|sql", sentence, re.IGNORECASE):
        yield from _table(sentence)
    for match in re.finditer(rf"(?:正好|恰好|至少|共)?{_N}个(?P<level>[一二三四五六])级标题", sentence):
        count = number(match["n"])
        yield _demand(
            "headings",
            match[0],
            (str(number(match["level"])),),
            found=({"low": count} if "至少" in match[0] else {"low": count, "high": count}),
        )


def _table(sentence: str) -> Iterator[Constraint]:
    listed = re.search(r"(?:列名|表头|列标题|列包括|列为|列分别|各列|列)(?P<list>.*)", sentence)
    names = tuple(_QUOTED.findall(listed["list"])) if listed else ()
    width = re.search(rf"{_N}(?:列|栏)", sentence)
    count = (
        len(names)
        if len(names) > 1
        else (number(width["n"]) if width and not re.search(r"第" + re.escape(width[0]), sentence) else 0)
    )
    yield _demand(
        "table", sentence, names if len(names) > 1 else (), found=({"low": count, "high": count} if count > 1 else {})
    )


def spread(text: str) -> Iterator[Constraint]:
    """Demands that run over several sentences."""
    if re.search(r"(?:编号|有序)列表", text):
        steps = re.search(rf"(?:共|正好|分|列出){_N}(?:步|条|点|项|个步骤)", text)
        count = number(steps["n"]) if steps else 0
        yield _demand(
            "numbered",
            steps[0] if steps else "编号列表",
            found=({"low": count, "high": count} if count else {"low": 2}),
        )
    if "项目符号" in text and not re.search(rf"{_N}(?:个|条)(?:要点|项目符号)", text):
        yield _demand("bullets", "项目符号", found={"low": 1})
