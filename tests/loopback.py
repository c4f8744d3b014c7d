"""A guard for the test process: connections, datagrams and name look-ups that would leave loopback fail.

An audit hook sees every socket, whichever library opened it; it cannot be removed, hence `Guard.armed`. Child
processes are not seen here (`tests/graph` proves separately that a run stays on loopback).
"""

from __future__ import annotations

import ipaddress
import sys
from typing import Any


class Guard:
    """Refuses while `armed`."""

    def __init__(self) -> None:
        self.armed = False
        sys.addaudithook(self._watch)

    def _watch(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.armed or not event.startswith("socket."):
            return
        host = target(event, arguments)
        if host is not None and not local(host):
            raise PermissionError(f"a test may not reach {host!r}; only one marked `installs` may leave loopback")


def target(event: str, arguments: tuple[Any, ...]) -> str | None:
    """The host that an audit event is about; None when the event reaches nobody."""
    if event in {"socket.connect", "socket.sendto", "socket.sendmsg"}:
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else None  # a path or none: stays on this machine
    elif event in {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}:
        host = arguments[0]
    else:
        return None
    return host.decode() if isinstance(host, bytes) else host


def local(host: str) -> bool:
    """Whether a name or address stays on this machine."""
    try:
        return ipaddress.ip_address(host.split("%")[0]).is_loopback
    except ValueError:
        return host in {"", "localhost"}
