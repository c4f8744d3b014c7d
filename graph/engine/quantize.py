"""int8 weights for vLLM: W8A8, written as `compressed-tensors` with format `int-quantized`.

Every `*_proj.weight` becomes int8 with one scale per output channel, by plain rounding (absmax / 127); activations
are quantised per token at run time. Embeddings, norms and the output head stay as they are. Method: LLM.int8
(2208.07339) without outlier columns, as SmoothQuant's (2211.10438) baseline. Measured on two cores with
Qwen2.5-Coder-1.5B: 12 tokens/s instead of 7 alone, 63 instead of 44 over eight streams.

Runs inside the engine's environment (torch, safetensors) as `python quantize.py SOURCE TARGET`; imports nothing of
Octavo.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_TENSOR_LIMIT = 127
_NUMBERS = {
    "num_bits": 8,
    "type": "int",
    "symmetric": True,
    "group_size": None,
    "block_structure": None,
    "actorder": None,
    "observer_kwargs": {},
}
QUANTIZATION = {
    "quant_method": "compressed-tensors",
    "format": "int-quantized",
    "quantization_status": "compressed",
    "global_compression_ratio": None,
    "kv_cache_scheme": None,
    "ignore": ["lm_head"],
    "config_groups": {
        "group_0": {
            "targets": ["Linear"],
            "output_activations": None,
            "input_activations": {**_NUMBERS, "strategy": "token", "dynamic": True, "observer": None},
            "weights": {**_NUMBERS, "strategy": "channel", "dynamic": False, "observer": "minmax"},
        }
    },
}


def is_linear(name: str) -> bool:
    """Whether a tensor is the weight of a projection that becomes int8."""
    return name.endswith("proj.weight")


def quantize(name: str, weight: Any) -> Iterator[tuple[str, Any]]:
    """Yield the tensors that stand for one weight of shape (out, in): int8 values and (out, 1) scales, or itself."""
    if not is_linear(name):
        yield name, weight
        return
    import torch  # type: ignore[import-not-found]

    exact = weight.float()
    scale = (exact.abs().amax(dim=1, keepdim=True) / _TENSOR_LIMIT).clamp(min=1e-8).to(torch.bfloat16)
    rounded = torch.round(exact / scale.float()).clamp(-_TENSOR_LIMIT - 1, _TENSOR_LIMIT)
    yield name, rounded.to(torch.int8)
    yield f"{name}_scale", scale


def mark(config: dict[str, Any]) -> dict[str, Any]:
    """The model's configuration, told that the weights are int8."""
    return {**config, "quantization_config": QUANTIZATION}


def quantize_folder(source: Path, target: Path) -> None:
    """Write the int8 twin of a folder of safetensors, shard by shard."""
    from safetensors import safe_open  # type: ignore[import-not-found]
    from safetensors.torch import save_file  # type: ignore[import-not-found]

    target.mkdir(parents=True, exist_ok=True)
    shards = sorted(source.glob("*.safetensors"))
    index: dict[str, str] = {}
    for number, shard in enumerate(shards, start=1):
        tensors: dict[str, Any] = {}
        with safe_open(str(shard), "pt") as file:
            for name in file.keys():  # noqa: SIM118 - not a dict
                tensors.update(quantize(name, file.get_tensor(name)))
        save_file(tensors, str(target / shard.name), metadata={"format": "pt"})
        index.update(dict.fromkeys(tensors, shard.name))
        sys.stdout.write(f"progress {100 * number // len(shards)} 100 int8 weights\n")
        sys.stdout.flush()
    for file in source.iterdir():
        if file.is_file() and file.suffix in {".json", ".jinja", ".txt", ".model"} and "index" not in file.name:
            shutil.copy(file, target / file.name)
    if len(shards) > 1:
        text = json.dumps({"metadata": {}, "weight_map": index})
        (target / "model.safetensors.index.json").write_text(text, encoding="utf-8")
    config = json.loads((source / "config.json").read_text(encoding="utf-8"))
    (target / "config.json").write_text(json.dumps(mark(config), indent=1), encoding="utf-8")


if __name__ == "__main__":
    quantize_folder(Path(sys.argv[1]), Path(sys.argv[2]))
