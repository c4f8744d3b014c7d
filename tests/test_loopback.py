"""The guard of `tests/loopback.py` fires, and lets loopback pass."""

from __future__ import annotations

import asyncio
import socket

import pytest

from tests.loopback import local, target

FAR = "192.0.2.1"
"""An address that documentation owns: nobody answers there."""


def test_a_connection_beyond_loopback_is_refused() -> None:
    with socket.socket() as far, pytest.raises(PermissionError, match=FAR):
        far.connect((FAR, 80))


def test_a_datagram_beyond_loopback_is_refused() -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as far, pytest.raises(PermissionError, match=FAR):
        far.sendto(b"x", (FAR, 53))


async def test_a_name_is_not_looked_up_from_an_event_loop() -> None:
    with pytest.raises(PermissionError, match=r"example\.org"):
        await asyncio.open_connection("example.org", 443)


async def test_loopback_passes() -> None:
    server = await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1")
    async with server:
        reader, writer = await asyncio.open_connection("localhost", server.sockets[0].getsockname()[1])
        assert await reader.read() == b""
        writer.close()
        await writer.wait_closed()


@pytest.mark.installs
def test_a_marked_test_is_let_out() -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as far:
        far.connect((FAR, 9))  # no packet: a datagram socket only remembers the address


def test_sockets_of_this_machine_are_local() -> None:
    assert target("socket.connect", (None, "/run/some.sock")) is None
    assert target("socket.bind", (None, ("0.0.0.0", 0))) is None
    assert [local(host) for host in ("::1", "127.3.2.1", "localhost")] == [True, True, True]
    assert [local(host) for host in ("0.0.0.0", "2001:db8::1", "localhost.example.org")] == [False, False, False]
