"""Units, currencies and counters, English and Chinese, with exact factors.

A small table of its own instead of a units library: an answer says "3斤", "500 mL" or "$2M", has microseconds to be
read, and an unknown word ("18 apples", "18个") must simply fall away. Data sizes are binary (1 GB = 1024 MB), ¥ is yuan
before it is yen, and pounds are a mass before they are money.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

F = Fraction


@dataclass(frozen=True, slots=True)
class Unit:
    """`dimension` names what is measured; base value = factor * magnitude + offset."""

    dimension: str
    factor: Fraction
    offset: Fraction = Fraction(0)


_PREFIXES = {
    "": F(1), "kilo": F(1000), "mega": F(10**6), "giga": F(10**9), "milli": F(1, 1000), "centi": F(1, 100),
    "deci": F(1, 10), "micro": F(1, 10**6), "nano": F(1, 10**9),
}  # fmt: skip
_SHORT = {
    "": F(1), "k": F(1000), "M": F(10**6), "G": F(10**9), "m": F(1, 1000), "c": F(1, 100), "d": F(1, 10),
    "µ": F(1, 10**6), "μ": F(1, 10**6), "n": F(1, 10**9),
}  # fmt: skip
_ZH_PREFIXES = {
    "": F(1), "千": F(1000), "兆": F(10**6), "毫": F(1, 1000), "厘": F(1, 100), "分": F(1, 10), "微": F(1, 10**6),
    "纳": F(1, 10**9),
}  # fmt: skip

# dimension, (symbol), (English stem), (Chinese): units that take metric prefixes
_METRIC = (
    ("length", "m", "meter|metre", "米", F(1)),
    ("mass", "g", "gram|gramme", "克", F(1)),
    ("volume", "L", "liter|litre", "升", F(1, 1000)),
    ("frequency", "Hz", "hertz", "赫兹|赫", F(1)),
    ("power", "W", "watt", "瓦特|瓦", F(1)),
    ("energy", "J", "joule", "焦耳|焦", F(1)),
    ("energy", "cal", "calorie", "卡路里|卡", F(4184, 1000)),
    ("energy", "Wh", "watt hour|watt-hour", "瓦时", F(3600)),
    ("voltage", "V", "volt", "伏特|伏", F(1)),
    ("current", "A", "ampere|amp", "安培|安", F(1)),
    ("pressure", "Pa", "pascal", "帕斯卡|帕", F(1)),
    ("force", "N", "newton", "牛顿|牛", F(1)),
    ("amount", "mol", "mole", "摩尔", F(1)),
    ("resistance", "Ω", "ohm", "欧姆", F(1)),
)
# names -> dimension, factor
_PLAIN: tuple[tuple[str, str, Fraction], ...] = (
    ("s|sec|second|秒|秒钟", "time", F(1)),
    ("min|minute|分钟", "time", F(60)),
    ("h|hr|hour|小时|个小时|钟头|个钟头", "time", F(3600)),
    ("day|天|日", "time", F(86400)),
    ("wk|week|周|星期|个星期|礼拜|个礼拜", "time", F(604800)),
    ("ms|毫秒", "time", F(1, 1000)),
    ("month|个月|月", "months", F(1)),
    ("yr|year|年", "months", F(12)),
    ("decade", "months", F(120)),
    ("century|centurie|世纪|个世纪", "months", F(1200)),
    ("in|inch|inche|英寸", "length", F(254, 10000)),
    ("ft|foot|feet|英尺", "length", F(3048, 10000)),
    ("yd|yard|码", "length", F(9144, 10000)),
    ("mi|mile|英里", "length", F(1609344, 1000)),
    ("nautical mile|海里", "length", F(1852)),
    ("公里", "length", F(1000)),
    ("里", "length", F(500)),
    ("丈", "length", F(10, 3)),
    ("尺", "length", F(1, 3)),
    ("寸", "length", F(1, 30)),
    ("公分", "length", F(1, 100)),
    ("t|ton|tonne|metric ton|吨|公吨", "mass", F(10**6)),
    ("公斤", "mass", F(1000)),
    ("斤|市斤|jin", "mass", F(500)),
    ("两|市两|liang", "mass", F(50)),
    ("钱", "mass", F(5)),
    ("lb|lbs|pound|磅", "mass", F(45359237, 100000)),
    ("oz|ounce|盎司", "mass", F(45359237, 1600000)),
    ("mu|亩", "area", F(2000, 3)),
    ("公顷|hectare|ha", "area", F(10000)),
    ("顷", "area", F(200000, 3)),
    ("acre|英亩", "area", F(40468564224, 10000000)),
    ("l|升|公升", "volume", F(1, 1000)),
    ("ml|cc|毫升", "volume", F(1, 10**6)),
    ("cl", "volume", F(1, 10**5)),
    ("gal|gallon|加仑", "volume", F(3785411784, 10**12)),
    ("qt|quart|夸脱", "volume", F(946352946, 10**12)),
    ("pt|pint|品脱", "volume", F(473176473, 10**12)),
    ("cup", "cups", F(1)),
    ("tbsp|tablespoon", "spoons", F(3)),
    ("tsp|teaspoon", "spoons", F(1)),
    ("barrel|bbl|桶", "barrels", F(1)),
    ("mph", "length/time", F(1609344, 3600000)),
    ("kph|kmh", "length/time", F(1000, 3600)),
    ("deg|degree|°|度", "angle", F(1)),
    ("rad|radian|弧度", "radians", F(1)),
    ("hp|horsepower|马力", "horsepower", F(1)),
    ("bit|比特", "data", F(1)),
    ("b|byte|字节", "data", F(8)),
    ("kb|kilobyte|千字节", "data", F(8 * 1024)),
    ("mb|megabyte|兆字节", "data", F(8 * 1024**2)),
    ("gb|gigabyte|吉字节", "data", F(8 * 1024**3)),
    ("tb|terabyte|太字节", "data", F(8 * 1024**4)),
    ("pb|petabyte", "data", F(8 * 1024**5)),
    ("kilobit|千比特", "data", F(1024)),
    ("megabit|兆比特", "data", F(1024**2)),
    ("gigabit|吉比特", "data", F(1024**3)),
    ("$|us$|usd|dollar|us dollar|u.s. dollar|american dollar|united states dollar|buck|美元|美金", "usd", F(1)),
    ("¢|cent|penny|pennie|美分", "usd", F(1, 100)),
    ("¥|元|yuan|rmb|cny|人民币|元人民币|块|块钱|元钱|圆|renminbi|chinese yuan", "cny", F(1)),
    ("角|毛|毛钱|jiao", "cny", F(1, 10)),
    ("fen|分钱", "cny", F(1, 100)),
    ("€|euro|eur|欧元", "eur", F(1)),
    ("£|gbp|pound sterling|british pound|sterling|英镑", "gbp", F(1)),
    ("pence", "gbp", F(1, 100)),
    ("₩|krw|won|south korean won|韩元", "krw", F(1)),
    ("₹|inr|rs|rupee|indian rupee|印度卢比|卢比", "inr", F(1)),
    ("jpy|yen|japanese yen|日元|日圆", "jpy", F(1)),
    ("₽|rub|ruble|rouble|卢布", "rub", F(1)),
    ("hk$|hkd|hong kong dollar|港元|港币|港幣", "hkd", F(1)),
    ("c$|cad|canadian dollar|加元", "cad", F(1)),
    ("a$|aud|australian dollar|澳元", "aud", F(1)),
    ("nt$|twd|taiwan dollar|台币|新台币", "twd", F(1)),
    ("chf|swiss franc|瑞士法郎", "chf", F(1)),
    ("percentage point|pp|百分点|个百分点", "points", F(1)),
    ("person|people|人|位|名", "", F(1)),
)
_TEMPERATURE = (
    ("°c|celsius|centigrade|degree celsius|degree centigrade|degree c|deg c|℃|摄氏度|c", F(1), F(27315, 100)),
    ("°f|fahrenheit|degree fahrenheit|degree f|deg f|℉|华氏度|f", F(5, 9), F(45967, 180)),
    ("kelvin|开尔文", F(1), F(0)),
)
MONEY = frozenset(("usd", "cny", "eur", "gbp", "krw", "inr", "jpy", "rub", "hkd", "cad", "aud", "twd", "chf"))
"""Dimensions that are currencies."""
GROWTH = Unit("growth", F(1))
_SECOND_MEANING = {"pound": "gbp", "pounds": "gbp", "¥": "jpy"}
COUNTERS = frozenset(
    "个只头匹条根张本页块片颗粒棵朵枝支把件套双对组班队排行列次回遍趟场届道题分岁辆艘架台部间座层家户所盒箱袋瓶杯碗包捆束筐"
    "份种类类步圈名位人号枚盏幅面"
)


def _build() -> tuple[dict[str, Unit], dict[str, Unit]]:
    """Case-sensitive and casefolded names."""
    exact: dict[str, Unit] = {}
    folded: dict[str, Unit] = {}
    for dimension, symbol, stems, chinese, factor in _METRIC:
        for short, scale in _SHORT.items():
            exact.setdefault(short + symbol, Unit(dimension, factor * scale))
        for prefix, scale in _PREFIXES.items():
            for stem in stems.split("|"):
                folded[prefix + stem] = Unit(dimension, factor * scale)
        for prefix, scale in _ZH_PREFIXES.items():
            for stem in chinese.split("|"):
                folded[prefix + stem] = Unit(dimension, factor * scale)
    for names, dimension, factor in _PLAIN:
        folded.update({name: Unit(dimension, factor) for name in names.split("|")})
    for names, factor, offset in _TEMPERATURE:
        folded.update({name: Unit("temperature", factor, offset) for name in names.split("|")})
    for symbol, unit in exact.items():
        if len(symbol) > 1:
            folded.setdefault(symbol.casefold(), unit)
    return exact, folded


_EXACT, _FOLDED = _build()
_POWER = re.compile(r"\^?\{?(-?[23])\}?$")
_AREA = re.compile(r"^(?:(square|sq\.?|cubic|cu\.?)\s+|(平方|立方))(.+)$")
_DEGREES = re.compile(r"^deg(?:ree)?s\s+", re.IGNORECASE)
_PER = re.compile(r"\s*/\s*|\s+per\s+|\s*每\s*|\s+an?\s+(?=hour$|minute$|second$|day$|week$|year$)")


@lru_cache(maxsize=4096)
def read(name: str) -> Unit | None:
    """The unit of that name: `kg`, `square feet`, `km/h`, `m^2`, `千克`, `$`; None when unknown."""
    name = name.strip().strip(".").strip()
    if not name or len(name) > 60:
        return None
    parts = _PER.split(name)
    if len(parts) == 2 and all(parts):
        above, below = (_single(part) for part in parts)
        if above and below and not above.offset:
            return Unit(f"{above.dimension}/{below.dimension}", above.factor / below.factor)
        return None
    return _single(name)


def second(name: str) -> Unit | None:
    """Another unit that the same word or sign may mean."""
    word = _SECOND_MEANING.get(name.strip().casefold())
    return _FOLDED[word] if word else None


def _single(name: str) -> Unit | None:
    name = _DEGREES.sub("degree ", name.strip())
    area = _AREA.match(name.casefold())
    if area:
        return _raised(_single(area[3]), 2 if area[1] in ("square", "sq", "sq.") or area[2] == "平方" else 3)
    power = _POWER.search(name)
    if power and len(name) > len(power[0]):
        return _raised(_single(name[: power.start()]), int(power[1]))
    lower = name.casefold()
    for form in (name, lower):
        if form in _EXACT and (len(form) > 1 or form == name):
            return _EXACT[form]
    for form in (lower, lower.removesuffix("s"), lower.removesuffix(".")):
        if form in _FOLDED:
            return _FOLDED[form]
    return None


def _raised(unit: Unit | None, power: int) -> Unit | None:
    """Square or cube of a length; areas and volumes meet in the same dimension."""
    if unit is None or unit.dimension != "length":
        return None
    dimension = {2: "area", 3: "volume"}.get(power)
    return Unit(dimension, unit.factor**power) if dimension else None
