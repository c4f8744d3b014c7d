"""Programs in a reply and what the reply says they print: a small model writes both, and invents the second.

A program is a closed Python block; its stated output is the block behind it, said to be output or said to be nothing,
or the words behind a label ("Output:", "输出："). Only programs with a `print` count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nodes.source.snippets import OUTPUT, PYTHON, Block, blocks

_LABEL = re.compile(
    r"[\s*#>]*(?:the )?(?:program(?:'s)? |code(?:'s)? |expected )?(?:output|result)s?(?: of [^\n:]{1,40})?"
    r"(?: is| will be)?[*\s]*[:：][*\s]*"
    r"|[\s*#>]*(?:程序|代码|运行|执行)?(?:的)?(?:输出|结果)(?:结果|为|是)*[*\s]*[:：][*\s]*",
    re.IGNORECASE,
)
_BETWEEN = 240
"""Characters between a program and its output block."""


@dataclass(frozen=True)
class Claim:
    """One program and the output that is claimed for it."""

    program: Block
    stated: str
    span: tuple[int, int]
    """Start and end (characters) of the stated output in the text."""


def claims(text: str) -> list[Claim]:
    """Every program of the text with the output that it states, in order."""
    return list(_claims(text, blocks(text)))


def _claims(text: str, found: list[Block]) -> Iterator[Claim]:
    for at, block in enumerate(found):
        if block.language not in PYTHON or not block.closed or "print" not in block.code:
            continue
        after = found[at + 1] if at + 1 < len(found) else None
        gap = text[block.whole[1] : after.whole[0]] if after else ""
        if after and after.closed and len(gap) <= _BETWEEN and _is_output(after, gap):
            if after.code.strip():
                yield Claim(block, after.code, after.span)
        elif labelled := _labelled(text, block.whole[1], after.whole[0] if after else len(text)):
            yield Claim(block, text[slice(*labelled)], labelled)


def _is_output(block: Block, gap: str) -> bool:
    if block.language == "output":
        return True
    said = re.search(r"output|print|result|displays?|输出|打印|结果|显示", gap, re.IGNORECASE)
    return block.language in OUTPUT | {""} and (bool(said) or (not gap.strip() and not block.language))


def _labelled(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The line behind a label right after the program."""
    line = re.compile(r"\s*").match(text, start, end)
    place = line.end() if line else start
    match = _LABEL.match(text, place, min(end, place + 120))
    if match is None:
        return None
    stop = text.find("\n", match.end(), end)
    stop = end if stop < 0 else stop
    value = text[match.end() : stop].strip()
    return (match.end(), stop) if value and len(value) <= 200 else None


def agree(real: str, stated: str) -> bool:
    """Equal line by line: as text, or with the same words around numbers that are equal when rounded as stated."""
    left = [line.strip() for line in real.strip().splitlines() if line.strip()]
    right = [line.strip().strip("`") for line in stated.strip().splitlines() if line.strip()]
    return len(left) == len(right) and all(map(_same_line, left, right))


_NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?(?!\w)")


def _same_line(real: str, stated: str) -> bool:
    if " ".join(real.split()) == " ".join(stated.split()):
        return True
    if " ".join(_NUMBER.sub("#", real).split()) != " ".join(_NUMBER.sub("#", stated).split()):
        return False
    return all(map(_same_number, _NUMBER.findall(real), _NUMBER.findall(stated)))


def _same_number(real: str, stated: str) -> bool:
    """Equal as numbers, or real rounds to what is stated, or is cut to it."""
    exact, said = float(real.replace(",", "")), float(stated.replace(",", ""))
    if abs(exact - said) <= abs(exact) * 1e-9:
        return True
    unit = 10.0 ** -len(stated.partition(".")[2])
    cut = 0 <= abs(exact) - abs(said) < unit and exact * said > 0
    return "." in stated and (cut or abs(exact - said) <= unit / 2)
