"""What a question wants of its program, in both languages; anything else is nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nodes.source.questions import LONGEST, expressions, read

CASES = [json.loads(line) for line in Path("evals/requests/code.jsonl").read_text(encoding="utf-8").splitlines()]
F = "\n```python\ndef f(n):\n    print(n)\n    return n + 1\n\ntotal = f(1)\n```"
BAD = "\n```python\ndef f(n)\n    return n\n```"
KINDS = {"mended": None, "returns": ("returns", "value")}


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_its_own_requests(case: dict[str, Any]) -> None:
    kind = case["proof"]["kind"]
    asked = read(case["text"])
    expected = KINDS.get(kind, (kind,))
    assert (asked and asked.kind) in (expected or (None,))


@pytest.mark.parametrize(
    ("words", "kind", "expression"),
    [
        ("What does this print?", "prints", ""),
        ("Predict the output.", "prints", ""),
        ("程序的运行结果是什么？", "prints", ""),
        ("输出是？", "prints", ""),
        ("What does f(3) return?", "returns", "f(3)"),
        ("What does f(3) print?", "prints", "f(3)"),
        ("Trace the call f([1, (2)]) and give the return value.", "returns", "f([1, (2)])"),
        ('What is f("a)  b") equal to? Give the value.', "returns", 'f("a)  b")'),
        ("求 f(3) 的值。", "returns", "f(3)"),
        ("f(3) 返回什么？", "returns", "f(3)"),
        ("What is f('write, explain, fix it', 'also') equal to?", "returns", "f('write, explain, fix it', 'also')"),
        ("f(3) == ?", "returns", "f(3)"),
        ("Complete the assertion: assert f(3) == ??", "returns", "f(3)"),
        ("运行 f(3) 会得到什么？", "returns", "f(3)"),
        ("What is the value of total at the end?", "value", "total"),
        ("最后 total 的值是多少？", "value", "total"),
        ("How many lines does it print?", "lines", ""),
        ("一共打印几行？", "lines", ""),
        ("Which exception is raised?", "raises", ""),
        ("会抛出哪种异常？", "raises", ""),
        ("会报什么错误？只写类名", "raises", ""),
        ("On which line is the exception raised?", "line", ""),
        ("第几行会抛出异常？", "line", ""),
        ("Is this valid Python? Answer yes or no.", "valid", ""),
        ("这段代码的语法正确吗？", "valid", ""),
        ("Does it contain a syntax error?", "invalid", ""),
        ("有语法错误吗？", "invalid", ""),
        ("In which order are the functions called?", "calls", ""),
        ("函数按什么顺序被调用？", "calls", ""),
        ("Which name is never defined?", "unbound", ""),
        ("哪个变量没有定义？", "unbound", ""),
    ],
)
def test_kinds(words: str, kind: str, expression: str) -> None:
    for question in (words + F, F + "\n" + words):
        asked = read(question)
        assert asked
        assert (asked.kind, asked.expression) == (kind, expression)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "What does f(3) return?",
        "Explain what this prints." + F,
        "Why does this print 1?" + F,
        "Fix the output of this." + F,
        "Write a test that prints f(3)." + F,
        "What does f(3) return, and what does f(4) return?" + F,
        "f(3) should return 5. Which line is wrong?" + F,
        "Which line holds the bug?" + F,
        "错误在第几行？" + F,
        "解释这段代码的输出。" + F,
        "请改写这段程序，使它输出2。" + F,
        "f(3) 本应返回 5，请修改。" + F,
        "What happens when f(3) is called?" + F,
        "How many elements does f(3) return?" + F,
        "What type does f(3) return?" + F,
        "How many times is f(3) called?" + F,
        "f(3) 返回几个元素？" + F,
        "Which exception does f('x') raise?" + F,
        "What does g(3) return?" + F.replace("print", "len"),
        "What does this print?" + BAD,
        "What is its time complexity?" + F,
        "How do I avoid the exception?" + F,
        "Which named entities appear here? Also: what does f(3) return?" + F,
        "What does this print?" + F.replace("python", "java"),
        "What does this print? " + "Please think about it. " * (LONGEST // 20) + F,
        "What does f(3 return?" + F.replace("print", "len"),
        "这段代码的功能是什么？" + F,
        "这个函数的作用是打印什么？" + F,
    ],
)
def test_anything_else_is_nothing(question: str) -> None:
    assert read(question) is None


def test_validity_is_asked_of_what_does_not_parse() -> None:
    asked = read("Is this valid Python syntax? yes or no" + BAD)
    assert asked
    assert asked.kind == "valid"


G = "```python\ndef g(a):\n    return a * 2\n"


@pytest.mark.parametrize(
    ("question", "expression"),
    [
        (f"Fill in the value.\n{G}\nassert g(3) == ??\n```", "g(3)"),
        (f"Complete the assert statement.\n{G}assert g([1, 2]) ==\n```", "g([1, 2])"),
        (f"补全断言：\n{G}assert g('==') == ____\n```", "g('==')"),
        (f"What is the result of the last line?\n{G}\ng(4)\n```", "g(4)"),
        (f"最后一行返回什么？\n{G}\ng(4)\n```", "g(4)"),
    ],
)
def test_expressions_inside_the_program(question: str, expression: str) -> None:
    asked = read(question)
    assert asked
    assert (asked.kind, asked.expression, asked.source.strip()) == ("returns", expression, G[10:].strip())


@pytest.mark.parametrize(
    ("around", "expected"),
    [
        ("f(1)", ["f(1)"]),
        ("f(f(1)), f(2)", ["f(f(1))", "f(2)"]),
        ("f(')')", ["f(')')"]),
        (r"f('\')')", [r"f('\')')"]),
        ("f([1, {2: (3)}])?", ["f([1, {2: (3)}])"]),
        ("f(", []),
        ("f(1 2)", []),
        ("x.f(1)", []),
        ("g(1)", []),
    ],
)
def test_calls_in_words(around: str, expected: list[str]) -> None:
    assert expressions(around, "def f(n): pass") == expected
