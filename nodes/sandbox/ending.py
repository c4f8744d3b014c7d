"""Names how a program ended, from its exit code and the last line of its traceback."""

from __future__ import annotations

import re
import signal

from nodes.sandbox.contracts import Execution, Limits, Status

_SIGNALLED = 128
"""bubblewrap reports a program that a signal ended as 128 + signal."""
_EXCEPTION = re.compile(r"^(?:[^\W\d]\w*\.)*(?P<name>[^\W\d]\w*)(?:: (?P<words>.*))?$")
_PLACE = re.compile(r'^ *File "/program\.py", line (\d+)', re.MULTILINE)
_TOO_MANY = re.compile(r"can't start new thread|can't fork|Resource temporarily unavailable")
_FORBIDDEN = re.compile(
    r"\[Errno (?:1|13|27|28|30|97|101|111|113)\]"  # permission, size, space, read-only, network
    r"|\[Errno 2\][^'\"]*['\"]/(?!box/)"  # a path outside its folder is not there
    r"|\[Errno -\d+\]"  # no name server
)


def ended(
    started: bool, stopped: str, code: int, written: tuple[bytes, bytes], seconds: float, limits: Limits
) -> Execution:
    """The execution that these signs mean. `stopped` = why it was killed from outside, empty if it was not."""
    out, err = (text.decode("utf-8", "replace") for text in written)
    if not started and not stopped:
        words = err.strip()[-600:] or f"it ended with exit code {code}"
        return Execution(status="unavailable", seconds=seconds, reason=f"the sandbox could not be set up: {words}")
    name, words = exception(err) if code else ("", "")
    places = _PLACE.findall(err)
    status, reason = _status(stopped, code, name, words, limits)
    return Execution(
        status=status,
        stdout=out,
        stderr=err,
        exit_code=None if stopped else code,
        seconds=seconds,
        raised=name,
        line=int(places[-1]) if name and places else None,
        reason=reason,
    )


def exception(stderr: str) -> tuple[str, str]:
    """Class and words of the exception that ended the program; two empty strings if its last words tell of none."""
    lines = stderr.splitlines()
    frames = [at for at, line in enumerate(lines) if line.lstrip().startswith('File "')]
    # Behind the last frame, the first line that is not indented names the exception; its words may go on below.
    header = next((line for line in lines[frames[-1] :] if line and line[0] != " "), "") if frames else ""
    match = _EXCEPTION.match(header)
    return (match["name"], match["words"] or "") if match else ("", "")


def _status(stopped: str, code: int, name: str, words: str, limits: Limits) -> tuple[Status, str]:
    """The status, and why."""
    if stopped == "output":
        return "output", f"it wrote more than {limits.output} bytes"
    if name in ("BlockingIOError", "RuntimeError") and _TOO_MANY.search(words):
        # Also when time ran out: threads that did start keep a program alive whose next one could not.
        return "processes", f"it wanted more than {limits.processes} processes and threads"
    if stopped or code == _SIGNALLED + signal.SIGXCPU:
        return "timeout", f"it ran longer than {limits.seconds:g} s"
    if code == 0:
        return "ok", ""
    if name == "MemoryError" or code == _SIGNALLED + signal.SIGKILL:
        return "memory", f"it wanted more than {limits.memory} bytes"
    if _FORBIDDEN.search(words):
        return "refused", words
    return "error", ""
