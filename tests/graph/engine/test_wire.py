"""Small requests: how long and how large their answers may be, and what their errors say."""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from graph.engine import wire
from nodes.errors import EngineFault, EngineTimeout, EngineUnreachable, SetupError

Body = Callable[[Any], None]


@contextmanager
def server(body: Body, status: str = "200 OK", headers: str = "") -> Iterator[str]:
    """A server that answers every request by `body(write)`, until its client has gone."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while self.rfile.readline().strip():
                pass
            try:
                self.wfile.write(f"HTTP/1.1 {status}\r\nconnection: close\r\n{headers}\r\n".encode())
                body(self.wfile.write)
            except OSError:
                pass

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as listener:
        thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{listener.server_address[1]}/v1/models"
        listener.shutdown()
        thread.join()


def drip(write: Any) -> None:
    """A blank now and then, for ever."""
    pause = threading.Event()
    while not pause.wait(0.02):
        write(b" ")


def flood(write: Any) -> None:
    """Blanks without an end."""
    while True:
        write(b" " * 65536)


def test_the_time_is_that_of_the_whole_answer() -> None:
    with server(drip) as url, pytest.raises(EngineTimeout, match="did not answer within"):
        wire.ask(url, timeout=0.2)


def test_an_answer_without_an_end_is_not_read_on() -> None:
    with server(flood) as url, pytest.raises(EngineFault, match="more than"):
        wire.ask(url)


def test_an_error_without_an_end_is_still_told() -> None:
    with server(flood, "500 X") as url, pytest.raises(EngineFault, match="answered 500") as caught:
        wire.ask(url)
    assert caught.value.status == 500


@pytest.mark.parametrize("body", [b"[" * 200_000, b"<html>", b"", b"\xff\xfe\xfd"])
def test_what_is_not_json_is_named(body: bytes) -> None:
    with server(lambda write: write(body)) as url, pytest.raises(EngineFault, match="not JSON"):
        wire.ask(url)


def test_an_answer_that_cannot_be_unpacked_is_named() -> None:
    packed = server(lambda write: write(b"zz"), headers="content-encoding: gzip\r\n")
    with packed as url, pytest.raises(EngineUnreachable):
        wire.ask(url)


def test_a_whole_answer_is_read() -> None:
    said = {"data": ["中文", 1]}
    with server(lambda write: write(json.dumps(said).encode())) as url:
        assert wire.ask(url, key="k") == said
        assert json.loads(wire.text(url)) == said


@pytest.mark.parametrize("key", ["schlüssel", "中文", "a\nb"])
def test_a_key_that_no_header_can_carry_is_named_and_not_told(key: str) -> None:
    with pytest.raises(SetupError, match="OCTAVO_API_KEY") as caught:
        wire.ask("http://127.0.0.1:9/v1/models", key=key)
    assert key not in str(caught.value)


def test_no_error_tells_the_credentials_of_an_address(free_port: int) -> None:
    with pytest.raises(EngineUnreachable) as caught:
        wire.ask(f"http://ada:s3cret@127.0.0.1:{free_port}/v1/models")
    assert "s3cret" not in str(caught.value)
    assert f"http://***@127.0.0.1:{free_port}" in str(caught.value)


def test_text_without_credentials_stays() -> None:
    assert wire.shown("http://a/v1 ada@b 中文") == "http://a/v1 ada@b 中文"
