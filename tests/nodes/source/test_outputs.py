"""Stated outputs: which block belongs to which program, and when two outputs are the same."""

from __future__ import annotations

import pytest

from nodes.source.outputs import agree, claims

P = "```python\nprint(4)\n```\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (P + "```output\n4\n```", ["4"]),
        (P + "```\n4\n```", ["4"]),
        (P + "This prints:\n```text\n4\n```", ["4"]),
        (P + "运行结果：\n```\n4\n```", ["4"]),
        (P + "**Output:** 4\n", ["4"]),
        (P + "The output of the program is: 4", ["4"]),
        (P + "\n\n结果是：4", ["4"]),
        (P + "```bash\nls\n```", []),
        (P + "Then run:\n```bash\nls\n```", []),
        (P + "and another way\n```\nprint(5)\n```", []),
        (P + "x" * 300 + " output\n```\n4\n```", []),
        (P + "So the answer is 4.", []),
        (P + "```output\n```", []),
        ("```python\nx = 4\n```\n```output\n4\n```", []),
        ("```js\nprint(4)\n```\n```output\n4\n```", []),
        (P + "```output\n4\n```\n" + P + "Output: 5", ["4", "5"]),
    ],
)
def test_claims(text: str, expected: list[str]) -> None:
    found = claims(text)
    assert [one.stated for one in found] == expected
    assert all(one.stated in text[slice(*one.span)] for one in found)


@pytest.mark.parametrize(
    ("real", "stated", "equal"),
    [
        ("4\n", "4", True),
        ("4", "5", False),
        ("36.0", "36", True),
        ("36", "36.00", True),
        ("3.3333333333333335", "3.33", True),
        ("6.666666666666667", "6.67", True),
        ("6.666666666666667", "6.66", True),
        ("6.666666666666667", "6.7", True),
        ("6.666666666666667", "6.65", False),
        ("6.666666666666667", "7", False),
        ("1234567", "1,234,567", True),
        ("-3.14159", "-3.14", True),
        ("-3.14159", "3.14", False),
        ("Total: 12.50 dollars", "Total: 12.5 dollars", True),
        ("Total: 12", "Sum: 12", False),
        ("a\nb", "a", False),
        ("a\n\nb\n", " a\nb ", True),
        ("[1, 2]", "[1, 2]", True),
        ("", "", True),
    ],
)
def test_agreement(real: str, stated: str, equal: bool) -> None:
    assert agree(real, stated) == equal
