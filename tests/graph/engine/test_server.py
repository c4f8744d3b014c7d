"""Small parts of the watch: ports, logs."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from graph.engine import server
from nodes.errors import SetupError


def test_a_free_port_passes_and_a_taken_one_names_its_holder(free_port: int) -> None:
    server.free_port(free_port)
    with socket.create_server(("127.0.0.1", free_port)), pytest.raises(SetupError, match=rf"process {os.getpid()}"):
        server.free_port(free_port)


def test_last_words_are_the_last_error(tmp_path: Path) -> None:
    log = tmp_path / "engine.log"
    assert server.last_words(log) == "no log"
    log.write_text("")
    assert server.last_words(log) == "empty log"
    log.write_text(
        f"ValueError: of an earlier start\n{server.MARK}"
        "(EngineCore pid=7) ERROR 11-30 23:30:32 [core.py:1512] RuntimeError: CPU Generator does not use offset\n"
        "(APIServer pid=3) ERROR 11-30 23:30:32 [async_llm.py:906]     raise EngineDeadError()\n"
        "(APIServer pid=3) ERROR 11-30 23:30:32 [async_llm.py:906] vllm.v1.engine.exceptions.EngineDeadError: above\n"
        "RuntimeError: Executor failed.\n(APIServer pid=3) INFO shutting down\n"
    )
    assert server.last_words(log) == "RuntimeError: CPU Generator does not use offset"
    log.write_text(f"ValueError: of an earlier start\n{server.MARK}a line\nRuntimeError: Executor failed.\n")
    assert server.last_words(log) == "RuntimeError: Executor failed."
    log.write_bytes(b"\xff\xfe bad bytes\nlast line\n")
    assert server.last_words(log) == "last line"


def test_stages_follow_the_log(tmp_path: Path) -> None:
    log = tmp_path / "engine.log"
    stage, read = server._stage(log, "starting", 0)
    assert (stage, read) == ("starting", 0)
    log.write_text("INFO Starting to load model x...\n")
    stage, read = server._stage(log, stage, read)
    assert stage == "loading weights"
    with log.open("a") as more:
        more.write("INFO Warming up done.\n")
    assert server._stage(log, stage, read)[0] == "laying out the KV cache"
