"""How vLLM is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.engine.layout import Layout
from graph.engine.plan import plan
from graph.engine.registry import resolve
from graph.engine.start import Launch, core_list, launch
from tests.graph.engine.test_plan import machine


def started(layout: Layout, name: str = "default", gpus: tuple[float, ...] = ()) -> Launch:
    spec, here = resolve(name), machine(14, gpus=gpus)
    chosen = plan(spec, spec.precision(here.device, None), here)
    return launch(layout, spec, Path("/m"), chosen, here, 8101, "secret-key")


def value(found: Launch, flag: str) -> str:
    return found.argv[found.argv.index(flag) + 1]


def test_on_a_cpu(layout: Layout) -> None:
    openmp = layout.venv / "lib" / "libiomp5.so"
    openmp.parent.mkdir(parents=True)
    openmp.touch()
    found = started(layout)
    assert found.argv[:3] == (str(layout.python), "-m", "vllm.entrypoints.openai.api_server")
    assert value(found, "--host") == "127.0.0.1"
    assert value(found, "--max-model-len") == "8192"
    assert value(found, "--block-size") == "32"
    assert value(found, "--served-model-name") == "qwen2.5-coder-1.5b"
    assert found.env["VLLM_CPU_OMP_THREADS_BIND"] == "0-1"
    assert found.env["VLLM_CPU_KVCACHE_SPACE"] == "4"
    assert found.env["LD_PRELOAD"] == str(openmp)


def test_the_key_travels_in_the_environment_only(layout: Layout) -> None:
    found = started(layout)
    assert found.env["VLLM_API_KEY"] == "secret-key"
    assert not any("secret-key" in word for word in found.argv)


def test_nothing_leaves_the_machine_and_no_seed_is_set(layout: Layout) -> None:
    found = started(layout)
    wanted = {"VLLM_NO_USAGE_STATS", "DO_NOT_TRACK", "HF_HUB_OFFLINE", "HF_HUB_DISABLE_TELEMETRY"}
    assert {name for name in wanted if found.env[name] == "1"} == wanted
    assert found.env["VLLM_HOST_IP"] == "127.0.0.1"
    assert "--seed" not in found.argv


def test_only_the_small_model_starts_eagerly(layout: Layout) -> None:
    assert "--enforce-eager" in started(layout, "tiny").argv
    assert started(layout, "tiny").env["TORCH_COMPILE_DISABLE"] == "1"
    assert "--enforce-eager" not in started(layout).argv
    assert "TORCH_COMPILE_DISABLE" not in started(layout).env


def test_on_gpus(layout: Layout) -> None:
    found = started(layout, gpus=(24, 24))
    assert value(found, "--tensor-parallel-size") == "1"
    assert not any(name.startswith("VLLM_CPU") or name == "LD_PRELOAD" for name in found.env)


def test_caches_lie_below_the_home(layout: Layout) -> None:
    env = started(layout).env
    assert all(Path(env[name]).is_relative_to(layout.cache) for name in ("VLLM_CACHE_ROOT", "HF_HOME"))
    assert Path(env["TORCHINDUCTOR_CACHE_DIR"]).is_relative_to(layout.cache)
    assert env["VLLM_USE_AOT_COMPILE"] == "0"  # or the graph is compiled at every start


@pytest.mark.parametrize(
    ("cores", "text"), [((0, 1), "0-1"), ((0,), "0"), ((0, 2, 4), "0,2,4"), ((4, 5, 6), "4-6"), ((), "")]
)
def test_core_lists(cores: tuple[int, ...], text: str) -> None:
    assert core_list(cores) == text
