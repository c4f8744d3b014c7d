"""What a terminal of any width shows: nothing wider than it, no colour where none is wanted, speakers in order."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from graph.asking import interruptible
from graph.engine.contracts import Progress as Event
from graph.render import RUNS, Progress, clip, columns
from graph.watching import Speech, Watcher, err
from tests.graph.programs import OCTAVO, ROOT, Octavo

ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
WORDS = st.text(st.characters(codec=None), max_size=30)
CHINESE = "只有张三或李四去开会，王五才会去。如果王五去了，那么谁一定在会上？"


def on_terminal(width: int, *arguments: str, **env: str) -> str:
    """What a terminal of `width` columns is sent by a command."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    child = subprocess.Popen(
        (*OCTAVO, *arguments),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm-256color", **env},
    )
    os.close(theirs)
    sent = b""
    with open(ours, "rb", buffering=0) as terminal:  # noqa: PTH123 - a descriptor
        while True:
            try:
                piece = terminal.read(65536)
            except OSError:  # Linux says so when the other side is closed
                break
            if not piece:
                break
            sent += piece
    assert child.wait() == 0, sent
    return sent.decode()


def test_forty_columns_hold_tables_and_trees(octavo: Octavo) -> None:
    octavo("ask", "--mode", "4", CHINESE)
    octavo("ask", "--mode", "1", "a long question " * 20)
    run = octavo("runs", "--json", "--search", "张三").json[0]["id"]
    for arguments in (["runs"], ["show", run], ["show", "--text", run]):
        lines = ANSI.sub("", on_terminal(40, *arguments)).splitlines()
        assert len(lines) > 2
        assert [line for line in lines if cell_len(line.rstrip()) > 40] == []
    assert "只有张三" in on_terminal(40, "runs")


@pytest.mark.parametrize("stream", [[], ["--stream"]])
def test_a_terminal_gets_colours_unless_it_wants_none(octavo: Octavo, stream: list[str]) -> None:
    colour = re.compile(r"\x1b\[(?:\d+;)*(?:3\d|9\d)m")
    assert colour.search(on_terminal(80, "ask", *stream, "--mode", "2", CHINESE))
    assert not colour.search(on_terminal(80, "ask", *stream, "--mode", "2", CHINESE, NO_COLOR="1"))
    assert octavo("ask", "--mode", "2", CHINESE).out.count("\x1b") == 0


@given(st.lists(st.tuples(*[WORDS] * len(RUNS)), max_size=5), st.integers(30, 200))
def test_a_table_fits_and_keeps_its_first_columns(rows: list[tuple[str, ...]], room: int) -> None:
    short = [(*(clip(cell, 10) for cell in row[:-1]), row[-1]) for row in rows]
    lines = columns(RUNS, short, room)
    assert len(lines) == len(rows) + 1
    assert lines[0].startswith("run")
    fixed = max(sum(cell_len(name) for name in ("run", "status", "answer")), 30) + 6
    assert all(cell_len(line) <= max(room, fixed + 8) for line in lines)


@given(WORDS, st.integers(2, 40))
def test_clip_counts_columns(text: str, room: int) -> None:
    shown = clip(text, room)
    assert cell_len(shown) <= room
    assert "\n" not in shown


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=40))
def test_every_speaker_is_heard_whole_and_in_order(script: list[tuple[int, bool]]) -> None:
    heard: list[tuple[str, str]] = []
    speech = Speech(lambda source, text: heard.append((source, text)))
    said: dict[str, str] = {}
    ended: set[str] = set()
    for number, (speaker, end) in enumerate(script):
        source = str(speaker)
        if source in ended:
            continue
        if end:
            ended.add(source)
            speech.end(source)
        else:
            said[source] = said.get(source, "") + f"{number},"
            speech.hear(source, f"{number},")
    for source in set(said) - ended:
        speech.end(source)
    assert {source: "".join(text for who, text in heard if who == source) for source in said} == said
    turns = [who for number, (who, _) in enumerate(heard) if number == 0 or heard[number - 1][0] != who]
    assert len(turns) == len(set(turns))


async def test_the_second_ctrl_c_leaves(capsys: pytest.CaptureFixture[str]) -> None:
    begun, stopped = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        begun.set()
        await asyncio.Event().wait()

    async def press() -> None:
        await begun.wait()
        os.kill(os.getpid(), signal.SIGINT)
        await stopped.wait()
        os.kill(os.getpid(), signal.SIGINT)

    pressing = asyncio.ensure_future(press())
    with pytest.raises(KeyboardInterrupt, match="octavo resume 12345678"):
        await interruptible(work(), "12345678-9", lambda run: stopped.set(), Watcher(stream=True))  # type: ignore[arg-type]
    await pressing
    assert "stopping; the best answer so far follows" in capsys.readouterr().err


EVENTS = (
    Event(phase="download", message="part \x1b[2J 1", done=5_000_000, total=98_000_000, unit="bytes"),
    Event(phase="download", message="part 2", done=97_000_000, total=98_000_000, unit="bytes"),
    Event(phase="load", message="[weights]", done=1, total=3, unit="seconds"),
    Event(phase="ready"),
)


def test_long_steps_are_one_line_each_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress() as progress:
        for event in EVENTS:
            progress(event)
    shown = capsys.readouterr()
    assert shown.err.splitlines() == ["download: part \\x1b[2J 1  5/98 MB", "load: [weights]  1/3 seconds"]
    assert shown.out == ""


def test_long_steps_are_bars_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(err, "_force_terminal", True)
    with Progress() as progress:
        for event in EVENTS:
            progress(event)
    shown = capsys.readouterr().err
    for words in ("download: part 2", "97/98 MB", "load: [weights]", "1/3 seconds"):
        assert words in ANSI.sub("", shown)
    assert "\x1b[2J" not in shown
