"""Settings: bad values are named before anything starts."""

from __future__ import annotations

import pytest

from graph.settings import read
from nodes.errors import SetupError


@pytest.mark.parametrize("waves", ["0,2", "-1", "", ",", "two", "1.5"])
def test_bad_waves_are_named(waves, tmp_path):
    with pytest.raises(SetupError, match="OCTAVO_WAVES"):
        read(home=tmp_path, waves=waves)


@pytest.mark.parametrize(("text", "sizes"), [("3,5", (3, 5)), (" 8 ", (8,)), ("2,2,4", (2, 2, 4))])
def test_waves(text, sizes, tmp_path):
    assert read(home=tmp_path, waves=text).waves == sizes


def test_no_secret_is_shown(tmp_path):
    assert "hidden" not in repr(read(home=tmp_path, base_url="http://127.0.0.1:1/v1", api_key="hidden"))


@pytest.mark.parametrize(
    ("name", "value"), [("OCTAVO_CONCURRENCY", "0"), ("OCTAVO_STOP_PROBABILITY", "2"), ("OCTAVO_ENGINE_PORT", "x")]
)
def test_bad_variables_are_named(name, value, monkeypatch):
    monkeypatch.setenv(name, value)
    with pytest.raises(SetupError, match=name):
        read()
