"""Personal data in a text, by format and checksum: numbers that merely look alike (orders, books, shares) stay."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from phonenumbers import Leniency, PhoneNumberMatcher, PhoneNumberType, number_type
from stdnum import luhn
from stdnum.cn import ric

from nodes.contracts import Hit, Language

NOTICES: dict[str, dict[str, str]] = {
    "pii-id": {"en": "an identity number was masked", "zh": "已隐去身份证号"},
    "pii-card": {"en": "a bank card number was masked", "zh": "已隐去银行卡号"},
    "pii-phone": {"en": "a telephone number was masked", "zh": "已隐去电话号码"},
    "pii-email": {"en": "an e-mail address was masked", "zh": "已隐去电子邮箱"},
}
_PROVINCES = frozenset(
    "11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83".split()  # noqa: SIM905
)
_EMAIL = re.compile(r"(?<![\w.+-])[A-Za-z0-9][\w.+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24}(?![\w@-])", re.ASCII)
_IDENTITY = re.compile(r"(?<![0-9A-Za-z])\d{17}[\dXx](?![0-9A-Za-z])")
_CARD = re.compile(r"(?<![\d.-])(?:\d[ -]?){12,18}\d(?![\d-])")
_ISSUERS = re.compile(
    r"(?:62\d{14,17}|4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|35\d{14}|60\d{14}|65\d{14})$"
)
"""Beginnings and lengths of UnionPay, Visa, Mastercard, American Express, JCB and Discover (ISO/IEC 7812)."""
_REGIONS: dict[str, str] = {"en": "US", "zh": "CN"}
_LIKE_A_PHONE = re.compile(r"\d(?:[\s().\-/\u2010-\u2015\u2212\uff08\uff09\uff0d\uff0e\u3000~]{0,3}\d){6}")
"""Seven digits with no more between two of them than the signs that a telephone number is written with."""
_REACHES_A_PERSON = frozenset(
    {
        PhoneNumberType.MOBILE,
        PhoneNumberType.FIXED_LINE_OR_MOBILE,
        PhoneNumberType.PERSONAL_NUMBER,
        PhoneNumberType.VOIP,
    }
)


def find(text: str, language: Language) -> list[Hit]:
    """Every span of personal data; spans do not overlap, the more certain kind wins."""
    taken: list[tuple[int, int]] = []
    found = []
    for rule, start, end in _candidates(text, language):
        if all(end <= other[0] or start >= other[1] for other in taken):
            taken.append((start, end))
            found.append(Hit(rule=rule, severity="redact", span=(start, end), notice=NOTICES[rule][language]))
    return found


def _candidates(text: str, language: Language) -> Iterator[tuple[str, int, int]]:
    for match in _EMAIL.finditer(text):
        yield "pii-email", *match.span()
    for match in _IDENTITY.finditer(text):
        if _is_identity(match[0].upper()):
            yield "pii-id", *match.span()
    for match in _CARD.finditer(text):
        number = re.sub(r"\D", "", match[0])
        if _ISSUERS.match(number) and luhn.is_valid(number):
            yield "pii-card", *match.span()
    if not _LIKE_A_PHONE.search(text):  # the matcher costs a millisecond where there are many small numbers
        return
    for phone in PhoneNumberMatcher(text, _REGIONS[language], leniency=Leniency.VALID, max_tries=1_000):
        if number_type(phone.number) in _REACHES_A_PERSON:
            # The matcher takes an opening bracket before the number as part of it.
            lead = len(phone.raw_string) - len(phone.raw_string.lstrip("(（[【 "))
            yield "pii-phone", phone.start + (lead if phone.raw_string.count(")") == 0 else 0), phone.end


def _is_identity(number: str) -> bool:
    """Check digit (GB 11643) and a possible day of birth; the list of counties is not asked, it changes every year."""
    try:
        date(int(number[6:10]), int(number[10:12]), int(number[12:14]))
    except ValueError:
        return False
    return number[:2] in _PROVINCES and ric.calc_check_digit(number) == number[-1]
