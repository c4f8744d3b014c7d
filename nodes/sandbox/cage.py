"""The command line of bubblewrap: an empty read-only system that holds a Python, one small folder, and nothing else.

No network, no home, no `/etc`, no `/proc`, no environment; own namespaces for processes, hosts, users; the whole cage
dies with this process. Two ways lead there. An ordinary user gets a user namespace in which further ones are forbidden.
Root must not take that way: the kernel exempts its real user from the limit of processes inside as well (a fork bomb
made 32,000 of them), so root sets the cage up itself and `first` drops to a user id that nobody else has.
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
from functools import cache
from pathlib import Path

from nodes.sandbox.contracts import Limits

PYTHON = "/python/bin/python"
PLACES = ("/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap")
"""Fixed, because what builds the cage must not be found by a path that somebody else has set."""
SYSTEM = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/lib", "/lib64")
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")
_USER_IDS = Path("/proc/self/uid_map")
INSTALL = "apt-get install bubblewrap"
_NAMESPACES = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
_AS_ROOT = ("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
_AS_MEMBER = ("--unshare-user", "--disable-userns", "--uid", "1000", "--gid", "1000")


class CageFault(RuntimeError):
    """The cage cannot be built here; the message says the way out."""


def command(limits: Limits, program: int, ready: int, seed: int, forbidden: int | None = None) -> list[str]:
    """Everything behind `bwrap`. Raises CageFault.

    `program`, `ready` and `forbidden` are descriptors that it inherits: the source, where the cage says that it stands,
    and the filter of system calls.
    """
    root = os.geteuid() == 0
    if not root and _is_outer_root():
        raise CageFault("this user is root outside of its user namespace, and the kernel limits no processes of root's")
    told = {
        "python": PYTHON,
        "user": _spare_user() if root else 0,
        "seconds": int(limits.seconds) + 1,
        "memory": limits.memory,
        "processes": limits.processes,
        "file": limits.file,
        "ready": ready,
    }
    return [
        *_NAMESPACES,
        *(_AS_ROOT if root else _AS_MEMBER),
        *("--die-with-parent", "--new-session", "--clearenv"),
        *(("--seccomp", str(forbidden)) if forbidden is not None else ()),
        *_environment(seed),
        *_system(),
        *("--perms", "1777", "--size", str(limits.folder), "--tmpfs", "/box", "--chdir", "/box"),
        *("--perms", "0444", "--ro-bind-data", str(program), "/program.py"),
        *("--remount-ro", "/", "--"),
        *(PYTHON, "-I", "-S", "-c", _first(), json.dumps(told)),
    ]


def bubblewrap() -> str:
    """Its path. Raises CageFault that names the command which installs it."""
    found = next((place for place in PLACES if Path(place).is_file()), None)
    if found is None:
        prefix = "" if os.geteuid() == 0 else "sudo "
        raise CageFault(f"programs are run by bubblewrap, which is not installed. Mend it with\n  {prefix}{INSTALL}")
    return found


def _user_ids() -> list[tuple[int, int, int]]:
    """Ranges of user ids of this namespace: first inside, first outside, how many."""
    lines = _USER_IDS.read_text(encoding="utf-8").splitlines()
    return [(int(inside), int(outside), int(count)) for inside, outside, count in map(str.split, lines)]


def _is_outer_root() -> bool:
    return any(inside - outside == os.geteuid() for inside, outside, _ in _user_ids() if outside == 0)


def _spare_user() -> int:
    """A user id that no other process has: the limit of processes counts by user, so two cages must not share one."""
    first, _, count = max(_user_ids(), key=lambda one: one[2])
    highest = min(first + count, 2**31) - 1
    width = min(count, 2**30) // 2
    if width < 1_000:
        raise CageFault(f"root has only {count} user ids here (see /proc/self/uid_map): ask as an ordinary user")
    return highest - random.SystemRandom().randrange(width)


def _environment(seed: int) -> list[str]:
    values = {
        "HOME": "/box",
        "LANG": "C.UTF-8",
        "LD_LIBRARY_PATH": "/python/lib",
        "MALLOC_ARENA_MAX": "1",  # an arena for each thread would use up the address space
        "PYTHONHASHSEED": str(seed),
        "PYTHONHOME": "/python",
    }
    return [word for name, value in values.items() for word in ("--setenv", name, value)]


@cache
def _system() -> tuple[str, ...]:
    """C libraries and the Python that runs this, at a place that tells nothing about the machine."""
    words: list[str] = []
    for folder in ("/usr", "/python", "/python/bin", "/dev"):
        # Made beforehand: folders that bubblewrap has to make for itself are closed to other users.
        words += ["--perms", "0755", "--dir", folder]
    for path in filter(os.path.exists, SYSTEM):
        # A link stays a link: what it points to is there under its own name.
        words += (
            ["--symlink", str(Path(path).readlink()), path] if Path(path).is_symlink() else ["--ro-bind", path, path]
        )
    base = Path(sys.base_prefix)
    words += ["--ro-bind", str(_interpreter()), PYTHON]
    for name in dict.fromkeys(("lib", sys.platlibdir)):
        words += ["--ro-bind", str(base / name), f"/python/{name}"]
    for device in DEVICES:
        words += ["--dev-bind", device, device]
    return tuple(words)


def _interpreter() -> Path:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    path = Path(sys.base_prefix, "bin", f"python{version}").resolve()
    if not path.is_file():
        raise CageFault(f"there is no Python at {str(path)!r} to run programs with")
    return path


@cache
def _first() -> str:
    """The text of `nodes.sandbox.first`, without the docstrings and comments that an argument need not carry."""
    text = Path(__file__).with_name("first.py").read_text(encoding="utf-8")
    return re.sub(r'""".*?"""\n', "", text, count=1, flags=re.DOTALL)
