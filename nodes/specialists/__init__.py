"""The specialists, by folder: every module here that defines `specialist` is one; nothing is registered by hand.

A ninth is one module `nodes/specialists/<name>.py` and, when it asks the model, one prompt
`prompts/specialists/<name>.md`; its `cues` (two tuples of regular expressions, strong and weak) are its entry in the
router's menu. Loading is strict: module name = specialist = prompt, and whatever does not fit is a SetupError at start,
not a surprise in the middle of a run.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from types import MappingProxyType, ModuleType

import prompts
from nodes.contracts import Finding, Message, Model, ModelCall, Reply, Request, Specialist, Window
from nodes.errors import ModelCallOff, SetupError

NAMES = ("entity", "relation", "numeric", "logic", "code", "style", "safety", "format")
"""The eight atomic operations of REQUIREMENTS B1; the router scores all of them, built or not."""
OTHER = "other"
LABELS = (*NAMES, OTHER)
"""What a request can be labelled with."""


@cache
def load() -> Mapping[str, Specialist]:
    """Every specialist by name, in dependency order. Raises SetupError when module, name and prompt do not agree."""
    modules = [importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]
    orphans = {name.rpartition("/")[2] for name in prompts.names("specialists")}
    return MappingProxyType(collect(modules, orphans))


def collect(modules: Iterable[ModuleType], prompted: set[str]) -> dict[str, Specialist]:
    """Check the modules' specialists against each other and against the prompts, and put them in order."""
    found: dict[str, Specialist] = {}
    for module in modules:
        specialist: Specialist | None = getattr(module, "specialist", None)
        if specialist is None:
            continue
        name = module.__name__.rpartition(".")[2]
        if specialist.name != name:
            raise SetupError(
                f"module {module.__name__!r} holds a specialist named {specialist.name!r}: name it {name!r}"
            )
        found[name] = specialist
    _unique_ids(found)
    if orphans := sorted(prompted - set(found)):
        raise SetupError(f"prompts/specialists has {orphans} without a module of that name in nodes/specialists")
    return {name: found[name] for name in _ordered(found)}


def _unique_ids(found: Mapping[str, Specialist]) -> None:
    owners: dict[str, str] = {}
    for name, specialist in found.items():
        if other := owners.get(specialist.id):
            raise SetupError(f"specialists {other!r} and {name!r} share the id {specialist.id!r}")
        owners[specialist.id] = name


def _ordered(found: Mapping[str, Specialist]) -> list[str]:
    """Dependency order; among equals, by id."""
    for name, specialist in found.items():
        if missing := [other for other in specialist.after if other not in found]:
            raise SetupError(f"specialist {name!r} wants to run after {missing}, which do not exist")
    by_id = sorted(found, key=lambda name: found[name].id)
    sorter = TopologicalSorter({name: sorted(found[name].after, key=by_id.index) for name in by_id})
    try:
        return list(sorter.static_order())
    except CycleError as error:
        raise SetupError(f"specialists wait for each other: {error.args[1]}") from error


class Unasked:
    """Takes the model's place where a specialist must not ask it: each use raises ModelCallOff."""

    async def complete(self, call: ModelCall, on_text: Callable[[str], None] | None = None) -> Reply:  # noqa: ARG002
        """No call."""
        raise ModelCallOff(f"{call.slot} asks no model unless OCTAVO_SPECIALISTS names it")

    async def measure(self, messages: tuple[Message, ...], model: str | None = None) -> Window:  # noqa: ARG002
        """No call."""
        raise ModelCallOff("the specialist asks no model unless OCTAVO_SPECIALISTS names it")


async def consult(
    specialist: Specialist, request: Request, earlier: Mapping[str, Finding], model: Model, wanted: Iterable[str] = ()
) -> Finding:
    """Let one specialist work. It asks the model if it does so by default or is among the `wanted` names; otherwise
    what it can compute still answers, and where it would have asked it abstains.
    """
    if getattr(specialist, "asks", True) or {specialist.name, "all"} & {*wanted}:
        return await specialist.answer(request, earlier, model)
    try:
        return await specialist.answer(request, earlier, Unasked())
    except ModelCallOff as off:
        return Finding(specialist=specialist.name, status="abstained", error=f"{off.code}: {off}")
