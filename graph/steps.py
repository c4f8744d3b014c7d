"""The nodes of the graph: each reads contracts from the state, calls one step of `nodes`, records it, writes JSON back.

What a step decides is in `nodes`; what happens next is in `pipeline`. Here is only the passage between both, the
records, and the events that a user watches (`runtime.stream_writer`).
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Mapping
from typing import Any, Protocol

from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from graph.board import Board, Boards, Halts, unless
from graph.forks import fork
from graph.record import Records
from graph.settings import Settings
from graph.state import (
    BadState,
    BranchTask,
    Context,
    Output,
    State,
    Wave,
    candidates_of,
    dump,
    read,
    request_of,
    route_of,
)
from nodes import branch, computing, finish, intake, judge, router, specialists, verify
from nodes.contracts import (
    Ballot,
    Candidate,
    Decision,
    Finding,
    Model,
    Request,
    Route,
    Specialist,
    Verdict,
)
from nodes.errors import EngineError, OctavoError, SetupError

Update = dict[str, Any]
OURS = (SetupError, GraphBubbleUp)
"""What ends the run wherever it is raised: a database that cannot be written, and LangGraph's own signals."""
log = logging.getLogger(__name__)


class Parts(Protocol):
    """What the steps work with. The running body opens the engine and the records on first use."""

    settings: Settings
    specialists: Mapping[str, Specialist]
    halts: Halts
    boards: Boards

    async def model(self) -> Model:
        """The model, recording every call."""
        ...

    async def records(self) -> Records:
        """The open records database."""
        ...

    def facts(self) -> Mapping[str, str]:
        """Model, decoding configuration and engine version, by digest, kept with the run."""
        ...


def thread_of(runtime: Runtime[Context], run: str) -> str:
    """The LangGraph thread, or the run itself where nothing is checkpointed."""
    info = runtime.execution_info
    return str((info and info.thread_id) or run)


def run_of(runtime: Runtime[Context]) -> str | None:
    """The id that the caller gave this run of the graph; None inside another graph."""
    info = runtime.execution_info
    return str(info.run_id) if info and info.run_id else None


