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
    ("name", "value"),
    [
        ("OCTAVO_CONCURRENCY", "0"),
        ("OCTAVO_STOP_PROBABILITY", "2"),
        ("OCTAVO_ENGINE_PORT", "x"),
        ("OCTAVO_CALL_TIMEOUT", "inf"),
        ("OCTAVO_SLOWEST_RATE", "inf"),
    ],
)
def test_bad_variables_are_named(name, value, monkeypatch):
    monkeypatch.setenv(name, value)
    with pytest.raises(SetupError, match=name):
        read()


@pytest.mark.parametrize(
    "address",
    ["http://me:se/cret@h:1/v1", "http://me:1/cret@h/v1", "http://me:se?cret@h/v1", "http://me:se#cret@h/v1",
     "http://me:se cret@h/v1", "http://me:se@cret@h/v1", "http://me:se\ncret@h/v1", "me:cret@h/v1", "ftp://me:cret@h",
     "http://me:cret@", "http://me:cret@h:99999999/v1", "http://[me:cret@h", "cret"],
)  # fmt: skip
@pytest.mark.parametrize("field", ["base_url", "endpoints"])
def test_an_address_that_cannot_be_masked_is_refused_without_being_shown(address, field, tmp_path):
    with pytest.raises(SetupError, match=f"OCTAVO_{field.upper()}.*not an address") as caught:
        read(home=tmp_path, **{field: address})
    assert "cret" not in str(caught.value)
    assert "cret" not in str(caught.value.__cause__)


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:8000/v1", "https://me:se%2Fcret@h.example/v1/", "http://[::1]:1/v1", "http://h"]
)
def test_addresses(address, tmp_path):
    found = read(home=tmp_path, base_url=address, endpoints=f"{address}, {address}")
    assert (found.base_url, found.endpoints) == (address, (address, address))
    assert "cret" not in repr(found)
