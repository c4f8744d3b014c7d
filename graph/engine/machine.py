"""What this machine offers a model server: cores we may use, memory and disk that are free, GPUs."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import psutil

from nodes.contracts import Contract

_CGROUP = Path("/sys/fs/cgroup")
_CPUS = Path("/sys/devices/system/cpu")


class Gpu(Contract):
    """One NVIDIA GPU."""

    name: str
    memory: int
    """Bytes in all."""
    free: int
    """Bytes free now."""


class Machine(Contract):
    """Facts that plan and start depend on."""

    system: str
    """`Linux`, `Darwin` ..."""
    arch: str
    """`x86_64`, `aarch64`, `arm64` ..."""
    cores: tuple[int, ...]
    """Ids of the logical CPUs that this process may use."""
    workers: tuple[int, ...]
    """Those that should compute: one per physical core and one NUMA node, or all on small machines."""
    memory: int
    """Bytes in all; the container's limit when that is lower."""
    memory_free: int
    """Bytes that can be had now without swapping."""
    disk_free: int
    """Bytes free where OCTAVO_HOME lies."""
    gpus: tuple[Gpu, ...] = ()

    @property
    def device(self) -> str:
        """`gpu` or `cpu`: which build of vLLM belongs here."""
        return "gpu" if self.gpus else "cpu"


def survey(home: Path) -> Machine:
    """Look at the machine now."""
    cores = allowed_cores()
    total, free = memory()
    return Machine(
        system=platform.system(),
        arch=platform.machine(),
        cores=cores,
        workers=computing_cores(cores, _siblings(cores), _nodes(cores)),
        memory=total,
        memory_free=free,
        disk_free=disk_free(home),
        gpus=gpus(),
    )


def allowed_cores() -> tuple[int, ...]:
    """Logical CPUs of our affinity mask (a container or `taskset` may have narrowed it)."""
    if sys.platform == "linux":
        return tuple(sorted(os.sched_getaffinity(0)))
    return tuple(range(os.cpu_count() or 1))


def computing_cores(cores: tuple[int, ...], siblings: dict[int, int], nodes: dict[int, int]) -> tuple[int, ...]:
    """Cores that should run model threads.

    `siblings` gives the physical core, `nodes` the NUMA node of each logical one. With four or fewer logical cores
    all compute (measured: two threads on two logical cores give 7.1 tokens/s, one gives 5.0); on larger machines
    one thread per physical core, within the NUMA node where most are allowed, since memory bandwidth is the limit.
    """
    if len(cores) <= 4:
        return cores
    by_node: dict[int, list[int]] = {}
    seen: set[int] = set()
    for core in cores:
        physical = siblings.get(core, core)
        if physical not in seen:
            seen.add(physical)
            by_node.setdefault(nodes.get(core, 0), []).append(core)
    return tuple(sorted(by_node.values(), key=len)[-1])


def memory() -> tuple[int, int]:
    """Bytes in all and free, the container's limit (cgroup v2) respected."""
    seen = psutil.virtual_memory()
    try:
        limit = int((_CGROUP / "memory.max").read_text())
        used = int((_CGROUP / "memory.current").read_text())
    except (OSError, ValueError):  # no cgroup v2, or "max"
        return seen.total, seen.available
    return min(seen.total, limit), min(seen.available, max(0, limit - used))


def disk_free(folder: Path) -> int:
    """Bytes free on the disk that holds, or will hold, `folder`."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return shutil.disk_usage(folder).free


def gpus() -> tuple[Gpu, ...]:
    """NVIDIA GPUs, by `nvidia-smi`; none when it is absent or fails."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return ()
    query = [tool, "--query-gpu=name,memory.total,memory.free", "--format=csv,noheader,nounits"]
    try:
        text = subprocess.run(query, capture_output=True, text=True, timeout=20, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return ()
    return read_gpus(text)


def read_gpus(text: str) -> tuple[Gpu, ...]:
    """Parse lines `name, MiB in all, MiB free`; lines of another form (a driver's complaint) are skipped."""
    found = []
    for line in text.splitlines():
        parts = [part.strip() for part in line.rsplit(",", 2)]
        if len(parts) == 3 and parts[1].isdigit() and parts[2].isdigit():
            found.append(Gpu(name=parts[0], memory=int(parts[1]) << 20, free=int(parts[2]) << 20))
    return tuple(found)


def _siblings(cores: tuple[int, ...]) -> dict[int, int]:
    found = {}
    for core in cores:
        try:
            text = (_CPUS / f"cpu{core}" / "topology" / "thread_siblings_list").read_text()
            found[core] = int(text.replace("-", ",").split(",")[0])
        except (OSError, ValueError):
            continue
    return found


def _nodes(cores: tuple[int, ...]) -> dict[int, int]:
    found = {}
    for core in cores:
        for link in (_CPUS / f"cpu{core}").glob("node[0-9]*"):
            found[core] = int(link.name[4:])
    return found
