"""The first thing inside the sandbox: gives up what is left of root, sets the limits, becomes the program.

Its text is handed to the sandbox's own Python; it imports nothing of Octavo. Limits are set here and not before, so
that bubblewrap itself, which needs more, is not held to them.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from typing import Any


def confine(told: dict[str, Any]) -> None:
    """Drop to the unprivileged user and set hard limits, which no unprivileged process can raise again."""
    if told["user"]:
        os.setgroups([])
        os.setresgid(told["user"], told["user"], told["user"])
        os.setresuid(told["user"], told["user"], told["user"])
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: told["seconds"],
        resource.RLIMIT_FSIZE: told["file"],
        resource.RLIMIT_NOFILE: 64,
        resource.RLIMIT_STACK: 8 << 20,
        resource.RLIMIT_NPROC: told["processes"],
        resource.RLIMIT_AS: told["memory"],
    }
    for kind, most in limits.items():
        resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    told = json.loads(sys.argv[1])
    confine(told)
    # The byte says that everything before the program worked; the program itself does not get the descriptor.
    os.set_inheritable(told["ready"], False)
    os.write(told["ready"], b"1")
    os.execv(told["python"], [told["python"], "-P", "-s", "-B", "-X", "utf8", "/program.py"])  # noqa: S606
