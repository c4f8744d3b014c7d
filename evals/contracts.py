"""What the harness passes around: cases that are asked, and samples that were recorded of them.

A case is one line of a data set; a sample is one reply to it. Both are JSONL on disk, readable without Octavo. A pool
is a file of samples; judging a pool costs no model call.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from nodes.contracts import Contract, Form, Language

GREEDY = -1
"""`Sample.branch` of the plain reply at temperature 0."""


class Case(Contract):
    """One question with its right answer."""

    id: str
    """Unique in a data set, stable across runs."""
    text: str
    """The question, as a user would ask it."""
    gold: str
    """The right answer in the family's own form: a number, a letter, LaTeX, a literal, text."""
    family: str
    """What is reported together, for example `gsm8k`; `meta.set` of the data files."""
    lang: Language | None = None
    """None = the language that the text is written in."""
    group: str = ""
    """Cases that belong together (translations, one passage, contrast pairs); never split. Empty = alone."""
    labels: tuple[str, ...] = ()
    """Specialists that fit, where known."""
    accepted: tuple[str, ...] = ()
    """More answers that are right, where one form of the gold cannot say it: translations."""
    meta: dict[str, Any] = Field(default_factory=dict)
    """Whatever else the source says."""

    @property
    def cluster(self) -> str:
        """What resampling and folds keep together: the group, or the case itself."""
        return self.group or self.id


class Sample(Contract):
    """One recorded reply: a line of a pool."""

    id: str
    """Id of the case."""
    family: str
    question: str
    gold: str
    branch: int = Field(ge=GREEDY)
    """-1 = greedy; from 0 the branches of the committee, in the order in which stances are taken."""
    text: str = ""
    """The whole reply; empty when the call failed."""
    finish_reason: str = ""
    """The server's own word; empty when the call failed."""
    tokens: tuple[tuple[str, float], ...] = ()
    """Generated tokens with their natural log-probabilities, in order."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    group: str = ""
    cached_tokens: int = 0
    """Prompt tokens that the engine took from its prefix cache."""
    stance: str = ""
    """Name of the stance; empty for greedy and for a plain prompt repeated."""
    prompt: str = ""
    """Digest of prompt and parameters."""
    temperature: float | None = None
    model: str = ""
    error: str = ""
    """`code: message` of the error that ended the call; it counts as wrong."""
    accepted: tuple[str, ...] = ()
    """More answers that are right."""
    lang: Language | None = None
    """Language that the prompt was rendered in; None = not known."""
    form: Form = "closed"
    """`open` = the whole reply is the answer."""
    reasoning: str = ""
    """Thinking text, when the model separates it."""
    margins: tuple[float, ...] = ()
    """Log-probability of each token minus that of the best other one; as long as `tokens`, or empty."""

    @property
    def cluster(self) -> str:
        """What resampling and folds keep together."""
        return self.group or self.id
