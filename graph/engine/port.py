"""Is the port free, and if not, who has it?"""

from __future__ import annotations

import contextlib
import socket

import psutil

from nodes.errors import SetupError


def free_port(port: int) -> None:
    """Raise SetupError that names who has the port, when somebody has it."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("127.0.0.1", port))
        except OSError as error:
            raise SetupError(
                f"port {port} is taken{holder(port)}; choose another with OCTAVO_ENGINE_PORT, or end that program"
            ) from error


def holder(port: int) -> str:
    """` by process 123 (nginx)`, or an empty string when it may not be seen."""
    with contextlib.suppress(psutil.Error, OSError):
        for seen in psutil.net_connections("tcp"):
            if seen.status == psutil.CONN_LISTEN and seen.laddr and seen.laddr.port == port and seen.pid:
                return f" by process {seen.pid} ({psutil.Process(seen.pid).name()})"
    return ""
