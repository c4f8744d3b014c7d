"""One process at a time works on a run, and a dead one holds nothing."""

from __future__ import annotations

import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from graph.claims import FILE, claim
from graph.settings import CHECKOUT
from nodes.errors import InputError, SetupError

HOLDER = """
import pathlib, sys
from graph.claims import claim
with claim(pathlib.Path(sys.argv[1]), sys.argv[2]):
    print("held", flush=True)
    sys.stdin.read()
"""


def refused(home: Path, run: str) -> bool:
    try:
        with claim(home, run):
            return False
    except InputError as error:
        return error.code == "run_in_progress"


def test_a_run_is_claimed_once_in_a_process(tmp_path: Path) -> None:
    run, other = str(uuid.uuid4()), str(uuid.uuid4())
    with claim(tmp_path, run):
        assert refused(tmp_path, run)
        assert not refused(tmp_path, other)
        assert not refused(tmp_path / "another home", run)
        assert refused(tmp_path, run)  # neither a refusal nor another claim has let it go
    assert not refused(tmp_path, run)


def test_an_error_lets_the_claim_go(tmp_path: Path) -> None:
    run = str(uuid.uuid4())
    with pytest.raises(RuntimeError), claim(tmp_path, run):
        raise RuntimeError
    assert not refused(tmp_path, run)


def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    run = str(uuid.uuid4())
    command = [sys.executable, "-c", HOLDER, str(tmp_path), run]
    with subprocess.Popen(command, cwd=CHECKOUT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        assert refused(tmp_path, run)
        process.kill()
    assert not refused(tmp_path, run)


def test_a_lock_file_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(SetupError, match=FILE), claim(tmp_path, str(uuid.uuid4())):
        pass


def test_a_folder_in_the_place_of_the_lock(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(SetupError, match="is a folder: move it away"), claim(tmp_path, str(uuid.uuid4())):
        pass
