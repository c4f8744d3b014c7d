"""The LangGraph server with our graph and our checkpoint file: what Studio shows, asks, edits and survives."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import pytest

from evals.bench.endpoint import Running
from evals.bench.scripted import Options
from graph.record import Reader
from nodes import specialists
from nodes.contracts import Mode
from tests.graph.programs import ROOT, Octavo
from tests.graph.studio import FLAGS, VARIABLES, Studio

QUESTION = "How old is the sea? Explain why."
NUMERIC = "Weng earns 12 dollars an hour for babysitting. Yesterday she did 50 minutes. How much did she earn?"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory, scripted_server: Running) -> Iterator[Studio]:
    """One server for the module."""
    folder = tmp_path_factory.mktemp("studio")
    with Studio(folder, folder / "home", scripted_server.base_url) as found:
        yield found


@pytest.fixture(autouse=True)
def _same_home(octavo: Octavo, studio: Studio) -> None:
    """The command line looks where the server writes; the endpoint is itself again."""
    octavo.home = studio.home
    octavo.set(OCTAVO_HOME=str(studio.home))
    octavo.script(**vars(Options()))


def answer_of(events: list[Any]) -> dict[str, Any]:
    """The output of `finish`."""
    return next(event.data["finish"] for event in events if event.kind == "updates" and "finish" in event.data)


def test_make_studio_starts_it_the_same_way() -> None:
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").split("\nstudio:")[1].split("\n\n")[0]
    assert [
        word for word in (*FLAGS, *(f"{name}={value}" for name, value in VARIABLES.items())) if word not in recipe
    ] == []


def test_the_picture_has_every_node_by_its_name(studio: Studio) -> None:
    (assistant,) = studio.post("/assistants/search").json()
    nodes = {node["id"] for node in studio.get(f"/assistants/{assistant['assistant_id']}/graph?xray=true")["nodes"]}
    steps = {"intake", "router", "committee", "branch", "judge", "verify", "finish"}
    inside = {f"specialists:{name}" for name in ("ready", "__start__", "__end__", *specialists.load())}
    assert nodes == {"__start__", *steps, *inside, "__end__"}
    assert {"specialists:numeric", "specialists:safety"} <= nodes


def test_the_forms_explain_themselves(studio: Studio) -> None:
    (assistant,) = studio.post("/assistants/search").json()
    schemas = studio.get(f"/assistants/{assistant['assistant_id']}/schemas")
    assert list(schemas["input_schema"]["properties"]) == ["question"]
    assert "English or Chinese" in schemas["input_schema"]["properties"]["question"]["description"]
    context = schemas["context_schema"]["properties"]
    assert list(context) == ["mode", "deadline", "face"]
    assert all(field["title"] and field["description"] for field in context.values())
    assert context["mode"]["enum"] == list(get_args(Mode))
    assert assistant["description"]


def test_a_question_streams_and_lands_in_both_databases(studio: Studio, octavo: Octavo) -> None:
    thread = studio.thread()
    events = studio.ask(thread, QUESTION, context={"mode": "4"})
    run = events[0].data["run_id"]
    told = [event.data["event"] for event in events if event.kind == "custom"]
    assert [kind for kind in told if kind != "text"] == ["route", "wave", *["candidate"] * 4, "decision", "answer"]
    assert "text" in told
    steps = [next(iter(event.data)) for event in events if event.kind == "updates"]
    assert steps == ["intake", "router", "committee", *["branch"] * 4, "judge", "finish"]
    answer = answer_of(events)
    assert (answer["run"], answer["answer"], answer["status"], answer["branches"]) == (run, "17", "answered", 4)
    with closing(sqlite3.connect(studio.home / "checkpoints.db")) as connection:
        count = connection.execute("SELECT count(*) FROM checkpoints WHERE thread_id = ?", [thread]).fetchone()[0]
    assert count == len(studio.get(f"/threads/{thread}/history?limit=50")) == 8
    row = octavo("runs", "--json", "--limit", "1").json[0]
    assert (row["id"], row["thread"], row["source"], row["mode"]) == (run, thread, "studio", "4")
    shown = octavo("show", run, "--json").json
    assert (len(shown["calls"]), shown["verdict"]["answer"]) == (4, "17")


def test_a_second_question_in_the_thread_inherits_nothing(studio: Studio, octavo: Octavo) -> None:
    thread = studio.thread()
    first = answer_of(studio.ask(thread, QUESTION, context={"mode": "4"}))
    octavo.script(answers=["23"])
    events = studio.ask(thread, "And who is older?", context={"mode": "2"})
    begun = next(event.data["intake"] for event in events if event.kind == "updates")
    assert {key for key, value in begun.items() if value} == {"run"}
    second = answer_of(events)
    assert (second["answer"], second["branches"], second["budget"]) == ("23", 2, 2)
    assert second["tokens"] < first["tokens"]
    state = studio.get(f"/threads/{thread}/state")["values"]
    assert {candidate["answer"] for candidate in state["candidates"].values()} == {"23"}
    assert len(octavo("show", second["run"], "--json").json["calls"]) == 2


def test_specialists_run_inside_their_subgraph(studio: Studio) -> None:
    events = studio.ask(studio.thread(), NUMERIC, context={"mode": "deep"})
    assert [event.data for event in events if event.kind == "error"] == []
    assert any(event.kind.startswith("updates|specialists:") and "numeric" in event.data for event in events)
    assert answer_of(events)["route"] == "rte-c"


@pytest.mark.parametrize(
    ("question", "context", "error", "words"),
    [
        (" ", {}, "InputError", "nothing but blank space"),
        (7, {}, "InputError", "must be text, not int"),
        ("a\0b", {}, "InputError", "NUL byte"),
        ("why " * 45_000, {}, "ContextExceeded", "tokens over"),
        (QUESTION, {"mode": "sideways"}, "ValidationError", "'auto', 'light', 'deep'"),
        (QUESTION, {"deadline": -1}, "ValidationError", "greater than 0"),
    ],
)
def test_bad_input_is_named(studio: Studio, question: Any, context: dict[str, Any], error: str, words: str) -> None:
    last = studio.ask(studio.thread(), question, context=context)[-1]
    assert (last.kind, last.data["error"]) == ("error", error)
    assert words in last.data["message"]


def test_the_thread_goes_on_after_an_error(studio: Studio) -> None:
    thread = studio.thread()
    assert studio.ask(thread, "")[-1].kind == "error"
    assert answer_of(studio.ask(thread, QUESTION, context={"mode": "1"}))["answer"] == "17"


@pytest.fixture(scope="module")
def forked(studio: Studio) -> tuple[str, dict[str, dict[str, Any]]]:
    """A thread with one answered question, and its checkpoints by the node that comes next."""
    thread = studio.thread()
    studio.ask(thread, QUESTION, context={"mode": "2"})
    history = studio.get(f"/threads/{thread}/history?limit=50")
    return thread, {item["next"][0]: item["checkpoint"] for item in history if item["next"]}


@pytest.mark.parametrize(
    ("node", "paid"), [("intake", 2), ("router", 2), ("committee", 2), ("branch", 2), ("judge", 0), ("finish", 0)]
)
def test_a_run_repeated_from_any_step_is_a_run_of_its_own(
    studio: Studio, octavo: Octavo, forked: Any, node: str, paid: int
) -> None:
    thread, before = forked
    first = studio.get(f"/threads/{thread}/state/{before['finish']['checkpoint_id']}")["values"]["run"]
    recorded = octavo("show", first, "--json").json
    octavo.script(answers=["23"])
    found = studio.go_on(thread, before[node], context={"mode": "2"})
    assert (found["answer"], octavo.paid()) == ("23" if paid else "17", paid)
    assert found["run"] != first
    assert found["seconds"] < 60
    assert octavo("show", first, "--json").json == recorded
    own = octavo("show", found["run"], "--json").json
    assert (own["run"]["parent"], own["run"]["status"]) == (None if node == "intake" else first, "answered")
    assert [candidate["source"] for candidate in own["candidates"]] == ["branch:0", "branch:1"]
    assert (len(own["calls"]), own["route"]["budget"], own["verdict"]["answer"]) == (paid, 2, found["answer"])


def test_an_edited_answer_of_a_branch_reaches_the_judge(studio: Studio, forked: Any) -> None:
    thread, before = forked
    state = studio.get(f"/threads/{thread}/state/{before['judge']['checkpoint_id']}")["values"]
    edited = {source: {**candidate, "answer": "99"} for source, candidate in state["candidates"].items()}
    fork = studio.post(
        f"/threads/{thread}/state", values={"candidates": edited}, as_node="branch", checkpoint=before["judge"]
    )
    assert studio.go_on(thread, fork.json()["checkpoint"])["answer"] == "99"


@pytest.mark.parametrize(
    ("node", "values"),
    [
        ("branch", {"candidates": {"branch:0": "junk"}}),
        ("branch", {"candidates": {"branch:0": {"source": "branch:0", "status": "answered", "odd": 1}}}),
        ("branch", {"candidates": [1, 2]}),
        ("branch", {"candidates": None}),
        ("specialists", {"findings": {"numeric": 7}}),
        ("router", {"decided": {"budget": 99}}),
        ("router", {"decided": None}),
        ("intake", {"request": "junk"}),
        ("intake", {"request": {"run": "x"}}),
        ("judge", {"decision": {"next": "elsewhere"}}),
        ("judge", {"decision": {"next": "finish", "reason": "r"}}),
        ("judge", {"decision": {"next": "verify", "reason": "r"}}),
        ("judge", {"decision": None}),
        ("committee", {"wave": {}}),
        ("committee", {"wave": {"number": "x", "branches": "y"}}),
        ("judge", {"started": "yesterday"}),
        ("__start__", {"question": "Another one?"}),
        ("finish", {"answer": "edited"}),
    ],
    ids=lambda value: json.dumps(value)[:40],
)
def test_an_edit_never_breaks_the_server(studio: Studio, forked: Any, node: str, values: dict[str, Any]) -> None:
    thread, before = forked
    fork = studio.post(f"/threads/{thread}/state", values=values, as_node=node, checkpoint=before["judge"])
    assert fork.status_code in (200, 400), fork.text
    if fork.status_code == 400:
        assert "the state's" in fork.json()["detail"]
        return
    found = studio.go_on(thread, fork.json()["checkpoint"])
    assert found.get("answer") or found["__error__"]["error"] in ("BadState", "InvalidUpdateError"), found


def test_many_threads_and_runs_without_one_at_once(studio: Studio) -> None:
    def ask(number: int) -> Any:
        if number % 2:
            return answer_of(studio.ask(studio.thread(), QUESTION, context={"mode": "2"}))
        return studio.post("/runs/wait", assistant_id="octavo", input={"question": QUESTION}).json()

    with ThreadPoolExecutor(12) as pool:
        found = list(pool.map(ask, range(12)))
    assert [answer["answer"] for answer in found] == ["17"] * 12
    assert len({answer["run"] for answer in found}) == 12


def test_nothing_blocked_the_loop(studio: Studio) -> None:
    said = studio.said()
    assert "Application started up" in said
    assert "BlockingError" not in said
    assert "Blocking call" not in said


def test_kill_9_leaves_both_databases_sound(tmp_path: Path, octavo: Octavo, scripted_server: Running) -> None:
    folder = tmp_path / "server"
    folder.mkdir()
    octavo.home = tmp_path / "killed"
    octavo.set(OCTAVO_HOME=str(octavo.home))
    octavo.script(script=["", "hang"])
    with Studio(folder, octavo.home, scripted_server.base_url) as studio:
        thread = studio.thread()
        stream = studio.stream(thread, input={"question": QUESTION}, context={"mode": "2"})
        run = next(stream).data["run_id"]
        assert any(event.kind == "custom" and event.data["event"] == "candidate" for event in stream)
        studio.kill()
        stream.close()
        for name in ("records.db", "checkpoints.db"):
            with closing(sqlite3.connect(octavo.home / name)) as connection:
                assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        octavo.script(script=[])
        done = octavo("resume", "--json", run)
        assert (done.code, done.json["run"], done.json["answer"], octavo.paid()) == (0, run, "17", 1)
        studio.start()
        studio.post("/threads", thread_id=thread, metadata={"graph_id": "octavo"}, if_exists="do_nothing")
        assert studio.get(f"/threads/{thread}/state")["values"]["answer"] == "17"
        assert answer_of(studio.ask(thread, "And who is older?", context={"mode": "1"}))["answer"] == "17"
    with Reader.open(octavo.home / "records.db") as reader:
        assert [row["status"] for row in reader.runs()] == ["answered", "answered"]
