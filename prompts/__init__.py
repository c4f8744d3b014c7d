"""What the model is told: one Markdown file per prompt, with front matter and one section per language.

    ---
    version: 1
    sampling: {temperature: 0.7, top_p: 0.9, max_tokens: 512, timeout: 120}
    ---
    # en
    ... {{question}} ...
    # zh
    ... {{question}} ...

Slots are strict: a missing or an unexpected slot is a PromptFormatError. Braces of JSON and dollars of LaTeX are
ordinary text. Behaviour changes here, not in code; the digest of text and parameters is stored with every call.
This package imports nothing of Octavo.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

ROOT = Path(__file__).parent
_SLOT = re.compile(r"\{\{(\w+)\}\}")
_SECTION = re.compile(r"^# (en|zh)[ \t]*$", re.MULTILINE)


class PromptFormatError(ValueError):
    """A prompt file is missing, malformed, or was rendered with the wrong slots."""


class Sampling(BaseModel):
    """Sampling parameters of one call, as the OpenAI API names them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: float = Field(default=0.7, ge=0, le=2)
    top_p: float = Field(default=0.9, gt=0, le=1)
    max_tokens: int = Field(default=512, ge=1)
    stop: tuple[str, ...] = ()
    timeout: float = Field(default=180.0, gt=0)
    """Seconds for one call, from sending to the last token."""


class Prompt(BaseModel):
    """One prompt file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    version: int
    model: str | None = None
    sampling: Sampling = Sampling()
    sections: dict[str, str]

    def render(self, language: str, **slots: str) -> str:
        """Fill the section of `language`. Raises PromptFormatError on missing or unexpected slots."""
        text = self.sections[language]
        wanted = set(_SLOT.findall(text))
        if wanted != set(slots):
            raise PromptFormatError(
                f"prompt {self.name!r} ({language}) has slots {sorted(wanted)}, was given {sorted(slots)}"
            )
        return _SLOT.sub(lambda match: slots[match[1]], text)

    @property
    def digest(self) -> str:
        """SHA-256 (first 16 hex digits) of text, version and parameters."""
        return _digest_of(self.model_dump_json())


def digest(value: Any) -> str:
    """SHA-256 of canonical JSON, first 16 hex digits."""
    canonical = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@lru_cache(maxsize=256)
def _digest_of(dumped: str) -> str:
    """Every call asks for the digests of its prompts, and prompts are few."""
    return digest(json.loads(dumped))


def parse(name: str, text: str) -> Prompt:
    """Read one prompt file's text."""
    if not text.startswith("---\n") or "\n---\n" not in text[4:]:
        raise PromptFormatError(f"prompt {name!r} has no front matter between two lines `---`")
    head, body = text[4:].split("\n---\n", 1)
    parts = _SECTION.split(body)
    if parts[0].strip():
        raise PromptFormatError(f"prompt {name!r} has text before its first section `# en` or `# zh`")
    sections = {language: section.strip() for language, section in zip(parts[1::2], parts[2::2], strict=True)}
    if set(sections) != {"en", "zh"} or not all(sections.values()):
        raise PromptFormatError(
            f"prompt {name!r} needs one filled section `# en` and one `# zh`, has {sorted(sections)}"
        )
    if set(_SLOT.findall(sections["en"])) != set(_SLOT.findall(sections["zh"])):
        raise PromptFormatError(f"prompt {name!r} has other slots in `# en` than in `# zh`")
    try:
        return Prompt(name=name, sections=sections, **(yaml.safe_load(head) or {}))
    except (ValidationError, yaml.YAMLError, TypeError) as error:
        raise PromptFormatError(f"prompt {name!r} has bad front matter: {error}") from error


@cache
def load(name: str) -> Prompt:
    """Load `prompts/<name>.md`, for example `branch` or `stances/sceptic`."""
    path = ROOT / f"{name}.md"
    if not path.is_file():
        raise PromptFormatError(f"there is no prompt {name!r} at {path}")
    return parse(name, path.read_text(encoding="utf-8"))


def names(folder: str = "") -> list[str]:
    """Names of the prompts in a folder of this package, sorted."""
    base = ROOT / folder
    return sorted(path.relative_to(ROOT).with_suffix("").as_posix() for path in base.glob("*.md"))


def fingerprints() -> dict[str, str]:
    """Digest of every prompt file by name: the decoding configuration of a run."""
    return {name: load(name).digest for folder in ("", "stances", "specialists") for name in names(folder)}
