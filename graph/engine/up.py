"""Callers' side of the engine: find the endpoint, or have it brought up and wait, showing what the watcher does.

Whoever asks only reads `state.json`; a caller that is cancelled or killed leaves the watcher at work, and the next
caller joins it.
"""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import time
from typing import cast

from graph.engine import process, wire
from graph.engine.contracts import Endpoint, OnProgress, Order, Precision, Progress, State
from graph.engine.external import external
from graph.engine.layout import Layout
from graph.engine.registry import resolve
from graph.engine.status_file import living, read_state
from graph.settings import CHECKOUT, Settings
from nodes.errors import (
    EngineError,
    EngineFault,
    EngineTimeout,
    EngineUnreachable,
    ModelNotServed,
    OctavoError,
    SetupError,
)

WATCHER: tuple[str, ...] = (sys.executable, "-m", "graph.engine.supervise")
"""The watcher's command; tests put a scripted server behind it."""
POLL = 0.2
"""Seconds between two looks at `state.json`."""
STARTER_TIMEOUT = 60.0
JOIN_TIMEOUT = 120.0
_ENDING = {"stopping", "stopped", "resting", "failed"}
_ERRORS: dict[str, type[OctavoError]] = {
    error.code: error for error in (SetupError, EngineFault, EngineTimeout, EngineUnreachable, ModelNotServed)
}


def endpoint(settings: Settings) -> Endpoint | None:
    """The endpoint that is there now; nothing is started.

    Our own engine: two small files are read. With `base_url`: the server is asked once for its models, then never
    again by this process. Raises an EngineError when that server is down, refuses the key or has not the model.
    """
    if settings.base_url:
        return external(settings)
    layout = Layout(settings.home)
    state = living(layout)
    return _endpoint(layout, state) if state and state.phase == "ready" else None


async def ensure_up(
    settings: Settings,
    *,
    model: str | None = None,
    precision: Precision | None = None,
    progress: OnProgress | None = None,
) -> Endpoint:
    """The endpoint, brought up when need be: installed, model prepared and verified, started, probed.

    `model` and `precision` default to the settings' model and its best precision here; when neither was named and
    an engine runs, that engine is taken. `progress` is told whenever something changed.
    Raises SetupError (disk, tools, torch, port, another model runs) or EngineError (it crashed, lacks what is needed).
    """
    if settings.base_url:
        return await asyncio.to_thread(external, settings)
    order = Order(
        home=settings.home.absolute(),
        port=settings.engine_port,
        idle=settings.engine_idle,
        torch_index=settings.torch_index,
        model=model or settings.model,
        precision=precision,
    )
    resolve(order.model)
    layout = Layout(order.home)
    await _join(layout, order)
    return await _follow(layout, order, progress)


async def wait_ready(settings: Settings, timeout: float) -> Endpoint:  # noqa: ASYNC109 - it becomes a named error
    """The endpoint once it answers, for callers whose connection broke while the watcher restarts the engine.

    An engine that went to rest, or whose watcher was killed, is brought up again with the same model. Raises
    EngineTimeout after `timeout` seconds, EngineUnreachable when it was stopped on purpose, or its last error.
    """
    try:
        async with asyncio.timeout(timeout):
            while (found := await asyncio.to_thread(_answering, settings)) is None:
                gone = None if settings.base_url else _to_revive(settings)
                if gone is not None:
                    precision = cast(Precision | None, gone.precision or None)
                    await ensure_up(settings, model=gone.asked, precision=precision)
                await asyncio.sleep(2 * POLL)
            return found
    except TimeoutError as error:
        raise EngineTimeout(f"the engine did not answer within {timeout:g} s; see: octavo engine status") from error


