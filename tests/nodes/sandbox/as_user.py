"""Runs programs in the sandbox as an ordinary user, even when the tests run as root: python as_user.py PROGRAM...

Root's Python may lie where nobody else can look (`/root`): then it is bound to a public folder of a private mount
namespace first. Everything that is imported later is imported before the user changes. Prints one line a program.
"""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
from pathlib import Path

from nodes import sandbox

USER = 54_321
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000


def become_user() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    place = tempfile.mkdtemp(prefix="octavo-python-")
    Path(place).chmod(0o755)
    private = libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None)
    bound = libc.mount(sys.base_prefix.encode(), place.encode(), None, MS_BIND, None)
    assert (private, bound) == (0, 0), os.strerror(ctypes.get_errno())
    sys.base_prefix = place
    os.setgroups([])
    os.setresgid(USER, USER, USER)
    os.setresuid(USER, USER, USER)


if __name__ == "__main__":
    sandbox.run("0", sandbox.Limits(source=100))
    if os.geteuid() == 0:
        from nodes.sandbox import cage

        cage._system.cache_clear()
        become_user()
    for program in sys.argv[1:]:
        done = sandbox.run(program, sandbox.Limits(seconds=30))
        print(done.status, repr(done.stdout or done.reason))
