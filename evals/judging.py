"""From the samples of a pool to the candidates that a run would have had, so that offline judging is live judging.

Nothing is read or tested in a second way here: `nodes.branch.read_candidate` reads, every specialist's `check` tests,
as `graph.steps` lets them. A question is prepared once and judged in as many modes as one likes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evals.contracts import GREEDY, Sample
from nodes import answers, specialists
from nodes.answers import Context, Value
from nodes.branch import read_candidate
from nodes.contracts import Candidate, Form, Reply, Request, Specialist, Usage
from nodes.language import detect


@dataclass(frozen=True, slots=True)
class Branch:
    """One sample, read and checked."""

    sample: Sample
    candidate: Candidate
    right: bool


@dataclass(frozen=True, slots=True)
class Question:
    """All samples of one question."""

    id: str
    family: str
    cluster: str
    request: Request
    form: Form
    context: Context
    gold: tuple[Value, ...]
    """Every answer that is right; empty = nobody knows, and the question is not graded."""
    greedy: Branch | None
    branches: tuple[Branch, ...]
    """By number."""

    def is_right(self, answer: str) -> bool:
        """Whether an answer equals one that is right."""
        return right(answer, self.gold, self.context)


def right(answer: str, gold: Sequence[Value], context: Context) -> bool:
    """Whether an answer as read equals a right one, in the question's own context."""
    value = answers.parse(answer, context)
    return any(answers.equal(value, one) for one in gold)


def questions(samples: Iterable[Sample]) -> list[Question]:
    """Every question of a pool, in the order of their first samples; a pool holds one sample for a case and branch."""
    return [question_of(group, specialists.load()) for group in by_case(samples)]


def by_case(samples: Iterable[Sample]) -> list[list[Sample]]:
    """The samples of each case by branch, cases in the order of their first samples."""
    found: dict[str, list[Sample]] = {}
    for sample in samples:
        found.setdefault(sample.id, []).append(sample)
    return [sorted(held, key=lambda sample: sample.branch) for held in found.values()]


def question_of(samples: Sequence[Sample], checkers: Mapping[str, Specialist]) -> Question:
    """One question from its samples, greedy first."""
    head = samples[0]
    request = Request(run=head.id, question=head.question, language=head.lang or detect(head.question))
    context = Context.of(head.question)
    gold = tuple(answers.parse(said, context) for said in (head.gold, *head.accepted) if said.strip())
    branches = []
    for sample in samples:
        candidate = candidate_of(sample, request, checkers)
        fits = candidate.status == "answered" and right(candidate.answer, gold, context)
        branches.append(Branch(sample, candidate, fits))
    plain = branches[0] if head.branch == GREEDY else None
    return Question(
        id=head.id,
        family=head.family,
        cluster=head.cluster,
        request=request,
        form=head.form,
        context=context,
        gold=gold,
        greedy=plain,
        branches=tuple(branches[plain is not None :]),
    )


def candidate_of(sample: Sample, request: Request, checkers: Mapping[str, Specialist]) -> Candidate:
    """The candidate that the pipeline makes of a reply, checks included."""
    empty = Candidate(source=f"branch:{max(sample.branch, 0)}", stance=sample.stance, status="failed")
    if sample.error and not sample.text:
        found = empty.model_copy(update={"error": sample.error})
    else:
        found = read_candidate(empty, reply_of(sample), request, sample.form)
    return checked(found, request, checkers)


def checked(candidate: Candidate, request: Request, checkers: Mapping[str, Specialist]) -> Candidate:
    """A candidate with what every specialist's deterministic tests say about it."""
    checks = tuple(check for one in checkers.values() for check in one.check(request, candidate))
    return candidate.model_copy(update={"checks": checks})


def reply_of(sample: Sample) -> Reply:
    """The model's reply as it was."""
    return Reply(
        call="",
        text=sample.text,
        reasoning=sample.reasoning,
        finish=sample.finish_reason,
        usage=Usage(
            prompt=sample.prompt_tokens, completion=sample.completion_tokens, cached=sample.cached_tokens, calls=1
        ),
        tokens=tuple(token for token, _ in sample.tokens),
        logprobs=tuple(value for _, value in sample.tokens),
        margins=sample.margins,
        model=sample.model,
        seconds=sample.seconds,
    )
