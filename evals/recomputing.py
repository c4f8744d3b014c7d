"""The vote of what each branch's own steps give when every step is computed (`nodes.recomputing`), as a mode."""

from __future__ import annotations

from evals.judging import Branch, Question
from nodes import answers
from nodes.arithmetic import plain
from nodes.contracts import Candidate
from nodes.recomputing import corrected, number_of


def recomputed(question: Question, branch: Branch) -> Candidate:
    """The candidate with the answer that its own steps give; itself where that is what it says."""
    one = branch.candidate
    if one.status != "answered" or question.form != "closed":
        return one
    stated = number_of(answers.parse(one.answer, question.context))
    value = corrected(one, stated) if stated is not None else None
    return one if value is None else one.model_copy(update={"answer": plain(value)})
