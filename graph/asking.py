"""What the commands do: ask with progress and interruption, resume, route, read, diagnose."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import threading
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

import click

from graph import engine, render
from graph.board import Halt, unless
from graph.engine.external import external
from graph.record import Reader
from graph.record_check import diagnose_databases
from graph.settings import settings
from graph.terminal import DOCTOR, to_json, visible
from graph.watching import Watcher
from nodes import router, specialists
from nodes.contracts import Answer, Mode, Request, Route
from nodes.errors import EngineTimeout, InputError
from nodes.intake import accept, check_mode, check_text
from nodes.language import detect

PRINTED = ("run", "answer", "status", "cause", "route", "budget", "agreement", "confidence", "tokens", "seconds")
"""Fields of `octavo ask --json`, in this order; other programs rely on them. What follows may grow."""


async def ask_once(
    question: str, mode: str, deadline: float | None, thread: str | None, stream: bool, as_json: bool
) -> int:
    """The command `ask`: exit code 0 when answered, 1 without a verdict.

    Cheapest first, so that nothing is started or written for a question that cannot be asked: the text, both
    databases, the engine.
    """
    accept(question, mode=mode, deadline=deadline, max_text=settings().max_text)
    check_thread(thread)
    from graph.run import open_committee

    async with open_committee() as committee:
        run, watcher = str(uuid.uuid4()), Watcher(stream)
        halt = committee.parts.halts.of(run, deadline)  # the clock starts here: setting up takes its time from it
        await unless_halted(start_engine(), halt)
        with watcher:
            work = committee.ask(
                question,
                mode=cast(Mode, mode),
                deadline=deadline,
                thread=thread,
                run=run,
                face="cli",
                watch=watcher.see,
            )
            answer = await interruptible(work, run, committee.interrupt, watcher)
        return report(answer, watcher, as_json)


async def resume_once(run: str, stream: bool, as_json: bool) -> int:
    """The command `resume`."""
    with reader() as records:
        row = records.find_run(run)
    from graph.run import open_committee

    async with open_committee() as committee:
        if row["status"] in ("running", "failed"):
            await start_engine()
        watcher = Watcher(stream)
        with watcher:
            work = committee.resume(row["id"], watch=watcher.see)
            answer = await interruptible(work, row["id"], committee.interrupt, watcher)
        return report(answer, watcher, as_json)


def check_thread(thread: str | None) -> None:
    """Raises InputError for a thread name that no database could keep."""
    if thread is not None and (not thread.strip() or not thread.isprintable()):
        raise InputError(f"bad thread {thread!r}: a name of printable characters", "bad_thread")


def report(answer: Answer, watcher: Watcher, as_json: bool) -> int:
    """Print the answer; the exit code says whether there is one."""
    error = failure(watcher) if answer.cause == "infra" and answer.status != "answered" else ""
    if as_json:
        found = answer.model_dump(mode="json")
        told = {"error": error, "hint": DOCTOR} if error else {}
        click.echo(to_json({key: found[key] for key in (*PRINTED, "branches", "partial", "notices")} | told))
    else:
        render.answer(answer, watcher, settings().records)
        if error:
            click.echo(f"{visible(error)}\n{DOCTOR}", err=True)
    return 0 if answer.status == "answered" else 1


def failure(watcher: Watcher) -> str:
    """The error that ended most branches; empty when none was told."""
    candidates = [event["candidate"] for event in watcher.events if event["event"] == "candidate"]
    errors = Counter(found["error"] for found in candidates if found.get("error"))
    return str(errors.most_common(1)[0][0]) if errors else ""


async def unless_halted(set_up: Awaitable[None], halt: Halt) -> None:
    """Set up before there is anything to answer with: the deadline and the first Ctrl-C end it at once.

    Raises EngineTimeout, KeyboardInterrupt.
    """
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, halt.stop, "interrupted")
    try:
        await unless(set_up, halt.event)
    finally:
        loop.remove_signal_handler(signal.SIGINT)
    if halt.reason == "interrupted":
        raise KeyboardInterrupt("nothing was asked yet")
    if halt.reason:
        raise EngineTimeout("the deadline was over before the engine was ready")


async def start_engine() -> None:
    """Have the own engine running, with progress on stderr for what takes long; a server of others is asked once."""
    if settings().base_url:
        await detached(partial(external, settings()))
        return
    with render.Progress() as progress:
        await engine.ensure_up(settings(), progress=progress)


async def detached(work: Callable[[], object]) -> None:
    """Do blocking work in a thread that nobody has to wait for: those of an executor hold back the end of the loop."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def settle(error: BaseException | None) -> None:
        if not done.done():
            done.set_exception(error) if error else done.set_result(None)

    def target() -> None:
        error: BaseException | None = None
        try:
            work()
        except Exception as raised:  # noqa: BLE001 - handed to the loop, which raises it
            error = raised
        with contextlib.suppress(RuntimeError):  # the loop may be over
            loop.call_soon_threadsafe(settle, error)

    threading.Thread(target=target, name="octavo-set-up", daemon=True).start()
    await done


