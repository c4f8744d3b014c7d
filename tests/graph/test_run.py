"""`from graph import ask, aask, build`: from plain code, running loops, threads, and one loop after the other."""

from __future__ import annotations

import asyncio
import gc
import inspect
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import graph
from graph import aask, ask, build, engine
from graph.engine import Endpoint
from graph.record import Reader
from graph.run import LiveParts, endpoints_of
from graph.settings import Settings, read, settings
from nodes.contracts import Answer
from nodes.errors import EngineUnreachable, InputError, ModelNotServed, SetupError
from tests.graph.programs import Octavo

QUESTION = "Who is taller, Ann or Bob? Explain why."


@pytest.fixture(autouse=True)
def _home(octavo: Octavo) -> None:
    """A fresh home and the scripted endpoint, by environment."""


async def answer_of(compiled: graph.run.Graph, question: str = QUESTION) -> str:
    """Ask a compiled graph without a checkpointer."""
    found = await compiled.ainvoke({"question": question}, context={"mode": "2"})  # type: ignore[arg-type]
    return str(found["answer"])


def test_the_public_face_is_these_names() -> None:
    assert graph.__all__ == ["aask", "ask", "build", "open_committee"]
    assert all(inspect.getdoc(getattr(graph, name)) for name in graph.__all__)
    with pytest.raises(AttributeError, match="nonsense"):
        graph.nonsense  # noqa: B018


def test_ask_from_plain_code_twice() -> None:
    first, second = ask(QUESTION, mode="2"), ask(QUESTION, mode="4")
    assert isinstance(first, Answer)
    assert (first.answer, first.branches, second.branches) == ("17", 2, 4)
    assert first.run != second.run


async def test_aask_in_a_running_loop_several_at_once() -> None:
    events: list[str] = []
    found = await asyncio.gather(
        *(aask(f"{QUESTION} {n}", mode="2", watch=lambda event: events.append(event["event"])) for n in range(4))
    )
    assert [answer.answer for answer in found] == ["17"] * 4
    assert events.count("answer") == 4


async def test_ask_in_a_running_loop_as_in_a_notebook() -> None:
    before = threading.active_count()
    assert [ask(QUESTION, mode="2").answer for _ in range(2)] == ["17", "17"]
    assert threading.active_count() <= before


def test_ask_from_threads() -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda number: ask(f"{QUESTION} {number}", mode="2"), range(8)))
    assert [answer.answer for answer in found] == ["17"] * 8
    with Reader.open(settings().records) as reader:
        assert {row["id"] for row in reader.runs()} == {answer.run for answer in found}


def test_one_graph_serves_one_loop_after_the_other() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled = build()
        assert [asyncio.run(answer_of(compiled, f"{QUESTION} {number}")) for number in range(3)] == ["17"] * 3
        gc.collect()  # what a loop left open would be warned of here


def test_one_graph_serves_several_loops_at_once() -> None:
    compiled = build()
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda number: asyncio.run(answer_of(compiled, f"{QUESTION} {number}")), range(6)))
    assert found == ["17"] * 6


def test_a_loop_that_ends_closes_what_it_had_open() -> None:
    parts = LiveParts(settings())

    async def use() -> object:
        await answer_of(build(parts))
        return await parts.records()

    records = asyncio.run(use())
    assert records.writer._closed  # type: ignore[attr-defined]
    assert asyncio.run(use()) is not records


async def test_parts_are_opened_once_a_loop_and_closed_once() -> None:
    parts = LiveParts(settings())
    first, second = await asyncio.gather(parts.records(), parts.records())
    assert first is second
    await parts.close()
    await parts.close()
    assert await parts.records() is not first
    await parts.close()


async def test_errors_come_through_the_thread_of_a_notebook(octavo: Octavo) -> None:
    with pytest.raises(InputError, match="nothing but blank space"):
        ask("  ")
    octavo.set(OCTAVO_MODEL="nobody")
    with pytest.raises(ModelNotServed, match="nobody"):
        await aask(QUESTION)
    octavo.set(OCTAVO_BASE_URL="")
    with pytest.raises(EngineUnreachable, match="octavo engine up"):
        ask(QUESTION)
    with Reader.open(settings().records) as reader:
        assert reader.runs() == []


def test_an_interrupt_while_a_notebook_waits_is_not_lost() -> None:
    async def stop() -> None:
        raise KeyboardInterrupt

    async def outer() -> None:
        graph.run.run_anywhere(stop())

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(outer())


def test_unknown_specialists_are_named_at_the_start(tmp_path: Path) -> None:
    for names in ("numeric", "all", "numeric, logic", ""):
        LiveParts(read(home=tmp_path, specialists=names))
    with pytest.raises(SetupError, match=r"OCTAVO_SPECIALISTS names 'numerik', 'ALL'; known: .*numeric.*, all$"):
        LiveParts(read(home=tmp_path, specialists="numerik,logic,ALL"))


@pytest.mark.parametrize(
    ("base", "other", "keyed"),
    [
        ("http://h:1/v1", "http://h:1/w/v1", True),
        ("https://H/v1", "https://h:443/v1", True),
        ("http://h:1/v1", "http://h:2/v1", False),
        ("http://h/v1", "http://g/v1", False),
        ("https://h/v1", "http://h/v1", False),
        ("https://h:1/v1", "http://h:1/v1", False),
    ],
)
def test_the_key_goes_to_the_server_of_base_url_only(
    base: str, other: str, keyed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Settings] = []

    def note(settings: Settings) -> Endpoint:
        asked.append(settings)
        return Endpoint(base_url=settings.base_url or "", model="m", context=1, supervised=False, version="")

    monkeypatch.setattr(engine, "endpoint", note)
    assert len(endpoints_of(read(home=tmp_path, base_url=base, api_key="k", endpoints=other))) == 2
    assert [settings.api_key for settings in asked] == ["k", "k" if keyed else None]
