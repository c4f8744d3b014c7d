"""The vote of what each branch's own steps give when every step is computed (`nodes.recomputing`), as a mode."""

from __future__ import annotations

from evals.judging import Branch
from nodes import judge
from nodes.contracts import Candidate


def recomputed(branch: Branch) -> Candidate:
    """The candidate with the answer that its own steps give; itself where that is what it says."""
    found = judge.computed_anew(branch.candidate)
    return branch.candidate.model_copy(update={"answer": found}) if found else branch.candidate
