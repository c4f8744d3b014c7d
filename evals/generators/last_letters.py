"""Last letters of the words of a phrase, joined (the article's own example: artificial intelligence -> le).

Chinese phrases are made of words of two characters; the last character takes the place of the letter.
"""

from __future__ import annotations

import random

from evals.generators.draft import Draft
from nodes.contracts import Language

LABELS: tuple[str, ...] = ()
_ENGLISH = (
    "silver garden window planet bridge kitchen yellow market forest winter candle rocket orange travel basket"
    " mirror pencil island thunder castle bottle summer violin hammer pocket dragon carpet helmet ladder ocean"
    " artificial intelligence committee station question answer paper cloud river stone music light dream glass"
    " horse bread chair lemon tiger sugar train beach crown field ghost heart judge knife ladle money night"
    " piano queen robot snake table uncle voice wagon youth zebra"
)
_CHINESE = (
    "苹果 天空 朋友 老师 学校 电脑 音乐 花园 城市 河流 春天 月亮 书包 铅笔 窗户 桌子 火车 飞机 海洋 森林"
    " 太阳 星星 牛奶 面包 早晨 夜晚 故事 问题 答案 时间 道路 桥梁 医生 工人 农民 冬瓜 黄豆 青菜 雨伞 帽子"
    " 手机 地图 邮票 报纸 照片 画家 歌手 舞台 球场 操场 钥匙 沙滩 雪山 草原 蜜蜂 蝴蝶 鲸鱼 骏马 白云 彩虹"
)
WORDS: dict[Language, tuple[str, ...]] = {"en": tuple(_ENGLISH.split()), "zh": tuple(_CHINESE.split())}
COUNT = {1: (2, 3), 2: (4, 5), 3: (6, 8)}
FORWARD: dict[Language, tuple[str, ...]] = {
    "en": (
        'Take the last letter of each word in "{}" and join them in order. What do you get?',
        'Concatenate the last letters of the words in "{}".',
        'Which string do the last letters of the words "{}" form, read from the first word to the last?',
    ),
    "zh": (
        "取“{}”中每个词的最后一个字，按顺序连在一起，得到什么？",
        "把下面各词的最后一个字依次连起来：{}。结果是什么？",
        "“{}”这些词的末字从前往后连成的字符串是什么？",
    ),
}
BACKWARD: dict[Language, tuple[str, ...]] = {
    "en": (
        'Take the last letter of each word in "{}", beginning with the last word and going back to the first, and join'
        " them. What do you get?",
    ),
    "zh": ("取“{}”中每个词的最后一个字，从最后一个词开始往前，连在一起，得到什么？",),
}


def make(rng: random.Random, difficulty: int, language: Language) -> Draft:
    """Some words in a row; at difficulty 3 sometimes read from the end."""
    words = rng.sample(WORDS[language], rng.randint(*COUNT[difficulty]))
    back = difficulty == 3 and rng.random() < 0.5
    phrase = rng.choice((BACKWARD if back else FORWARD)[language])
    gold = "".join(word[-1] for word in (reversed(words) if back else words))
    return Draft(phrase.format(" ".join(words)), gold, meta={"words": words, "reversed": back})
