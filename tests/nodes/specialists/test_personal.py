"""Personal data: real formats and checksums are found, numbers that look alike are not. All numbers are made up."""

from __future__ import annotations

from itertools import pairwise

import pytest
from stdnum import luhn
from stdnum.cn import ric

from nodes.contracts import Language
from nodes.specialists.personal import find

BODY = "11010119000307123"
IDENTITY = BODY + ric.calc_check_digit(BODY + "0")
CARD = "622200000000123456" + luhn.calc_check_digit("622200000000123456")


def masked(text: str, language: Language = "zh") -> list[tuple[str, str]]:
    return [(hit.rule, text[slice(*hit.span)]) for hit in find(text, language)]


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        (f"身份证：{IDENTITY}，谢谢", "zh", [("pii-id", IDENTITY)]),
        (f"卡号{CARD}。", "zh", [("pii-card", CARD)]),
        ("card 4111 1111 1111 1111, thanks", "en", [("pii-card", "4111 1111 1111 1111")]),
        ("请打13900001234联系", "zh", [("pii-phone", "13900001234")]),
        ("客户（13900001234）投诉", "zh", [("pii-phone", "13900001234")]),
        ("call +1 415-555-2671 now", "en", [("pii-phone", "+1 415-555-2671")]),
        ("Mail first.last+tag@mail.example.org.", "en", [("pii-email", "first.last+tag@mail.example.org")]),
    ],
)
def test_found(text: str, language: Language, found: list[tuple[str, str]]) -> None:
    assert masked(text, language) == found


@pytest.mark.parametrize(
    "text",
    [
        f"身份证 {IDENTITY[:-1]}{'0' if IDENTITY[-1] != '0' else '1'}",
        "身份证 99010119000307123X",
        "身份证 110101190013071234",
        f"卡号 {CARD[:-1]}{(int(CARD[-1]) + 1) % 10}",
        "订单号 202411300001234567",
        "ISBN 978-7-111-21382-6",
        "学校总机 010-00001234",
        "计算 12345678901 除以 44",
        "版本 2.13.12，2024-01-15 发布",
        "3.14159265358979",
        "user@localhost, a@b, @name, x@.com",
        "1 + 1 = 2",
        "",
    ],
)
def test_look_alikes_stay(text: str) -> None:
    assert masked(text) == []


def test_several_in_one_text_do_not_overlap() -> None:
    text = f"{IDENTITY} {CARD} 13900001234 a@example.org"
    assert sorted(rule for rule, _ in masked(text)) == ["pii-card", "pii-email", "pii-id", "pii-phone"]
    spans = sorted(hit.span for hit in find(text, "zh"))
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
