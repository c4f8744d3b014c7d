"""Files of cases and samples for tests."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from evals.contracts import Case, Sample


def case(number: int, **fields: Any) -> Case:
    base: dict[str, Any] = {"id": f"q{number}", "text": f"What is {number} plus one?", "gold": str(number + 1)}
    return Case(**{**base, "family": "sums", **fields})


def sample(identity: str = "q1", branch: int = 0, **fields: Any) -> Sample:
    base: dict[str, Any] = {"id": identity, "family": "sums", "question": f"{identity}?", "gold": "2"}
    return Sample(**{**base, "branch": branch, "text": "ANSWER: 2", "finish_reason": "stop", **fields})


def data(path: Path, items: Iterable[Any]) -> Path:
    """A JSONL file of anything; text is written as it is."""
    lines = (item if isinstance(item, str) else json.dumps(item, ensure_ascii=False) for item in items)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def item(number: int, family: str = "sums", **fields: Any) -> dict[str, Any]:
    """A line in the form of the public data sets."""
    text = f"What is {number} plus one?"
    meta = {"set": family, "group": f"{family}:{number // 2}"}
    return {"id": f"{family}-{number}", "lang": "en", "text": text, "gold": str(number + 1), "meta": meta, **fields}
