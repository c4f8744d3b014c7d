"""What a server is found to do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graph.engine import external, wire
from graph.engine.contracts import Endpoint
from graph.engine.probe import probe, require, served, version
from graph.settings import Settings
from nodes.errors import EngineDenied, EngineFault, EngineUnreachable, ModelNotServed
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


def replies(listing: object, completion: object = None) -> Callable[..., object]:
    def ask(url: str, **_how: object) -> object:
        return listing if url.endswith("/models") else completion or {}

    return ask


ODD = [(float("inf"), 0), (float("nan"), 0), (-7, 0), (1, 0), (True, 0), ("4k", 0), (None, 0), ([], 0), (10**40, 0)]


@pytest.mark.parametrize(("said", "context"), [*ODD, (4096, 4096), ("4096", 4096), (4096.0, 4096)])
def test_an_impossible_window_counts_as_not_said(said: object, context: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "ask", replies({"data": [{"id": "m", "max_model_len": said}]}))
    assert served("http://a/v1", None) == {"m": context}


def test_a_name_that_cannot_be_asked_for_is_not_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "ask", replies({"data": [{"id": "\ud800"}, {"id": None}, {"id": 5}, {"id": "模型"}]}))
    assert served("http://a/v1", None) == {"模型": 0}


@pytest.mark.parametrize("listing", [None, 5, [], {"data": "x"}, {"data": [1]}, {"data": [{}]}, {"data": None}])
def test_an_unreadable_list_is_named_without_credentials(listing: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "ask", replies(listing))
    with pytest.raises(EngineFault, match="cannot be read") as caught:
        served("http://ada:s3cret@a/v1", None)
    assert "s3cret" not in str(caught.value)


def test_a_missing_model_is_named_without_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "ask", replies({"data": [{"id": "m"}]}))
    with pytest.raises(ModelNotServed, match="not 'other'") as caught:
        external.external(Settings(base_url="http://ada:s3cret@a/v1", model="other"))
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("usage", [None, [], 5, {"prompt_tokens": "x"}, {"prompt_tokens_details": 5}])
def test_odd_side_fields_do_not_end_the_probe(usage: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "ask", replies({"data": [{"id": "m"}]}, {"choices": 5, "usage": usage}))
    found = probe(at("http://a/v1"))
    assert (found.cached, found.prompt, found.choice, found.logprobs) == (0, 0, False, False)
