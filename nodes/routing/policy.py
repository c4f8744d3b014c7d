"""How many lines of reasoning a request is worth, by its labels; the rule of REQUIREMENTS A1 is the baseline beside it.

Extraction, translation, plain style and format, and plain knowledge gain nothing from several paths or lose by them
(A10): one path. Numbers, logic, code and contradicting documents gain most: up to eight, in waves that stop early.
A deadline that leaves no time for them, and load, lower the number.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from nodes.contracts import Budget, Request
from nodes.lexicon import distinct
from nodes.routing.excerpt import spread
from nodes.specialists import OTHER

REASONING = frozenset({"numeric", "logic", "code"})
GIVEN_TEXT = frozenset({"entity", "relation", "style"})
"""Labels whose request carries a text to work on: numbers and conditions in it say nothing about the task."""
MODES: dict[str, tuple[Budget, str]] = {
    "light": (1, "mode light"),
    "deep": (8, "mode deep"),
    "1": (1, "as asked"),
    "2": (2, "as asked"),
    "4": (4, "as asked"),
    "8": (8, "as asked"),
}
SHORT, HURRIED = 10.0, 30.0
"""Seconds of deadline below which there is one path, or four at the most."""
LOADED, FULL = 0.8, 0.95
"""Share of the engine in use from which there are four paths at the most, or one."""

REASONING_WORDS = re.compile(r"\b(?:prove|reason|explain|why|if|assume|verify|compare|compute)\b", re.IGNORECASE)
REASONING_WORDS_ZH = re.compile("证明|推理|解释|为什么|如果|假设|验证|比较|计算")
LONG_WORDS, LONG_CHARACTERS = 50, 80
"""A text is long over so many English words, or so many characters of Chinese."""
DEEP_ASKED = re.compile(
    r"深度(?:解答|思考|分析|回答|推理)|深入(?:思考|分析)|仔细(?:思考|推敲)"
    r"|\b(?:think (?:very )?(?:hard|deeply|carefully)|(?:deep|in[- ]depth) (?:answer|analysis|reasoning))\b",
    re.IGNORECASE,
)
CONTRADICTION = re.compile(
    r"\b(?:contradict\w*|inconsisten\w+|conflicting|disagree\w*|discrepanc\w+|at odds)\b"
    r"|矛盾|不一致|相互冲突|说法不同|出入|口径不",
    re.IGNORECASE,
)
SOURCES = re.compile(
    r"\b(?:documents?|reports?|sources?|articles?|statements?|versions?|memos?|contracts?|witness\w*)\b"
    r"|文档|文件|报告|材料|报道|来源|版本|合同|条款|证词|两份|两篇",
    re.IGNORECASE,
)
_ONE_STEP = 24
"""Characters (English: times three) below which a bare sum or a yes-no question is one step."""


def difficulty_of(request: Request) -> tuple[int, str]:
    """The rule of REQUIREMENTS A1: different reasoning words, plus one for length; and what counted."""
    text = request.question
    words = distinct(REASONING_WORDS, text) + distinct(REASONING_WORDS_ZH, text)
    chinese = request.language == "zh"
    # Words are only counted where the answer is open, so that 100 kB cost no more than a split of their head.
    length = len(text.strip()) > LONG_CHARACTERS if chinese else len(text[: 40 * LONG_WORDS].split()) > LONG_WORDS
    return len(words) + length, ", ".join(words + ["length"] * length) or "no reasoning word, short"


def baseline(difficulty: int) -> Budget:
    """What the rule of A1 alone would open."""
    return 1 if difficulty <= 1 else 4 if difficulty <= 3 else 8


def budget_of(
    request: Request, difficulty: int, top: str, labels: Collection[str], load: float = 0.0
) -> tuple[Budget, str]:
    """How many branches, and the rule that says so. `load` = share of the engine in use, 0 to 1."""
    if request.mode in MODES:
        return MODES[request.mode]
    budget, why = _wanted(request, difficulty, top, labels)
    most, because = _allowed(request.deadline, load)
    return (most, f"{why}; {because}") if most < budget else (budget, why)


def _wanted(request: Request, difficulty: int, top: str, labels: Collection[str]) -> tuple[Budget, str]:
    text = spread(request.question)
    if deep := DEEP_ASKED.search(text):
        return 8, f"a deep answer is asked for ({deep[0]})"
    if (found := CONTRADICTION.search(text)) and SOURCES.search(text) and top not in ("code", "style"):
        return 8, f"documents may contradict ({found[0]})"
    reasoning = sorted(REASONING & {*labels, top})
    if top == OTHER and not reasoning and baseline(difficulty) == 8:
        return 8, "four or more signs of difficulty"
    if not reasoning or top in GIVEN_TEXT:
        return 1, f"{top} gains nothing from several paths"
    if difficulty == 0 and _one_step(request):
        return 1, f"{reasoning[0]}, but one step"
    return 8, f"{' and '.join(reasoning)} may gain from up to eight"


def _one_step(request: Request) -> bool:
    """A short question with at most two numbers and no second clause: the rest of a budget would repeat one line."""
    text = request.question.strip()
    room = _ONE_STEP if request.language == "zh" else 3 * _ONE_STEP
    return len(text) <= room and len(re.findall(r"\d+(?:\.\d+)?", text)) <= 2 and not re.search(r"[,;，；]|\n", text)


def _allowed(deadline: float | None, load: float) -> tuple[Budget, str]:
    """The most that deadline and load leave room for."""
    if deadline is not None and deadline < SHORT:
        return 1, f"{deadline:g} s leave time for one"
    if load >= FULL:
        return 1, f"the engine is {load:.0%} in use"
    if deadline is not None and deadline < HURRIED:
        return 4, f"{deadline:g} s leave time for four"
    return (4, f"the engine is {load:.0%} in use") if load >= LOADED else (8, "")
