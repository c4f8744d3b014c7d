"""The sandbox: runs a Python program that nobody trusts, and says how it ended.

    run("print(1 + 1)")           Execution(status="ok", stdout="2\\n", ...)
    await arun("while True: 0")   Execution(status="timeout", ...)

Bubblewrap builds the cage (`cage`) with a filter of system calls (`syscalls`), a few lines inside it set the limits
(`first`), `running` starts, reads and stops, `ending` names the end. Nothing here decides whether programs may be run
at all: that is off unless its user enables it.
"""

from nodes.sandbox.contracts import Execution, Limits, Status
from nodes.sandbox.running import arun, run

__all__ = ["Execution", "Limits", "Status", "arun", "run"]
