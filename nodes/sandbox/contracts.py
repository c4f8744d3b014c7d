"""What goes into the sandbox beside the program, and what comes out."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from nodes.contracts import Contract

Status = Literal["ok", "error", "timeout", "memory", "output", "processes", "refused", "unavailable"]
Bytes = Annotated[int, Field(ge=1)]


class Limits(Contract):
    """What one program may use. The defaults suit a snippet of a question, which needs milliseconds."""

    seconds: float = Field(default=1.8, gt=0, le=60)
    """Wall time from the start of the sandbox to the end of its last process, a little under two seconds so that the
    result is there within two; processor time is held to it as well."""
    memory: Bytes = 256 << 20
    """Address space of each process, in bytes."""
    processes: int = Field(default=8, ge=1, le=64)
    """Processes and threads at one time; all together hold at most `processes * memory` bytes."""
    output: Bytes = 64 << 10
    """Bytes kept of standard output, and of standard error; a program that writes more is stopped."""
    file: Bytes = 1 << 20
    """Bytes of one file that it may write."""
    folder: Bytes = 8 << 20
    """Bytes of all files together; they live in memory and are gone with the program."""
    source: Bytes = 100_000
    """Bytes of the program itself."""


class Execution(Contract):
    """How one program ended."""

    status: Status
    """`ok` = exit code 0; `error` = it failed by itself; `refused` = it failed at something that the sandbox does not
    let it do (a file outside its folder, the network, too large a file); `unavailable` = it was not run."""
    stdout: str = ""
    stderr: str = ""
    exit_code: int | None = None
    """None when it was stopped from outside or never started."""
    seconds: float = 0.0
    raised: str = ""
    """Class name of the exception that ended the program."""
    line: int | None = None
    """Line of the program, from 1, where that exception left it."""
    reason: str = ""
    """Why it was stopped, refused or not run; for `unavailable` with the way out."""
