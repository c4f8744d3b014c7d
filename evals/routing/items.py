"""Labelled requests from disk, what may not stand on both sides of a split, and what two requests share.

A line of JSONL has `id`, `text`, `labels` (names of specialists, `[]` = none), and where known `lang`, `licence`,
`source` (`repository:path`) and `meta`: `set`, `group`, `wrapped`, `composite`, `ambiguous`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from evals.lines import read_lines
from nodes.errors import InputError
from nodes.language import detect
from nodes.specialists import LABELS, NAMES, OTHER

REQUESTS = Path(__file__).with_name("requests.jsonl")
"""Training requests written for this project (CC0)."""
SHARED_WORDS, SHARED_CHARACTERS = 6, 12
"""So many words in a row (Latin), or characters (Chinese), make two requests the same wording."""


@dataclass(frozen=True)
class Item:
    """One labelled request."""

    id: str
    text: str
    labels: tuple[str, ...]
    """Names of specialists; empty = none of the eight."""
    lang: str
    set: str
    group: str
    repository: str = ""
    licence: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict)

    @property
    def natural(self) -> bool:
        """One label or none, in its own words: neither a template around a text, nor two requests, nor disputed."""
        return len(self.labels) <= 1 and not any(self.meta.get(flag) for flag in ("wrapped", "composite", "ambiguous"))

    @property
    def first(self) -> str:
        """Its first label, or `other`."""
        return self.labels[0] if self.labels else OTHER


def load(path: Path) -> list[Item]:
    """All items of a file. Raises InputError with the line of what is none."""
    items = [_item(line, f"{path}, line {number}") for number, line in read_lines(path)]
    if not items:
        raise InputError(f"{str(path)!r} holds no labelled request", "no_cases")
    return items


def _item(line: bytes, where: str) -> Item:
    try:
        raw = orjson.loads(line)
        text, labels = raw["text"], tuple(raw["labels"])
        meta = raw.get("meta") or {}
        identity = str(raw["id"])
        source = str(raw.get("source", ""))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{where}: no labelled request, an object with id, text and labels: {error!r}", "bad_line"
        ) from error
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"{where}: the text of {identity!r} is empty", "bad_line")
    if unknown := [label for label in labels if label not in LABELS]:
        raise InputError(
            f"{where}: unknown labels {unknown}; there are {', '.join(NAMES)}, and [] or other for none", "bad_line"
        )
    own = str(meta.get("set") or source or identity)
    return Item(
        identity,
        text,
        tuple(label for label in labels if label != OTHER),
        str(raw.get("lang") or detect(text)),
        own,
        str(meta.get("group") or f"{own}:{identity}"),
        source.partition(":")[0],
        str(raw.get("licence", "")),
        meta,
    )


def components(items: Sequence[Item], by: str) -> list[str]:
    """For each item the name of what it may not be parted from.

    `by`: `group` = `meta.group`; `repository` = its repository; `set` = connected components of `meta.set` and
    `meta.group`, so that neither a source nor a group is ever on both sides.
    """
    if by == "group":
        return [item.group for item in items]
    if by == "repository":
        return [item.repository or item.set for item in items]
    parents: dict[str, str] = {}

    def root(name: str) -> str:
        parents.setdefault(name, name)
        while parents[name] != name:
            parents[name] = parents[parents[name]]
            name = parents[name]
        return name

    for item in items:
        parents[root(f"set {item.set}")] = root(f"group {item.group}")
    return [root(f"set {item.set}") for item in items]


def wordings(text: str) -> set[str]:
    """Every run of six words and every run of twelve Chinese characters, punctuation and case aside."""
    words = re.findall(r"[a-z0-9']+", text.lower())
    found = {" ".join(words[at : at + SHARED_WORDS]) for at in range(len(words) - SHARED_WORDS + 1)}
    for run in re.findall(r"[\u3400-\u9fff0-9]+", re.sub(r"[\s\W_]+", "", text)):
        found |= {run[at : at + SHARED_CHARACTERS] for at in range(len(run) - SHARED_CHARACTERS + 1)}
    return found


def leaks(training: Iterable[Item], tested: Iterable[Item]) -> list[tuple[str, str, str]]:
    """Ids of training requests that share a wording with an item under test, with that item's id and the wording."""
    places = {wording: item.id for item in tested for wording in wordings(item.text)}
    found = []
    for item in training:
        shared = sorted(wordings(item.text) & places.keys())
        if shared:
            found.append((item.id, places[shared[0]], shared[0]))
    return found


def described(path: Path, items: Sequence[Item]) -> dict[str, Any]:
    """What the artefact says about a data file: its name, digest, count and licences; no path of this machine."""
    return {
        "file": path.name,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "items": len(items),
        "licences": sorted({item.licence or "CC0" for item in items}),
    }
