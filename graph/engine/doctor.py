"""`octavo doctor`: an ordered diagnosis, each finding with the command that mends it (C9).

Order matters: python, make, compiler, headers, disk, memory, environment, model, process, port, key, model served,
probe. What stands further down usually fails because of what stands above.
"""

from __future__ import annotations

import shutil
import socket
import sys
from collections.abc import Iterator

from graph.engine import manifest, prepare
from graph.engine.contracts import Diagnosis, Endpoint, State
from graph.engine.external import external
from graph.engine.install import DEV_PACKAGE, compiler, headers, installed, wanted
from graph.engine.layout import Layout
from graph.engine.machine import Machine, survey
from graph.engine.plan import VENV_BYTES, Plan, gb, plan
from graph.engine.port import free_port
from graph.engine.probe import probe, served
from graph.engine.registry import Spec, resolve
from graph.engine.status_file import living, read_state
from graph.engine.up import endpoint
from graph.settings import Settings
from nodes.errors import EngineDenied, EngineError, OctavoError, SetupError

UP = "octavo engine up"


def diagnose(settings: Settings, *, full: bool = False) -> list[Diagnosis]:
    """Every check in order. `full` hashes the model's files and probes the server (seconds instead of moments)."""
    if settings.base_url:
        return list(_external(settings, full))
    machine, layout = survey(settings.home), Layout(settings.home)
    findings = [*_tools(), *_room(settings, layout, machine), _environment(layout, machine)]
    try:
        spec = resolve(settings.model)
        findings.append(_model(layout, machine, spec, full))
    except OctavoError as error:
        findings.append(Diagnosis(check="model", ok=False, detail=str(error), mend="unset OCTAVO_MODEL"))
    return [*findings, *_running(settings, layout, full)]


def planned(settings: Settings, model: str | None, precision: str | None, branches: int = 8) -> Plan:
    """The plan for a model on this machine as it is now. Raises SetupError for a model that is none."""
    machine, layout, spec = survey(settings.home), Layout(settings.home), resolve(model or settings.model)
    chosen = spec.precision(machine.device, precision)
    folder = prepare.prepared(layout, spec, chosen)
    return plan(
        prepare.measured(spec, folder) if folder else spec,
        chosen,
        machine,
        branches=branches,
        installed=installed(layout, machine.device),
        prepared=folder is not None,
    )


def verified(settings: Settings, model: str | None, precision: str | None) -> tuple[str, manifest.Manifest, list[str]]:
    """Name, manifest and differences of a prepared model, all files hashed. Raises SetupError when it is not there.

    Without model and precision: the one that runs, else the default.
    """
    machine, layout = survey(settings.home), Layout(settings.home)
    running = living(layout)
    if running and running.model and not model:
        model, precision = running.model, precision or running.precision
    spec = resolve(model or settings.model)
    name = spec.folder_name(spec.precision(machine.device, precision))
    known = manifest.read(layout, name)
    if known is None:
        raise SetupError(f"model {name!r} is not prepared yet; run: {UP}")
    return name, known, manifest.faults(known, full=True)


def _tools() -> Iterator[Diagnosis]:
    version = ".".join(map(str, sys.version_info[:3]))
    good = (3, 11) <= sys.version_info < (3, 14)
    yield Diagnosis(check="python", ok=good, detail=version, mend="" if good else "install Python 3.11, 3.12 or 3.13")
    make = shutil.which("make")
    yield Diagnosis(
        check="make", ok=bool(make), detail=make or "not found", mend="" if make else "apt-get install make"
    )
    found = compiler()
    yield Diagnosis(
        check="compiler", ok=bool(found), detail=found or "no C++ compiler", mend="" if found else "apt-get install g++"
    )
    there = headers().exists()
    yield Diagnosis(
        check="headers",
        ok=there,
        detail=str(headers()) if there else f"{str(headers())!r} is missing",
        mend="" if there else f"apt-get install {DEV_PACKAGE}",
    )


def _room(settings: Settings, layout: Layout, machine: Machine) -> Iterator[Diagnosis]:
    need = 0 if installed(layout, machine.device) else VENV_BYTES[machine.device]
    enough = machine.disk_free > need
    yield Diagnosis(
        check="disk",
        ok=enough,
        detail=f"{gb(machine.disk_free)} free below {str(settings.home)!r}"
        + (f", the engine needs {gb(need)}" if need else ""),
        mend="" if enough else "free some space, or set OCTAVO_HOME to a larger disk",
    )
    if living(layout):
        yield Diagnosis(check="memory", ok=True, detail=f"{gb(machine.memory_free)} free beside the running engine")
        return
    try:
        spec = resolve(settings.model)
        chosen = plan(spec, spec.precision(machine.device, None), machine, installed=True, prepared=True)
    except OctavoError as error:
        yield Diagnosis(check="memory", ok=False, detail=str(error), mend="octavo engine plan")
        return
    yield Diagnosis(
        check="memory",
        ok=chosen.fits,
        detail="; ".join(chosen.faults) or f"{gb(chosen.memory_free)} free, {gb(chosen.memory_need)} needed",
        mend="" if chosen.fits else "end other programs, or choose a smaller model: octavo engine plan --model tiny",
    )


