"""The command line of bubblewrap: which way for whom, and what is never in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nodes.sandbox import Limits, cage


def words(monkeypatch: pytest.MonkeyPatch, user: int) -> list[str]:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    return cage.command(Limits(), 7, 8, 0, 9)


def ids(monkeypatch: pytest.MonkeyPatch, folder: Path, table: str) -> None:
    (folder / "uid_map").write_text(table, encoding="utf-8")
    monkeypatch.setattr(cage, "_USER_IDS", folder / "uid_map")


@pytest.mark.parametrize("user", [0, 1000])
def test_every_wall_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, user: int) -> None:
    ids(monkeypatch, tmp_path, "0 0 4294967295\n")
    told = words(monkeypatch, user)
    assert {"--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session"} <= set(told)
    assert {"--clearenv", "--remount-ro", "--seccomp"} <= set(told)
    assert not {"--bind", "--share-net", "--proc", "--dev", "/etc", "/home", "/tmp"} & set(told)
    assert ("--unshare-user" in told) == ("--disable-userns" in told) == (user != 0)


def test_root_gives_itself_up_to_a_user_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ids(monkeypatch, tmp_path, "0 0 4294967295\n")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    users = {cage._spare_user() for _ in range(20)}
    assert len(users) == 20
    assert min(users) > 1_000_000
    assert max(users) < 2**31


def test_in_a_container_the_user_is_one_that_exists(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ids(monkeypatch, tmp_path, "         0       1000          1\n         1     100000      65536\n")
    assert all(32_000 < cage._spare_user() <= 65_536 for _ in range(50))


def test_root_of_a_tiny_namespace_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ids(monkeypatch, tmp_path, "0 1000 1\n")
    with pytest.raises(cage.CageFault, match="only 1 user ids"):
        words(monkeypatch, 0)


def test_who_is_root_outside_is_not_let_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The kernel would not count its processes."""
    ids(monkeypatch, tmp_path, "1000 0 1\n")
    with pytest.raises(cage.CageFault, match="root outside"):
        words(monkeypatch, 1000)


def test_nobody_knows_a_bubblewrap_by_its_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "bwrap").write_text("")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert cage.bubblewrap() in cage.PLACES
