"""What can be seen of a branch beside its answer, as numbers: candidates for evidence, measured before they are used.

A signal helps to select only when it tells right from wrong *among the branches of one question* (within-question
discrimination, CISC, arXiv 2502.06233): `discrimination` counts the (right, wrong) pairs of each question. Larger
should mean better for every signal. Values are comparable within a question only.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from evals.judging import Branch, Question
from nodes import answers
from nodes.answers import Value
from nodes.contracts import Camp
from nodes.notation import plain_signs
from nodes.recomputing import number_of

TAIL = 64
"""Generated tokens that count as the end of a reply."""
WINDOW = 32
"""Tokens of the window whose lowest mean is taken (DeepConf, arXiv 2508.15260)."""
TEXT = 20_000
"""Characters of a reply that are looked at."""
_RESULT = re.compile(r"[=≈]\s*[$€£¥]?\s*(-?\d{1,15}(?:,\d{3})*(?:\.\d{1,12})?)(?![\d.]*\s*[-+*/×÷^])")
_NUMBER = re.compile(r"(?<![\w.])\d{1,15}(?:,\d{3})*(?:\.\d{1,12})?(?!\w)")
_CODE = re.compile(r"```\s*(?:python|py)\b|^\s*(?:def \w+\(|import \w+|print\()", re.MULTILINE)
_COUNTED = re.compile(
    r"\bhow many (?!(?:more |fewer )?(?:hours|minutes|seconds|miles|pounds|ounces|gallons|liters|kilo\w*|met\w+|feet"
    r"|inches|percent|tons|acres|degrees|dollars)\b)|多少(?:个|人|只|本|辆|名|位|张|件|条|支|棵|次)|几(?:个|人|只|本|辆|名|位|张|件|条|支|棵|次)",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"-?\d{1,30}(?:\.\d{1,30})?|-?\d{1,30}/[1-9]\d{0,29}")
FLAGS = ("truncated", "repeating", "mixed_language", "no_steps", "unclosed_thinking")


@dataclass(frozen=True)
class Seen:
    """One branch that answered, with what its text holds."""

    branch: Branch
    value: Value
    results: frozenset[Fraction]
    """Numbers that stand behind an equals sign."""
    numbers: frozenset[Fraction]
    """All numbers of the text."""
    votes: int
    """Size of its camp."""


def seen(question: Question, camps: Sequence[Camp]) -> list[Seen]:
    """The branches that answered."""
    size = {source: camp.votes for camp in camps for source in camp.sources}
    found = []
    for branch in question.branches:
        one = branch.candidate
        if one.source in size:
            text = plain_signs(one.text[:TEXT]).text
            found.append(
                Seen(
                    branch=branch,
                    value=answers.parse(one.answer, question.context),
                    results=_numbers(_RESULT, text),
                    numbers=_numbers(_NUMBER, text),
                    votes=size[one.source],
                )
            )
    return found


def _numbers(pattern: re.Pattern[str], text: str) -> frozenset[Fraction]:
    return frozenset(Fraction(found.replace(",", "")) for found in pattern.findall(text))


Signal = Callable[[Question, Seen, Sequence[Seen]], float | None]
"""From the question, the branch and all branches that answered; None = it says nothing here."""


def sure_mean(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:  # noqa: ARG001
    """Mean probability of the answer span."""
    return one.branch.candidate.confidence.mean if one.branch.candidate.confidence else None


def sure_low(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:  # noqa: ARG001
    """Lowest probability in the answer span."""
    return one.branch.candidate.confidence.low if one.branch.candidate.confidence else None


def sure_margin(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:  # noqa: ARG001
    """Mean distance to the next best token over the answer span; only where margins were recorded."""
    confidence = one.branch.candidate.confidence
    return confidence.margin if confidence and one.branch.sample.margins else None


def sure_tail(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:  # noqa: ARG001
    """Mean log-probability of the last tokens."""
    return _mean([value for _, value in one.branch.sample.tokens[-TAIL:]])


def sure_text(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:  # noqa: ARG001
    """Mean log-probability of the whole reply."""
    return _mean([value for _, value in one.branch.sample.tokens])


def sure_window(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:  # noqa: ARG001
    """Lowest mean log-probability of any window."""
    values = [value for _, value in one.branch.sample.tokens]
    if len(values) <= WINDOW:
        return _mean(values)
    total = lowest = math.fsum(values[:WINDOW])
    for entering, leaving in zip(values[WINDOW:], values, strict=False):
        total += entering - leaving
        lowest = min(lowest, total)
    return lowest / WINDOW


def steps_unfailed(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:  # noqa: ARG001
    """Minus the number of arithmetic steps that are recomputed to something else."""
    return -float(_steps(one)["fail"])


def steps_passed(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:  # noqa: ARG001
    """Number of arithmetic steps that are recomputed to the same."""
    return float(_steps(one)["pass"])


def ends_in_step(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:  # noqa: ARG001
    """Whether the answer is the value of a step that was recomputed to the same."""
    number = number_of(one.value)
    checks = one.branch.candidate.checks
    return float(any(check.outcome == "pass" and _value(check.found) == number is not None for check in checks))


def grounded(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:  # noqa: ARG001
    """Share of the operands of its arithmetic that are givens of the question or values of earlier steps."""
    known, inside, total = set(question.context.numbers), 0, 0
    for check in one.branch.candidate.checks:
        if check.kind == "arithmetic":
            operands = _numbers(_NUMBER, plain_signs(check.claim).text.rpartition("=")[0])
            inside, total = inside + len(operands & known), total + len(operands)
            value = _value(check.found)
            known |= {value} if value is not None else set()
    return inside / total if total else None


def _value(found: str) -> Fraction | None:
    return Fraction(found) if _PLAIN.fullmatch(found) else None


def _steps(one: Seen) -> Counter[str]:
    return Counter(check.outcome for check in one.branch.candidate.checks if check.kind == "arithmetic")


def prose(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:  # noqa: ARG001
    """0 for a reply that holds a program: nobody ran it, so the output that it shows is invented."""
    return 0.0 if _CODE.search(one.branch.candidate.text[:TEXT]) else 1.0


def unflagged(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:  # noqa: ARG001
    """Minus the number of flags on the candidate."""
    return -float(sum(flag in FLAGS for flag in one.branch.candidate.flags))


def brevity(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:  # noqa: ARG001
    """Minus the generated tokens."""
    return -float(one.branch.candidate.usage.completion)


def whole_count(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:  # noqa: ARG001
    """Where things are counted: whether the answer is a whole number and not below zero."""
    number = number_of(one.value)
    if not _COUNTED.search(question.request.question):
        return None
    return float(number is not None and number.denominator == 1 and number >= 0)


def numeric(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:  # noqa: ARG001
    """Whether the answer is a number where most are."""
    numbers = sum(number_of(other.value) is not None for other in all_)
    return None if 2 * numbers <= len(all_) else float(number_of(one.value) is not None)


def not_copied(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:  # noqa: ARG001
    """0 when the answer is one of the question's own numbers."""
    return float(number_of(one.value) not in question.context.numbers)


