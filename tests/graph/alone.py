"""Run a command in a network of its own that has loopback and nothing else, and count every attempt to leave it.

    unshare --user --map-root-user --net --mount python -m tests.graph.alone REPORT COMMAND...

In a network namespace without routes the kernel refuses whatever leaves loopback, and counts the refusals: TCP, UDP and
name look-ups, IPv4 and IPv6, of every process and library. Name servers are replaced by an address of documentation,
so that a look-up counts too, even where the machine's own name server listens on loopback. The counts are written to
REPORT as JSON; the exit code is the command's.
"""

from __future__ import annotations

import fcntl
import json
import socket
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

UNSHARE = ("unshare", "--user", "--map-root-user", "--net", "--mount")
NAME_SERVER = "192.0.2.53"
"""TEST-NET-1: nobody's address."""
_SET_FLAGS, _UP_RUNNING = 0x8914, 0x1 | 0x40


def raise_loopback() -> None:
    """Bring `lo` up; a new namespace has it down."""
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh", b"lo", _UP_RUNNING))


def replace_name_servers() -> None:
    """Make every look-up leave loopback."""
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
        file.write(f"nameserver {NAME_SERVER}\noptions timeout:1 attempts:1\n")
        file.flush()
        subprocess.run(["mount", "--bind", file.name, str(Path("/etc/resolv.conf").resolve())], check=True)


def refused() -> dict[str, int]:
    """Packets and connections that had no route, by kernel counter."""
    names, values = (line.split()[1:] for line in Path("/proc/net/snmp").read_text().splitlines()[:2])
    found = dict(zip(names, values, strict=True))
    six = dict(line.split() for line in Path("/proc/net/snmp6").read_text().splitlines())
    return {"ipv4": int(found["OutNoRoutes"]), "ipv6": int(six["Ip6OutNoRoutes"])}


def main() -> int:
    """Command line."""
    report, *command = sys.argv[1:]
    raise_loopback()
    replace_name_servers()
    before = refused()
    code = subprocess.run(command, check=False).returncode
    Path(report).write_text(json.dumps({name: count - before[name] for name, count in refused().items()}))
    return code


if __name__ == "__main__":
    sys.exit(main())
