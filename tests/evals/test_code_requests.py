"""The gold of the code requests, proved by running their programs in the sandbox."""

from __future__ import annotations

import ast
import builtins
import json
import re
import symtable
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nodes.sandbox import Limits, run

CASES = [json.loads(line) for line in Path("evals/requests/code.jsonl").read_text(encoding="utf-8").splitlines()]
AFFIRMED = {("en", True): "yes", ("en", False): "no", ("zh", True): "是", ("zh", False): "否"}
PROFILED = """import sys
seen = []
def note(frame, event, argument):
    if event == "call" and frame.f_code.co_filename == "told" and frame.f_code.co_name != "<module>":
        seen.append(frame.f_code.co_name)
told = compile({source!r}, "told", "exec")
sys.setprofile(note)
exec(told, {{}})
sys.setprofile(None)
print(", ".join(seen))
"""


def snippet(text: str) -> str:
    found = re.search(r"```python\n(.*?)\n```", text, re.DOTALL)
    assert found
    return found[1]


def printed(source: str, seconds: float = 30) -> str:
    """What it prints, and how it ended where that was not well."""
    done = run(source, Limits(seconds=seconds))
    return done.stdout.strip() if done.status == "ok" else f"{done.status} {done.raised}".strip()


def tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from tables(child)


def unbound(source: str) -> list[str]:
    top = symtable.symtable(source, "told", "exec")
    known = {one.get_name() for one in top.get_symbols() if one.is_assigned() or one.is_namespace()} | set(
        dir(builtins)
    )
    used = {one.get_name() for table in tables(top) for one in table.get_symbols() if one.is_global()}
    return sorted(used - known)


def parses(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def proved(case: dict[str, Any]) -> str:
    """The gold that really running the program gives."""
    source, proof = snippet(case["text"]), case["proof"]
    match proof["kind"]:
        case "prints":
            return printed(source)
        case "lines":
            return str(len(printed(source).splitlines()))
        case "returns":
            return printed(f"{source}\nprint('->', {proof['call']})").rpartition("-> ")[2]
        case "raises":
            return run(source, Limits(seconds=30)).raised
        case "line":
            return str(run(source, Limits(seconds=30)).line)
        case "valid":
            return AFFIRMED[case["lang"], parses(source)]
        case "calls":
            return printed(PROFILED.format(source=source))
        case "unbound":
            return ", ".join(unbound(source))
        case "mended":
            lines = source.split("\n")
            lines[proof["line"] - 1] = proof["with"]
            call = f"\nprint({proof['call']})"
            sick, well = printed(source + call, 30 if proof["wrong"] else 1), printed("\n".join(lines) + call)
            return (
                str(proof["line"])
                if (sick, well) == (proof["wrong"] or "timeout", proof["right"])
                else f"{sick} {well}"
            )
    raise AssertionError(proof)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_gold_is_proved(case: dict[str, Any]) -> None:
    assert proved(case) == case["gold"]


def test_a_wrong_program_is_not_proved() -> None:
    case = {"lang": "en", "text": "```python\nprint(1\n```", "proof": {"kind": "prints"}}
    assert proved(case) == "error SyntaxError"


def test_halves_and_languages() -> None:
    assert len({case["id"] for case in CASES}) == len({case["text"] for case in CASES}) == 48
    counts = Counter((case["lang"], case["half"]) for case in CASES)
    assert counts == dict.fromkeys([(lang, half) for lang in ("en", "zh") for half in ("dev", "closing")], 12)
    assert all(bool(re.search(r"[\u4e00-\u9fff]", case["text"])) == (case["lang"] == "zh") for case in CASES)
