"""`octavo eval signals` as a user types it."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.cli import run
from tests.evals.pooled import branches, pool


def test_every_signal_is_measured_alone_and_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    samples = [*branches(["8", "7"], text="3 + 4 = 8\nANSWER: 8"), *branches(["7", "8"], "q2")]
    samples[1] = samples[1].model_copy(update={"text": "3 + 4 = 7\nANSWER: 7"})
    path = str(pool(tmp_path / "p.jsonl", samples))
    words = ["eval", "signals", path, "--width", "2", "--tie", "steps_unfailed, steps_passed", "--weigh", "camp,prose"]
    assert run(words) == 0
    text = capsys.readouterr().out
    assert text.startswith("n = 2 questions, vote right 1, any right 2")
    assert "steps_passed" in text
    assert "ties by steps_unfailed, steps_passed: +50.0" in text
    assert "(+1 -0)" in text
    assert "weights of camp, prose" in text
    assert run([*words[:3], "--apart", path, "--width", "2"]) == 0
    assert capsys.readouterr().out.startswith("n = 4 questions")


def test_an_unknown_signal_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(pool(tmp_path / "p.jsonl", branches(["7", "8"])))
    assert run(["eval", "signals", path, "--width", "2", "--tie", "luck"]) == 2
    assert "there is no signal 'luck'" in capsys.readouterr().err
