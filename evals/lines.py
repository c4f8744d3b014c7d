"""Lines of a JSONL file, plain or gzip (told by its first bytes, not by its name)."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from nodes.errors import InputError

_MAGIC = b"\x1f\x8b"


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Number (from 1) and bytes of every line that is not blank, line ends included.

    Raises InputError for a file that cannot be read or a gzip file that is cut or damaged.
    """
    try:
        with _open(path) as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield number, line
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot read {str(path)!r}: {error}", "unreadable_file") from error


def _open(path: Path) -> BinaryIO:
    file = path.open("rb")
    compressed = file.read(len(_MAGIC)) == _MAGIC
    file.seek(0)
    return cast(BinaryIO, gzip.GzipFile(fileobj=file, mode="rb")) if compressed else file
