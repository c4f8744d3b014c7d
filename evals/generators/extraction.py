"""Extraction from a short message: one field, three fields, or every item of an order, as JSON.

The text also holds what looks like the wanted thing: a second date, an item that was struck off.
"""

from __future__ import annotations

import datetime
import json
import random

from evals.generators.dates import written
from evals.generators.draft import Draft
from evals.generators.words import PEOPLE
from nodes.contracts import Language

LABELS = ("entity", "format")
GOODS: dict[Language, tuple[str, ...]] = {
    "en": ("desk lamps", "office chairs", "paper trays", "whiteboards", "wall clocks", "keyboards", "monitors"),
    "zh": ("台灯", "办公椅", "文件架", "白板", "挂钟", "键盘", "显示器"),
}
CITIES: dict[Language, tuple[str, ...]] = {
    "en": ("Leeds", "Boston", "Toronto", "Sydney", "Dublin"),
    "zh": ("杭州", "长沙", "青岛", "昆明", "大连"),
}
MESSAGE: dict[Language, tuple[str, ...]] = {
    "en": (
        "Dear team, {who} from {city} placed order {order} on {ordered}. Please deliver it by {due}; our last delivery"
        " {past} came late.",
        "Order {order} was taken on {ordered}. It goes to {who} in {city} and has to arrive by {due}. Do not mix it up"
        " with {past}, which is closed.",
    ),
    "zh": (
        "各位好：{city}的{who}于{ordered}下了订单{order}，请在{due}之前送到；上一单{past}送晚了。",
        "订单{order}是{ordered}接的，收货人是{city}的{who}，须在{due}之前送达。不要和已经结清的{past}弄混。",
    ),
}
ITEMS: dict[Language, tuple[str, str, str]] = {
    "en": (
        "The order holds {}.",
        "{n} {goods} at {price} dollars each",
        " The {n} {goods} that were first asked for have been struck off.",
    ),
    "zh": ("订单包括{}。", "{n}件{goods}（单价{price}元）", "原先要的{n}件{goods}已经取消。"),
}
SINGLE: dict[Language, dict[str, str]] = {
    "en": {
        "order": "What is the number of the order that has to be delivered?",
        "due": "By which date does the order have to arrive? Answer in the form YYYY-MM-DD.",
        "ordered": "On which date was the order placed? Answer in the form YYYY-MM-DD.",
        "customer": "Who is the customer?",
    },
    "zh": {
        "order": "需要送货的订单号是什么？",
        "due": "订单须在哪一天之前送到？用 YYYY-MM-DD 的格式回答。",
        "ordered": "订单是哪一天下的？用 YYYY-MM-DD 的格式回答。",
        "customer": "客户是谁？",
    },
}
RECORD: dict[Language, str] = {
    "en": "Extract the order as JSON with the keys {}; write dates as YYYY-MM-DD. Output the JSON object only.",
    "zh": "把这份订单提取为 JSON，键为 {}；日期写成 YYYY-MM-DD。只输出 JSON 对象。",
}
LIST: dict[Language, str] = {
    "en": "Extract the items of the order, in the order of the text, as a JSON array of objects with the keys"
    ' "item", "quantity" and "price" (numbers). Leave out what was struck off. Output the JSON array only.',
    "zh": '把订单里的物品按原文顺序提取为 JSON 数组，每个对象的键为 "item"、"quantity" 和 "price"（数字），'
    "已取消的不要。只输出 JSON 数组。",
}


def make(rng: random.Random, difficulty: int, language: Language) -> Draft:
    """A message, then what is wanted of it."""
    record = fields(rng, language)
    slots = dict(record, past=number(rng), who=record["customer"])
    slots |= {key: written(datetime.date.fromisoformat(record[key]), language) for key in ("ordered", "due")}
    text = rng.choice(MESSAGE[language]).format(**slots)
    if difficulty == 1:
        key = rng.choice(sorted(SINGLE[language]))
        return Draft(f"{text}\n\n{SINGLE[language][key]}", record[key], hidden=False)
    if difficulty == 2:
        keys = rng.sample(sorted(record), 3)
        wanted = ", ".join(f'"{key}"' for key in keys)
        gold = json.dumps({key: record[key] for key in keys}, ensure_ascii=False)
        return Draft(f"{text}\n\n{RECORD[language].format(wanted)}", gold, hidden=False)
    words, gold = items(rng, language)
    return Draft(f"{text}{' ' if language == 'en' else ''}{words}\n\n{LIST[language]}", gold, hidden=False)


def fields(rng: random.Random, language: Language) -> dict[str, str]:
    """The record that the message tells."""
    ordered = datetime.date(2023, 1, 1) + datetime.timedelta(days=rng.randrange(900))
    due = ordered + datetime.timedelta(days=rng.randint(5, 40))
    return {
        "order": number(rng),
        "customer": rng.choice(PEOPLE[language]),
        "city": rng.choice(CITIES[language]),
        "ordered": ordered.isoformat(),
        "due": due.isoformat(),
    }


def number(rng: random.Random) -> str:
    """Number of an order."""
    return f"{rng.choice('ABCDEFGH')}-{rng.randint(10_000, 99_999)}"


def items(rng: random.Random, language: Language) -> tuple[str, str]:
    """Sentences on the items, one struck off, and the gold."""
    head, item, struck = ITEMS[language]
    goods = rng.sample(GOODS[language], rng.randint(3, 5))
    rows = [{"item": name, "quantity": rng.randint(2, 40), "price": rng.randint(5, 300)} for name in goods]
    kept, gone = rows[:-1], rows[-1]
    told = [item.format(n=row["quantity"], goods=row["item"], price=row["price"]) for row in kept]
    text = head.format((", " if language == "en" else "、").join(told))
    return text + struck.format(n=gone["quantity"], goods=gone["item"]), json.dumps(kept, ensure_ascii=False)
