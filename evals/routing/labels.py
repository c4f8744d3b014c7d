"""Corrections: what a request should have been routed to, one line each, the last word on a text counts."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import orjson

from evals.lines import read_lines
from nodes.errors import InputError
from nodes.intake import check_text
from nodes.language import detect
from nodes.specialists import LABELS, NAMES, OTHER

IMPORTANCE = 4.0
"""How much more a correction counts than another of our own requests: it must win over the likes that misled."""
MAX_TEXT = 200_000
"""Characters of a request that is stored."""


def question_of(run: str) -> str:
    """The words of a recorded run. Raises InputError for an unknown or ambiguous id."""
    from graph.asking import reader

    with reader() as records:
        return str(records.find_run(run)["question"])


def store(path: Path, text: str, wanted: str) -> dict[str, Any]:
    """Add one correction. `wanted` = names between commas, `other` = none of the eight. Raises InputError."""
    check_text(text, MAX_TEXT)
    names = list(dict.fromkeys(name.strip() for name in wanted.split(",") if name.strip()))
    if not names or any(name not in LABELS for name in names):
        raise InputError(f"no route {wanted!r}: names of {', '.join(LABELS)} between commas", "unknown_label")
    if OTHER in names and len(names) > 1:
        raise InputError("`other` means none of the eight, so it stands alone", "unknown_label")
    identity = f"label-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    line = {
        "id": identity,
        "lang": detect(text),
        "text": text,
        "labels": [name for name in names if name in NAMES],
        "meta": {"set": "labels", "importance": IMPORTANCE},
    }
    kept = [raw for _, raw in read_lines(path) if orjson.loads(raw).get("id") != identity] if path.is_file() else []
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(raw.rstrip(b"\r\n") + b"\n" for raw in kept) + orjson.dumps(line) + b"\n")
    return line
