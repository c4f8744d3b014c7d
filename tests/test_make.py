"""What the Makefile and its scripts promise, with stand-ins for Python and octavo: nothing is installed here.

The real installation is what CI runs before it gets here.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parent.parent
USAGE = 2

OCTAVO = f"""#!{sys.executable}
import json, sys
print(json.dumps({{"argv": sys.argv[1:], "stdin": sys.stdin.buffer.read().hex()}}))
"""

PYTHON = """#!/bin/bash
# Stands in for an interpreter: makes an "environment" of itself and writes down what it was asked to do.
case "$*" in
  *--version*) echo "Python 3.11.9" ;;
  "-c import sys; print"*) echo 3.11 ;;
  "-c import venv"*) [ ! -e no-venv ] ;;
  "-c import os, sys, sysconfig"*) [ ! -e no-headers ] ;;
  -c*) exit 0 ;;
  "-m venv --clear .venv") echo venv >>calls; rm -rf .venv; mkdir -p .venv/bin; cp "$0" .venv/bin/python ;;
  *"pip install"*)
    echo "pip ${*: -1}" >>calls; echo "Collecting something"
    if [ -e fail ]; then echo "ERROR: no network"; exit 1; fi
    if [ -e crash ]; then kill -9 $(cat /proc/$PPID/stat | cut -d' ' -f4) $PPID; fi ;;
  *) echo "unexpected: $*" >>calls; exit 9 ;;
esac
"""


def environment(**changes: str) -> dict[str, str]:
    """Ours without what make, when it runs these tests, says to the makes below it."""
    kept = {name: value for name, value in os.environ.items() if name not in {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "Q"}}
    return {**kept, **changes}


def make(folder: Path, *words: str, **changes: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["make", *words], cwd=folder, env=environment(**changes), capture_output=True, check=False)


def executable(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout that is set up, with an octavo that shows what reaches it."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("Makefile", "requirements.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    executable(folder / ".venv" / "bin" / "octavo", OCTAVO)
    (folder / ".venv" / ".ready-runtime").touch()
    return folder


# ---- the question reaches octavo unchanged


def told(done: subprocess.CompletedProcess[bytes]) -> tuple[list[str], bytes]:
    """Arguments and text that octavo got; the one newline that ends stdin is not part of the text."""
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    text = bytes.fromhex(seen["stdin"])
    assert text.endswith(b"\n")
    return seen["argv"], text[:-1]


@pytest.mark.parametrize(
    "text",
    [
        "Weng earns 12 dollars an hour. How much for 50 minutes?",
        """She said "it's 5 o'clock", didn't she?""",
        "It costs $12, $$5 and ${HOME} or $(shell touch pwned) or $(Q)",
        "`touch pwned`; rm -rf . && touch pwned | tee pwned > pwned #not a comment",
        "翁每小时挣12美元，昨天照看孩子50分钟。她挣了多少？",
        "line one\nline two\n\n",
        "\\ back\\slashes \\n and a last one \\",
        "tabs\tand  blanks  ",
        "100% of %s and %d",
        "-n --mode deep",
        "MODE=deep := ?= += define endef",
        "!history *.md ~ [a-z] {a,b}",
        "",
    ],
)
def test_any_question_passes_unchanged(checkout: Path, text: str) -> None:
    assert told(make(checkout, "ask", f"Q={text}")) == (["ask", "-"], text.encode())
    assert told(make(checkout, "ask", Q=text)) == (["ask", "-"], text.encode())
    assert not (checkout / "pwned").exists()


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=80))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_arbitrary_text_passes_unchanged(checkout: Path, text: str) -> None:
    assert told(make(checkout, "ask", Q=text)) == (["ask", "-"], text.encode())
    bare = text.lstrip(" \t\n\v\f\r")  # make itself cuts blanks that begin a variable of its command line
    assert told(make(checkout, "ask", f"Q={bare}")) == (["ask", "-"], bare.encode())


def test_bytes_that_are_no_text_pass_too(checkout: Path) -> None:
    done = subprocess.run(
        [b"make", b"ask", b"Q=\xff\xfe \x80"], cwd=checkout, env=environment(), capture_output=True, check=False
    )
    assert told(done) == (["ask", "-"], b"\xff\xfe \x80")


