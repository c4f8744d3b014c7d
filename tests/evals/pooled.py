"""Pools made here: questions whose branches say what a test wants."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

from evals import pools
from evals.contracts import GREEDY, Sample


def sample(branch: int, answer: str, case: str = "q1", **fields: object) -> Sample:
    """One reply that ends as told; an empty answer is a reply without a mark."""
    text = f"First we look at what is given, then we compute it.\nANSWER: {answer}" if answer else "I do not know."
    given = {"id": case, "family": "sums", "question": "How many apples are there?", "gold": "7", "branch": branch,
             "text": text, "finish_reason": "stop", "prompt_tokens": 10, "completion_tokens": 40}  # fmt: skip
    return Sample.model_validate(given | fields)


def branches(answers: Sequence[str], case: str = "q1", **fields: object) -> list[Sample]:
    """The committee's replies to one question."""
    return [sample(number, answer, case, **fields) for number, answer in enumerate(answers)]


def greedy(answer: str, case: str = "q1", **fields: object) -> Sample:
    return sample(GREEDY, answer, case, **fields)


def pool(path: Path, samples: Sequence[Sample]) -> Path:
    data = b"".join(pools.encode(one) for one in samples)
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
    return path


def many(count: int, answers: Sequence[str], family: str = "sums", start: int = 0) -> list[Sample]:
    """The same replies to many questions."""
    return [one for n in range(start, start + count) for one in branches(answers, f"{family}{n}", family=family)]
