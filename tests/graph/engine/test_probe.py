"""What a server is found to do."""

from __future__ import annotations

import pytest

from graph.engine.contracts import Endpoint
from graph.engine.probe import probe, require, served, version
from nodes.errors import EngineDenied, EngineFault, EngineUnreachable
from tests.graph.engine.fake_server import serving


def at(url: str, model: str = "m", supervised: bool = True) -> Endpoint:
    return Endpoint(base_url=url, api_key="k", model=model, context=4096, supervised=supervised)


def test_a_good_server_passes() -> None:
    with serving(key="k") as url:
        found = probe(at(url))
    assert found.faults == ()
    assert (found.models, found.context, found.version) == (("m",), 4096, "0.32.0")
    assert (found.cached, found.prompt) == (192, 200)
    require(found)


@pytest.mark.parametrize(
    ("mode", "word"), [("ignores_choice", "choice"), ("no_logprobs", "log-prob"), ("no_cache", "cache")]
)
def test_each_missing_feature_is_named(mode: str, word: str) -> None:
    with serving(mode, key="k") as url:
        found = probe(at(url))
    assert len(found.faults) == 1
    with pytest.raises(EngineFault, match=word):
        require(found)


def test_somebody_elses_server_may_do_without_a_cache() -> None:
    with serving("no_cache", key="k") as url:
        assert probe(at(url, supervised=False)).faults == ()


def test_a_model_that_is_not_served_is_named() -> None:
    with serving(key="k") as url:
        assert "not 'other'" in probe(at(url, model="other")).faults[0]


def test_errors_by_who_must_act() -> None:
    with serving(key="k") as url:
        with pytest.raises(EngineDenied, match="OCTAVO_API_KEY"):
            served(url, "wrong")
        with pytest.raises(EngineDenied):
            served(url, None)
    with pytest.raises(EngineUnreachable, match="nobody answers"):
        served(url, "k")
    assert version(url) == ""
    with pytest.raises(EngineUnreachable):
        served("not an address", None)
