"""Word problems of several steps: a story that changes a number, a chain of comparisons, a purchase.

Two to six steps by difficulty. Every intermediate number is whole and positive, amounts of money have two decimals
at the most, so that the gold is exact and a wrong step shows.
"""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

from evals.generators.draft import Draft, decimal
from evals.generators.words import PEOPLE, listed
from nodes.contracts import Language

LABELS = ("numeric",)
THINGS: dict[Language, tuple[str, ...]] = {
    "en": ("marbles", "stickers", "shells", "stamps", "coins", "beads", "cards", "buttons"),
    "zh": ("弹珠", "贴纸", "贝壳", "邮票", "硬币", "珠子", "卡片", "纽扣"),
}
COUNTERS = {
    "弹珠": "颗",
    "贴纸": "张",
    "贝壳": "个",
    "邮票": "张",
    "硬币": "枚",
    "珠子": "颗",
    "卡片": "张",
    "纽扣": "颗",
}
"""Measure words."""
GOODS: dict[Language, tuple[tuple[str, str], ...]] = {
    "en": (("notebooks", ""), ("pens", ""), ("apples", ""), ("cups", ""), ("candles", ""), ("towels", "")),
    "zh": (("笔记本", "本"), ("钢笔", "支"), ("苹果", "个"), ("杯子", "个"), ("蜡烛", "根"), ("毛巾", "条")),
}
STORY: dict[Language, dict[str, str]] = {
    "en": {
        "start": "{a} has {n} {things}.",
        "packs": "{a} buys {k} boxes with {m} {things} each.",
        "get": "{b} gives {a} {k} more {things}.",
        "give": "{a} gives {k} {things} to {b}.",
        "half": "Half of the {things} that {a} then has get lost.",
        "double": "{b} brings as many {things} as {a} then has, and {a} keeps them all.",
        "share": "{a} puts all the {things} evenly into {k} bags and gives one full bag to {b}.",
        "percent": "{a} then sells {k} % of the {things}.",
        "ask": "How many {things} does {a} have in the end?",
    },
    "zh": {
        "start": "{a}有{n}{c}{things}。",
        "packs": "{a}买了{k}盒，每盒有{m}{c}{things}。",
        "get": "{b}又给了{a}{k}{c}{things}。",
        "give": "{a}送给{b}{k}{c}{things}。",
        "half": "这时{a}手里的{things}丢了一半。",
        "double": "{b}带来了和{a}这时手里一样多的{things}，全部给了{a}。",
        "share": "{a}把所有{things}平均装进{k}个袋子，把其中一袋连同里面的{things}送给了{b}。",
        "percent": "{a}接着卖掉了手里{things}的{k}%。",
        "ask": "最后{a}有多少{c}{things}？",
    },
}
CHAIN: dict[Language, dict[str, str]] = {
    "en": {
        "start": "{a} has {n} {things}.",
        "more": "{b} has {k} more {things} than {a}.",
        "fewer": "{b} has {k} fewer {things} than {a}.",
        "times": "{b} has {k} times as many {things} as {a}.",
        "half": "{b} has half as many {things} as {a}.",
        "ask": "How many {things} do {all} have in total?",
    },
    "zh": {
        "start": "{a}有{n}{c}{things}。",
        "more": "{b}比{a}多{k}{c}{things}。",
        "fewer": "{b}比{a}少{k}{c}{things}。",
        "times": "{b}的{things}是{a}的{k}倍。",
        "half": "{b}的{things}是{a}的一半。",
        "ask": "{all}一共有多少{c}{things}？",
    },
}
SHOP: dict[Language, dict[str, str]] = {
    "en": {
        "item": "{n} {goods} at {p} dollars each",
        "buy": "{a} buys {items}.",
        "off": "The shop takes {k} % off the whole bill.",
        "fee": "Delivery costs another {k} dollars.",
        "split": "{a} shares the bill equally with {others}. How many dollars does each of them pay?",
        "change": "{a} pays with {k} dollars. How many dollars of change does {a} get?",
    },
    "zh": {
        "item": "{n}{c}{goods}，每{c}{p}元",
        "buy": "{a}买了{items}。",
        "off": "商店给整张账单打{k}折。",
        "fee": "另付送货费{k}元。",
        "split": "{all}平均分摊这笔钱，每人付多少元？",
        "change": "{a}付了{k}元，应找回多少元？",
    },
}


def make(rng: random.Random, difficulty: int, language: Language) -> Draft:
    """One of the three kinds."""
    return rng.choice((story, chain, shop))(rng, difficulty, language)


def story(rng: random.Random, difficulty: int, language: Language) -> Draft:
    """A number that changes `2 * difficulty` times."""
    a, b = rng.sample(PEOPLE[language], 2)
    things = rng.choice(THINGS[language])
    words, names = STORY[language], {"a": a, "b": b, "things": things, "c": COUNTERS.get(things, "")}
    have = rng.randint(10, 60)
    lines, formula = [words["start"].format(n=have, **names)], str(have)
    for _ in range(2 * difficulty):
        kind, slots, have, formula = event(rng, have, formula, difficulty)
        lines.append(words[kind].format(**slots, **names))
    lines.append(words["ask"].format(**names))
    return Draft(together(lines, language), str(have), meta={"expression": formula})