async def interruptible(
    work: Awaitable[Answer], run: str, interrupt: Callable[[str], None], watcher: Watcher
) -> Answer:
    """The first Ctrl-C asks for the best answer so far, the second one ends the command."""
    task = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()
    pressed = 0

    def on_signal() -> None:
        nonlocal pressed
        pressed += 1
        if pressed > 1:
            task.cancel()
            return
        watcher.stopping()
        interrupt(run)

    loop.add_signal_handler(signal.SIGINT, on_signal)
    try:
        return await task
    except asyncio.CancelledError:
        raise KeyboardInterrupt(f"finish it later with: octavo resume {run[:8]}") from None
    finally:
        loop.remove_signal_handler(signal.SIGINT)


def route_one(identity: str | int, text: str, mode: str = "auto") -> dict[str, Any]:
    """The router's decision on one text, as `octavo route --json` prints it."""
    accept(text, mode=mode, deadline=None, max_text=settings().max_text)
    request = Request(run=str(identity), question=text, mode=cast(Mode, mode), language=detect(text))
    found: Route = router.route(request, specialists.load())
    scores = {label: round(score, 4) for label, score in found.scores.items()}
    labels = router.labels(found)
    return {
        "id": identity,
        "top": found.top,
        "labels": labels,
        "scores": scores,
        "budget": found.budget,
        "reason": found.reason,
        "specialists": list(found.specialists),
        "form": found.form,
        "blocked": found.block.rule if found.block else None,
    }


class Line(NamedTuple):
    """One line of a file of requests."""

    id: str | int
    text: str


def read_lines(file: Path) -> list[Line]:
    """All lines `{id, text}` of a file, in order, blank ones skipped. Raises InputError with the number of a bad one.

    All are read before the first is routed, so that a bad line leaves no half output behind.
    """
    with file.open(encoding="utf-8", errors="surrogateescape", newline="\n") as lines:
        return [read_line(line, f"{file}, line {number}") for number, line in enumerate(lines, 1) if line.strip()]


def read_line(line: str, where: str) -> Line:
    """One line. Raises InputError that begins with `where`."""
    try:
        item = json.loads(line)
        identity, text = item["id"], item["text"]
    except RecursionError as error:
        raise InputError(f"{where}: nested too deeply", "bad_line") from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{where}: not an object with id and text: {error!r}", "bad_line") from error
    if isinstance(identity, bool) or not isinstance(identity, str | int):
        raise InputError(f"{where}: the id {identity!r} is neither text nor a whole number", "bad_line")
    try:
        check_text(text, settings().max_text)
    except InputError as error:
        raise InputError(f"{where}: {error}", error.code) from error
    return Line(identity, text)


def route_lines(lines: Sequence[Line], mode: str) -> list[dict[str, Any]]:
    """Decisions in the order of the lines."""
    check_mode(mode)
    return [route_one(line.id, line.text, mode) for line in lines]


def reader() -> Reader:
    """The records of this home, read-only."""
    return Reader.open(settings().records)


def diagnose() -> list[dict[str, Any]]:
    """The ordered findings of `octavo doctor`: the engine from the ground up, then both databases."""
    from graph.engine.doctor import diagnose as engine_findings

    return [
        finding.model_dump(mode="json") for finding in (*engine_findings(settings()), *diagnose_databases(settings()))
    ]
