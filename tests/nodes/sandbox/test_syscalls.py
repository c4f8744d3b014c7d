"""The filter of system calls, executed by a small machine of classic BPF."""

from __future__ import annotations

import struct

import pytest

from nodes.sandbox.syscalls import ARCHITECTURES, FORBIDDEN, program

ALLOW, KILL, NOT_PERMITTED, NOT_IMPLEMENTED = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026
READ, WRITE, SOCKET, EXECVE, CLONE, CLONE3 = ((0, 63), (1, 64), (41, 198), (59, 221), (56, 220), (435, 435))
THREAD = 0x3D0F00
"""What glibc passes to `clone` for a thread."""


def decided(machine: str, number: int, first: int = 0, architecture: int | None = None) -> int:
    """What the kernel would do with a call."""
    known = ARCHITECTURES[machine] if architecture is None else architecture
    data = struct.pack("<IIQQ", number, known, 0, first)
    steps = list(struct.iter_unpack("<HBBI", program(machine)))
    place, register = 0, 0
    while True:
        code, if_true, if_false, value = steps[place]
        place += 1
        if code == 0x06:
            return int(value)
        if code == 0x20:
            (register,) = struct.unpack_from("<I", data, value)
        else:
            true = {0x15: register == value, 0x35: register >= value, 0x45: bool(register & value)}[code]
            place += if_true if true else if_false


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_decisions(machine: str) -> None:
    column = list(ARCHITECTURES).index(machine)
    assert {decided(machine, one[column]) for one in (READ, WRITE, SOCKET, EXECVE)} == {ALLOW}
    assert {decided(machine, numbers[column]) for numbers in FORBIDDEN.values()} == {NOT_PERMITTED}
    assert decided(machine, CLONE3[column]) == NOT_IMPLEMENTED
    assert decided(machine, CLONE[column], THREAD) == decided(machine, CLONE[column], 17) == ALLOW
    new = [1 << bit for bit in (7, 17, 25, 26, 27, 28, 29, 30)]
    assert {decided(machine, CLONE[column], flag | 17) for flag in new} == {NOT_PERMITTED}
    assert decided(machine, READ[column], architecture=0x40000003) == KILL


def test_the_second_numbers_of_x86_are_closed() -> None:
    assert decided("x86_64", 0x40000000) == decided("x86_64", 0x40000000 + 272) == NOT_PERMITTED


def test_other_machines_do_without() -> None:
    assert program("riscv64") == b""
    assert all(len(program(machine)) % 8 == 0 for machine in ARCHITECTURES)
