"""Somebody else's server (OCTAVO_BASE_URL): asked once for its models, never started or stopped."""

from __future__ import annotations

from graph.engine import wire
from graph.engine.contracts import Endpoint
from graph.engine.probe import served, version
from graph.settings import Settings
from nodes.errors import ModelNotServed

_known: dict[tuple[str, str | None, str | None], Endpoint] = {}


def external(settings: Settings) -> Endpoint:
    """The endpoint of `base_url`; asked once. Raises an EngineError."""
    assert settings.base_url is not None
    key = (settings.base_url, settings.api_key, settings.model)
    if key not in _known:
        base_url = settings.base_url.rstrip("/")
        models = served(base_url, settings.api_key)
        name = settings.model or next(iter(models), None)
        if name is None or name not in models:
            raise ModelNotServed(
                f"{wire.shown(base_url)!r} serves {', '.join(list(models)[:10]) or 'no model'}"
                + (f", not {name!r}; set OCTAVO_MODEL to one of them" if name else "")
            )
        _known[key] = Endpoint(
            base_url=base_url,
            api_key=settings.api_key,
            model=name,
            context=models[name],
            supervised=False,
            version=version(base_url),
        )
    return _known[key]