class Steps:
    """One method a node, bound to the parts it works with."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    async def intake(self, state: State, runtime: Runtime[Context]) -> Update:
        """Accept or refuse the question; forget everything of an earlier question in the same thread."""
        context = runtime.context or Context()
        question, limit = state.get("question"), self.parts.settings.max_text
        intake.accept(question, mode=context.mode, deadline=context.deadline, max_text=limit)  # before anything opens
        run, started = run_of(runtime) or str(uuid.uuid4()), time.time()
        request = await intake.intake(
            question,
            mode=context.mode,
            deadline=context.deadline,
            run=run,
            max_text=limit,
            model=await self.parts.model(),
        )
        records = await self.parts.records()
        await records.start_run(
            request,
            thread=thread_of(runtime, run),
            source=context.face,
            parent=None,
            model=self.parts.facts().get("model", ""),
            config=self.parts.facts(),
        )
        self.parts.halts.of(run, request.deadline)
        return {
            **dict.fromkeys(Output.__annotations__),
            "answer": "",
            "run": run,
            "started": started,
            "request": dump(request),
            "decided": {},
            "wave": {},
            "findings": Overwrite({}),
            "candidates": Overwrite({}),
            "ballots": [],
            "decision": {},
        }

    async def _request(self, state: State | BranchTask, runtime: Runtime[Context]) -> tuple[Request, Update]:
        """The request, as a run of its own where a finished run is run on from one of its checkpoints."""
        request, run = request_of(state), run_of(runtime)
        if run is None or run == request.run:
            return request, {}
        face, thread = (runtime.context or Context()).face, thread_of(runtime, run)
        forked = await fork(state, request, run, await self.parts.records(), thread, face, self.parts.facts())
        return forked, {"request": dump(forked), "run": run, "started": time.time()} if forked is not request else {}

    async def router(self, state: State, runtime: Runtime[Context]) -> Update:
        """Choose specialists and budget."""
        request, begun = await self._request(state, runtime)
        # Files are read at first use, and a reader may compute for a while: neither may hold up other questions.
        route = await asyncio.to_thread(self._routed, request)
        await (await self.parts.records()).save_route(request.run, route)
        runtime.stream_writer({"event": "route", "route": dump(route)})
        return {**begun, "decided": dump(route)}

    def _routed(self, request: Request) -> Route:
        route = router.route(request, self.parts.specialists)
        return computing.joined(request, route, self.parts.specialists)

    async def committee(self, state: State, runtime: Runtime[Context]) -> Update:
        """Open the next wave: which branches, and a board on which they see that the wave is decided."""
        (request, begun), route = await self._request(state, runtime), route_of(state)
        wave = read(Wave, state["wave"], "wave") if state.get("wave") else None
        number, opened = (wave.number + 1, wave.opened) if wave else (0, 0)
        size = self.size(route, number, opened)
        earlier = candidates_of(state)
        threshold = self.parts.settings.stop_probability
        board = Board(earlier, lambda found: bool(judge.settled(request, route, found, threshold)))
        self.parts.boards.open((thread_of(runtime, request.run), request.run, number), board)
        branches = list(range(opened, opened + size))
        runtime.stream_writer({"event": "wave", "number": number, "branches": branches})
        return {**begun, "wave": dump(Wave(number=number, branches=tuple(branches), opened=opened + size))}

    def size(self, route: Route, number: int, opened: int) -> int:
        """Branches of wave `number`: none while a specialist stands in, all at once unless the round is staged."""
        left = route.budget - opened
        if route.stand_in and number == 0:
            return 0
        if not route.staged:
            return left
        sizes = self.parts.settings.waves
        return min(left, sizes[number]) if number < len(sizes) else left

    async def branch(self, state: BranchTask, runtime: Runtime[Context]) -> Update:
        """One independent line of reasoning; a fault of ours makes it a failed candidate and touches no other."""
        request, _ = await self._request(state, runtime)
        source, wave = f"branch:{state['index']}", state["wave"]
        board = self.parts.boards.find((thread_of(runtime, request.run), request.run, wave))
        try:
            candidate = await self._reason(request, state, runtime, board)
        except OURS:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the other branches go on
            log.error("%s of run %s failed: %s", source, request.run, type(error).__name__)
            stance = branch.stance(state["index"])
            candidate = Candidate(source=source, wave=wave, stance=stance, status="failed", error=describe(error))
        if board:
            board.post(candidate)
        await (await self.parts.records()).save_candidate(request.run, candidate)
        kept = candidate.model_dump(mode="json", exclude={"text"})
        runtime.stream_writer({"event": "candidate", "candidate": kept})
        return {"candidates": {source: kept}}

    async def _reason(
        self, request: Request, state: BranchTask, runtime: Runtime[Context], board: Board | None
    ) -> Candidate:
        """The branch and its checks, stopped when the wave is decided or the run is halted."""
        route, source, wave = route_of(state), f"branch:{state['index']}", state["wave"]
        halt = self.parts.halts.of(request.run, request.deadline)
        events = [halt.event] + ([board.over] if board else [])
        write = runtime.stream_writer
        work = branch.reason(
            request,
            route,
            state["index"],
            wave,
            await self.parts.model(),
            on_text=lambda text: write({"event": "text", "source": source, "text": text}),
        )
        candidate = await unless(work, *events) or Candidate(
            source=source,
            wave=wave,
            stance=branch.stance(state["index"]),
            status="pruned",
            error=halt.reason or "decided: the other branches cannot be overtaken",
        )
        return self.checked(request, candidate)

    def checked(self, request: Request, candidate: Candidate) -> Candidate:
        """A candidate with what every specialist's deterministic tests say about it."""
        checks = [found for one in self.parts.specialists.values() for found in one.check(request, candidate)]
        return candidate.model_copy(update={"checks": tuple(checks)})

    def heard(self, state: State, request: Request) -> list[Candidate]:
        """Every candidate; a finding that answers is tested like a branch."""
        found = candidates_of(state)
        return [self.checked(request, one) if one.source.startswith("specialist:") else one for one in found]

    def specialist(self, name: str) -> Any:
        """The node of one specialist."""

        async def run(state: State, runtime: Runtime[Context]) -> Update:
            request = request_of(state)
            earlier = {key: read(Finding, value, "findings") for key, value in state.get("findings", {}).items()}
            halt = self.parts.halts.of(request.run, request.deadline)
            try:
                wanted = self.parts.settings.specialists
                work = specialists.consult(
                    self.parts.specialists[name], request, earlier, await self.parts.model(), wanted
                )
                finding = await unless(work, halt.event)
            except OURS:
                raise
            except Exception as error:  # noqa: BLE001 - whatever it is, it is this specialist's alone
                if not isinstance(error, EngineError):
                    log.error("specialist %s of run %s failed: %s", name, request.run, type(error).__name__)
                finding = Finding(specialist=name, status="failed", error=describe(error))
            finding = finding or Finding(specialist=name, status="abstained", error=str(halt.reason))
            records = await self.parts.records()
            await records.save_finding(request.run, finding)
            if candidate := judge.from_finding(finding):
                candidate = self.checked(request, candidate)
                if board := self.parts.boards.find((thread_of(runtime, request.run), request.run, 0)):
                    board.post(candidate)
                await records.save_candidate(request.run, candidate)
            runtime.stream_writer({"event": "finding", "finding": dump(finding)})
            return {"findings": {name: dump(finding)}}

        return run

    async def judge(self, state: State, runtime: Runtime[Context]) -> Update:
        """Ask the judge; keep the tally."""
        (request, begun), route = await self._request(state, runtime), route_of(state)
        decision = judge.judge(
            request,
            route,
            self.heard(state, request),
            [read(Ballot, ballot, "ballots") for ballot in state.get("ballots") or []],
            threshold=self.parts.settings.stop_probability,
            partial=self.parts.halts.of(request.run, request.deadline).reason,
        )
        number = read(Wave, state.get("wave"), "wave").number
        self.parts.boards.close((thread_of(runtime, request.run), request.run, number))
        await (await self.parts.records()).save_tally(request.run, number, decision)
        runtime.stream_writer({"event": "decision", "decision": dump(decision)})
        return {**begun, "decision": dump(decision)}

    async def verify(self, state: State, runtime: Runtime[Context]) -> Update:
        """Hold the second round between the two leading camps."""
        request, begun = await self._request(state, runtime)
        camps = read(Decision, state.get("decision"), "decision").camps
        if len(camps) < 2:
            raise BadState("decision", f"a second round needs two camps, here are {len(camps)}")
        halt = self.parts.halts.of(request.run, request.deadline)
        ballot = await unless(verify.cross_examine(request, camps, await self.parts.model()), halt.event)
        ballot = ballot or Ballot(first=camps[0].answer, second=camps[1].answer, choices=(), outcome="keep")
        await (await self.parts.records()).save_ballot(request.run, ballot)
        runtime.stream_writer({"event": "ballot", "ballot": dump(ballot)})
        return {**begun, "ballots": [dump(ballot)]}

    async def finish(self, state: State, runtime: Runtime[Context]) -> Update:
        """Apply the outgoing rules, close the run, hand out the answer."""
        (request, begun), route = await self._request(state, runtime), route_of(state)
        verdict, started = verdict_of(state, route), {**state, **begun}.get("started")
        if not isinstance(started, float | int):
            raise BadState("started", f"it is Unix time, not {started!r}")
        records = await self.parts.records()
        answer, verdict = finish.finish(
            request,
            route,
            verdict,
            candidates_of(state),
            self.parts.specialists,
            usage=await records.usage(request.run),
            seconds=max(0.0, time.time() - started),
        )
        await records.finish_run(answer, verdict)
        self.parts.halts.forget(request.run)
        runtime.stream_writer({"event": "answer", "answer": dump(answer)})
        return {**begun, **dump(answer)}


def verdict_of(state: State, route: Route) -> Verdict:
    """The judge's last word, or that of the rule that blocked the request before there was a judge."""
    if route.block and not state.get("decision"):
        return finish.refusal(route.block)
    verdict = read(Decision, state.get("decision"), "decision").verdict
    if verdict is None:
        raise BadState("decision", "there is no verdict in it")
    return verdict


def describe(error: BaseException) -> str:
    """`code: message`, at most 300 characters, for records."""
    code = error.code if isinstance(error, OctavoError) else f"internal {type(error).__name__}"
    return f"{code}: {error}"[:300]
