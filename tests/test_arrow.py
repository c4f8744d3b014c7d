"""The import arrow and the places where things live, read off the syntax tree; nothing is imported or run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ARROW = ("prompts", "nodes", "graph", "evals", "tests")
"""Each may import itself and what stands before it."""

BENCH = "evals/bench/*.py"
"""Benchmarks measure the parts apart, so they may touch each."""
MACHINE = tuple(
    f"graph/{name}.py" for name in ("state", "pipeline", "run", "checkpointer", "replay", "studio", "steps")
)
CLIENT = tuple(f"graph/{name}.py" for name in ("model*", "call", "connections", "window"))
DATABASES = tuple(f"graph/{name}.py" for name in ("database", "record*", "writer", "migrations", "checkpointer"))

HOMES: dict[str, tuple[str, ...]] = {
    "langgraph": (*MACHINE, BENCH),
    "openai": (*CLIENT, BENCH),
    "httpx": (*CLIENT, "graph/engine/*.py", BENCH),
    "httpx2": (*CLIENT, "graph/engine/*.py", BENCH),
    "sqlite3": (*DATABASES, BENCH),
    "sqlite_utils": (*DATABASES, BENCH),
    "aiosqlite": ("graph/checkpointer.py", BENCH),
    "langchain_community": ("nodes/knowledge.py",),
    "os.environ": ("graph/settings.py", "graph/engine/process.py"),
}
"""Module (or attribute) -> the only files of the four packages that may name it. `graph/engine/process.py` hands the
environment on to child processes, unread."""
ALIASES = {
    "os.getenv": "os.environ",
    "os.putenv": "os.environ",
    "os.environb": "os.environ",
    "os.getenvb": "os.environ",
}


def mentions(source: str, package: str = "") -> Iterator[tuple[int, str]]:
    """Line and dotted name of every import (at any depth) and every `os.<attribute>`; relative names made absolute."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")
            base = ".".join(parents[: len(parents) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module or "") if part)
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os":
            yield node.lineno, f"os.{node.attr}"


def faults(path: str, source: str) -> list[str]:
    """What one file (path from the root, with `/`) does against the arrow or outside the homes."""
    own = path.split("/")[0]
    behind = ARROW[ARROW.index(own) + 1 :]
    found = []
    for line, name in mentions(source, ".".join(path.split("/")[:-1])):
        name = ALIASES.get(name, name)
        if name.split(".")[0] in behind:
            found.append(f"{path}:{line}: {own} must not import {name}")
        for home, files in HOMES.items():
            if (name == home or name.startswith(home + ".")) and not any(fnmatch(path, file) for file in files):
                found.append(f"{path}:{line}: {name} belongs in {' '.join(files)}")
    return found


def sources() -> list[str]:
    return sorted(
        path.relative_to(ROOT).as_posix() for package in ARROW[:-1] for path in (ROOT / package).rglob("*.py")
    )


def test_imports_follow_the_arrow_and_live_where_they_belong() -> None:
    paths = sources()
    assert len(paths) > 20
    assert [fault for path in paths for fault in faults(path, (ROOT / path).read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("prompts/__init__.py", "import nodes"),
        ("nodes/judge.py", "from graph.settings import settings"),
        ("nodes/judge.py", "def late():\n    from graph import ask"),
        ("graph/run.py", "import evals.bench"),
        ("graph/serve/app.py", "from ...evals import report"),
        ("evals/report.py", "from tests import conftest"),
        ("nodes/branch.py", "from langgraph.types import Send"),
        ("graph/render.py", "import langgraph.graph as g"),
        ("graph/steps.py", "from openai import AsyncOpenAI"),
        ("nodes/voting.py", "import sqlite3"),
        ("graph/asking.py", "import sqlite_utils"),
        ("evals/blame.py", "import sqlite3"),
        ("nodes/router.py", "import os\nHOME = os.environ['HOME']"),
        ("graph/cli.py", "from os import environ"),
        ("graph/cli.py", "import os\nos.getenv('X')"),
        ("nodes/numeric.py", "import httpx"),
        ("graph/run.py", "from langchain_community.retrievers import BM25Retriever"),
    ],
)
def test_the_guard_fires(path: str, source: str) -> None:
    assert faults(path, source)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("graph/run.py", "from nodes import voting\nfrom . import model\nimport openai_like"),
        ("graph/engine/up.py", "from ..settings import settings\nimport httpx"),
        ("graph/settings.py", "import os\nos.environ"),
        ("nodes/specialists/__init__.py", "import os\nos.path.join('graph', 'x')"),
        ("nodes/knowledge.py", "def f():\n    from langchain_community.retrievers import BM25Retriever"),
    ],
)
def test_the_guard_lets_the_rest_pass(path: str, source: str) -> None:
    assert faults(path, source) == []
