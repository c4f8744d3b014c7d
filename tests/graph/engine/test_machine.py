"""Facts about the machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.engine import machine


def test_this_machine() -> None:
    found = machine.survey(Path("/no/such/folder/yet"))
    assert found.cores
    assert set(found.workers) <= set(found.cores)
    assert 0 < found.memory_free <= found.memory
    assert found.disk_free > 0


def test_small_machines_compute_on_all_cores() -> None:
    assert machine.computing_cores((0, 1, 2, 3), {1: 0, 3: 2}, {}) == (0, 1, 2, 3)


def test_large_machines_compute_on_physical_cores_of_one_node() -> None:
    cores = tuple(range(16))
    siblings = {core: core % 8 for core in cores}
    assert machine.computing_cores(cores, siblings, {}) == tuple(range(8))
    nodes = {core: 0 if core % 8 < 3 else 1 for core in cores}
    assert machine.computing_cores(cores, siblings, nodes) == (3, 4, 5, 6, 7)


@given(st.sets(st.integers(0, 255), min_size=1), st.integers(1, 4), st.integers(1, 4))
def test_workers_are_allowed_cores_never_two_on_one_physical(cores: set[int], threads: int, nodes: int) -> None:
    allowed = tuple(sorted(cores))
    siblings = {core: core // threads for core in allowed}
    found = machine.computing_cores(allowed, siblings, {core: core % nodes for core in allowed})
    assert found
    assert set(found) <= set(allowed)
    if len(allowed) > 4:
        assert len({siblings[core] for core in found}) == len(found)


def test_reads_nvidia_smi() -> None:
    text = "NVIDIA H100 80GB HBM3, 81559, 80000\nTesla, V100, 16384, 100\nFailed to initialize NVML\n\n"
    first, second = machine.read_gpus(text)
    assert (first.name, first.memory, first.free) == ("NVIDIA H100 80GB HBM3", 81559 << 20, 80000 << 20)
    assert second.name == "Tesla, V100"


def test_respects_the_limit_of_a_container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "memory.max").write_text("1000000\n")
    (tmp_path / "memory.current").write_text("400000\n")
    monkeypatch.setattr(machine, "_CGROUP", tmp_path)
    assert machine.memory() == (1_000_000, 600_000)
    (tmp_path / "memory.max").write_text("max\n")
    assert machine.memory()[0] > 1_000_000
