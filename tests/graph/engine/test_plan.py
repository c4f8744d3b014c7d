"""What fits: figures of the models we know, and properties for any machine."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.engine.machine import Gpu, Machine
from graph.engine.plan import GIB, GPU_SHARE, LEAST_WINDOW, WEIGHTS_LOW, gb, plan, tensor_parallel
from graph.engine.registry import resolve
from nodes.errors import SetupError

DEFAULT = resolve("default")


def machine(free: float, disk: float = 100, gpus: tuple[float, ...] = ()) -> Machine:
    return Machine(
        system="Linux",
        arch="x86_64",
        cores=(0, 1),
        workers=(0, 1),
        memory=int(free * GIB),
        memory_free=int(free * GIB),
        disk_free=int(disk * GIB),
        gpus=tuple(Gpu(name="g", memory=int(g * GIB), free=int(g * GIB)) for g in gpus),
    )


def test_figures_of_the_default_model() -> None:
    assert DEFAULT.kv_bytes == 28 * 1024
    assert DEFAULT.weight_bytes("bf16") == pytest.approx(3_554_214_752, rel=0.001)  # sizes of the real files
    assert DEFAULT.weight_bytes("int8") == pytest.approx(2_245_331_488, rel=0.001)
    found = plan(DEFAULT, "int8", machine(14))
    assert found.fits
    assert (found.window, found.kv_cache, found.parallel, found.serial) == (8192, 4 * GIB, 18, False)


def test_branches_run_in_groups_when_the_cache_is_small() -> None:
    found = plan(DEFAULT, "int8", machine(6.7))
    assert found.fits
    assert found.kv_cache == GIB
    assert found.parallel == 4
    assert found.serial
    assert not plan(DEFAULT, "int8", machine(6.7), branches=4).serial


def test_too_little_memory_or_disk_is_named() -> None:
    with pytest.raises(SetupError, match=r"'qwen2.5-coder-1.5b' \(bf16\) does not fit: it needs .* memory, 3.2 GB"):
        plan(DEFAULT, "bf16", machine(3)).require()
    with pytest.raises(SetupError, match="disk"):
        plan(DEFAULT, "bf16", machine(20, disk=1)).require()
    assert plan(DEFAULT, "bf16", machine(20, disk=0), installed=True, prepared=True).fits


def test_smallest_tensor_parallel_size_that_fits() -> None:
    big = DEFAULT.model_copy(update={"parameters": 32_000_000_000, "heads": 40, "layers": 64, "kv_heads": 8})
    weights = big.weight_bytes("bf16")
    assert tensor_parallel(big, weights, machine(64, gpus=(141,))) == 1
    assert tensor_parallel(big, weights, machine(64, gpus=(48, 48, 48, 48))) == 2
    assert tensor_parallel(big, weights, machine(64, gpus=(24,) * 8)) == 4
    assert plan(big, "bf16", machine(64, gpus=(24,) * 8)).tensor_parallel == 4
    assert not plan(big, "bf16", machine(64, gpus=(24,))).fits
    odd = big.model_copy(update={"heads": 14})
    assert tensor_parallel(odd, weights, machine(64, gpus=(16,) * 8)) == 2  # 14 heads cannot be cut in four


def test_unknown_sizes_do_not_fail_the_plan() -> None:
    found = plan(resolve("Qwen/Qwen2.5-7B-Instruct"), "bf16", machine(8))
    assert found.fits
    assert (found.weights, found.parallel) == (0, 0)


@given(
    free=st.floats(0.1, 512),
    gpus=st.lists(st.floats(1, 200), max_size=8),
    parameters=st.integers(1, 400_000_000_000),
    branches=st.integers(1, 64),
)
def test_never_plans_for_more_than_there_is(free: float, gpus: list[float], parameters: int, branches: int) -> None:
    spec = DEFAULT.model_copy(update={"parameters": parameters, "kept": parameters // 10})
    here = machine(free, gpus=tuple(gpus))
    found = plan(spec, "int8", here, branches=branches)
    assert found.kv_cache >= 0
    if found.fits:
        low = found.weights * WEIGHTS_LOW + found.kv_cache
        share = GPU_SHARE if gpus else 1.0
        assert low <= found.memory_free * share + 1
        assert LEAST_WINDOW <= found.window <= spec.window
        assert found.window * spec.kv_bytes <= found.kv_cache + spec.kv_bytes * 32 or found.serial
        assert spec.heads % found.tensor_parallel == 0
    else:
        with pytest.raises(SetupError):
            found.require()


def test_sizes_for_people() -> None:
    assert (gb(3_554_214_752), gb(269_060_552)) == ("3.6 GB", "269 MB")
