"""Unit conversion: one factor, a sum of two units, or a rate with two units; every result is a short decimal.

Chinese questions add the market units (斤, 两, 里, 亩) in their legal metric values.
"""

from __future__ import annotations

import random
from fractions import Fraction

from evals.generators.draft import Draft, decimal
from nodes.contracts import Language

LABELS = ("numeric",)
Unit = tuple[str, str]
"""English and Chinese name."""
KM, M, CM, MM = ("kilometres", "千米"), ("metres", "米"), ("centimetres", "厘米"), ("millimetres", "毫米")
TON, KG, G, MG = ("tonnes", "吨"), ("kilograms", "千克"), ("grams", "克"), ("milligrams", "毫克")
L, ML, M3 = ("litres", "升"), ("millilitres", "毫升"), ("cubic metres", "立方米")
DAY, HOUR, MINUTE, SECOND = ("days", "天"), ("hours", "小时"), ("minutes", "分钟"), ("seconds", "秒")
M2, CM2, HA = ("square metres", "平方米"), ("square centimetres", "平方厘米"), ("hectares", "公顷")
JIN, LIANG, LI, MU = ("", "斤"), ("", "两"), ("", "里"), ("", "亩")

FACTORS: tuple[tuple[Unit, Unit, Fraction], ...] = (
    (KM, M, Fraction(1000)), (M, CM, Fraction(100)), (CM, MM, Fraction(10)), (KM, CM, Fraction(100_000)),
    (TON, KG, Fraction(1000)), (KG, G, Fraction(1000)), (G, MG, Fraction(1000)),
    (L, ML, Fraction(1000)), (M3, L, Fraction(1000)),
    (DAY, HOUR, Fraction(24)), (HOUR, MINUTE, Fraction(60)), (HOUR, SECOND, Fraction(3600)),
    (M2, CM2, Fraction(10_000)), (HA, M2, Fraction(10_000)),
)  # fmt: skip
MARKET: tuple[tuple[Unit, Unit, Fraction], ...] = (
    (JIN, G, Fraction(500)), (LIANG, G, Fraction(50)), (JIN, LIANG, Fraction(10)), (KG, JIN, Fraction(2)),
    (LI, M, Fraction(500)), (HA, MU, Fraction(15)),
)  # fmt: skip
SUMS: tuple[tuple[Unit, Unit, Unit], ...] = (
    (HOUR, MINUTE, SECOND), (DAY, HOUR, MINUTE), (M, CM, MM), (KG, G, MG), (TON, KG, G), (M3, L, ML),
)  # fmt: skip
"""`3 a 5 b = ? c`: the small unit of the first two, or the third."""
_SCALE = {(HOUR, MINUTE): 60, (MINUTE, SECOND): 60, (DAY, HOUR): 24, (M, CM): 100, (CM, MM): 10}
"""Steps within `SUMS` that are not a thousand."""
RATES: tuple[tuple[str, str, str, str, Fraction], ...] = (
    ("kilometres per hour", "千米/小时", "metres per second", "米/秒", Fraction(5, 18)),
    ("metres per second", "米/秒", "kilometres per hour", "千米/小时", Fraction(18, 5)),
    ("metres per minute", "米/分钟", "kilometres per hour", "千米/小时", Fraction(3, 50)),
    ("grams per cubic centimetre", "克/立方厘米", "kilograms per cubic metre", "千克/立方米", Fraction(1000)),
    ("litres per minute", "升/分钟", "cubic metres per hour", "立方米/小时", Fraction(3, 50)),
    ("millilitres per second", "毫升/秒", "litres per hour", "升/小时", Fraction(18, 5)),
    ("grams per minute", "克/分钟", "kilograms per day", "千克/天", Fraction(36, 25)),
    ("kilowatt hours per day", "千瓦时/天", "watt hours per hour", "瓦时/小时", Fraction(125, 3)),
)
ASK: dict[Language, tuple[str, ...]] = {
    "en": (
        "Convert {given} to {unit}. Give the number only.",
        "How many {unit} are {given}?",
        "Express {given} in {unit}. Answer with a number.",
    ),
    "zh": ("{given}等于多少{unit}？只写数字。", "把{given}换算成{unit}，是多少{unit}？", "{given}是多少{unit}？"),
}


def make(rng: random.Random, difficulty: int, language: Language) -> Draft:
    """One kind for each difficulty."""
    kind = {1: single, 2: compound, 3: rate}[difficulty]
    given, unit, value = kind(rng, language)
    return Draft(rng.choice(ASK[language]).format(given=given, unit=unit), decimal(value))


def single(rng: random.Random, language: Language) -> tuple[str, str, Fraction]:
    """`3.5 km` in metres, or back."""
    big, small, factor = rng.choice(FACTORS + MARKET if language == "zh" else FACTORS)
    value = Fraction(rng.randint(2, 999), rng.choice((1, 1, 10, 100)))
    if rng.random() < 0.5:
        return spoken(value, big, language), name(small, language), value * factor
    return spoken(value * factor, small, language), name(big, language), value


def compound(rng: random.Random, language: Language) -> tuple[str, str, Fraction]:
    """`2 hours 35 minutes` in minutes or seconds."""
    big, middle, small = rng.choice(SUMS)
    first, second = factor_of(big, middle), factor_of(middle, small)
    many, few = rng.randint(1, 40), rng.randint(1, min(99, int(first) - 1))
    given = spoken(Fraction(many), big, language) + (" " if language == "en" else "")
    given += spoken(Fraction(few), middle, language)
    total = many * first + few
    if rng.random() < 0.5:
        return given, name(middle, language), total
    return given, name(small, language), total * second


def rate(rng: random.Random, language: Language) -> tuple[str, str, Fraction]:
    """`72 km/h` in m/s: both units change."""
    english, chinese, unit, unit_zh, factor = rng.choice(RATES)
    thirds = 9 if factor.denominator % 9 == 0 else 3 if factor.denominator % 3 == 0 else 1
    value = Fraction(rng.randint(1, 400) * thirds, rng.choice((1, 1, 2, 4, 5)))
    if language == "zh":
        return f"{decimal(value)}{chinese}", unit_zh, value * factor
    return f"{decimal(value)} {english}", unit, value * factor


def factor_of(big: Unit, small: Unit) -> Fraction:
    """How many of the small unit make a big one."""
    return Fraction(_SCALE.get((big, small), 1000))


def name(unit: Unit, language: Language) -> str:
    """A unit in words."""
    return unit[0] if language == "en" else unit[1]


def spoken(value: Fraction, unit: Unit, language: Language) -> str:
    """A quantity in words; one of a unit is singular in English."""
    if language == "zh":
        return f"{decimal(value)}{unit[1]}"
    return f"{decimal(value)} {unit[0].removesuffix('s') if value == 1 else unit[0]}"