def event(rng: random.Random, have: int, formula: str, difficulty: int) -> tuple[str, dict[str, int], int, str]:
    """One change that leaves a positive whole number: its kind, its numbers, what is there now, and the formula."""
    k, m = rng.randint(2, 9), rng.randint(3, 12)
    options = [
        ("packs", {"k": k, "m": m}, have + k * m, f"({formula} + {k} * {m})"),
        ("get", {"k": k + m}, have + k + m, f"({formula} + {k + m})"),
    ]
    if have > k + 1:
        options.append(("give", {"k": k}, have - k, f"({formula} - {k})"))
    if have % 2 == 0 and have > 2:
        options.append(("half", {}, have // 2, f"({formula} / 2)"))
    if difficulty > 1 and have < 200:
        options.append(("double", {}, have * 2, f"({formula} * 2)"))
    if difficulty > 1 and have % k == 0 and have > k:
        options.append(("share", {"k": k}, have - have // k, f"({formula} - {formula} / {k})"))
    percent = rng.choice((10, 20, 25, 40, 75))
    if difficulty > 2 and have * percent % 100 == 0:
        sold = have * percent // 100
        options.append(("percent", {"k": percent}, have - sold, f"({formula} - {formula} * {percent} / 100)"))
    return rng.choice(options)


def chain(rng: random.Random, difficulty: int, language: Language) -> Draft:
    """Each person is compared with the one before; asked is the sum."""
    people = rng.sample(PEOPLE[language], difficulty + 1)
    things = rng.choice(THINGS[language])
    words, names = CHAIN[language], {"things": things, "c": COUNTERS.get(things, "")}
    have = rng.randint(4, 30) * 2
    counts, lines = [have], [words["start"].format(a=people[0], n=have, **names)]
    for before, person in itertools.pairwise(people):
        kind, k, have = compare(rng, have)
        counts.append(have)
        lines.append(words[kind].format(a=before, b=person, k=k, **names))
    lines.append(words["ask"].format(all=listed(people, language), **names))
    return Draft(together(lines, language), str(sum(counts)), meta={"expression": " + ".join(map(str, counts))})


def compare(rng: random.Random, have: int) -> tuple[str, int, int]:
    """Kind, number and result of a comparison with somebody who has `have`."""
    k = rng.randint(2, 9)
    options = [("more", k, have + k)]
    if have > k + 1:
        options.append(("fewer", k, have - k))
    if have < 60:
        times = rng.randint(2, 4)
        options.append(("times", times, have * times))
    if have % 2 == 0:
        options.append(("half", 2, have // 2))
    return rng.choice(options)


def shop(rng: random.Random, difficulty: int, language: Language) -> Draft:
    """A purchase, then a rebate and a fee by difficulty; asked is the change or each one's share."""
    people = rng.sample(PEOPLE[language], rng.choice((2, 4)))
    words, lines = SHOP[language], list[str]()
    bill, formula, bought = basket(rng, difficulty + 1, language)
    lines.append(words["buy"].format(a=people[0], items=bought))
    if difficulty > 1:
        tenths = rng.choice((5, 8, 9))
        lines.append(words["off"].format(k=tenths if language == "zh" else 100 - 10 * tenths))
        bill, formula = bill * tenths / 10, f"({formula} * {tenths} / 10)"
    if difficulty > 2:
        fee = rng.randint(3, 12)
        lines.append(words["fee"].format(k=fee))
        bill, formula = bill + fee, f"({formula} + {fee})"
    if rng.random() < 0.5 and 100 * bill % len(people) == 0:
        lines.append(
            words["split"].format(a=people[0], others=listed(people[1:], language), all=listed(people, language))
        )
        found, formula = bill / len(people), f"{formula} / {len(people)}"
    else:
        paid = (bill // 50 + rng.choice((1, 2))) * 50
        lines.append(words["change"].format(a=people[0], k=paid))
        found, formula = paid - bill, f"{paid} - {formula}"
    return Draft(together(lines, language), decimal(found), meta={"expression": formula})


def basket(rng: random.Random, size: int, language: Language) -> tuple[Fraction, str, str]:
    """Some goods: what they cost together, the formula, and the words."""
    bill, terms, items = Fraction(0), list[str](), list[str]()
    for goods, counter in rng.sample(GOODS[language], size):
        n, price = rng.randint(2, 9), Fraction(rng.randint(2, 30), rng.choice((1, 1, 2)))
        items.append(SHOP[language]["item"].format(n=n, p=decimal(price), goods=goods, c=counter))
        terms.append(f"{n} * {decimal(price)}")
        bill += n * price
    words = listed(items, language) if language == "en" else "；".join(items)
    return bill, f"({' + '.join(terms)})", words


def together(lines: list[str], language: Language) -> str:
    """Sentences as one text."""
    return (" " if language == "en" else "").join(lines)
