"""vLLM's log, read for two things: how far a start is, and why it ended."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

KEEP_LOG = 20_000_000
MARK = "--- octavo starts vLLM ---\n"
"""Parts one start's log from the one before."""
_PREFIX = re.compile(r"^(\([^)]*\)\s*)?([A-Z]+ [\d-]+ [\d:]+ \[[^\]]*\])?")
_ERROR = re.compile(r"^([A-Za-z_]\w*\.)*\w*(Error|Exception)\b")
_CONSEQUENCES = ("EngineDeadError", "Executor failed", "Engine core initialization failed")
"""Errors that only say that another one happened before."""
_STAGES = (
    ("Starting to load model", "loading weights"),
    ("Loading weights took", "weights are loaded"),
    ("Warming up model for the compilation", "compiling for this machine (kept for the next start)"),
    ("Warming up done", "laying out the KV cache"),
    ("Starting vLLM server", "opening the port"),
)


def last_words(log: Path, lines: int = 400) -> str:
    """What a log says best about why the latest start ended: its last telling error, else its last line."""
    try:
        tail = log.read_text(encoding="utf-8", errors="replace").rpartition(MARK)[2].splitlines()[-lines:]
    except OSError:
        return "no log"
    clean = [_PREFIX.sub("", line).strip() for line in tail]
    errors = [line for line in clean if _ERROR.match(line)]
    telling = [line for line in errors if not any(word in line for word in _CONSEQUENCES)]
    return (telling or errors or [line for line in clean if line] or ["empty log"])[-1][:400]


def stage_of(log: Path, stage: str, read: int) -> tuple[str, int]:
    """The newest known stage in the log after byte `read` (else `stage`), and how far it was read."""
    with contextlib.suppress(OSError), log.open("rb") as file:
        file.seek(read)
        fresh = file.read()
        read += len(fresh)
        text = fresh.decode("utf-8", "replace")
        for mark, words in _STAGES:
            if mark in text:
                stage = words
    return stage, read


def rotate(log: Path) -> None:
    """Put a large log aside; one older one is kept."""
    if log.exists() and log.stat().st_size > KEEP_LOG:
        log.replace(log.with_suffix(".log.1"))
