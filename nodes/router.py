"""The router: which specialists fit a request, which part of it each is for, and how many branches it is worth.

Stage one reads patterns and, where they are not sure, the meaning (`nodes.routing`); stage two weighs the three leaders
by their own features; labels fit from their thresholds on. The number of branches follows from the labels (REQUIREMENTS
A10), with the rule of A1 beside it. No model call; a few milliseconds, some forty with the meaning.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from nodes.contracts import Hit, Request, Route, Specialist
from nodes.lexicon import Cues, compiled, sample, score
from nodes.routing import artefact, classifier, fits, parts
from nodes.routing.classifier import Reading
from nodes.routing.form import form_of
from nodes.routing.policy import baseline, budget_of, difficulty_of
from nodes.specialists import NAMES, OTHER

FITS = 0.5
"""Score from which a specialist beyond the eight fits."""
TASK = 0.6
"""Score from which a part of a request is a task of its own."""
FIXED = ("1", "2", "4", "8")
"""Modes that give the number of branches."""
ABSTAIN = 0.35
"""Score of the best label under which the router says that it is not sure."""


def route(request: Request, specialists: Mapping[str, Specialist], load: float = 0.0) -> Route:
    """Decide for one request. `specialists` are those that exist, in dependency order; `load` is the engine's, 0 to 1.

    Raises SetupError when the trained artefact is missing or altered.
    """
    return routes([request], specialists, load)[0]


def routes(requests: Sequence[Request], specialists: Mapping[str, Specialist], load: float = 0.0) -> list[Route]:
    """Decide for many requests at once, in their order."""
    # Where the number of branches is given, the labels choose only who looks on: no fifty milliseconds for the meaning.
    fixed = all(request.mode in FIXED for request in requests)
    readings = classifier.read([request.question for request in requests], quick=fixed)
    return [_decided(request, reading, specialists, load) for request, reading in zip(requests, readings, strict=True)]


def _decided(request: Request, reading: Reading, specialists: Mapping[str, Specialist], load: float) -> Route:
    text = sample(request.question)
    words, found = score(text, beyond(specialists))
    scores = _scores(request, reading, specialists, words)
    top = max(scores, key=lambda label: scores[label])
    placed = _placed(request.question, scores, top)
    chosen = tuple(name for name in specialists if name in placed)
    difficulty, counted = difficulty_of(request)
    budget, why = budget_of(request, difficulty, top, placed, load)
    staged = budget > 1 and request.mode in ("auto", "deep")
    spoke = ", ".join([*found.get(top, [])[:4], *reading.spoke[:3]]) or "nothing in particular"
    read = "patterns and meaning" if reading.embedded else "patterns"
    unsure = "; not sure" if scores[top] < ABSTAIN else ""
    rule = f"difficulty {difficulty} ({counted}), which alone would open {baseline(difficulty)}"
    return Route(
        top=top,
        specialists=chosen,
        scores={label: round(value, 4) for label, value in scores.items()},
        reason=f"{top} {scores[top]:.2f} ({spoke}; {read}{unsure}); {rule}; budget {budget}: {why}",
        difficulty=difficulty,
        budget=budget,
        staged=staged,
        verify=staged,
        stand_in=stand_in(request, budget, chosen, specialists),
        form=form_of(text, words),
        block=blocked(request, specialists),
        parts=placed,
    )


def _scores(
    request: Request, reading: Reading, specialists: Mapping[str, Specialist], words: Mapping[str, float]
) -> dict[str, float]:
    """Stage one moved by stage two; a specialist beyond the eight takes its share by its own cues."""
    scores = fits.weighed(reading.scores, request, specialists, artefact.load().settings["fit"])
    for name in beyond(specialists):
        scores = {label: value * (1 - words[name]) for label, value in scores.items()} | {name: words[name]}
    return scores


def _placed(question: str, scores: Mapping[str, float], top: str) -> dict[str, tuple[int, int]]:
    """Labels that fit, best first, each with its part of the request."""
    limits = artefact.load().settings["thresholds"]
    whole = (0, len(question))
    fitting = {label: whole for label in scores if label != OTHER and scores[label] >= limits.get(label, FITS)}
    if top != OTHER:
        fitting[top] = whole
    spans = parts.cut(question)
    if len(spans) > 1:
        readings = classifier.read([question[start:end] for start, end in spans], quick=True)
        fitting |= _tasks(spans, readings, fitting)
    return dict(sorted(fitting.items(), key=lambda item: -scores[item[0]]))


def _tasks(
    spans: Sequence[tuple[int, int]], readings: Sequence[Reading], fitting: Collection[str]
) -> dict[str, tuple[int, int]]:
    """Labels of the parts that are tasks of their own, and for the whole's labels the part that asks for them most."""
    own = {max(one.scores, key=lambda label: one.scores[label]) for one in readings if max(one.scores.values()) >= TASK}
    best = {
        label: max(range(len(spans)), key=lambda at: readings[at].scores[label])
        for label in NAMES
        if label in own or label in fitting
    }
    return {label: spans[at] for label, at in best.items()}


def labels(found: Route) -> list[str]:
    """Every label that fits, best first; `[]` when that is `other`."""
    if found.parts:
        return list(found.parts)
    fitting = [label for label in found.scores if label != OTHER and found.scores[label] >= FITS]
    best = sorted(fitting, key=lambda label: -found.scores[label])
    return best or [label for label in (found.top,) if label != OTHER]


def beyond(specialists: Mapping[str, Specialist]) -> dict[str, Cues]:
    """Cues of specialists beyond the eight, which bring them as `cues = (strong, weak)`, two tuples of expressions."""
    own = {name: getattr(one, "cues", ()) for name, one in specialists.items() if name not in NAMES}
    return {name: compiled(*cues) for name, cues in own.items() if cues}


def stand_in(
    request: Request, budget: int, chosen: tuple[str, ...], specialists: Mapping[str, Specialist]
) -> str | None:
    """The one specialist whose Finding replaces the only branch of a light route, if it is the only one that fits."""
    if budget > 1 or request.mode not in ("auto", "light"):
        return None
    able = [name for name in chosen if specialists[name].answers]
    return able[0] if len(able) == 1 else None


def blocked(request: Request, specialists: Mapping[str, Specialist]) -> Hit | None:
    """The first rule of any specialist that ends the run without a model call.

    A specialist may bring `blocks(text, language)`, a cheaper `screen` that looks for nothing but such rules.
    """
    for specialist in specialists.values():
        for hit in getattr(specialist, "blocks", specialist.screen)(request.question, request.language):
            if hit.severity == "block":
                return hit
    return None
