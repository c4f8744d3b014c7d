"""Finds source code in a text: fenced blocks, and code that stands in a question without a fence."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from nodes.source.syntax import tree

PYTHON = frozenset(("python", "python3", "py", "py3"))
OUTPUT = frozenset(("output", "text", "plaintext", "txt", "console", "shell", "bash", "sh", "stdout"))
_FENCE = re.compile(r"[ \t]{0,12}(`{3,}|~{3,})[ \t]*([\w+#.-]*)")
_INLINE = re.compile(r"(?<!`)`([^`\n]{8,400})`(?!`)|[‘“'\"]([^‘’“”\n]{8,400}:[^‘’“”\n]{2,200})[’”'\"]")
_CODE_LINE = re.compile(
    r"\s*(?:def |class |for |while |if |elif |else:|try:|except|finally:|with |return\b|import |from \w+ import|print\("
    r"|raise |assert |@\w|#|(?:[A-Za-z_][\w.]*(?:\[[^\]]*\])?(?:, *[A-Za-z_]\w*)*) *[-+*/|&]?= ?\S"
    r"|[A-Za-z_][\w.]*\(.*\)\s*$)"
)


@dataclass(frozen=True)
class Block:
    """One piece of code in a text."""

    language: str
    """Lower case as in the fence; empty where nothing is said."""
    code: str
    span: tuple[int, int]
    """Start and end (characters) of the code in the text."""
    whole: tuple[int, int]
    """The same with its fences."""
    closed: bool = True
    """False when the text ends before the fence does."""

    @property
    def is_python(self) -> bool:
        """Said to be Python, or said to be nothing and read as Python."""
        return self.language in PYTHON or (not self.language and bool(tree(self.code)))


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a text, in order."""
    found: list[Block] = []
    opened: tuple[str, str, int, int] | None = None
    place = 0
    for line in text.splitlines(keepends=True):
        fence = _FENCE.match(line)
        if opened is None and fence and "`" not in line[fence.end() :]:
            opened = (fence[1], fence[2].lower(), place, place + len(line))
        elif (
            opened
            and fence
            and fence[1][: len(opened[0])] == opened[0]
            and not line[fence.end() :].strip()
            and not fence[2]
        ):
            found.append(_block(text, opened, place, place + len(line), True))
            opened = None
        place += len(line)
    if opened:
        found.append(_block(text, opened, len(text), len(text), False))
    return found


def _block(text: str, opened: tuple[str, str, int, int], end: int, after: int, closed: bool) -> Block:
    _, language, start, inside = opened
    code = text[inside:end].replace("\u00a0", " ")
    indent = re.match(r"[ \t]*", text[start:inside])
    if indent and indent[0]:
        # A fence inside a list item: its code is indented with it.
        code = re.sub(rf"^{indent[0]}", "", code, flags=re.MULTILINE)
    return Block(language, code.rstrip("\n"), (inside, end), (start, after), closed)


def asked(text: str) -> tuple[Block, str] | None:
    """The one Python program of a question, and the words around it; None when there is none or more than one."""
    fenced = blocks(text)
    if fenced:
        if len(fenced) > 1 or not fenced[0].closed or not (fenced[0].language in PYTHON or not fenced[0].language):
            return None
        block = fenced[0]
    else:
        found = _bare(text) or _inline(text)
        if found is None:
            return None
        block = found
    return block, text[: block.whole[0]] + "\n" + text[block.whole[1] :]


def _bare(text: str) -> Block | None:
    """Code without a fence: from the first line that looks like code to the last one, if that parses."""
    lines = text.splitlines(keepends=True)
    coded = [at for at, line in enumerate(lines) if _CODE_LINE.match(line)]
    if len(coded) < 2:
        return None
    first, last = coded[0], coded[-1] + 1
    while last < len(lines) and lines[last][:1] in (" ", "\t") and lines[last].strip():
        last += 1
    code = "".join(lines[first:last])
    module = tree(code)
    if module is None or all(isinstance(one, ast.Expr) for one in module.body):
        return None
    start = len("".join(lines[:first]))
    span = (start, start + len(code))
    return Block("", code.rstrip("\n"), span, span)


def _inline(text: str) -> Block | None:
    """One line of code in backticks or quotes that is more than a name or a call."""
    found = []
    for match in _INLINE.finditer(text[:4_000]):
        group = 1 if match[1] else 2
        module = tree(match[group])
        if module and not isinstance(module.body[0], ast.AnnAssign) and _CODE_LINE.match(match[group]):
            found.append(Block("", match[group], match.span(group), match.span()))
    return found[0] if len(found) == 1 else None
