"""Who has the port."""

from __future__ import annotations

import os
import socket

import pytest

from graph.engine import port
from nodes.errors import SetupError


def test_a_free_port_passes_and_a_taken_one_names_its_holder(free_port: int) -> None:
    port.free_port(free_port)
    with socket.create_server(("127.0.0.1", free_port)), pytest.raises(SetupError, match=rf"process {os.getpid()}"):
        port.free_port(free_port)
