"""The composition root: puts engine, model, records and graph together, and asks.

    answer = await aask("...")                    one question
    async with open_committee() as committee:     many questions on open databases
        answer = await committee.ask("...")

`build()` returns the compiled graph for use as a node of another graph; it opens what it needs on first use.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Iterable, Mapping
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver

from graph import engine
from graph.board import Boards, Halts, unless
from graph.checkpointer import open_saver
from graph.claims import claim
from graph.model import EngineModel, RecordingModel, check_timeouts
from graph.pipeline import Graph, wire
from graph.record import Records
from graph.recorded import Sender
from graph.settings import Settings, settings
from graph.state import Context, Input
from graph.steps import Parts, describe
from nodes import specialists
from nodes.contracts import Answer, Mode, Model, Request
from nodes.errors import EngineTimeout, EngineUnreachable, InputError, OctavoError, SetupError
from nodes.intake import accept, intake
from prompts import digest, fingerprints

Watch = Callable[[Mapping[str, Any]], None]
Result = TypeVar("Result")


class Open:
    """What one event loop has open: the records, the engine's client, and the recorder around it."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.records: Records | None = None
        self.engine: EngineModel | None = None
        self.model: Model | None = None

    async def close(self) -> None:
        """Close connections and databases."""
        if self.engine is not None:
            await self.engine.close()
        if self.records is not None:
            await self.records.close()
        self.records = self.engine = self.model = None


async def _until_loop_ends(here: Open) -> AsyncGenerator[Open, None]:
    """Suspended as long as its loop lives: `asyncio.run` ends the generators of a loop before it closes the loop."""
    try:
        yield here
    finally:
        await here.close()


class LiveParts:
    """Opens records and model on first use and keeps them, one set for each event loop.

    Sockets and the writer belong to the loop they were opened in, while a compiled graph may serve several: a notebook
    cell after the other, the server's loops. A loop that ends (`asyncio.run`) closes what it had open.
    """

    def __init__(self, settings: Settings, model: Sender | None = None) -> None:
        self.settings = settings
        self.specialists = specialists.load()
        check_names(settings.specialists, self.specialists)
        self.halts = Halts()
        self.boards = Boards()
        self._given = model
        self._open: dict[asyncio.AbstractEventLoop, tuple[Open, AsyncGenerator[Open, None]]] = {}
        self._facts: Mapping[str, str] = {}

    async def records(self) -> Records:
        """The records database, opened once."""
        here = await self._here()
        if here.records is None:
            async with here.lock:
                if here.records is None:
                    here.records = await Records.open(self.settings.records)
        return here.records

    async def model(self) -> Model:
        """The engine behind a recorder, connected once."""
        here = await self._here()
        if here.model is None:
            records = await self.records()
            async with here.lock:
                if here.model is None:
                    here.model = RecordingModel(await self._connect(here), records)
        return here.model

    async def _here(self) -> Open:
        loop = asyncio.get_running_loop()
        if loop not in self._open:
            for ended in [other for other in list(self._open) if other.is_closed()]:
                self._open.pop(ended, None)
            here = Open()
            self._open[loop] = (here, _until_loop_ends(here))
            await anext(self._open[loop][1])
        return self._open[loop][0]

    async def _connect(self, here: Open) -> Sender:
        endpoints = await asyncio.to_thread(self._prepare)
        if self._given is not None:
            return self._given
        here.engine = EngineModel(
            endpoints,
            concurrency=self.settings.concurrency,
            retries=self.settings.retries,
            timeout=self.settings.call_timeout,
            on_down=lambda: engine.wait_ready(self.settings, self.settings.call_timeout),
        )
        return here.engine

    def _prepare(self) -> list[engine.Endpoint]:
        """Read and check every prompt file, find the endpoints; it blocks."""
        chosen = self.settings.model_dump(mode="json", include={"waves", "stop_probability"})
        facts = {"prompts": digest(fingerprints()), "settings": digest(chosen)}
        endpoints: list[engine.Endpoint] = []
        if self._given is None:
            check_timeouts(self.settings)
            endpoints = endpoints_of(self.settings)
            facts |= {"model": endpoints[0].model, "engine": endpoints[0].version}
        self._facts = facts
        return endpoints

    def facts(self) -> Mapping[str, str]:
        """Model, engine version and decoding configuration of this process."""
        return self._facts

    async def close(self) -> None:
        """Close what the running loop has open."""
        if found := self._open.pop(asyncio.get_running_loop(), None):
            await found[1].aclose()


