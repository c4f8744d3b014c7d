"""The README is true: pictures, tables and links agree with the code, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graph.pipeline import wire
from graph.run import LiveParts
from graph.settings import Settings, read
from nodes import specialists

ROOT = Path(__file__).resolve().parent.parent
READMES = [ROOT / "README.md", ROOT / "README.zh.md"]
both = pytest.mark.parametrize("path", READMES, ids=lambda path: path.name)


def rows(path: Path, first: str) -> list[list[str]]:
    """Cells of the table rows whose first cell matches."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if re.match(rf"\| {first} \|", line)]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def default(name: str) -> str:
    """How the table shows a default."""
    value = Settings.model_fields[name].default
    if value is None or value == ():
        return ""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return str(int(value) if isinstance(value, float) and value == int(value) else value)


@both
def test_the_picture_is_the_graph(path, tmp_path):
    picture = path.read_text(encoding="utf-8").split("```mermaid")[1].split("```")[0]
    drawn = set(re.findall(r"[a-z]+", re.sub(r"\|[^|]*\||\([^)]*\)|flowchart LR", " ", picture))) - {"ask", "answer"}
    graph = wire(LiveParts(read(home=tmp_path))).compile().get_graph()
    assert drawn == {name for name in graph.nodes if not name.startswith("__")}
    edges = {(a, b) for a, b in re.findall(r"(\w+) -->(?:\|[^|]*\|)? (\w+)", picture)}
    real = {(edge.source, edge.target) for edge in graph.edges if "__" not in edge.source + edge.target}
    assert edges - {("finish", "answer")} - {("ask", "intake"), ("intake", "router")} == real - {("intake", "router")}


@both
def test_every_setting_is_in_the_table(path):
    table = {name.strip("`"): value.strip("`") for name, value, _ in rows(path, "`OCTAVO_[A-Z_]+`")}
    assert list(table) == [f"OCTAVO_{name.upper()}" for name in Settings.model_fields]
    for name in set(Settings.model_fields) - {"home"}:
        assert table[f"OCTAVO_{name.upper()}"] == default(name), name


def test_meanings_are_those_of_the_code():
    for name, _, meaning in rows(READMES[0], "`OCTAVO_[A-Z_]+`"):
        field = Settings.model_fields[name.strip("`").removeprefix("OCTAVO_").lower()]
        assert meaning == " ".join((field.description or "").split())


@both
def test_every_specialist_is_in_the_table(path):
    table = [(identity, name) for identity, name, *_ in rows(path, "rte-[a-z]")]
    assert sorted(table) == sorted((one.id, one.name) for one in specialists.load().values())


@both
def test_links_lead_somewhere(path):
    links = re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not link.startswith("http") and not (ROOT / link).exists()] == []


def test_twins_have_the_same_shape():
    shapes = []
    for path in READMES:
        text = path.read_text(encoding="utf-8")
        code = re.findall(r"```(?:bash|python|mermaid)\n(.*?)```", text, re.DOTALL)
        plain = [re.sub(r"#.*", "", block) for block in code]
        shapes.append((text.count("\n## "), len(re.findall(r"^\|", text, re.MULTILINE)), plain))
    assert shapes[0] == shapes[1]


@both
def test_nothing_is_left_to_fill_in(path):
    text = path.read_text(encoding="utf-8")
    assert "<!--" not in text
    assert '"status": "answered"' in text.split("```text")[1].split("```")[0]
