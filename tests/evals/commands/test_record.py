"""`octavo eval record` against the scripted endpoint: killed, interrupted, refused, resumed; nothing paid twice."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from evals import pools
from evals.bench.endpoint import Running, endpoint
from tests.evals.commands import octavo
from tests.evals.lines import data, item

LINES = 6
FAMILIES = ("sums", "kinds")
WANTED = LINES * 2 * 4
"""Four branches of each case."""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return data(tmp_path / "cases.jsonl", [item(n, f, text=f"{f} {n}?") for f in FAMILIES for n in range(LINES)])


async def record(folder: Path, server: Running | None, source: Path, *words: object) -> octavo.Done:
    arguments = ("record", "--data", source, "--branches", 4, *words)
    return await asyncio.to_thread(octavo.run, folder / "home", server, *arguments)


def lines_of(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


async def until_lines(path: Path, number: int, process: subprocess.Popen[str]) -> None:
    """Wait until a growing pool has so many lines."""
    while lines_of(path) < number:
        assert process.poll() is None, process.communicate()
        await asyncio.sleep(0.01)  # the event is in another process


async def total(server: Running) -> dict[str, int]:
    return dict((await server.counts())["total"])


@pytest.mark.parametrize("name", ["p.jsonl", "p.jsonl.gz"])
async def test_kill_9_loses_what_was_in_flight_and_nothing_else(tmp_path: Path, source: Path, name: str) -> None:
    out = tmp_path / name
    grows = out if out.suffix == ".jsonl" else out.with_suffix(".part")
    async with endpoint(latency=0.02) as server:
        process = octavo.start(
            tmp_path / "home", server,
            "record", "--data", source, "--branches", 4, "--out", out, "--concurrency", 5,
        )  # fmt: skip
        await until_lines(grows, 7, process)
        process.kill()
        process.communicate()
        there = grows.read_bytes()
        with grows.open("ab") as file:
            file.write(b'{"id": "sums-1", "fam')
        await server.set(latency=0.0)
        done = await record(tmp_path, server, source, "--out", out, "--json")
        assert done.returncode == 0, done.stderr
        assert "the last line was torn, 21 bytes cut away" in done.stderr
        told = json.loads(done.stdout)
        kept = there.count(b"\n")
        assert (told["wanted"], told["recorded"], told["errors"]) == (WANTED, WANTED - kept, 0)
        assert (await total(server))["started"] <= WANTED + 5
        again = await record(tmp_path, server, source, "--out", out, "--json")
        assert json.loads(again.stdout)["recorded"] == 0
    samples = pools.read(out)
    assert len(samples) == len({pools.key(one) for one in samples}) == WANTED
    lines = {pools.encode(one) for one in samples}
    assert set(there[: there.rfind(b"\n") + 1].splitlines(keepends=True)) <= lines
    assert not out.with_suffix(".part").exists()


async def test_ctrl_c_says_what_is_left_and_the_same_command_continues(tmp_path: Path, source: Path) -> None:
    out = tmp_path / "p.jsonl"
    words = ("record", "--data", source, "--branches", 4, "--out", out, "--concurrency", 2)
    async with endpoint(latency=0.02) as server:
        process = octavo.start(tmp_path / "home", server, *words)
        await until_lines(out, 3, process)
        process.send_signal(signal.SIGINT)
        _, told = await asyncio.to_thread(process.communicate)
        left = WANTED - out.read_bytes().count(b"\n")
        assert process.returncode == 130
        assert f"{left} of {WANTED} samples left; the same command continues" in told
        assert "Traceback" not in told
        await server.set(latency=0.0)
        done = await record(tmp_path, server, source, "--out", out)
        assert done.returncode == 0
        assert f"{WANTED} samples of 12 cases, {left} of them new, 0 errors" in done.stdout


async def test_failed_samples_are_asked_again_unless_kept(tmp_path: Path, source: Path) -> None:
    out = tmp_path / "p.jsonl"
    async with endpoint(script=["500", "", "bad_json"]) as server:
        done = await record(tmp_path, server, source, "--out", out, "--limit", 2, "--json", "--concurrency", 1)
        assert done.returncode == 1
        assert json.loads(done.stdout)["errors"] == 2
        kept = await record(tmp_path, server, source, "--out", out, "--limit", 2, "--json", "--keep-errors")
        assert (kept.returncode, json.loads(kept.stdout)["recorded"]) == (1, 0)
        again = await record(tmp_path, server, source, "--out", out, "--limit", 2, "--json")
        told = json.loads(again.stdout)
        assert (again.returncode, told["recorded"], told["errors"]) == (0, 2, 0)
        assert (await total(server))["started"] == 8 + 2
    assert out.read_bytes().count(b"\n") == 10, "the failures stay on record"
    assert not [one for one in pools.read(out) if one.error]


async def test_more_is_added_and_the_earlier_stays(tmp_path: Path, source: Path) -> None:
    out = tmp_path / "p.jsonl.gz"
    async with endpoint() as server:
        few = await record(tmp_path, server, source, "--out", out, "--per-family", 2, "--family", "sums")
        assert few.returncode == 0, few.stderr
        before = pools.read(out)
        assert {one.family for one in before} == {"sums"}
        more = await record(tmp_path, server, source, "--out", out, "--per-family", 3, "--greedy", "--json")
        assert json.loads(more.stdout)["recorded"] == 6 * 5 - 2 * 4
        assert (await total(server))["started"] == 6 * 5
    after = pools.read(out)
    assert [one for one in after if one in before] == before
    assert {one.branch for one in after} == {-1, 0, 1, 2, 3}


async def test_another_recording_or_model_is_refused_before_any_call(tmp_path: Path, source: Path) -> None:
    out = tmp_path / "p.jsonl"
    async with endpoint() as server:
        assert (await record(tmp_path, server, source, "--out", out, "--limit", 1)).returncode == 0
        hot = await record(tmp_path, server, source, "--out", out, "--temperature", "1.2", "--limit", 1)
        assert hot.returncode == 2
        assert "other_recording" in hot.stderr
        lines = [{**json.loads(line), "model": "elsewhere"} for line in out.read_text().splitlines()]
        data(out, lines)
        other = await record(tmp_path, server, source, "--out", out)
        assert other.returncode == 2
        assert "was recorded from ['elsewhere'], here ['default'] is served" in other.stderr
        assert (await total(server))["started"] == 4


async def test_without_an_engine_it_is_exit_code_3_and_no_sample(tmp_path: Path, source: Path) -> None:
    out = tmp_path / "p.jsonl"
    done = await record(tmp_path, None, source, "--out", out)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert pools.read(out) == []


async def test_an_engine_that_dies_leaves_what_was_recorded(tmp_path: Path, source: Path) -> None:
    out = tmp_path / "p.jsonl"
    async with endpoint(latency=0.02) as server:
        words = ("record", "--data", source, "--branches", 4, "--out", out, "--concurrency", 2)
        process = octavo.start(tmp_path / "home", server, *words)
        await until_lines(out, 3, process)
    _, told = await asyncio.to_thread(process.communicate)
    assert process.returncode == 3, told
    assert "engine_unreachable" in told
    recorded = pools.read(out)
    assert 3 <= len([one for one in recorded if not one.error]) < WANTED


WRONG: list[tuple[list[Any], str]] = [
    (["--data", "nowhere.jsonl"], "does not exist"),
    (["--data", "CASES"], "Missing option '--out'"),
    (["--data", "CASES", "--out", "p.jsonl", "--branches", "0"], "nothing to record"),
    (["--data", "CASES", "--out", "p.jsonl", "--family", "sums,none"], "no case is of family ['none']"),
    (["--data", "CASES", "--out", "p.jsonl", "--branches", "65"], "65"),
    (["--data", "CASES", "--out", "p.jsonl", "--temperature", "9"], "9"),
    (["--data", "CASES", "--out", "p.jsonl", "--temperature", "nan"], "nan is no temperature"),
    (["--data", "CASES", "--out", "p.jsonl", "--timeout", "inf"], "inf"),
    (["--data", "CASES", "--out", "none/p.jsonl"], "cannot write"),
]


@pytest.mark.parametrize(("words", "told"), WRONG)
def test_wrong_input_is_named(tmp_path: Path, source: Path, words: list[str], told: str) -> None:
    words = [str(source) if word == "CASES" else word for word in words]
    words = [str(tmp_path / word) if word.endswith("p.jsonl") else word for word in words]
    done = octavo.run(tmp_path / "home", None, "record", *words)
    assert done.returncode == 2
    assert told in done.stderr
    assert not (tmp_path / "p.jsonl").exists()