def check_names(wanted: Iterable[str], known: Iterable[str]) -> None:
    """Raises SetupError for a name in OCTAVO_SPECIALISTS that no specialist has: it would switch nothing on."""
    allowed = [*known, "all"]
    if strangers := [name for name in wanted if name not in allowed]:
        raise SetupError(f"OCTAVO_SPECIALISTS names {', '.join(map(repr, strangers))}; known: {', '.join(allowed)}")


def endpoints_of(settings: Settings) -> list[engine.Endpoint]:
    """The running engine and what OCTAVO_ENDPOINTS adds. Raises EngineUnreachable when nothing runs."""
    first, more = engine.endpoint(settings), list[Settings]()
    if first is None:
        raise EngineUnreachable("no engine runs; start it with: octavo engine up")
    own = server_of(settings.base_url or "")
    for url in settings.endpoints:  # the key is that of `base_url`: no other server gets it, nor this one in plain text
        key = settings.api_key if server_of(url) == own else None
        more.append(settings.model_copy(update={"base_url": url, "model": None, "api_key": key}))
    return [first, *(found for found in map(engine.endpoint, more) if found)]


def server_of(url: str) -> tuple[str, str | None, int | None]:
    """Scheme, host and port of an address: what a key is given to."""
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)


def build(parts: Parts | None = None, *, checkpointer: BaseCheckpointSaver[Any] | None = None) -> Graph:
    """The compiled graph: input `question`, context `mode` and `deadline`, output the fields of `Answer`.

    Without a checkpointer it takes that of a parent graph, so it can be a node of another graph.
    """
    return wire(parts or LiveParts(settings())).compile(checkpointer=checkpointer, name="octavo")


