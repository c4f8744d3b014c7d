"""Programs of assignments: run exactly, in many spellings, and never executed."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.arithmetic import ArithmeticFault
from nodes.programs import Line, result, run


@pytest.mark.parametrize(
    ("program", "value"),
    [
        ("rate = 12  # dollars\nhours = 50 / 60\nanswer = rate * hours", 10),
        ("```python\nimport math\na = 1_000\nb: int = 7\nanswer = math.ceil(a / b)\nprint(answer)\n```", 143),
        ("So we get:\n```\nanswer = 4\n```\nDone.", 4),
        ("单价 = 3 # 元\n数量 = 5\nanswer = 单价 × 数量", 15),
        ("25 + 9 = 34", 34),
        ("a = 50%\nanswer = 200 * a", 100),
        ("answer = 17 % 5 + 17 // 5", 5),
        ("answer = round(2 / 3, 2)", Fraction(67, 100)),
        ("answer = 2 * 5 feet = 12 feet", 10),
        ("a = 1; b = 2; a + b", 3),
        ("answer = 3\ncheck = 4", 3),
        ("a = 1\na = a + 1\nanswer = a", 2),
        ("# only a comment\n\nanswer = int(7 / 2)", 3),
    ],
)
def test_the_result(program: str, value: Fraction) -> None:
    assert result(run(program)).value == value


def test_lines_show_numbers_and_the_whole_expression() -> None:
    lines = run("rate = 12  # dollars per hour\nminutes = 50\nhours = minutes / 60\nanswer = rate / hours")
    assert lines[0] == Line("rate", "12", "12", "12", Fraction(12), "dollars per hour")
    assert [line.given for line in lines] == [True, True, False, False]
    assert lines[3].numbers == "12 / (5/6)"
    assert lines[3].whole == "12 / (50 / 60)"


@pytest.mark.parametrize(
    "program",
    [
        "",
        "# nothing",
        "print(1)",
        "import os",
        "answer = x + 1",
        "answer = 1 / 0",
        "answer = __import__('os').system('true')",
        "answer = [1, 2]",
        "answer = 'text'",
        "for i in range(3):\n    answer = i",
        "answer += 1",
        "answer = 9 ** 9 ** 9",
        "answer = open('/etc/passwd').read()",
        "a == 1",
        "```python\n```",
    ],
)
def test_what_is_no_arithmetic_is_a_fault(program: str) -> None:
    with pytest.raises(ArithmeticFault):
        run(program)


def test_programs_that_double_forever_stay_small() -> None:
    lines = run("a = 1 + 0\n" + "a = a + a\n" * 50)
    assert result(lines).value == 2**50
    assert all(len(line.whole) <= 600 for line in lines)


@given(st.text(alphabet="answerb = 0123456789+-*/()%.#\n_,;x", max_size=120))
def test_any_text_is_run_or_refused(program: str) -> None:
    with suppress(ArithmeticFault):
        assert isinstance(result(run(program)).value, Fraction)
