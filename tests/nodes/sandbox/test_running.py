"""The sandbox on the real bubblewrap: honest programs run, hostile ones end with a name, and nothing is left behind."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nodes import sandbox
from nodes.sandbox import Execution, Limits, arun, cage, run

PATIENT = Limits(seconds=30)
"""For what ends by itself: on a busy machine the start alone may take longer than a program is given by default."""
HOSTILE = {
    "fork bomb": ("import os\nwhile True: os.fork()", "processes"),
    "fork bomb that goes on": ("import os\nwhile True:\n try: os.fork()\n except OSError: pass", "timeout"),
    "threads": (
        "import threading, time\nfor _ in range(99): threading.Thread(target=time.sleep, args=(1,)).start()",
        "processes",
    ),
    "10 GB at once": ("bytearray(10 << 30)", "memory"),
    "10 GB bit by bit": ("kept = []\nwhile True: kept.append(bytearray(1 << 20))", "memory"),
    "10 GB of files": ("for n in range(9999): open(str(n), 'wb').write(bytes(1 << 20))", "refused"),
    "one large file": ("open('f', 'wb').write(bytes(9 << 20))", "refused"),
    "endless output": ("while True: print('x' * 999)", "output"),
    "endless errors": ("import sys\nwhile True: sys.stderr.write('x' * 999)", "output"),
    "endless loop": ("while True: pass", "timeout"),
    "silent sleeper": ("import os, time\nos.close(1); os.close(2); time.sleep(99)", "timeout"),
    "write outside": ("open('/evil', 'w')", "refused"),
    "write over itself": ("open('/program.py', 'w')", "refused"),
    "write into Python": ("open('/python/lib/evil', 'w')", "refused"),
    "passwd": ("print(open('/etc/passwd').read())", "refused"),
    "home": ("import os; print(os.listdir('/root'), os.listdir('/home'))", "refused"),
    "processes of the host": ("import os; print(os.listdir('/proc'))", "refused"),
    "network": ("import socket; socket.create_connection(('192.0.2.1', 80))", "refused"),
    "name server": ("import socket; socket.getaddrinfo('example.org', 80)", "refused"),
    "this machine": ("import socket; socket.create_connection(('127.0.0.1', 22))", "refused"),
    "symlink to a file": ("import os; os.symlink('/etc/passwd', 'x'); print(open('x').read())", "error"),
    "symlink to the root": ("import os; os.symlink('/', 'x'); open('x/evil', 'w')", "refused"),
    "symlink to itself": ("import os; os.symlink('x', 'x'); open('x')", "error"),
    "up and out": ("open('../../../../etc/passwd')", "error"),
    "shell": ("import subprocess; subprocess.run(['/bin/sh', '-c', 'id'])", "refused"),
    "kill all": ("import os; os.kill(-1, 9)", "error"),
    "raise a limit": ("import resource as r; r.setrlimit(r.RLIMIT_NPROC, (999, 999))", "error"),
    "mount": (
        "import ctypes\nc = ctypes.CDLL(None, use_errno=True)\nassert c.mount(b'x', b'/box', b'tmpfs', 0, None) == -1",
        "ok",
    ),
    "become root": ("import os; os.setuid(0)", "refused"),
    "a namespace of its own": (
        "import ctypes, os\nc = ctypes.CDLL(None, use_errno=True)\n"
        "clone = 56 if os.uname().machine == 'x86_64' else 220\n"
        "assert [c.unshare(0x10000000), c.syscall(clone, 0x10000011, 0, 0, 0, 0)] == [-1, -1]\n"
        "assert ctypes.get_errno() == 1",
        "ok",
    ),
}


@pytest.mark.parametrize(("program", "status"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_programs_end_with_a_name(program: str, status: str) -> None:
    done = run(program, Limits() if status == "timeout" else PATIENT)
    assert done.status == status, done
    assert "root:" not in done.stdout


def test_a_result_is_there_within_two_seconds() -> None:
    assert Limits().seconds < 2


def children() -> set[int]:
    return {one.pid for one in psutil.Process().children(recursive=True)}


def test_nothing_is_harmed_or_left() -> None:
    before, others = {path.name for path in Path("/").iterdir()}, children()
    for name in ("fork bomb that goes on", "write outside", "endless loop", "silent sleeper"):
        run(HOSTILE[name][0], Limits(seconds=0.5))
    assert {path.name for path in Path("/").iterdir()} == before
    assert children() == others


def test_an_honest_program() -> None:
    done = run("import math, json\nprint(json.dumps({'根': math.isqrt(50)}, ensure_ascii=False))", PATIENT)
    assert (done.status, done.stdout, done.stderr, done.exit_code) == ("ok", '{"根": 7}\n', "", 0)
    assert (done.raised, done.line, done.reason) == ("", None, "")


def test_it_may_use_its_own_folder_and_a_few_threads() -> None:
    source = "import threading\nopen('f', 'w').write('7')\nt = threading.Thread(target=lambda: print(open('f').read()))"
    assert run(f"{source}\nt.start(); t.join()", PATIENT).stdout == "7\n"


def test_the_world_inside_is_small() -> None:
    done = run("import os\nprint(sorted(os.listdir('/')), sorted(os.environ), os.getuid() == 0)", PATIENT)
    assert done.status == "ok"
    inside, rest = done.stdout.split("] ", 1)
    assert set(eval(inside + "]")) <= {"dev", "lib", "lib32", "lib64", "program.py", "python", "usr", "box"}
    assert "PATH" not in rest.replace("LD_LIBRARY_PATH", "")
    assert rest.rstrip().endswith("False")


def test_it_inherits_no_descriptor() -> None:
    source = "import os\nfor n in range(3, 64):\n try: os.fstat(n); print(n)\n except OSError: pass"
    assert run(source, PATIENT).stdout == ""


@pytest.mark.parametrize(
    ("source", "raised", "line"),
    [
        ("def f():\n    return 1 / 0\n\nf()", "ZeroDivisionError", 2),
        ("x = 1\nx.y", "AttributeError", 2),
        ("import json\n\njson.loads('{')", "JSONDecodeError", 3),
        ("class 错误(Exception): pass\nraise 错误('甲\\n乙')", "错误", 2),
        ("raise KeyError", "KeyError", 1),
        ("def f(:", "SyntaxError", 1),
        ("  x = 1", "IndentationError", 1),
        ("input()", "EOFError", 1),
        ("try:\n    {}['a']\nexcept KeyError:\n    int('x')", "ValueError", 4),
    ],
)
def test_exceptions_have_name_and_line(source: str, raised: str, line: int) -> None:
    done = run(source, PATIENT)
    assert (done.status, done.raised, done.line, done.exit_code) == ("error", raised, line, 1)


def test_ways_out_without_an_exception() -> None:
    assert [run(f"import sys; sys.exit({word})", PATIENT).raised for word in ("3", "'Error: x'", "'Traceback'")] == [
        "",
        "",
        "",
    ]
    assert [run(f"exit({word})", PATIENT).exit_code for word in ("", "0", "3")] == [0, 0, 3]


@pytest.mark.parametrize("source", ["", "\n", "# 什么也没有", "\0", "'\ud800'", "\x1b[2J", "﻿print(1)"])
def test_odd_programs_end_by_themselves(source: str) -> None:
    assert run(source, PATIENT).status in {"ok", "error"}


def test_a_program_too_long_is_not_run() -> None:
    done = run("x" * 100_001)
    assert (done.status, done.exit_code) == ("refused", None)
    assert "100001 bytes" in done.reason


def test_limits_are_arguments() -> None:
    assert run("print('x' * 50)", Limits(seconds=30, output=40)).status == "output"
    assert run("bytearray(1 << 20)", Limits(seconds=30, memory=512 << 20)).status == "ok"
    short = run("import time; time.sleep(30)", Limits(seconds=0.3))
    assert (short.status, short.exit_code) == ("timeout", None)
    assert "0.3 s" in short.reason


def test_the_seed_decides_the_order_of_sets() -> None:
    source = "print({str(n) for n in range(20)})"
    assert run(source, PATIENT, 1).stdout == run(source, PATIENT, 1).stdout != run(source, PATIENT, 2).stdout


async def test_the_event_loop_goes_on() -> None:
    done = await asyncio.gather(*(arun(f"import time; time.sleep(0.1); print({n})", PATIENT) for n in range(3)))
    assert [one.stdout for one in done] == ["0\n", "1\n", "2\n"]


async def test_cancellation_kills_all_of_it() -> None:
    source, others = "import os, time\nos.fork(); os.fork()\ntime.sleep(60)", children()
    task = asyncio.create_task(arun(source, Limits(seconds=30)))
    while len(children() - others) < 4:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert children() == others


async def test_cancelled_before_it_starts() -> None:
    others = children()
    task = asyncio.create_task(arun("import time; time.sleep(60)", Limits(seconds=30)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert children() == others


def test_without_bubblewrap_it_says_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cage, "PLACES", ("/nowhere/bwrap",))
    done = run("print(1)", PATIENT)
    assert (done.status, done.stdout) == ("unavailable", "")
    assert "apt-get install bubblewrap" in done.reason


def test_a_bubblewrap_that_fails_is_quoted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(cage, "PLACES", (str(broken),))
    done = run("print(1)", PATIENT)
    assert done.status == "unavailable"
    assert "No permissions to create new namespace" in done.reason


def test_as_an_ordinary_user_too() -> None:
    """A user namespace on this way; the limit of processes must hold there as well."""
    programs = ["print(1)", HOSTILE["fork bomb"][0], HOSTILE["write outside"][0], HOSTILE["passwd"][0]]
    prefix = ["unshare", "--mount"] if os.geteuid() == 0 else []
    done = subprocess.run(
        [*prefix, sys.executable, "-m", "tests.nodes.sandbox.as_user", *programs],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["ok", "processes", "refused", "refused"]


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=80))
def test_any_text_goes_in_and_an_execution_comes_out(source: str) -> None:
    done = run(source, PATIENT)
    assert isinstance(done, Execution)
    assert done.status in {"ok", "error", "refused"}


def test_what_is_exported() -> None:
    assert set(sandbox.__all__) == {"Execution", "Limits", "Status", "arun", "run"}


def test_a_descriptor_is_not_lost() -> None:
    folder = Path("/proc/self/fd")
    run("1", PATIENT)
    before = len(list(folder.iterdir()))
    for program in ("1", "while True: print(9)", "1 / 0"):
        run(program, PATIENT)
    assert len(list(folder.iterdir())) == before