def spawn(order: Order) -> bool:
    """Start a watcher; False when there is one already. Returns once it holds the lock and has written its state.

    Raises EngineFault when it could not start.
    """
    layout = Layout(order.home)
    layout.make()
    with layout.watcher_log.open("ab") as log:
        try:
            code = subprocess.run(
                WATCHER,
                input=order.model_dump_json().encode(),
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=CHECKOUT,
                env=process.inherited(),
                start_new_session=True,
                timeout=STARTER_TIMEOUT,
                check=False,
            ).returncode
        except (OSError, subprocess.TimeoutExpired) as error:
            raise EngineFault(f"the engine's watcher did not start: {error}") from error
    if code not in {0, 3}:
        raise EngineFault(f"the engine's watcher did not start (exit code {code}); see {str(layout.watcher_log)!r}")
    return code == 0


async def _join(layout: Layout, order: Order) -> None:
    """Return when a watcher that is not about to end has written its state; start one when there is none."""
    deadline = time.monotonic() + JOIN_TIMEOUT
    while time.monotonic() < deadline:
        state = living(layout)
        if state is None and await asyncio.to_thread(spawn, order):
            return
        if state is not None and state.phase not in _ENDING:
            return
        await asyncio.sleep(POLL)
    raise EngineTimeout("another watcher holds the engine's lock without ending; see: octavo engine status")


async def _follow(layout: Layout, order: Order, show: OnProgress | None) -> Endpoint:
    """Wait for the watcher that runs now. Raises what it ended with."""
    told: Progress | None = None
    while True:
        state = read_state(layout)
        if state is None:
            raise EngineFault(f"the engine's state file {str(layout.state)!r} is gone")
        if state.phase == "failed":
            raise error_of(state)
        _require_same(order, state)
        if show and state.progress != told:
            told = state.progress
            show(told)
        if state.phase == "ready":
            return _endpoint(layout, state)
        if not process.alive(state.supervisor, state.supervisor_born):
            if state.phase in _ENDING:
                raise EngineUnreachable(f"the engine was stopped while it came up ({state.message})")
            raise EngineFault(f"the engine's watcher died in phase {state.phase!r}; see {str(layout.watcher_log)!r}")
        await asyncio.sleep(POLL)


def error_of(state: State) -> OctavoError:
    """The error that ended a watcher, as the class that it was."""
    return _ERRORS.get(state.error_code, EngineError)(state.last_error)


def _require_same(order: Order, state: State) -> None:
    """Raise SetupError when another model than the named one runs."""
    if order.model and state.model and resolve(order.model).name not in {state.model, *_names(state.model)}:
        raise SetupError(
            f"the engine serves {state.model!r}, not {order.model!r}; stop it first with: octavo engine down"
        )
    if order.precision and state.precision and order.precision != state.precision:
        raise SetupError(
            f"the engine serves {state.model!r} as {state.precision}, not {order.precision}; "
            "stop it first with: octavo engine down"
        )


def _names(model: str) -> tuple[str, ...]:
    with contextlib.suppress(SetupError):
        return (resolve(model).name,)
    return ()


def _endpoint(layout: Layout, state: State) -> Endpoint:
    try:
        key = layout.key.read_text(encoding="ascii").strip()
    except OSError as error:
        raise SetupError(f"the engine's key {str(layout.key)!r} cannot be read: {error.strerror}") from error
    return Endpoint(
        base_url=f"http://127.0.0.1:{state.port}/v1",
        api_key=key,
        model=state.model,
        context=state.context,
        supervised=True,
        version=state.version,
    )


def _answering(settings: Settings) -> Endpoint | None:
    """The endpoint when it is healthy now. Its state alone is not trusted: a crash may have outrun the watcher."""
    found = endpoint(settings)
    return found if found and wire.healthy(found.base_url, timeout=2) else None


def _to_revive(settings: Settings) -> State | None:
    """The last state of an engine that nobody watches any more and nobody stopped; None while one is watched."""
    layout = Layout(settings.home)
    state = read_state(layout)
    if state is not None and state.phase == "failed":
        raise error_of(state)  # also while the watcher that gave up is still on its way out
    if living(layout) is not None:
        return None
    if state is None or state.phase in {"stopping", "stopped"}:
        raise EngineUnreachable("no engine runs; start it with: octavo engine up")
    return state
