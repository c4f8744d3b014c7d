"""What the commands do: ask with progress and interruption, resume, route, read, diagnose."""

from __future__ import annotations

import asyncio
import json
import signal
import uuid
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, cast

import click

from graph import engine, render
from graph.record import Reader
from graph.settings import settings
from nodes import router, specialists
from nodes.contracts import Answer, Mode, Request, Route
from nodes.errors import InputError, OctavoError
from nodes.intake import accept, check_text
from nodes.language import detect


async def ask_once(
    question: str, mode: str, deadline: float | None, thread: str | None, stream: bool, as_json: bool
) -> int:
    """The command `ask`: exit code 0 when answered, 1 without a verdict."""
    accept(question, mode=mode, deadline=deadline, max_text=settings().max_text)
    await start_engine()
    from graph.run import open_committee

    async with open_committee() as committee:
        run = str(uuid.uuid4())
        watcher = render.Watcher(stream)
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
            answer = await interruptible(work, lambda: committee.interrupt(run))
        return report(answer, watcher, as_json)


async def resume_once(run: str, stream: bool, as_json: bool) -> int:
    """The command `resume`."""
    row = reader().find_run(run)
    if row["status"] == "running":
        await start_engine()
    from graph.run import open_committee

    async with open_committee() as committee:
        watcher = render.Watcher(stream)
        with watcher:
            work = committee.resume(row["id"], watch=watcher.see)
            answer = await interruptible(work, lambda: committee.interrupt(row["id"]))
        return report(answer, watcher, as_json)


def report(answer: Answer, watcher: render.Watcher, as_json: bool) -> int:
    """Print the answer; the exit code says whether there is one."""
    if as_json:
        fields = ("run", "answer", "status", "cause", "route", "budget", "agreement", "confidence", "tokens", "seconds")
        found = answer.model_dump(mode="json")
        click.echo(
            json.dumps({key: found[key] for key in (*fields, "branches", "partial", "notices")}, ensure_ascii=False)
        )
    else:
        render.answer(answer, watcher, settings().records)
    return 0 if answer.status == "answered" else 1


async def start_engine() -> None:
    """Have the own engine running, with progress on stderr for what takes long."""
    with render.Progress() as progress:
        await engine.ensure_up(settings(), progress=progress)


async def interruptible(work: Awaitable[Answer], stop: Callable[[], None]) -> Answer:
    """The first Ctrl-C asks for the best answer so far, the second one ends the command."""
    task = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()
    pressed = 0

    def on_signal() -> None:
        nonlocal pressed
        pressed += 1
        stop() if pressed == 1 else task.cancel()

    loop.add_signal_handler(signal.SIGINT, on_signal)
    try:
        return await task
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    finally:
        loop.remove_signal_handler(signal.SIGINT)


def route_one(identity: str, text: str, mode: str = "auto") -> dict[str, Any]:
    """The router's decision on one text, as `octavo route --json` prints it."""
    accept(text, mode=mode, deadline=None, max_text=settings().max_text)
    request = Request(run=identity, question=text, mode=cast(Mode, mode), language=detect(text))
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


def route_lines(file: Path, mode: str) -> Iterator[dict[str, Any]]:
    """One decision a line of `file`, in input order; a bad line raises InputError with its number."""
    with file.open(encoding="utf-8", errors="surrogateescape") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                item = json.loads(line)
                identity, text = str(item["id"]), item["text"]
                check_text(text, settings().max_text)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise InputError(
                    f"{file}, line {number}: not an object with id and text: {error}", "bad_line"
                ) from error
            except OctavoError as error:
                raise InputError(f"{file}, line {number}: {error}", error.code) from error
            yield route_one(identity, text, mode)


def reader() -> Reader:
    """The records of this home, read-only."""
    return Reader.open(settings().records)


def diagnose() -> list[dict[str, Any]]:
    """The ordered findings of `octavo doctor`."""
    from graph.engine.doctor import diagnose as engine_findings

    return [finding.model_dump(mode="json") for finding in engine_findings(settings())]
