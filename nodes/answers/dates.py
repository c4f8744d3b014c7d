"""Dates, times of day and weekdays, English and Chinese, in digits.

A date may be partial (a month and a day, a year and a month). `3/4/2021` is read month first, as American text and
BIG-Bench write it, unless the first number cannot be a month.
"""

from __future__ import annotations

import re
from datetime import date

from nodes.answers import numerals

Date = tuple[int | None, int | None, int | None]
"""Year (negative = BC), month, day; None = not given."""

_MONTHS = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
]  # fmt: skip
_MONTH = {name: index for index, name in enumerate(_MONTHS, start=1)}
_MONTH |= {name[:3]: index for name, index in _MONTH.items()} | {"sept": 9}
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_WEEKDAY = {name: index for index, name in enumerate(_DAYS)}
_WEEKDAY |= {short: _WEEKDAY[name] for name in _DAYS for short in (name[:3], name[:4], name[:5])} | {"tues": 1}
_SPOKEN = re.compile(
    r"[零〇一二两三四五六七八九十]{1,5}(?=[年月日号点时分秒])|(?<=[点分])[零〇一二三四五六七八九十]{1,3}$"
)
_ZH_WEEKDAY = re.compile(r"(?:星期|周|礼拜)([一二三四五六日天1-7])")
_ZH_DAY = {name: index for index, name in enumerate("一二三四五六日")} | {"天": 6}
_ZH_DAY |= {str(index + 1): index for index in range(7)}
_NAMES = "|".join(sorted(_MONTH, key=len, reverse=True))
_WEEKDAY_LEAD = re.compile(rf"^(?:{'|'.join(sorted(_WEEKDAY, key=len, reverse=True))})\.?,?\s+", re.IGNORECASE)
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<y>\d{4})[-/.*](?P<m>\d{1,2})[-/.*](?P<d>\d{1,2})",
        r"(?P<y>\d{4}) (?P<m>\d{2}) (?P<d>\d{2})",
        r"(?P<m>\d{1,2})[-/.](?P<d>\d{1,2})[-/.,](?P<y>\d{4})",
        rf"(?P<n>{_NAMES})\.?[\s-]+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:,?[\s-]+(?P<y>\d{{4}}))?",
        rf"(?:the )?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\.?(?: of)?[\s-]+(?P<n>{_NAMES})\.?(?:,?[\s-]+(?P<y>\d{{4}}))?",
        rf"(?P<y>\d{{4}})[/-](?P<n>{_NAMES})[/-](?P<d>\d{{1,2}})",
        rf"(?P<n>{_NAMES})\.?,?(?: of)? (?P<y>\d{{4}})",
        r"(?P<era>公元前|纪元前|公元|纪元|民国)?\s?(?P<y>\d{1,4})年\s?(?:(?P<m>\d{1,2})月\s?(?:(?P<d>\d{1,2})[日号])?)?",
        r"(?P<m>\d{1,2})月\s?(?P<d>\d{1,2})[日号]",
    )
)
_CLOCK = re.compile(
    r"(?P<lead>上午|早上|凌晨|清晨|中午|下午|傍晚|晚上|夜里|am|pm)?\s?(?P<h>\d{1,2})(?:(?::|点|时)(?P<m>\d{1,2})?分?"
    r"(?:(?::|分)?(?P<s>\d{2}|\d{1,2}(?=秒))秒?)?(?P<half>半)?|(?P<whole>整)?)"
    r"\s?(?P<tail>[ap]\.?\s?m\.?|o'?clock)?(?: (?P<part>in the morning|in the afternoon|in the evening|at night))?",
    re.IGNORECASE,
)
_LATE = ("下午", "傍晚", "晚上", "夜里", "pm", "in the afternoon", "in the evening", "at night")
_EARLY = ("上午", "早上", "凌晨", "清晨", "am", "in the morning")


def digits(text: str) -> str:
    """Chinese numerals before a calendar or clock word as digits: 二零二四年五月一日 -> 2024年5月1日."""

    def figure(run: re.Match[str]) -> str:
        value = numerals.chinese(run[0])
        return run[0] if value is None or value.denominator != 1 else str(value)

    return _SPOKEN.sub(figure, text)


def day(text: str) -> Date | None:
    """A full or partial date; needs a month together with a day or a year."""
    text = _WEEKDAY_LEAD.sub("", text.strip().rstrip("."))
    for pattern in _PATTERNS:
        match = pattern.fullmatch(text)
        if match is None:
            continue
        parts = match.groupdict()
        year = int(parts["y"]) if parts.get("y") else None
        if parts.get("era") and year is not None:
            year = {"公元前": -year, "纪元前": -year, "民国": year + 1911}.get(parts["era"], year)
        month = _MONTH[parts["n"].casefold()] if parts.get("n") else _number(parts.get("m"))
        found = _possible(year, month, _number(parts.get("d")))
        if found:
            return found
    return None


def era_year(text: str) -> int | None:
    """A year counted from an era: 民国113年 = 2024, 公元前221年 = -221."""
    match = re.fullmatch(r"(公元前|纪元前|公元|纪元|民国)\s?(\d{1,4})年?", text.strip())
    if match is None:
        return None
    year = int(match[2])
    return {"公元": year, "纪元": year, "民国": year + 1911}.get(match[1], -year)


def _number(text: str | None) -> int | None:
    return int(text) if text else None


def _possible(year: int | None, month: int | None, dom: int | None) -> Date | None:
    if month is not None and month > 12 and dom is not None and dom <= 12:
        month, dom = dom, month
    if month is None:
        return None
    try:
        date(year if year and year > 0 else 2000, month, dom or 1)
    except ValueError:
        return None
    return year, month, dom


def weekday(text: str) -> int | None:
    """0 = Monday ... 6 = Sunday."""
    match = _ZH_WEEKDAY.fullmatch(text.strip())
    if match:
        return _ZH_DAY[match[1]]
    return _WEEKDAY.get(text.strip().casefold().rstrip("."))


def clock(text: str) -> tuple[int, bool] | None:
    """Seconds since midnight and whether the text can only be a time of day (`7:30` may also be a ratio)."""
    match = _CLOCK.fullmatch(text.strip())
    if match is None:
        return None
    lead, tail = (match["lead"] or "").casefold(), (match["tail"] or "").casefold().replace(".", "").replace(" ", "")
    part = (match["part"] or "").casefold()
    marked = bool(lead or tail or part) or "点" in text or "时" in text
    if not marked and (":" not in text or not match["m"] or len(match["m"]) != 2):
        return None
    if "时" in text and not match["m"] and not lead:
        return None
    hour, minute, second = int(match["h"]), int(match["m"] or 0), int(match["s"] or 0)
    if match["half"]:
        minute = 30
    if hour > 24 or minute > 59 or second > 59:
        return None
    late = lead in _LATE or tail == "pm" or part in _LATE
    early = lead in _EARLY or tail == "am" or part in _EARLY
    if late and hour < 12:
        hour += 12
    elif early and hour == 12:
        hour = 0
    return hour * 3600 + minute * 60 + second, marked or bool(match["s"])
