"""The machine: state, wiring, records, engine, command line. Imports `nodes`; never `evals`.

Public face: `ask`, `aask`, `build`, `open_committee`. They are imported on first use, so that the command line starts
at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph.run import aask, ask, build, open_committee

__all__ = ["aask", "ask", "build", "open_committee"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from graph import run

        return getattr(run, name)
    raise AttributeError(f"module 'graph' has no attribute {name!r}")