def derived(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:  # noqa: ARG001
    """Whether the answer stands behind an equals sign of its own text."""
    return float(number_of(one.value) in one.results)


def givens_used(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:  # noqa: ARG001
    """Share of the question's numbers that the text mentions."""
    givens = question.context.numbers
    return len(givens & one.numbers) / len(givens) if givens else None


def shared_steps(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:
    """How many of the other branches state its intermediate results, on average."""
    own = one.results - question.context.numbers - {number_of(one.value)}
    others = [other for other in all_ if other is not one]
    if not own or not others:
        return None
    return sum(sum(result in other.results for other in others) for result in own) / (len(own) * len(others))


def shared_elsewhere(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:
    """The same among branches with another answer only: agreement that the vote does not see."""
    own = one.results - question.context.numbers - {number_of(one.value)}
    others = [other for other in all_ if not answers.equal(other.value, one.value)]
    if not own or not others:
        return None
    return sum(sum(result in other.results for other in others) for result in own) / (len(own) * len(others))


def echoed(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:  # noqa: ARG001
    """Share of the branches with another answer that state this answer on the way."""
    others = [other for other in all_ if not answers.equal(other.value, one.value)]
    return sum(number_of(one.value) in other.results for other in others) / len(others) if others else None


def camp(question: Question, one: Seen, all_: Sequence[Seen]) -> float | None:  # noqa: ARG001
    """Votes of its camp: what every other signal has to add to."""
    return float(one.votes)


SIGNALS: dict[str, Signal] = {
    signal.__name__: signal
    for signal in (
        *(camp, sure_mean, sure_low, sure_margin, sure_tail, sure_text, sure_window),
        *(steps_unfailed, steps_passed, ends_in_step, grounded, prose, unflagged, brevity),
        *(whole_count, numeric, not_copied, derived, givens_used, shared_steps, shared_elsewhere, echoed),
    )
}  # fmt: skip


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None