def _environment(layout: Layout, machine: Machine) -> Diagnosis:
    whole = installed(layout, machine.device)
    target = ", ".join(wanted(machine.device).packages)
    if whole:
        return Diagnosis(check="engine", ok=True, detail=target)
    state = "unfinished or outdated" if layout.venv.exists() else "not installed yet"
    return Diagnosis(check="engine", ok=False, detail=f"{state} ({target})", mend=UP)


def _model(layout: Layout, machine: Machine, spec: Spec, full: bool) -> Diagnosis:
    precision = spec.precision(machine.device, None)
    running = living(layout)
    if running and running.model == spec.name and running.precision in {"bf16", "int8"}:
        precision = "int8" if running.precision == "int8" else "bf16"
    name = spec.folder_name(precision)
    known = manifest.read(layout, name)
    if known is None or prepare.prepared(layout, spec, precision) is None:
        return Diagnosis(check="model", ok=False, detail=f"{name} is not prepared yet", mend=UP)
    wrong = manifest.faults(known, full=full)
    return Diagnosis(
        check="model",
        ok=not wrong,
        detail="; ".join(wrong) or f"{name}: {len(known.files)} files {'hashed' if full else 'unchanged'}",
        mend="octavo engine down; octavo engine purge --models; octavo engine up" if wrong else "",
    )


def _running(settings: Settings, layout: Layout, full: bool) -> Iterator[Diagnosis]:
    """process -> port -> key -> model served -> probe; ends at the first that fails."""
    state = living(layout)
    if state is None:
        old = read_state(layout)
        why = f": {old.message}" if old and old.message else ""
        yield Diagnosis(check="process", ok=False, detail=f"no engine runs{why}", mend=UP)
        try:
            free_port(settings.engine_port)
        except OctavoError as error:
            yield Diagnosis(check="port", ok=False, detail=str(error), mend="OCTAVO_ENGINE_PORT=8102 octavo engine up")
        return
    detail = f"watcher {state.supervisor}, vLLM {state.pid}, {state.phase} {state.message}".rstrip()
    if state.phase != "ready":
        yield Diagnosis(check="process", ok=False, detail=detail, mend="wait, or see: octavo engine status")
        return
    yield Diagnosis(check="process", ok=True, detail=f"{detail}, {state.restarts} restarts")
    yield _port(state)
    found = endpoint(settings)
    if found is not None:
        yield from _answers(found, full)


def _port(state: State) -> Diagnosis:
    try:
        socket.create_connection(("127.0.0.1", state.port), timeout=5).close()
    except OSError as error:
        return Diagnosis(
            check="port",
            ok=False,
            detail=f"127.0.0.1:{state.port}: {error}",
            mend="octavo engine down; octavo engine up",
        )
    return Diagnosis(check="port", ok=True, detail=f"127.0.0.1:{state.port} accepts connections")


def _external(settings: Settings, full: bool) -> Iterator[Diagnosis]:
    yield from _tools()
    try:
        found = external(settings)
    except EngineDenied as error:
        yield Diagnosis(check="key", ok=False, detail=str(error), mend="set OCTAVO_API_KEY")
    except EngineError as error:
        yield Diagnosis(
            check="endpoint", ok=False, detail=str(error), mend="start that server, or unset OCTAVO_BASE_URL"
        )
    else:
        yield from _answers(found, full)


def _answers(found: Endpoint, full: bool) -> Iterator[Diagnosis]:
    """key -> model served -> probe of one endpoint."""
    again = "octavo engine down; octavo engine up" if found.supervised else "check that server"
    try:
        models = served(found.base_url, found.api_key)
    except EngineDenied as error:
        yield Diagnosis(
            check="key", ok=False, detail=str(error), mend="set OCTAVO_API_KEY" if not found.supervised else again
        )
        return
    except EngineError as error:
        yield Diagnosis(check="endpoint", ok=False, detail=str(error), mend=again)
        return
    yield Diagnosis(check="key", ok=True, detail="accepted")
    ok = found.model in models
    yield Diagnosis(
        check="served",
        ok=ok,
        detail=f"{found.model!r} among {', '.join(models) or 'nothing'}",
        mend="" if ok else again,
    )
    if full and ok:
        try:
            seen = probe(found)
        except EngineError as error:
            yield Diagnosis(check="probe", ok=False, detail=str(error), mend=again)
            return
        detail = f"choice, logprobs, {seen.context} tokens, {seen.cached} of {seen.prompt} prompt tokens cached"
        yield Diagnosis(
            check="probe",
            ok=not seen.faults,
            detail="; ".join(seen.faults) or detail,
            mend=again if seen.faults else "",
        )
