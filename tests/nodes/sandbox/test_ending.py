"""Ends are named from exit codes and tracebacks alone."""

from __future__ import annotations

import pytest

from nodes.sandbox import Limits
from nodes.sandbox.ending import ended, exception


def traceback(last: str, line: int = 1) -> str:
    return f'Traceback (most recent call last):\n  File "/program.py", line {line}, in <module>\n    x\n{last}\n'


@pytest.mark.parametrize(
    ("stderr", "expected"),
    [
        ("", ("", "")),
        ("Error: I only say so\n", ("", "")),
        (traceback("ValueError: bad: worse"), ("ValueError", "bad: worse")),
        (traceback("KeyError"), ("KeyError", "")),
        (traceback("socket.gaierror: [Errno -3] x"), ("gaierror", "[Errno -3] x")),
        (traceback("__main__.甲错误: 乙\n丙: 丁"), ("甲错误", "乙")),
        (traceback("AssertionError: a\nOther: b\n  File is no frame"), ("AssertionError", "a")),
        (traceback("KeyError: 1") + "\nDuring handling\n\n" + traceback("TypeError: 2"), ("TypeError", "2")),
        (
            "  File \"/program.py\", line 1\n    (\n    ^\nSyntaxError: '(' was never closed\n",
            ("SyntaxError", "'(' was never closed"),
        ),
    ],
)
def test_the_exception_of_a_traceback(stderr: str, expected: tuple[str, str]) -> None:
    assert exception(stderr) == expected


@pytest.mark.parametrize(
    ("stopped", "code", "stderr", "status"),
    [
        ("", 0, "", "ok"),
        ("", 0, traceback("MemoryError"), "ok"),
        ("", 1, traceback("MemoryError"), "memory"),
        ("", 137, "", "memory"),
        ("", 152, "", "timeout"),
        ("timeout", -9, "", "timeout"),
        ("output", -9, "", "output"),
        ("timeout", -9, traceback("RuntimeError: can't start new thread"), "processes"),
        ("", 1, traceback("BlockingIOError: [Errno 11] Resource temporarily unavailable"), "processes"),
        ("", 1, traceback("RuntimeError: generator raised StopIteration"), "error"),
        ("", 1, traceback("OSError: [Errno 30] Read-only file system: '/x'"), "refused"),
        ("", 1, traceback("FileNotFoundError: [Errno 2] No such file or directory: '/etc/x'"), "refused"),
        ("", 1, traceback("FileNotFoundError: [Errno 2] No such file or directory: '/box/x'"), "error"),
        ("", 1, traceback("FileNotFoundError: [Errno 2] No such file or directory: 'x'"), "error"),
        ("", 139, "", "error"),
        ("", 3, "", "error"),
    ],
)
def test_the_status(stopped: str, code: int, stderr: str, status: str) -> None:
    assert ended(True, stopped, code, (b"", stderr.encode()), 0.1, Limits()).status == status


def test_a_cage_that_did_not_stand_is_unavailable() -> None:
    done = ended(False, "", 1, (b"", b"bwrap: no namespaces\n"), 0.1, Limits())
    assert (done.status, done.reason) == ("unavailable", "the sandbox could not be set up: bwrap: no namespaces")
    assert "exit code 5" in ended(False, "", 5, (b"", b""), 0.1, Limits()).reason


def test_bytes_that_are_no_text_stay_readable() -> None:
    assert ended(True, "", 0, (b"a\xff", b""), 0.1, Limits()).stdout == "a\ufffd"
