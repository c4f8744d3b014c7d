"""Short translations between English and Chinese, small enough that every right answer can be listed.

A counted thing with a colour at difficulty 1 and 2, a short sentence at 3. The gold is the most usual translation,
`accepted` are the others: digits or words for numbers, with and without 的, the order of time and place.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from dataclasses import dataclass

from evals.generators.draft import Draft
from nodes.contracts import Language

LABELS = ("style",)
NUMBERS = {2: ("two", "两"), 3: ("three", "三"), 4: ("four", "四"), 5: ("five", "五"), 6: ("six", "六"),
           7: ("seven", "七"), 8: ("eight", "八"), 9: ("nine", "九"), 10: ("ten", "十")}  # fmt: skip
THINGS = (
    ("books", "书", "本"), ("cats", "猫", "只"), ("dogs", "狗", "条只"), ("cars", "汽车", "辆"),
    ("chairs", "椅子", "把"),
    ("tables", "桌子", "张"), ("umbrellas", "雨伞", "把"), ("shirts", "衬衫", "件"), ("horses", "马", "匹"),
    ("apples", "苹果", "个"), ("cups", "杯子", "个只"), ("pens", "钢笔", "支"), ("houses", "房子", "座栋"),
)  # fmt: skip
"""English, Chinese, measure words that fit (one character each)."""
COLOURS = (("red", "红"), ("white", "白"), ("black", "黑"), ("blue", "蓝"), ("green", "绿"), ("yellow", "黄"))
SIZES = (("big", "大"), ("small", "小"))
PEOPLE = (("I", "我"), ("He", "他"), ("She", "她"), ("We", "我们"), ("They", "他们"))
TIMES = (("tomorrow", "明天"), ("next week", "下周"), ("today", "今天"), ("this evening", "今晚"))
PLACES = (
    ("Beijing", "北京"), ("Shanghai", "上海"), ("London", "伦敦"), ("the library", "图书馆"), ("the hospital", "医院"),
    ("the station", "车站"), ("the airport", "机场"),
)  # fmt: skip
COMPANY = (("", ""), ("with my mother", "和我妈妈一起"), ("by train", "坐火车"), ("by bicycle", "骑自行车"))
ENGLISH = {
    "this evening": ("this evening", "tonight"),
    "by bicycle": ("by bicycle", "by bike", "on a bicycle"),
    "with my mother": ("with my mother", "with my mum", "with my mom"),
}
CHINESE = {
    "下周": ("下周", "下星期"),
    "今晚": ("今晚", "今天晚上"),
    "坐火车": ("坐火车", "乘火车"),
    "和我妈妈一起": ("和我妈妈一起", "跟我妈妈一起", "和妈妈一起"),
    "骑自行车": ("骑自行车", "骑车"),
}
"""Words that say the same, the most usual first."""
ASK: dict[Language, tuple[str, ...]] = {
    "en": (
        'Translate into Chinese: "{}". Give the translation only.',
        'How do you say "{}" in Chinese? Answer with the translation only.',
    ),
    "zh": ("把“{}”翻译成英文，只写译文。", "“{}”用英语怎么说？只写译文。"),
}


@dataclass(frozen=True)
class Pair:
    """The same in both languages; the first of each is the most usual."""

    english: tuple[str, ...]
    chinese: tuple[str, ...]


def make(rng: random.Random, difficulty: int, language: Language) -> Draft:
    """One pair, asked in the language of the question, towards the other one."""
    pair = sentence(rng) if difficulty == 3 else phrase(rng, sized=difficulty == 2)
    source, target = (pair.english, pair.chinese) if language == "en" else (pair.chinese, pair.english)
    return Draft(rng.choice(ASK[language]).format(source[0]), target[0], accepted=target[1:])


def phrase(rng: random.Random, sized: bool) -> Pair:
    """`three red books`, with a size at difficulty 2: `three small red books`."""
    number, (thing, zh_thing, measures) = rng.choice(sorted(NUMBERS)), rng.choice(THINGS)
    (colour, zh_colour), (size, zh_size) = rng.choice(COLOURS), rng.choice(SIZES)
    word, zh_word = NUMBERS[number]
    middle = f"{size} {colour}" if sized else colour
    english = [f"{word} {middle} {thing}", f"{number} {middle} {thing}"]
    tones = (f"{zh_colour}色的", zh_colour, f"{zh_colour}色", f"{zh_colour}的")
    kinds = list(tones)
    if sized:
        kinds = [f"{tones[0]}{zh_size}", *(f"{zh_size}的{tone}" for tone in tones), *(zh_size + tone for tone in tones)]
    chinese = [
        f"{count}{measure}{kind}{zh_thing}"
        for kind, measure, count in itertools.product(kinds, measures, (zh_word, str(number)))
    ]
    return Pair(tuple(english), unique(chinese))


def sentence(rng: random.Random) -> Pair:
    """`I will go to Beijing by train tomorrow`"""
    (who, zh_who), (time, zh_time), (place, zh_place) = rng.choice(PEOPLE), rng.choice(TIMES), rng.choice(PLACES)
    how, zh_how = rng.choice(COMPANY)
    be = {"I": "am", "He": "is", "She": "is"}.get(who, "are")
    short = {"am": "'m", "is": "'s", "are": "'re"}[be]
    verbs = (f"{who} will go", f"{who} {be} going", f"{who}'ll go", f"{who}{short} going", f"{who} {be} going to go")
    english = [
        spaced(order)
        for verb, way, when in itertools.product(verbs, ENGLISH.get(how, (how,)), ENGLISH.get(time, (time,)))
        for order in (
            (verb, f"to {place}", way, when),
            (verb, f"to {place}", when, way),
            (when, verb, f"to {place}", way),
        )
    ]
    chinese = [
        f"{first}{will}{way}去{zh_place}"
        for said, way in itertools.product(CHINESE.get(zh_time, (zh_time,)), CHINESE.get(zh_how, (zh_how,)))
        for first, will in itertools.product((zh_who + said, said + zh_who), ("", "要", "会", "将", "将要"))
    ]
    return Pair(unique(english), unique(chinese))


def spaced(parts: Iterable[str]) -> str:
    """Parts of an English sentence; a time in front is capitalised, what follows it is not unless it is "I"."""
    words = [part for part in parts if part]
    if words[0][0].islower():
        second = words[1] if words[1].startswith("I") else words[1][0].lower() + words[1][1:]
        words = [words[0][0].upper() + words[0][1:], second, *words[2:]]
    return " ".join(words)


def unique(texts: Iterable[str]) -> tuple[str, ...]:
    """Each text once, in order."""
    return tuple(dict.fromkeys(texts))
