"""What a cross-validation says: nine ways on natural wordings, several labels on all, by class, language and length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evals.routing import training
from evals.routing.crossval import Table, predict
from evals.routing.items import Item
from nodes.contracts import Request
from nodes.routing import fits
from nodes.routing.artefact import CLASSIFIERS
from nodes.specialists import LABELS, NAMES, OTHER

LENGTHS = ((0, 60), (60, 200), (200, 800), (800, 10**9))
"""Characters, from and below."""
LONG = 200
"""Characters from which a request counts as long: most of them carry a professional text."""
FEW = 30
"""Classes with fewer items are reported only."""

Scores = NDArray[np.float64]


def figures(table: Table, by: str) -> dict[str, Any]:
    """All figures of one cross-validation, plain JSON; `settings` are those that the artefact gets."""
    predicted = predict(table, by)
    found = predicted.whole
    scores = cascade(found, training.SURE)
    limits = training.thresholds(scores, table.given)
    chosen = training.chosen(scores, limits, predicted.tasks)
    several = [at for at, item in enumerate(table.given) if len(item.labels) > 1]
    natural = [at for at, item in enumerate(table.given) if item.natural]
    rest = [at for at, item in enumerate(table.given) if not item.natural and len(item.labels) <= 1]
    said = [LABELS[int(line.argmax())] for line in scores]
    right = np.array([label == item.first for label, item in zip(said, table.given, strict=True)])
    return {
        "by": by,
        "requests": len(natural),
        "natural": share(right[natural]),
        "classifiers": {name: share(_right(found[name], table.given)[natural]) for name in CLASSIFIERS},
        "embedded": share(found["quick"].max(axis=1) < training.SURE),
        "languages": _by(right, table.given, natural, lambda item: item.lang),
        "lengths": _by(right, table.given, natural, _length),
        "classes": {label: _class(label, said, table.given, natural) for label in LABELS},
        "other": _class(OTHER, said, table.given, natural),
        "wrapped": share(right[[at for at in rest if not table.given[at].meta.get("ambiguous")]]),
        "ambiguous": share(right[[at for at in rest if table.given[at].meta.get("ambiguous")]]),
        "micro_f1": micro_f1(chosen, table.given),
        "micro_f1_several": micro_f1([chosen[at] for at in several], [table.given[at] for at in several]),
        "stages": stages(scores, table.given, natural),
        "settings": {"thresholds": limits, "sure": training.SURE, "fit": 0.0},
        "failures": [
            {
                "id": item.id,
                "lang": item.lang,
                "gold": item.first,
                "said": said[at],
                "score": round(float(scores[at].max()), 3),
                "text": item.text,
            }
            for at in natural
            for item in (table.given[at],)
            if not right[at]
        ],
    }


def stages(scores: Scores, items: Sequence[Item], rows: Sequence[int]) -> dict[str, dict[str, float]]:
    """Share right with stage one alone and with stage two at some weights, on short and on long requests."""
    found = {}
    for weight in (0.0, 0.5, 1.0, 2.0):
        right = np.array([_second(scores[at], items[at], weight) for at in rows])
        long = np.array([len(items[at].text) >= LONG for at in rows])
        found[f"{weight:g}"] = {"all": share(right), "short": share(right[~long]), "long": share(right[long])}
    return found


def _second(line: Scores, item: Item, weight: float) -> bool:
    request = Request(run="eval", question=item.text)
    moved = fits.weighed(dict(zip(LABELS, line.tolist(), strict=True)), request, {}, weight)
    return max(moved, key=lambda label: moved[label]) == item.first


def cascade(found: Mapping[str, Scores], sure: float) -> Scores:
    """The patterns' word where they are sure, else that of patterns and meaning together."""
    return np.where(found["quick"].max(axis=1, keepdims=True) >= sure, found["quick"], found["full"])


def micro_f1(said: Sequence[set[str]], items: Sequence[Item]) -> float:
    """F1 over all (request, label) pairs."""
    hits = sum(len(labels & set(item.labels)) for labels, item in zip(said, items, strict=True))
    return round(2 * hits / max(sum(map(len, said)) + sum(len(item.labels) for item in items), 1), 4)


def share(flags: NDArray[np.bool_]) -> float:
    """Share of true ones; 0 of none."""
    return round(float(flags.mean()), 4) if len(flags) else 0.0


def _right(scores: Scores, items: Sequence[Item]) -> NDArray[np.bool_]:
    return np.array([LABELS[int(line.argmax())] == item.first for line, item in zip(scores, items, strict=True)])


def _length(item: Item) -> str:
    low, high = next(pair for pair in LENGTHS if pair[0] <= len(item.text) < pair[1])
    return f"{low}-{high}" if high < 10**9 else f"{low}+"


def _by(right: NDArray[np.bool_], items: Sequence[Item], rows: Sequence[int], key: Any) -> dict[str, dict[str, Any]]:
    """Share right by a property of the items."""
    groups: dict[str, list[int]] = {}
    for at in rows:
        groups.setdefault(key(items[at]), []).append(at)
    return {name: {"n": len(at), "right": share(right[at])} for name, at in sorted(groups.items())}


def _class(label: str, said: Sequence[str], items: Sequence[Item], rows: Sequence[int]) -> dict[str, Any]:
    """Items, precision and recall of one label; `few` when there are too few to judge by."""
    gold = [at for at in rows if items[at].first == label]
    called = [at for at in rows if said[at] == label]
    hits = sum(items[at].first == label for at in called)
    return {
        "n": len(gold),
        "precision": round(hits / max(len(called), 1), 4),
        "recall": round(hits / max(len(gold), 1), 4),
        "few": len(gold) < FEW,
    }


def rendered(found: Mapping[str, Any]) -> str:
    """The figures as a page."""
    lines = [
        f"by {found['by']}: {found['natural']:.1%} of {found['requests']} single-label natural wordings right,"
        f" nine ways (patterns alone {found['classifiers']['quick']:.1%},"
        f" with meaning {found['classifiers']['full']:.1%}); {found['embedded']:.0%} needed the embedding",
        f"other: precision {found['other']['precision']:.1%}, recall {found['other']['recall']:.1%}",
        f"several labels: micro-F1 {found['micro_f1']:.3f} on all,"
        f" {found['micro_f1_several']:.3f} where there are several",
        f"apart: {found['wrapped']:.1%} of templates, {found['ambiguous']:.1%} of disputed ones",
        "languages: " + _listed(found["languages"]),
        "lengths: " + _listed(found["lengths"]),
        "stage two, by weight: " + ", ".join(f"{weight}: {row['all']:.1%}" for weight, row in found["stages"].items()),
        "",
        f"{'label':10} {'n':>4} {'precision':>10} {'recall':>8}",
    ]
    for label in (*NAMES, OTHER):
        row = found["classes"][label]
        few = "  (few: reported only)" if row["few"] else ""
        lines.append(f"{label:10} {row['n']:4} {row['precision']:10.1%} {row['recall']:8.1%}{few}")
    for one in found["failures"]:
        text = " ".join(one["text"].split())
        lines.append(f"{one['id']}: {one['gold']} -> {one['said']} {one['score']}: {text[:150]}")
    return "\n".join(lines)


def _listed(groups: Mapping[str, Mapping[str, Any]]) -> str:
    return ", ".join(f"{name} {row['right']:.1%} of {row['n']}" for name, row in groups.items())
