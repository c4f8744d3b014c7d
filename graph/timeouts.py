"""Timeouts against token caps, checked before the first question (REQUIREMENTS C6)."""

from __future__ import annotations

from graph.settings import Settings
from nodes.errors import SetupError
from prompts import Prompt, load, names


def check_timeouts(settings: Settings, *prompts: Prompt) -> None:
    """Refuse a timeout that the longest candidate of a prompt cannot meet (C6). Raises SetupError.

    Without prompts, all that set sampling parameters are checked.
    """
    for prompt in prompts or calling():
        sampling = prompt.sampling
        needed = sampling.max_tokens / settings.slowest_rate
        allowed = min(sampling.timeout, settings.call_timeout)
        if allowed < needed:
            raise SetupError(
                f"prompt {prompt.name!r} allows {sampling.max_tokens} tokens, which take {needed:.0f} s at"
                f" {settings.slowest_rate:g} tokens/s, but its call ends after {allowed:g} s: raise `timeout` in the"
                " prompt and OCTAVO_CALL_TIMEOUT, lower `max_tokens`, or set OCTAVO_SLOWEST_RATE to what you measured"
            )


def calling() -> tuple[Prompt, ...]:
    """The prompts that calls are made with: those whose front matter sets sampling parameters."""
    found = (load(name) for folder in ("", "specialists", "stances") for name in names(folder))
    return tuple(prompt for prompt in found if "sampling" in prompt.model_fields_set)
