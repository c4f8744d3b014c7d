"""A seccomp filter for the cage: calls into parts of the kernel that no snippet needs fail with "not permitted".

The walls are namespaces and limits; this keeps a program from building namespaces of its own, in which it would be root
again, and away from the kernel's less travelled parts. Classic BPF, written out by hand (seccomp(2), filter.rst of the
kernel); machines whose numbers are not listed here do without.
"""

from __future__ import annotations

import struct
from functools import cache

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""AUDIT_ARCH of each `uname -m`; the order of the columns below."""
FORBIDDEN = {
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "quotactl": (179, 60),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "syslog": (103, 116),
}
_CLONE, _CLONE3 = (56, 220), (435, 435)
_NEW_NAMESPACE = 0x7E020080
"""CLONE_NEWUSER and its kin, CLONE_NEWTIME included."""
_X32 = 0x40000000
"""Numbers from here on are the x32 calls of x86_64: the same calls again, so none is allowed."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_NOT_PERMITTED, _NOT_IMPLEMENTED = 0x00050000 | 1, 0x00050000 | 38
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
"""Offsets in `struct seccomp_data`."""


@cache
def program(machine: str) -> bytes:
    """The filter as bubblewrap reads it, or nothing for a machine that is not listed."""
    if machine not in ARCHITECTURES:
        return b""
    column = list(ARCHITECTURES).index(machine)
    steps = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, ARCHITECTURES[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if machine == "x86_64":
        steps += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _NOT_PERMITTED)]
    for numbers in FORBIDDEN.values():
        steps += [(_EQUAL, 0, 1, numbers[column]), (_RETURN, 0, 0, _NOT_PERMITTED)]
    steps += [
        # Its flags lie in memory, where no filter can look: without it, libraries take `clone`.
        (_EQUAL, 0, 1, _CLONE3[column]),
        (_RETURN, 0, 0, _NOT_IMPLEMENTED),
        (_EQUAL, 0, 3, _CLONE[column]),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_ANY_BIT, 0, 1, _NEW_NAMESPACE),
        (_RETURN, 0, 0, _NOT_PERMITTED),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("<HBBI", *step) for step in steps)
