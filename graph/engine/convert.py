"""A GGUF file as a folder that vLLM loads: bf16, or int8 at once.

transformers reads the file and undoes its quantisation; what comes out is written as safetensors beside
configuration, generation defaults, tokenizer and chat template. Writing int8 straight away saves a bf16 folder
(3.6 GB for 1.5B) that nobody would load.

Runs inside the engine's environment as `python convert.py FILE.gguf TARGET bf16|int8`; imports nothing of Octavo but
its neighbour `quantize.py`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

SHARD_BYTES = 4 << 30


def convert(source: Path, target: Path, precision: str) -> None:
    """Write the folder. `precision` is `bf16` or `int8`."""
    say(0, "reading the file")
    tensors, *described = read(source)
    target.mkdir(parents=True, exist_ok=True)
    for each in described:
        each.save_pretrained(target)
    say(60, "writing weights")
    if precision == "int8":
        import quantize  # type: ignore[import-not-found]  # the neighbour: this file runs as a script

        file = target / "config.json"
        file.write_text(json.dumps(quantize.mark(json.loads(file.read_text("utf-8"))), indent=1), encoding="utf-8")
        tensors = {new: value for name, old in tensors.items() for new, value in quantize.quantize(name, old)}
        say(80, "writing int8 weights")
    save(tensors, target)
    say(100, "written")


def read(source: Path) -> tuple[dict[str, Any], Any, Any, Any]:
    """bf16 tensors by name, configuration, generation defaults and tokenizer of a GGUF file."""
    import torch  # type: ignore[import-not-found]
    from transformers import AutoModelForCausalLM, AutoTokenizer  # type: ignore[import-not-found]

    where = {"gguf_file": source.name, "local_files_only": True}
    tokenizer = AutoTokenizer.from_pretrained(source.parent, **where)
    model = AutoModelForCausalLM.from_pretrained(source.parent, dtype=torch.bfloat16, **where)
    tied = set(getattr(model, "all_tied_weights_keys", None) or ()) if model.config.tie_word_embeddings else set()
    tensors = {
        name: value.detach().to(torch.bfloat16).contiguous()
        for name, value in model.state_dict().items()
        if name not in tied
    }
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config  # the file's; what is written is plain bf16
    model.config.dtype, model.config.architectures = "bfloat16", [type(model).__name__]
    return tensors, model.config, model.generation_config, tokenizer


def save(tensors: dict[str, Any], target: Path) -> None:
    """Write tensors as safetensors, in shards when they are large."""
    from safetensors.torch import save_file  # type: ignore[import-not-found]

    shards: list[dict[str, Any]] = [{}]
    size = 0
    for name, value in tensors.items():
        size += value.numel() * value.element_size()
        if size > SHARD_BYTES and shards[-1]:
            shards.append({})
            size = value.numel() * value.element_size()
        shards[-1][name] = value
    index: dict[str, str] = {}
    for number, shard in enumerate(shards, start=1):
        file = "model.safetensors" if len(shards) == 1 else f"model-{number:05}-of-{len(shards):05}.safetensors"
        save_file(shard, str(target / file), metadata={"format": "pt"})
        index.update(dict.fromkeys(shard, file))
    if len(shards) > 1:
        text = json.dumps({"metadata": {}, "weight_map": index})
        (target / "model.safetensors.index.json").write_text(text, encoding="utf-8")


def say(percent: int, message: str) -> None:
    """A line that the parent reads as progress."""
    sys.stdout.write(f"progress {percent} 100 {message}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
