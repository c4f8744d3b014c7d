"""Lines of a JSONL file, plain or gzip (told by its first bytes, not by its name)."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from nodes.errors import InputError

_MAGIC = b"\x1f\x8b"


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Number (from 1) and bytes of every line that is not blank, line ends included.

    Raises InputError for a file that cannot be read or a gzip file that is cut or damaged.
    """
    try:
        with path.open("rb") as raw:
            compressed = raw.read(len(_MAGIC)) == _MAGIC
            raw.seek(0)
            lines: Iterable[bytes] = gzip.GzipFile(fileobj=raw) if compressed else raw
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield number, line
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot read {str(path)!r}: {error}", "unreadable_file") from error
