"""Pools on disk: one sample a line, plain while it grows, gzip where it rests.

A journal is a plain JSONL file that is appended to: each line reaches the disk before the next one begins, so a killed
process loses what was in flight and nothing else. The last line may then be torn; it is recognised and cut away. A
sample that failed stays in the journal, a later one that did not takes its place when the pool is read.
"""

from __future__ import annotations

import fcntl
import gzip
import io
import json
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import ValidationError

from evals.contracts import Sample
from evals.lines import read_lines
from nodes.errors import InputError

_LEVEL = 6
"""Of compression: 9 makes pools 8 % smaller and takes seven times as long."""
Key = tuple[str, int]
"""Id of the case and number of the branch."""


def key(sample: Sample) -> Key:
    """What a sample answers; a pool holds one for each."""
    return sample.id, sample.branch


def encode(sample: Sample) -> bytes:
    """One line; fields that hold their default are left out. What is no Unicode becomes a question mark."""
    fields = sample.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def decode(line: bytes, place: str) -> Sample:
    """A sample from its line. Raises InputError that begins with `place`."""
    try:
        return Sample.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"{place}: not a sample: {where} {first['msg']}".replace("  ", " "), "bad_line") from error


def iterate(path: Path) -> Iterator[Sample]:
    """Every sample of a file as it stands there; a torn last line is passed over. Raises InputError."""
    for number, line in read_lines(path):
        try:
            yield decode(line, f"{path}, line {number}")
        except InputError:
            if line.endswith(b"\n"):  # only the last line of a file can lack its end
                raise


def read(path: Path) -> list[Sample]:
    """The pool of a file: one sample for each case and branch, in the order of their first lines."""
    return merge(iterate(path))


def merge(samples: Iterable[Sample]) -> list[Sample]:
    """One sample for each case and branch: the first that did not fail, else the last failure."""
    found: dict[Key, Sample] = {}
    for sample in samples:
        known = found.get(key(sample))
        if known is None or known.error:
            found[key(sample)] = sample
    return list(found.values())


def union(pools: Iterable[tuple[str, Iterable[Sample]]]) -> list[Sample]:
    """Several pools as one. Raises InputError when two hold different replies of one branch to one case."""
    found: dict[Key, tuple[Sample, str]] = {}
    for name, samples in pools:
        for sample in merge(samples):
            known, where = found.get(key(sample), (None, ""))
            if known is None or known.error:
                found[key(sample)] = sample, name
            elif not sample.error and sample != known:
                raise InputError(
                    f"{name} and {where} hold different replies of branch {sample.branch} to {sample.id!r}:"
                    " they are pools of two recordings, keep them apart",
                    "pools_differ",
                )
    return [sample for sample, _ in found.values()]


def ordered(samples: Iterable[Sample]) -> list[Sample]:
    """Cases in the order of their first sample, branches of a case by number."""
    by_case: dict[str, list[Sample]] = defaultdict(list)
    for sample in samples:
        by_case[sample.id].append(sample)
    return [sample for group in by_case.values() for sample in sorted(group, key=lambda one: one.branch)]


def write(path: Path, samples: Iterable[Sample]) -> int:
    """Write a pool in its order, whole or not at all; the same samples give the same bytes. Returns their number."""
    lines = [encode(sample) for sample in ordered(samples)]
    data = b"".join(lines)
    replace(path, gzip.compress(data, _LEVEL, mtime=0) if path.suffix == ".gz" else data)
    return len(lines)


def replace(path: Path, data: bytes) -> None:
    """Put a file in place in one step. Raises InputError when it cannot be written."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise InputError(f"cannot write {str(path)!r}: {error}", "unwritable_file") from error


class Journal:
    """A pool that grows: `with Journal(path) as journal: journal.append(sample)`. One process at a time."""

    def __init__(self, path: Path) -> None:
        """Opens nothing yet."""
        self.path = path
        self.samples: list[Sample] = []
        """The pool as it stood when the journal was opened."""
        self.repaired = 0
        """Bytes of a torn last line that were cut away."""
        self._file: io.FileIO

    def __enter__(self) -> Self:
        """Lock, mend the end, read. Raises InputError for a file in use, unwritable, or no pool."""
        try:
            self._file = io.FileIO(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644), "r+")
        except OSError as error:
            raise InputError(f"cannot write {str(self.path)!r}: {error}", "unwritable_file") from error
        try:
            self._lock()
            self._mend()
            self.samples = read(self.path)
        except BaseException:
            self._file.close()
            raise
        return self

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise InputError(f"another process records to {str(self.path)!r}", "pool_in_use") from error

    def _mend(self) -> None:
        """Cut a torn last line; give a whole one that lacks its line end that end."""
        data = self.path.read_bytes()
        end = data.rfind(b"\n") + 1
        tail = data[end:]
        if data.startswith(b"\x1f\x8b"):
            raise InputError(f"{str(self.path)!r} is gzip inside: name it .jsonl.gz", "bad_pool")
        if not tail:
            return
        try:
            decode(tail, str(self.path))
        except InputError:
            self._file.truncate(end)
            self.repaired = len(tail)
        else:
            self._file.write(b"\n")

    def append(self, sample: Sample) -> None:
        """Add one line; it is on the disk when this returns. Raises InputError when the disk is full."""
        line, sent = encode(sample), 0
        try:
            while sent < len(line):
                sent += self._file.write(line[sent:]) or 0
            os.fsync(self._file.fileno())
        except OSError as error:
            raise InputError(f"cannot write {str(self.path)!r}: {error}", "unwritable_file") from error

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close and unlock."""
        self._file.close()
