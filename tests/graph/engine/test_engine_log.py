"""vLLM's log: how far, and why it ended."""

from __future__ import annotations

from pathlib import Path

from graph.engine import engine_log


def test_last_words_are_the_last_error(tmp_path: Path) -> None:
    log = tmp_path / "engine.log"
    assert engine_log.last_words(log) == "no log"
    log.write_text("")
    assert engine_log.last_words(log) == "empty log"
    log.write_text(
        f"ValueError: of an earlier start\n{engine_log.MARK}"
        "(EngineCore pid=7) ERROR 11-30 23:30:32 [core.py:1512] RuntimeError: CPU Generator does not use offset\n"
        "(APIServer pid=3) ERROR 11-30 23:30:32 [async_llm.py:906]     raise EngineDeadError()\n"
        "(APIServer pid=3) ERROR 11-30 23:30:32 [async_llm.py:906] vllm.v1.engine.exceptions.EngineDeadError: above\n"
        "RuntimeError: Executor failed.\n(APIServer pid=3) INFO shutting down\n"
    )
    assert engine_log.last_words(log) == "RuntimeError: CPU Generator does not use offset"
    log.write_text(f"ValueError: of an earlier start\n{engine_log.MARK}a line\nRuntimeError: Executor failed.\n")
    assert engine_log.last_words(log) == "RuntimeError: Executor failed."
    log.write_bytes(b"\xff\xfe bad bytes\nlast line\n")
    assert engine_log.last_words(log) == "last line"


def test_stages_follow_the_log(tmp_path: Path) -> None:
    log = tmp_path / "engine.log"
    stage, read = engine_log.stage_of(log, "starting", 0)
    assert (stage, read) == ("starting", 0)
    log.write_text("INFO Starting to load model x...\n")
    stage, read = engine_log.stage_of(log, stage, read)
    assert stage == "loading weights"
    with log.open("a") as more:
        more.write("INFO Warming up done.\n")
    assert engine_log.stage_of(log, stage, read)[0] == "laying out the KV cache"
