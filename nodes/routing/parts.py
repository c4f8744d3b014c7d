"""Which part of a request goes to whom: a request that joins several tasks is cut where it says so."""

from __future__ import annotations

import re

MOST = 6
"""Parts that are told apart."""
SHORTEST = 6
"""Characters of a part that can be a task."""
READ = 12_000
"""Characters that are searched for joints."""

_ENGLISH = (
    r"(?:also|and also|then|next|first(?:ly)?|second(?:ly)?|third(?:ly)?|finally|lastly|after that|afterwards"
    r"|in addition|besides|additionally)\b\s*[,:，：]?"
)
_CHINESE = (
    r"(?:另外|此外|然后|接着|接下来|其次|首先|最后|还有|同时|再(?:请|帮|把|将)|顺便|第[一二三四][，、,]?)[，,：:]?"
)
# Inside a sentence "then" joins tasks only before an order: "if it rains, then the street is wet" is one task.
_ORDER_EN = r"(?:and )?then (?:tell|give|list|say|put|write|translate|add|count|work|show|explain|convert|return|sum)\b"
_ORDER_ZH = r"(?:然后|接着|最后|再|并)(?:算|列|写|翻译|译|用|把|将|给|告诉|说|输出|返回|总结|求)"
_JOINT = re.compile(
    rf"(?:\n\s*|(?<=[.!?。！？；;:：])\s*)(?={_ENGLISH}|{_CHINESE})|\n[^\S\n]*\n\s*"
    rf"|(?<=[,，])\s*(?={_ORDER_EN}|{_ORDER_ZH})",
    re.IGNORECASE,
)


def cut(text: str) -> list[tuple[int, int]]:
    """Spans of the tasks that a request joins, in order; one span when it joins none."""
    head = text[:READ]
    starts = [0, *dict.fromkeys(match.end() for match in _JOINT.finditer(head))]
    spans = [
        (start, end) for start, end in zip(starts, [*starts[1:], len(text)], strict=True) if end - start >= SHORTEST
    ]
    if len(spans) < 2:
        return [(0, len(text))]
    return [*spans[: MOST - 1], (spans[MOST - 1][0], len(text))] if len(spans) > MOST else spans