def test_octavo_reads_exactly_that_text(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from graph.cli import read_question

    (tmp_path / "stdin").write_bytes(b"two\nlines\n\n")
    with (tmp_path / "stdin").open() as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert read_question("-") == "two\nlines\n"


def test_options_pass_on(checkout: Path) -> None:
    done = make(checkout, "ask", "Q=x", "MODE=deep", "DEADLINE=60", "JSON=1", "STREAM=1")
    assert told(done)[0] == ["ask", "--mode", "deep", "--deadline", "60", "--json", "--stream", "-"]


def test_an_option_stays_one_word_and_is_not_run(checkout: Path) -> None:
    nasty = '$(shell touch pwned) `touch pwned` "; touch pwned'
    assert told(make(checkout, "ask", "Q=x", f"MODE={nasty}"))[0] == ["ask", "--mode", nasty, "-"]
    assert not (checkout / "pwned").exists()


def test_without_a_question_the_usage_is_shown(checkout: Path) -> None:
    done = make(checkout, "ask")
    assert (done.returncode, done.stdout) == (USAGE, b"")
    assert b'usage: make ask Q="your question"' in done.stderr


def test_the_exit_of_octavo_is_not_hidden(checkout: Path, tmp_path: Path) -> None:
    shutil.copytree(checkout, tmp_path / "copy")
    executable(tmp_path / "copy" / ".venv" / "bin" / "octavo", "#!/bin/sh\ncat >/dev/null; exit 3\n")
    done = make(tmp_path / "copy", "ask", "Q=x")
    assert done.returncode != 0
    assert b"Error 3" in done.stderr


# ---- the environment


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A checkout where nothing is set up yet, and an interpreter that only writes down its calls."""
    for name in ("Makefile", "requirements.lock", "requirements-dev.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    executable(tmp_path / "python3.11", PYTHON)
    return tmp_path


def calls(folder: Path) -> list[str]:
    """What the interpreter was asked to do since the last look."""
    path = folder / "calls"
    seen = path.read_text().splitlines() if path.exists() else []
    path.unlink(missing_ok=True)
    return seen


def setup(folder: Path, target: str = "setup", **changes: str) -> subprocess.CompletedProcess[bytes]:
    return make(folder, target, **{"PYTHON": str(folder / "python3.11"), **changes})


RUNTIME = ["pip requirements.lock", "pip ."]
DEV = ["pip requirements-dev.lock", "pip ."]


def test_the_second_call_does_nothing(fresh: Path) -> None:
    assert setup(fresh).returncode == 0
    assert calls(fresh) == ["venv", *RUNTIME]
    assert setup(fresh).returncode == 0
    assert calls(fresh) == []


def test_tests_add_to_the_environment_and_asking_needs_nothing_more(fresh: Path) -> None:
    setup(fresh)
    calls(fresh)
    assert setup(fresh, "dev").returncode == 0
    assert calls(fresh) == DEV
    assert setup(fresh).returncode == 0
    assert calls(fresh) == []


def test_a_changed_lock_is_installed(fresh: Path) -> None:
    setup(fresh)
    calls(fresh)
    later = (fresh / ".venv" / ".ready-runtime").stat().st_mtime + 10
    os.utime(fresh / "requirements.lock", (later, later))
    assert setup(fresh).returncode == 0
    assert calls(fresh) == RUNTIME


def test_two_first_calls_set_up_once(fresh: Path) -> None:
    with ThreadPoolExecutor(2) as threads:
        both = list(threads.map(lambda _: setup(fresh), range(2)))
    assert [done.returncode for done in both] == [0, 0]
    assert calls(fresh) == ["venv", *RUNTIME]


@pytest.mark.parametrize("how", ["fail", "crash"])
def test_an_interrupted_installation_starts_again(fresh: Path, how: str) -> None:
    (fresh / how).touch()
    assert setup(fresh).returncode != 0
    assert calls(fresh) == ["venv", "pip requirements.lock"]
    (fresh / how).unlink()
    assert setup(fresh).returncode == 0
    assert calls(fresh) == ["venv", *RUNTIME]


def test_an_interrupted_addition_starts_again(fresh: Path) -> None:
    setup(fresh)
    (fresh / "fail").touch()
    done = setup(fresh, "dev")
    assert done.returncode != 0
    assert b"ERROR: no network" in done.stderr
    assert b"could not install requirements-dev.lock (whole log: .venv/install.log)" in done.stderr
    (fresh / "fail").unlink()
    calls(fresh)
    assert setup(fresh).returncode == 0
    assert calls(fresh) == ["venv", *RUNTIME]


# ---- what is missing is named, with the command that mends it


def path_with(folder: Path, *commands: str) -> str:
    """A PATH that has the ordinary tools and these commands, nothing else."""
    for command in ("bash", "make", "env", "grep", "tee", "awk", "rm", "touch", "du", "cut", "cp", "mkdir", *commands):
        link = folder / "bin" / command
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(shutil.which(command) or "/missing")
    executable(folder / "bin" / "id", "#!/bin/sh\necho 1000\n")
    return str(folder / "bin")


def test_no_python_is_named(fresh: Path) -> None:
    done = setup(fresh, PYTHON="", PATH=path_with(fresh))
    assert done.returncode != 0
    assert b"Python 3.11 is missing" in done.stderr
    assert b"  sudo apt-get install python3.11 python3.11-venv python3.11-dev" in done.stderr
    assert not (fresh / ".venv").exists()


def test_an_old_python_is_named(fresh: Path) -> None:
    old = executable(fresh / "old", "#!/bin/sh\n[ $1 = --version ] && echo Python 3.9.2 || exit 1\n")
    done = setup(fresh, PYTHON=str(old))
    assert done.returncode != 0
    assert b"is no Python 3.11, 3.12 or 3.13: Python 3.9.2" in done.stderr


@pytest.mark.parametrize(
    ("lack", "words"),
    [
        ("no-venv", b"  sudo apt-get install python3.11-venv"),
        ("no-headers", b"  sudo apt-get install python3.11-dev"),
    ],
)
def test_a_lacking_part_of_python_is_named(fresh: Path, lack: str, words: bytes) -> None:
    (fresh / lack).touch()
    done = setup(fresh, PATH=path_with(fresh, "g++"))
    assert done.returncode != 0
    assert words in done.stderr


def test_no_compiler_is_named_unless_the_engine_runs_elsewhere(fresh: Path) -> None:
    path = path_with(fresh)
    done = setup(fresh, PATH=path)
    assert done.returncode != 0
    assert b"  sudo apt-get install g++" in done.stderr
    assert setup(fresh, PATH=path, OCTAVO_BASE_URL="http://127.0.0.1:9/v1").returncode == 0


def test_packages_that_tests_need_are_named_to_those_who_may_not_install(fresh: Path) -> None:
    done = make(fresh, "tools", PATH=path_with(fresh, "git", "g++", "unshare", "bwrap"))
    assert done.returncode != 0
    assert b"  sudo apt-get install sqlite3" in done.stderr


def test_help_names_every_target(checkout: Path) -> None:
    shown = make(checkout, "help").stdout.decode()
    for target in ("ask", "test", "check", "studio", "lock", "clean"):
        assert f"make {target}" in shown
