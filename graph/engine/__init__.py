"""vLLM as a local service: installed, given a verified model, started for this machine, watched, probed.

    caller -> ensure_up -> watcher (one per home, detached) -> install -> prepare the model -> vLLM -> probe -> ready

The watcher is the only process that installs, starts or stops; callers read its `state.json`. So two callers never
start two engines, the second sees the first one's progress, and whoever asks may be killed at any time. With
OCTAVO_BASE_URL none of this happens: the endpoint is somebody else's. Names are imported on first use, because the
command line must start fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph.engine.contracts import Diagnosis, Endpoint, OnProgress, Order, Probe, Progress, State
    from graph.engine.control import Status, down, logs, purge, status
    from graph.engine.doctor import diagnose
    from graph.engine.up import endpoint, ensure_up, wait_ready

_HOMES = {
    "Diagnosis": "contracts",
    "Endpoint": "contracts",
    "OnProgress": "contracts",
    "Order": "contracts",
    "Probe": "contracts",
    "Progress": "contracts",
    "State": "contracts",
    "Status": "control",
    "diagnose": "doctor",
    "down": "control",
    "endpoint": "up",
    "ensure_up": "up",
    "logs": "control",
    "purge": "control",
    "status": "control",
    "wait_ready": "up",
}

__all__ = [
    "Diagnosis",
    "Endpoint",
    "OnProgress",
    "Order",
    "Probe",
    "Progress",
    "State",
    "Status",
    "diagnose",
    "down",
    "endpoint",
    "ensure_up",
    "logs",
    "purge",
    "status",
    "wait_ready",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
