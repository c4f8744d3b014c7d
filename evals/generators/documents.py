"""Sets of short documents with one planted contradiction: which two cannot both be right?

Each document states facts about projects. A fact may stand in several documents in other words; exactly one is told
in two ways that differ. At difficulty 3 the same date or number is also written in two notations, which is none.
"""

from __future__ import annotations

import datetime
import random
from dataclasses import dataclass

from evals.generators.dates import written
from evals.generators.draft import Draft
from evals.generators.words import PEOPLE
from nodes.contracts import Language

LABELS = ("relation", "logic")
SIZES = {1: (3, 2), 2: (5, 3), 3: (7, 4)}
"""Documents, and facts in each."""
PROJECTS: dict[Language, tuple[str, ...]] = {
    "en": ("Amber", "Birch", "Cedar", "Delta", "Ember", "Falcon", "Granite", "Harbour"),
    "zh": ("琥珀", "白桦", "雪松", "三角洲", "余烬", "猎鹰", "花岗岩", "港湾"),
}
CITIES: dict[Language, tuple[str, ...]] = {
    "en": ("Lisbon", "Oslo", "Vienna", "Dublin", "Prague", "Athens"),
    "zh": ("上海", "成都", "武汉", "南京", "西安", "厦门"),
}
SAID: dict[Language, dict[str, tuple[str, str]]] = {
    "en": {
        "city": ("The project {p} is run from {v}.", "The office of the project {p} is in {v}."),
        "head": ("{v} leads the project {p}.", "The head of the project {p} is {v}."),
        "start": ("The project {p} began on {v}.", "Work on the project {p} started on {v}."),
        "budget": (
            "The project {p} has a budget of {v} euros.",
            "A sum of {v} euros is set aside for the project {p}.",
        ),
        "staff": ("The project {p} employs {v} people.", "There are {v} people on the project {p}."),
    },
    "zh": {
        "city": ("“{p}”项目设在{v}。", "“{p}”项目的办公室在{v}。"),
        "head": ("{v}负责“{p}”项目。", "“{p}”项目的负责人是{v}。"),
        "start": ("“{p}”项目于{v}启动。", "“{p}”项目的启动日期是{v}。"),
        "budget": ("“{p}”项目的预算是{v}元。", "为“{p}”项目安排了{v}元。"),
        "staff": ("“{p}”项目有{v}名员工。", "在“{p}”项目工作的有{v}人。"),
    },
}
ASK: dict[Language, str] = {
    "en": "Exactly two of these documents contradict each other. Which two? Answer with their numbers, for example"
    ' "8, 9".\n\n{}',
    "zh": "下面的文件中恰好有两份互相矛盾。是哪两份？用编号回答，例如“8, 9”。\n\n{}",
}
HEAD: dict[Language, str] = {"en": "Document {}: {}", "zh": "文件{}：{}"}
Value = str | int | datetime.date


@dataclass(frozen=True)
class Fact:
    """One attribute of one project."""

    project: str
    kind: str
    value: Value


def make(rng: random.Random, difficulty: int, language: Language) -> Draft:
    """Facts spread over documents, one of them told differently in two."""
    count, size = SIZES[difficulty]
    facts = world(rng, language)
    rng.shuffle(facts)
    disputed, *others = facts
    places = sorted(rng.sample(range(count), 2))
    documents: list[list[Fact]] = []
    for place in range(count):
        told = rng.sample(others[: count * size - count], size - (place in places))
        if place in places:
            told.insert(rng.randint(0, len(told)), disputed if place == places[0] else other(rng, disputed, language))
        documents.append(told)
    lines = [
        HEAD[language].format(place + 1, spoken(rng, told, difficulty, language))
        for place, told in enumerate(documents)
    ]
    first, second = (str(place + 1) for place in places)
    named = {"en": (f"Documents {first} and {second}", f"Document {first} and Document {second}"),
             "zh": (f"文件{first}和文件{second}", f"文件{first}、文件{second}")}  # fmt: skip
    return Draft(
        ASK[language].format("\n\n".join(lines)),
        f"{first}, {second}",
        accepted=named[language],
        meta={"disputed": [disputed.project, disputed.kind]},
    )


def world(rng: random.Random, language: Language) -> list[Fact]:
    """Every fact of every project, consistent."""
    return [
        Fact(project, kind, value(rng, kind, language)) for project in PROJECTS[language] for kind in SAID[language]
    ]


def value(rng: random.Random, kind: str, language: Language) -> Value:
    """A random value of an attribute."""
    if kind == "city":
        return rng.choice(CITIES[language])
    if kind == "head":
        return rng.choice(PEOPLE[language])
    if kind == "start":
        return datetime.date(2019, 1, 1) + datetime.timedelta(days=rng.randrange(2000))
    return rng.randint(11, 99) * 1000 if kind == "budget" else rng.randint(4, 60)


def other(rng: random.Random, fact: Fact, language: Language) -> Fact:
    """The same fact with another value."""
    while True:
        found = value(rng, fact.kind, language)
        if found != fact.value:
            return Fact(fact.project, fact.kind, found)


def spoken(rng: random.Random, facts: list[Fact], difficulty: int, language: Language) -> str:
    """Facts as sentences, each in one of two wordings."""
    sentences = []
    for fact in facts:
        wording = rng.choice(SAID[language][fact.kind])
        plain = difficulty < 3 or rng.random() < 0.5
        sentences.append(wording.format(p=fact.project, v=notation(fact.value, plain, language)))
    return (" " if language == "en" else "").join(sentences)


def notation(value: Value, plain: bool, language: Language) -> str:
    """A value in words, or in its second notation."""
    if isinstance(value, datetime.date):
        return written(value, language) if plain else value.isoformat()
    if isinstance(value, int) and value >= 1000:
        if plain:
            return str(value)
        return f"{value:,}" if language == "en" else f"{value / 10000:g}万"
    return str(value)