class Committee:
    """An open committee: databases and engine connection stay open between questions."""

    def __init__(self, parts: LiveParts, saver: BaseCheckpointSaver[Any]) -> None:
        self.parts = parts
        self.saver = saver
        self.graph = build(parts, checkpointer=saver)

    async def ask(
        self,
        question: str,
        *,
        mode: Mode = "auto",
        deadline: float | None = None,
        thread: str | None = None,
        run: str | None = None,
        face: str = "python",
        watch: Watch | None = None,
    ) -> Answer:
        """Ask one question.

        Args:
            question: English or Chinese text.
            mode: auto, light, deep, or exactly 1, 2, 4, 8 branches.
            deadline: seconds after which the best answer so far is given, marked `partial`.
            thread: LangGraph thread to continue; a new one by default.
            run: UUID for the run; a new one by default.
            face: where the question comes from, kept in the records.
            watch: receives events (route, wave, text, candidate, finding, decision, ballot, answer) as they happen.

        Raises: InputError, SetupError, EngineError.
        """
        run, most = run or str(uuid.uuid4()), self.parts.settings.max_text
        accept(question, mode=mode, deadline=deadline, max_text=most)  # before the engine is asked for anything
        halt = self.parts.halts.of(run, deadline)  # the clock starts here
        context = Context(mode=mode, deadline=deadline, face=face)
        try:
            if await unless(self._admit(question, run, context), halt.event) is None:  # before a checkpoint
                raise EngineTimeout(f"the engine did not take the question before the end ({halt.reason})")
            with claim(self.parts.settings.home, run):
                return await self._go({"question": question}, run, thread or run, context, watch)
        finally:
            self.parts.halts.forget(run)

    async def _admit(self, question: str, run: str, context: Context) -> Request:
        """The accepted question; the engine is asked whether it serves the model and how long the prompt is."""
        return await intake(
            question,
            mode=context.mode,
            deadline=context.deadline,
            run=run,
            max_text=self.parts.settings.max_text,
            model=await self.parts.model(),
        )

    async def resume(self, run: str, *, watch: Watch | None = None) -> Answer:
        """Finish an unfinished run with only the missing calls; a finished run answers from its records.

        The deadline, if the run has one, counts anew. Raises InputError for an unknown run and for one that somebody
        is working on, SetupError, EngineError.
        """
        records = await self.parts.records()
        identity = records.find_run(run)["id"]
        with claim(self.parts.settings.home, identity):
            row = records.find_run(identity)  # read under the claim: whoever held it before may have finished the run
            if row["status"] in ("answered", "no_verdict"):
                return answer_of(row | {"run": identity})
            context = Context(mode=row["mode"], deadline=row["deadline"], face=row["source"])
            start, thread = await self._place(row)
            self.parts.halts.forget(identity)
            try:
                return await self._go(start, identity, thread, context, watch)
            finally:
                self.parts.halts.forget(identity)

    async def _place(self, row: Mapping[str, Any]) -> tuple[dict[str, Any] | None, str]:
        """Input and thread with which an unfinished run goes on; no input where its thread stands at its checkpoint.

        Else the question starts again, as this run, and finds committed replies in the records: it was killed before
        its first checkpoint, or its thread has gone on to another question.
        """
        place: RunnableConfig = {"configurable": {"thread_id": row["thread"]}}
        head = await self.saver.aget_tuple(place)
        if head is None:
            return {"question": row["question"]}, row["thread"]
        if head.metadata.get("run_id") == row["id"]:
            return None, row["thread"]
        return {"question": row["question"]}, row["id"]

    def interrupt(self, run: str) -> None:
        """Stop a run: it answers with the best it has so far."""
        self.parts.halts.of(run).stop("interrupted")

    async def _go(
        self, start: dict[str, Any] | None, run: str, thread: str, context: Context, watch: Watch | None
    ) -> Answer:
        config: RunnableConfig = {
            "configurable": {"thread_id": thread},
            "run_id": uuid.UUID(run),
            "metadata": {"run_id": run},  # as the LangGraph server does: checkpoints know their run
            "recursion_limit": 60,
        }
        last: dict[str, Any] | None = None
        try:
            stream = self.graph.astream(
                cast(Input | None, start),
                config,
                context=context,
                stream_mode=["custom", "values"] if watch else ["values"],  # an event nobody reads costs all the same
                durability="async",
                subgraphs=True,
            )
            async for event in stream:
                namespace, mode, part = cast(tuple[tuple[str, ...], str, dict[str, Any]], event)
                if mode == "custom" and watch:
                    watch(part)
                elif mode == "values" and not namespace:
                    last = part
        except InputError:
            raise
        except OctavoError as error:
            await self._note_failure(run, error)
            raise
        finally:
            self.parts.halts.forget(run)  # a run that is resumed here starts with a new clock
        if not last or last.get("status") is None:
            raise SetupError(f"run {run!r} ended without an answer: its checkpoints are not in this home")
        return answer_of(last)

    async def _note_failure(self, run: str, error: OctavoError) -> None:
        with contextlib.suppress(OctavoError):  # the error that ends the run is the one to show
            await (await self.parts.records()).fail_run(run, error.code, describe(error))


def answer_of(found: Mapping[str, Any]) -> Answer:
    """The answer in a final state or in the row of a finished run, whatever else is there."""
    return Answer.model_validate({key: found[key] for key in Answer.model_fields if key in found})


@contextlib.asynccontextmanager
async def open_committee(settings_: Settings | None = None, *, model: Sender | None = None) -> AsyncIterator[Committee]:
    """Open databases and engine connection; close them at the end. `model` replaces the engine, for tests."""
    parts = LiveParts(settings_ or settings(), model)
    try:
        await parts.records()
        async with open_saver(parts.settings.checkpoints) as saver:
            yield Committee(parts, saver)
    finally:
        await parts.close()


async def aask(
    question: str, *, mode: Mode = "auto", deadline: float | None = None, watch: Watch | None = None
) -> Answer:
    """Ask one question; see `Committee.ask`."""
    async with open_committee() as committee:
        return await committee.ask(question, mode=mode, deadline=deadline, watch=watch)


def ask(question: str, *, mode: Mode = "auto", deadline: float | None = None) -> Answer:
    """Ask one question from ordinary code, a running event loop or a notebook; see `Committee.ask`."""
    return run_anywhere(aask(question, mode=mode, deadline=deadline))


def run_anywhere(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end, in a thread of its own where this thread's loop already runs."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    box: list[Result | BaseException] = []

    def target() -> None:
        try:
            box.append(asyncio.run(work))
        except BaseException as error:  # noqa: BLE001 - handed to the waiting thread, which raises it
            box.append(error)

    thread = threading.Thread(target=target, name="octavo-ask")
    thread.start()
    thread.join()
    if isinstance(box[0], BaseException):
        raise box[0]
    return box[0]
