"""Settings: the only place that reads the environment.

Command line, Studio and server build `Settings()` alike, so that all three find the same home and engine.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field, PositiveInt, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from nodes.errors import SetupError

CHECKOUT = Path(__file__).resolve().parent.parent


def default_home() -> Path:
    """`.octavo/` in a checkout, else below the current folder."""
    base = CHECKOUT if (CHECKOUT / "pyproject.toml").is_file() else Path.cwd()
    return base / ".octavo"


class Settings(BaseSettings):
    """Read from variables `OCTAVO_<FIELD>`; arguments win over the environment."""

    model_config = SettingsConfigDict(
        env_prefix="OCTAVO_",
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
        env_ignore_empty=True,
        hide_input_in_errors=True,
    )

    home: Path = Field(default_factory=default_home)
    """Folder of both databases, the engine and its models."""
    base_url: str | None = Field(default=None, repr=False)
    """OpenAI endpoint of a vLLM that somebody else runs, for example http://127.0.0.1:8000/v1; skips the own engine."""
    api_key: str | None = Field(default=None, repr=False)
    """Key for `base_url`."""
    model: str | None = None
    """Model of the registry to start, or the served name to ask for at `base_url`."""
    endpoints: Annotated[tuple[str, ...], NoDecode] = Field(default=(), repr=False)
    """More endpoints of the same kind, comma-separated; branches spread over them."""
    engine_idle: float = Field(default=30, ge=0)
    """Minutes without a request after which the own engine stops; 0 = never."""
    engine_port: int = Field(default=8101, ge=1, le=65535)
    """Loopback port of the own engine."""
    torch_index: str | None = None
    """Folder or package index that carries the CPU build of torch, for the engine's installation."""
    concurrency: int = Field(default=64, ge=1)
    """Model calls in flight at once, over all runs of this process."""
    retries: int = Field(default=3, ge=0, le=10)
    """Repeats of a call after a connection error, 429 or 5xx."""
    call_timeout: float = Field(default=300, gt=0, allow_inf_nan=False)
    """Seconds for one call; must leave time for the longest candidate that a prompt allows."""
    slowest_rate: float = Field(default=2.5, gt=0, allow_inf_nan=False)
    """Tokens a second that a single stream is expected to reach at worst; `call_timeout` is checked against it."""
    max_text: int = Field(default=200_000, ge=1)
    """Characters of a question that are accepted at all."""
    waves: Annotated[tuple[PositiveInt, ...], NoDecode] = Field(default=(2, 2, 2, 2), min_length=1)
    """Sizes of the waves of a staged round, comma-separated; what is left of the budget forms a last wave."""
    stop_probability: float = Field(default=0.8, gt=0, le=1)
    """Posterior that the leader stays ahead at which a staged round ends."""

    specialists: Annotated[tuple[str, ...], NoDecode] = ()
    """Specialists that ask the model although that is off by default, comma-separated; `all` = every one."""

    @model_validator(mode="before")
    @classmethod
    def _split(cls, values: dict[str, object]) -> dict[str, object]:
        for name in ("waves", "endpoints", "specialists"):
            text = values.get(name)
            if isinstance(text, str):
                values[name] = tuple(part.strip() for part in text.split(",") if part.strip())
        return values

    @field_validator("base_url", "endpoints")
    @classmethod
    def _addresses(cls, value: str | tuple[str, ...] | None) -> str | tuple[str, ...] | None:
        for address in (value,) if isinstance(value, str) else value or ():
            check_address(address)
        return value

    @property
    def records(self) -> Path:
        """The records database, ours."""
        return self.home / "records.db"

    @property
    def checkpoints(self) -> Path:
        """The checkpoint database, LangGraph's."""
        return self.home / "checkpoints.db"


def check_address(address: str) -> None:
    """Raises ValueError, without a word of `address`, unless it is one: a password in it could be read otherwise.

    User name and password are masked up to the `@` before the host. Where they hold a character that ends them, the
    rest would pass for host or path, and be shown and sent as such.
    """
    try:
        parts = urlsplit(address)
        whole = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1) > 0
    except ValueError:
        whole = False
    if (
        not whole
        or address.count("@") > ("@" in urlsplit(address).netloc)
        or not address.isprintable()
        or " " in address
    ):
        raise ValueError(
            "not an address such as http://127.0.0.1:8000/v1; in a user name or password write / ? # @ : and blanks"
            " as %2F %3F %23 %40 %3A %20"
        )


@cache
def settings() -> Settings:
    """Settings of this process. Raises SetupError that names the bad variable."""
    return read()


def read(**changes: object) -> Settings:
    """Settings from the environment, with some fields given. Raises SetupError that names the bad variable."""
    try:
        return Settings(**changes)  # type: ignore[arg-type]
    except ValidationError as error:
        faults = "; ".join(f"OCTAVO_{'.'.join(map(str, e['loc'])).upper()}: {e['msg']}" for e in error.errors())
        raise SetupError(f"bad setting: {faults}") from error
