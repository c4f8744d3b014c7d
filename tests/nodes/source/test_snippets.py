"""Code is found where it stands, with spans that are true."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.source.snippets import asked, blocks


def found(text: str) -> list[tuple[str, str, bool]]:
    return [(one.language, one.code, one.closed) for one in blocks(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no code", []),
        ("```python\nx = 1\n```", [("python", "x = 1", True)]),
        ("```Python\nx = 1\n```\n~~~\ny\n~~~", [("python", "x = 1", True), ("", "y", True)]),
        ("```\n```", [("", "", True)]),
        ("```py\nx = 1", [("py", "x = 1", False)]),
        ("````\n```\nx\n```\n````", [("", "```\nx\n```", True)]),
        ("- item\n  ```python\n  if x:\n      y\n  ```", [("python", "if x:\n    y", True)]),
        ("```c++\nint x;\n```", [("c++", "int x;", True)]),
        ("inline ``` no fence", []),
        ("```python\nx =\u00a01\n```", [("python", "x = 1", True)]),
        ("```python\n```python\nx\n```", [("python", "```python\nx", True)]),
    ],
)
def test_fenced_blocks(text: str, expected: list[tuple[str, str, bool]]) -> None:
    assert found(text) == expected


def code(text: str) -> str | None:
    one = asked(text)
    return one[0].code if one else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What?\n```python\nx = 1\n```", "x = 1"),
        ("What?\n```\nx = 1\n```", "x = 1"),
        ("What?\n```js\nx = 1\n```", None),
        ("```python\nx = 1\n```\n```python\ny = 1\n```", None),
        ("```python\nx = 1", None),
        (
            "What does this print?\nx = 1\nfor i in range(3):\n    x += i\nprint(x)",
            "x = 1\nfor i in range(3):\n    x += i\nprint(x)",
        ),
        ("x = 1\nprint(x)\n输出什么？", "x = 1\nprint(x)"),
        ("这段代码打印什么：`for i in range(3): print(i)`", "for i in range(3): print(i)"),
        ("简述这段代码：'for i in range(1, 11): print(i)'", "for i in range(1, 11): print(i)"),
        ("Is `sorted` stable?", None),
        ('Format is "type1: word1; type2: word2".', None),
        ("a = b is an equation", None),
        ("Dear all,\n\nwhile I am away:\nprint everything.\n", None),
        ("The speed v = 3 m/s and\nthe mass m = 2 kg.\nHow much?", None),
    ],
)
def test_the_program_of_a_question(text: str, expected: str | None) -> None:
    assert code(text) == expected


def test_words_around_the_program_are_the_rest() -> None:
    one = asked("What is\n```python\nx = 1\n```\nprinted?")
    assert one
    assert one[1].split() == ["What", "is", "printed?"]


@given(st.text(alphabet="`~\n py#=x ", max_size=120))
def test_spans_hold_the_code(text: str) -> None:
    for one in blocks(text):
        inside = text[slice(*one.span)]
        assert [line.strip() for line in one.code.splitlines()] == [
            line.strip() for line in inside.rstrip("\n").splitlines()
        ]
        assert one.whole[0] <= one.span[0] <= one.span[1] <= one.whole[1]
