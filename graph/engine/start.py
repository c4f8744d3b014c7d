"""How vLLM is started here: its arguments and its environment, as pure functions of model, plan and machine.

Loopback only, with a key that travels in the environment (arguments can be read by every user of the machine). No
usage statistics, no hub. No seed anywhere: a seeded request can end vLLM's CPU build. What each flag is worth was
measured: thread binding with Intel's OpenMP 5.0 -> 7.1 tokens/s, blocks of 32 tokens 3.1 -> 1.1 s for eight branches
of a short question.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

from graph.engine.layout import Layout
from graph.engine.machine import Machine
from graph.engine.plan import GIB, Plan
from graph.engine.registry import Spec
from nodes.contracts import Contract

SERVER = "vllm.entrypoints.openai.api_server"
"""Started as a module: the `vllm` command asks for a distribution of that name, which the CPU build has not."""
SEQUENCES = 64
STRUCTURED = json.dumps({"backend": "xgrammar", "disable_any_whitespace": True})
"""xgrammar without free white space: a JSON reply cannot end in endless blanks."""
SILENT = {
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_DO_NOT_TRACK": "1",
    "DO_NOT_TRACK": "1",
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "VLLM_HOST_IP": "127.0.0.1",
    "VLLM_LOOPBACK_IP": "127.0.0.1",
}
"""Nothing leaves the machine, and vLLM's own processes meet on loopback."""
READY_WITHIN = 1800
"""Seconds that loading, compiling and warming up may take; vLLM's own limit of 600 is too short on a busy machine."""


class Launch(Contract):
    """A server to start."""

    argv: tuple[str, ...]
    env: dict[str, str]
    """Added to the inherited environment."""
    cwd: Path
    served: str
    """Name to ask for."""
    precision: str = ""
    window: int = 0


def launch(layout: Layout, spec: Spec, folder: Path, plan: Plan, machine: Machine, port: int, key: str) -> Launch:
    """Arguments and environment for one model on this machine."""
    return Launch(
        argv=(str(layout.python), "-m", SERVER, *arguments(spec, folder, plan, port)),
        env={
            **SILENT,
            "VLLM_API_KEY": key,
            "VLLM_ENGINE_READY_TIMEOUT_S": str(READY_WITHIN),
            **caches(layout),
            **threads(layout, plan, machine),
            **({"TORCH_COMPILE_DISABLE": "1"} if spec.eager else {}),  # sampling functions would compile as well
        },
        cwd=layout.run,
        served=spec.name,
        precision=plan.precision,
        window=plan.window,
    )


def arguments(spec: Spec, folder: Path, plan: Plan, port: int) -> list[str]:
    """vLLM's arguments."""
    chosen = ["--model", str(folder), "--served-model-name", spec.name, *spec.aliases]
    chosen += ["--host", "127.0.0.1", "--port", str(port), "--dtype", spec.dtype]
    chosen += ["--max-model-len", str(plan.window), "--max-num-seqs", str(SEQUENCES), "--block-size", "32"]
    chosen += ["--enable-prompt-tokens-details", "--structured-outputs-config", STRUCTURED]
    chosen += ["--generation-config", "vllm", "--uvicorn-log-level", "warning"]
    if spec.eager:
        chosen.append("--enforce-eager")
    if plan.device == "gpu":
        chosen += ["--tensor-parallel-size", str(plan.tensor_parallel)]
    return [*chosen, *spec.flags]


def caches(layout: Layout) -> dict[str, str]:
    """Compiled graphs and hub files stay below OCTAVO_HOME, so that a second start is shorter and `purge` is whole.

    vLLM's own store of ahead-of-time graphs is off: the CPU build (0.32.0) writes it and cannot read it back
    ("'function' object has no attribute 'finalize_loading'"), so every start compiled anew. torch's cache works.
    """
    return {
        "VLLM_CACHE_ROOT": str(layout.cache / "vllm"),
        "VLLM_USE_AOT_COMPILE": "0",
        "TORCHINDUCTOR_CACHE_DIR": str(layout.cache / "inductor"),
        "HF_HOME": str(layout.cache / "hub"),
    }


def threads(layout: Layout, plan: Plan, machine: Machine) -> dict[str, str]:
    """Thread binding and cache size of the CPU build; nothing on a GPU."""
    if plan.device == "gpu":
        return {}
    chosen = {
        "VLLM_CPU_KVCACHE_SPACE": str(max(1, math.ceil(plan.kv_cache / GIB))),
        "VLLM_CPU_OMP_THREADS_BIND": core_list(machine.workers),
    }
    openmp = layout.venv / "lib" / "libiomp5.so"
    if machine.system == "Linux" and machine.arch == "x86_64" and openmp.exists():
        chosen["LD_PRELOAD"] = str(openmp)
    return chosen


def core_list(cores: tuple[int, ...]) -> str:
    """Core ids as vLLM reads them: `0-3`, `0,2,4`."""
    if cores and cores == tuple(range(cores[0], cores[-1] + 1)) and len(cores) > 1:
        return f"{cores[0]}-{cores[-1]}"
    return ",".join(map(str, cores))
