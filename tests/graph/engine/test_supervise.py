"""The real watcher, as a process, around a fake server: crashes, kills, two callers at once, rest."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
from collections.abc import Callable

import psutil
import pytest

from graph.engine import endpoint, ensure_up, status, wait_ready
from graph.engine.contracts import Progress, State
from graph.engine.control import down, purge
from graph.engine.layout import Layout
from graph.engine.process import session_members
from graph.engine.status_file import living, read_state
from graph.settings import Settings
from nodes.errors import EngineFault, EngineUnreachable, SetupError


def mode(settings: Settings, word: str) -> None:
    (settings.home / "mode").write_text(word)


def starts(settings: Settings) -> int:
    return (settings.home / "starts").read_text().count("start")


def now(settings: Settings) -> State:
    state = read_state(Layout(settings.home))
    assert state is not None
    return state


async def until(settings: Settings, wanted: Callable[[State], bool]) -> State:
    """The first state that is as wanted; the test's own timeout is the limit."""
    async with asyncio.timeout(30):
        while not wanted(state := now(settings)):  # noqa: ASYNC110 - another process writes the file
            await asyncio.sleep(0.01)
    return state


async def test_comes_up_once_and_is_found_afterwards(watched: Settings) -> None:
    told: list[Progress] = []
    found = await ensure_up(watched, model="tiny", progress=told.append)
    assert (found.model, found.context, found.supervised) == ("smollm2-135m", 4096, True)
    assert found.base_url == f"http://127.0.0.1:{watched.engine_port}/v1"
    assert told[-1].phase == "ready"
    assert endpoint(watched) == found
    assert await ensure_up(watched) == found  # no model named: the running one is taken
    assert starts(watched) == 1
    seen = status(watched)
    assert seen.running
    assert seen.probe is not None
    assert (seen.probe.choice, seen.probe.logprobs, seen.probe.cached) == (True, True, 192)
    assert found.api_key is not None
    assert found.api_key not in repr(found)
    assert found.api_key not in " ".join(psutil.Process(now(watched).pid).cmdline())
    assert stat.S_IMODE(Layout(watched.home).key.stat().st_mode) == 0o600
    with pytest.raises(SetupError, match="octavo engine down"):
        purge(watched)


async def test_another_model_than_the_running_one_is_refused(watched: Settings) -> None:
    await ensure_up(watched, model="tiny")
    with pytest.raises(SetupError, match=r"serves 'smollm2-135m', not 'default'; .* octavo engine down"):
        await ensure_up(watched, model="default")
    with pytest.raises(SetupError, match="as bf16, not int8"):
        await ensure_up(watched, model="tiny", precision="int8")


async def test_callers_at_the_same_time_share_one_engine(watched: Settings) -> None:
    found = await asyncio.gather(*(ensure_up(watched) for _ in range(4)))
    assert len(set(found)) == 1
    assert starts(watched) == 1


async def test_a_killed_server_is_started_again_with_its_key(watched: Settings) -> None:
    mode(watched, "child")
    before = await ensure_up(watched)
    first = now(watched).pid
    assert first is not None
    members = session_members(first, Layout(watched.home).run)
    assert len(members) == 2  # the server and the process it started
    os.kill(first, signal.SIGKILL)
    await until(watched, lambda state: state.pid not in {None, first} and state.phase == "ready")
    assert await wait_ready(watched, 30) == before
    state = now(watched)
    assert state.restarts == 1
    assert "SIGKILL" in state.last_error
    _, left = psutil.wait_procs(members, timeout=5)
    assert not left


async def test_wait_ready_does_not_trust_a_state_that_the_crash_outran(watched: Settings) -> None:
    await ensure_up(watched)
    os.kill(now(watched).pid or 0, signal.SIGKILL)
    found = await wait_ready(watched, 30)  # at once, before the watcher can have noticed
    assert found.base_url.endswith(f":{watched.engine_port}/v1")
    assert (await until(watched, lambda state: state.phase == "ready")).restarts == 1


async def test_a_killed_watcher_takes_the_server_along_and_the_next_one_starts_clean(watched: Settings) -> None:
    mode(watched, "child")
    await ensure_up(watched)
    state = now(watched)
    members = session_members(state.pid or 0, Layout(watched.home).run)
    watcher = psutil.Process(state.supervisor)
    os.kill(state.supervisor, signal.SIGKILL)
    psutil.wait_procs([watcher], timeout=10)
    assert endpoint(watched) is None
    found = await wait_ready(watched, 30)  # a question in flight brings it back
    assert found.model == state.model
    _, left = psutil.wait_procs(members, timeout=10)
    assert not left
    assert now(watched).supervisor != state.supervisor


async def test_gives_up_with_the_servers_own_words_after_quick_crashes(watched: Settings) -> None:
    mode(watched, "crash")
    with pytest.raises(EngineFault, match=r"2 times in quick succession.*not enough memory for the cache"):
        await ensure_up(watched)
    with pytest.raises(EngineFault):
        await wait_ready(watched, 1)
    mode(watched, "good")
    assert (await ensure_up(watched)).model == "smollm2-135m"


@pytest.mark.parametrize(
    ("word", "fault"),
    [("ignores_choice", "choice"), ("no_logprobs", "log-probabilities"), ("no_cache", "prefix cache")],
)
async def test_a_server_without_a_needed_feature_is_named(watched: Settings, word: str, fault: str) -> None:
    mode(watched, word)
    with pytest.raises(EngineFault, match=fault):
        await ensure_up(watched)


async def test_errors_of_setup_reach_the_caller_as_what_they_are(watched: Settings) -> None:
    mode(watched, "no_torch")
    with pytest.raises(SetupError, match="OCTAVO_TORCH_INDEX"):
        await ensure_up(watched)
    mode(watched, "bug")
    with pytest.raises(Exception, match=r"ZeroDivisionError.*watcher\.log"):
        await ensure_up(watched)


async def test_a_taken_port_is_named_with_its_holder(watched: Settings) -> None:
    async with await asyncio.start_server(lambda _r, _w: None, "127.0.0.1", watched.engine_port):
        with pytest.raises(SetupError, match=rf"port {watched.engine_port} is taken by process {os.getpid()}"):
            await ensure_up(watched)


async def test_stops_when_idle(watched: Settings) -> None:
    resting = watched.model_copy(update={"engine_idle": 0.005})
    await ensure_up(resting)
    state = await until(resting, lambda state: state.phase == "resting")
    assert "no request for 0.005 minutes" in state.message
    assert endpoint(resting) is None
    assert (await wait_ready(resting, 30)).model == state.model


async def test_down_ends_everything(watched: Settings) -> None:
    mode(watched, "child")
    await ensure_up(watched)
    state, layout = now(watched), Layout(watched.home)
    assert await down(watched)
    assert living(layout) is None
    assert not session_members(state.pid or 0, layout.run)
    assert now(watched).phase == "stopped"
    with pytest.raises(EngineUnreachable, match="octavo engine up"):
        await wait_ready(watched, 30)
    assert not await down(watched)
    assert purge(watched) > 0
    assert not layout.root.exists()


async def test_the_state_file_is_for_the_owner_only(watched: Settings) -> None:
    await ensure_up(watched)
    layout = Layout(watched.home)
    assert stat.S_IMODE(os.stat(layout.run).st_mode) == 0o700  # noqa: PTH116 - no pathlib in a coroutine
    assert stat.S_IMODE(os.stat(layout.state).st_mode) == 0o600  # noqa: PTH116
