"""What fits, said beforehand: weights, KV cache, disk; in parallel or one after another (C4, D6).

Pure arithmetic on a `Spec` and a `Machine`. Weights need 1.2 to 1.5 times their size while they are loaded and run
(D6: all parameters count, also those of sleeping experts); a token's keys and values need
2 x layers x kv heads x head dim x 2 bytes. Measured beside it: Qwen2.5-Coder-1.5B int8 (2.2 GB) with 4 GiB of KV
cache held 10.4 GB over vLLM's three processes.
"""

from __future__ import annotations

import math

from graph.engine.contracts import Precision
from graph.engine.machine import Machine
from graph.engine.registry import PackageSource, Spec
from nodes.contracts import Contract
from nodes.errors import SetupError

GIB = 1 << 30
WEIGHTS_LOW, WEIGHTS_HIGH = 1.2, 1.5
PROCESSES = int(2.5 * GIB)
"""Memory of vLLM's three processes on a CPU, without weights and cache."""
GPU_SHARE = 0.9
"""Part of a GPU's memory that vLLM may take."""
QUESTIONS = 2
"""Questions at once that the cache is laid out for, each with its branches."""
LEAST_WINDOW = 1024
"""Tokens below which a window is of no use."""
VENV_BYTES = {"cpu": 4 * GIB, "gpu": 12 * GIB}
"""Disk that the engine's environment takes, with pip's temporary files (measured on a CPU: 3.5 GB)."""


class Plan(Contract):
    """What a model needs on a machine, and what it gets."""

    model: str
    precision: Precision
    device: str
    weights: int
    """Bytes of the weights."""
    memory_low: int
    """Bytes for weights at 1.2 times their size, the processes, and the smallest cache."""
    memory_need: int
    """Bytes at 1.5 times, with the cache that is laid out."""
    memory_free: int
    kv_per_token: int
    """Bytes."""
    kv_cache: int
    """Bytes laid out for the KV cache."""
    window: int
    """Tokens of one request, prompt and reply: the global limit (D6)."""
    branches: int
    """Branches of one question that were asked about."""
    parallel: int
    """Branches that fit at once when each fills the whole window; more fit when they share a prefix."""
    tensor_parallel: int
    """GPUs that share the weights; 1 on a CPU."""
    disk_need: int
    disk_free: int
    faults: tuple[str, ...] = ()
    """Why it does not fit; empty = it does."""

    @property
    def fits(self) -> bool:
        """Whether the model can be started here."""
        return not self.faults

    @property
    def serial(self) -> bool:
        """True = the branches of a question run in groups, because the cache does not hold them at once."""
        return self.parallel < self.branches

    def require(self) -> None:
        """Raise SetupError when it does not fit."""
        if self.faults:
            raise SetupError(f"model {self.model!r} ({self.precision}) does not fit: {'; '.join(self.faults)}")


def plan(
    spec: Spec,
    precision: Precision,
    machine: Machine,
    *,
    branches: int = 8,
    installed: bool = False,
    prepared: bool = False,
) -> Plan:
    """Lay out memory and disk. `installed` and `prepared` = environment and model need no more disk."""
    weights = spec.weight_bytes(precision)
    budget, shares = _cache_budget(spec, weights, machine)
    window = _window(spec, budget)
    wanted = spec.kv_bytes * (window or LEAST_WINDOW) * branches * QUESTIONS
    cache = max(0, min(budget, wanted if machine.gpus else math.ceil(wanted / GIB) * GIB))
    least = spec.kv_bytes * LEAST_WINDOW
    disk = disk_need(spec, precision, machine.device, installed=installed, prepared=prepared)
    faults = []
    if window < LEAST_WINDOW:
        faults.append(
            f"it needs {gb(_memory(weights, WEIGHTS_LOW, least, machine))} of memory, {gb(_free(machine))} are free"
        )
    if disk > machine.disk_free:
        faults.append(f"it needs {gb(disk)} of disk, {gb(machine.disk_free)} are free")
    return Plan(
        model=spec.name,
        precision=precision,
        device=machine.device,
        weights=weights,
        memory_low=_memory(weights, WEIGHTS_LOW, least, machine),
        memory_need=_memory(weights, WEIGHTS_HIGH, cache, machine),
        memory_free=_free(machine),
        kv_per_token=spec.kv_bytes,
        kv_cache=cache,
        window=window,
        branches=branches,
        parallel=cache // (spec.kv_bytes * window) if spec.kv_bytes and window else 0,
        tensor_parallel=shares,
        disk_need=disk,
        disk_free=machine.disk_free,
        faults=tuple(faults),
    )


def tensor_parallel(spec: Spec, weights: int, machine: Machine) -> int:
    """Smallest number of GPUs (a power of two that divides the heads) whose memory holds the weights and one window.

    The largest possible number when none suffices; 1 on a CPU.
    """
    size, best = 1, 1
    memory = min((gpu.free for gpu in machine.gpus), default=0) * GPU_SHARE
    while size <= len(machine.gpus) and (spec.heads or 1) % size == 0:
        best = size
        if weights * WEIGHTS_LOW / size + spec.kv_bytes * spec.window / size <= memory:
            break
        size *= 2
    return best


def disk_need(spec: Spec, precision: Precision, device: str, *, installed: bool, prepared: bool) -> int:
    """Bytes that installation and preparation still take at their peak."""
    need = 0 if installed else VENV_BYTES[device]
    if not prepared:
        need += spec.weight_bytes(precision)
        if isinstance(spec.source, PackageSource):
            need += 2 * spec.source.bytes  # the parts and the joined file lie side by side for a moment
    return need


def gb(size: float) -> str:
    """Bytes for people: `3.5 GB`, `270 MB`."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


def _free(machine: Machine) -> int:
    return sum(gpu.free for gpu in machine.gpus) if machine.gpus else machine.memory_free


def _memory(weights: int, factor: float, cache: int, machine: Machine) -> int:
    return int(weights * factor) + cache + (0 if machine.gpus else PROCESSES)


def _cache_budget(spec: Spec, weights: int, machine: Machine) -> tuple[int, int]:
    """Bytes that are left for the KV cache, and the tensor-parallel size."""
    if machine.gpus:
        shares = tensor_parallel(spec, weights, machine)
        used = sorted((gpu.free for gpu in machine.gpus), reverse=True)[:shares]
        return max(0, int(min(used) * shares * GPU_SHARE - weights * WEIGHTS_LOW)), shares
    left = machine.memory_free - PROCESSES - weights * WEIGHTS_HIGH
    if left < GIB:  # tight: try with the lower factor before giving up
        left = machine.memory_free - PROCESSES - weights * WEIGHTS_LOW
    return max(0, int(left // GIB) * GIB), 1  # vLLM's CPU build takes whole GiB


def _window(spec: Spec, budget: int) -> int:
    """Tokens of one request: what we serve, cut to the model's context and to the cache; 0 when it is too little."""
    window = min(spec.window, spec.context or spec.window)
    if spec.kv_bytes:
        window = min(window, budget // spec.kv_bytes // 32 * 32)
    return window if window >= LEAST_WINDOW else 0
