"""Small requests: what their errors say."""

from __future__ import annotations

import pytest

from graph.engine import wire
from nodes.errors import EngineUnreachable


def test_no_error_tells_the_credentials_of_an_address(free_port: int) -> None:
    with pytest.raises(EngineUnreachable) as caught:
        wire.ask(f"http://ada:s3cret@127.0.0.1:{free_port}/v1/models")
    assert "s3cret" not in str(caught.value)
    assert f"http://***@127.0.0.1:{free_port}" in str(caught.value)


def test_text_without_credentials_stays() -> None:
    assert wire.shown("http://a/v1 ada@b 中文") == "http://a/v1 ada@b 中文"
