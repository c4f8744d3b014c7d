"""Rules of the house that no single module can keep: locks, addresses, paths, and a README whose commands exist."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.test_arrow import ARROW, mentions, sources

ROOT = Path(__file__).resolve().parent.parent
READMES = [path for path in (ROOT / "README.md", ROOT / "README.zh.md", ROOT / "CONTRIBUTING.md") if path.is_file()]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

# Put together here, so that this file keeps the rule too.
INDEX_HOSTS = [".".join(parts) for parts in (
    ("pypi", "org"), ("pythonhosted", "org"), ("download", "pytorch", "org"), ("registry", "npmjs", "org"),
    ("deb", "debian", "org"), ("anaconda", "org"),
)]  # fmt: skip
OWN_FOLDERS = re.compile(r"(?<![\w.~}])/(?:work|root|home/[a-z]+|Users|tmp/dev)/")


def tracked() -> Iterator[tuple[str, str]]:
    """Name and text of every file in git, binary ones skipped."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, listed.split("\0")):
        path = ROOT / name
        data = path.read_bytes() if path.is_file() else b""
        if b"\0" not in data:
            yield name, data.decode("utf-8")


def test_no_file_names_a_package_index_or_a_folder_of_its_author() -> None:
    texts = dict(tracked())
    assert "Makefile" in texts
    assert [(name, host) for name, text in texts.items() for host in INDEX_HOSTS if host in text.lower()] == []
    assert [(name, found[0]) for name, text in texts.items() if (found := OWN_FOLDERS.search(text))] == []


def test_the_path_rule_fires() -> None:
    assert OWN_FOLDERS.search("see " + "/home" + "/anna/octavo")
    assert not OWN_FOLDERS.search("~/work/octavo, https://example.org/home, ./work/x")


def locked(name: str) -> dict[str, set[str]]:
    """Package -> versions in a lock; several when markers tell platforms or Pythons apart."""
    found: dict[str, set[str]] = {}
    for package, version in re.findall(r"^([\w.-]+)==([^\s;\\]+)", (ROOT / name).read_text(), re.MULTILINE):
        found.setdefault(canonicalize_name(package), set()).add(version)
    return found


@pytest.mark.parametrize(
    ("lock", "wanted"),
    [
        ("requirements.lock", PROJECT["dependencies"]),
        ("requirements-dev.lock", PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]),
    ],
)
def test_locks_satisfy_pyproject(lock: str, wanted: list[str]) -> None:
    """Fails when `make lock` was forgotten after a change of pyproject.toml."""
    versions = locked(lock)
    for text in wanted:
        need = Requirement(text)
        have = versions.get(canonicalize_name(need.name), set())
        assert have, f"{need.name} is missing in {lock}: make lock"
        assert all(need.specifier.contains(Version(version), prereleases=True) for version in have), (need, have)


PROVIDES = {"python-stdnum": "stdnum", "pyyaml": "yaml", "markdown-it-py": "markdown_it", "z3-solver": "z3"}
"""Distributions whose module has another name."""
INSIDE_THE_ENGINE = {"graph/engine/convert.py", "graph/engine/quantize.py"}
"""Scripts that run in vLLM's own environment and import what is installed there."""


def test_every_imported_package_is_declared() -> None:
    """What another package happens to bring may be gone with its next release."""
    names = {canonicalize_name(Requirement(text).name) for text in PROJECT["dependencies"]}
    declared = {PROVIDES.get(name, name.replace("-", "_")) for name in names} | set(ARROW) | sys.stdlib_module_names
    found = {
        (path, name.split(".")[0])
        for path in set(sources()) - INSIDE_THE_ENGINE
        for _, name in mentions((ROOT / path).read_text(encoding="utf-8"), path.rpartition("/")[0].replace("/", "."))
    }
    assert [(path, name) for path, name in sorted(found) if name not in declared] == []


def test_the_runtime_lock_is_part_of_the_dev_lock() -> None:
    runtime, dev = locked("requirements.lock"), locked("requirements-dev.lock")
    assert {package: dev.get(package) for package in runtime} == runtime


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_every_locked_package_has_hashes_and_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert "://" not in text
    pins = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(pins) > 50
    assert [pin.split()[0] for pin in pins if "--hash=sha256:" not in pin] == []


def test_the_licence_is_the_one_pyproject_names() -> None:
    assert PROJECT["license"] == "Apache-2.0"
    text = (ROOT / "LICENSE").read_text()
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text


# ---- commands that the pages show


def commands(page: str) -> list[list[str]]:
    """Words of each `make` and `octavo` command in the page's fenced blocks, up to a pipe or redirection."""
    found = []
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        if language not in {"", "sh", "bash", "console", "text"}:
            continue
        for line in block.replace("\\\n", " ").splitlines():
            line = line.strip().removeprefix("$ ").removeprefix(".venv/bin/")
            if re.match(r"(make|octavo)( |$)", line):
                words = shlex.split(line, comments=True)
                end = next((at for at, word in enumerate(words) if word in {"|", ">", "<", "&&", ";", "&"}), len(words))
                found.append(words[:end])
    return found


def make_fault(words: list[str]) -> str | None:
    """What is wrong with a make command."""
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    variables = set(re.findall(r"^TEXT := (.*)$", makefile, re.MULTILINE)[0].split())
    variables |= set(re.findall(r"\$\(([A-Z_]+)\)", makefile)) | {"PYTHON"}
    for word in words[1:]:
        name, given, _ = word.partition("=")
        if (given and name not in variables) or (not given and name not in targets):
            return f"{shlex.join(words)}: the Makefile does not know {name!r}"
    return None


def octavo_fault(words: list[str]) -> str | None:
    """What is wrong with an octavo command: an unknown command or an unknown option. Values are not looked at."""
    from graph.cli import cli

    command: click.Command = cli
    context = click.Context(cli)
    rest = words[1:]
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        child = command.get_command(context, rest[0])
        if child is None:
            return f"{shlex.join(words)}: there is no command {rest[0]!r}"
        command, rest = child, rest[1:]
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)} | {"--help", "-h"}
    for word in rest:
        if word.startswith("-") and word != "-" and word.partition("=")[0] not in known:
            return f"{shlex.join(words)}: {command.name} has no option {word!r}"
    return None


@pytest.mark.parametrize("path", READMES, ids=lambda path: path.name)
def test_commands_in_pages_exist(path: Path) -> None:
    found = commands(path.read_text(encoding="utf-8"))
    assert found, f"{path.name} shows no command"
    faults = [make_fault(words) if words[0] == "make" else octavo_fault(words) for words in found]
    assert [fault for fault in faults if fault] == []


def test_command_checks_fire() -> None:
    page = """
```sh
$ make ask Q="what's up" MODE=deep   # set up, then ask
make aks Q="x"
make ask QUESTION="x"
octavo ask --mode deep "x" | jq .answer
octavo aks "x"
octavo ask --moode deep "x"
octavo engine up --model tiny
octavo engine upp
```
"""
    found = commands(page)
    assert found[0] == ["make", "ask", "Q=what's up", "MODE=deep"]
    wrong = [bool(make_fault(words) if words[0] == "make" else octavo_fault(words)) for words in found]
    assert wrong == [False, True, True, False, True, True, False, True]
