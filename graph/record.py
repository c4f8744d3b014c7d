"""The only owner of records.db: everything that happens on the way from a question to its verdict, as rows.

    records = await Records.open(path)
    await records.save_call(exchange)          # returns after COMMIT; kill -9 now loses nothing
    found = await records.recall(run, slot, exchange.key)

Writes of all questions share commits (`graph.writer`) and overwrite themselves by key, so a step that runs twice
leaves one row. The hot path is plain SQL; `sqlite-utils` keeps the schema (`graph.migrations`). `Reader` reads.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from graph import record_rows as rows
from graph.database import BUSY_SECONDS, connect_read_only, explained
from graph.exchange import Exchange
from graph.migrations import is_current, migrate
from graph.record_read import Reader, answer_text, exact, texts, unix
from graph.writer import Statement, Writer
from nodes.contracts import Answer, Ballot, Candidate, Check, Decision, Finding, Request, Route, Usage, Verdict
from nodes.errors import RecordsError

__all__ = ["Reader", "Records"]

REMEMBERED = 1_024
"""Calls whose text is kept in memory, and runs whose slots are."""
_RECALL = "SELECT * FROM calls WHERE run = ? AND slot = ? AND status = 'ok' ORDER BY started DESC"
_CALLED = "SELECT 1 FROM calls WHERE run = ? LIMIT 1"
_USAGE = (
    "SELECT sum(prompt_tokens), sum(completion_tokens), sum(cached_tokens), sum(reasoning_tokens), count(*)"
    " FROM calls WHERE run = ?"
)
Result = TypeVar("Result")


class Records:
    """Open records of one process and event loop. Methods raise RecordsError when the file is at fault."""

    def __init__(self, writer: Writer, reading: sqlite3.Connection, wait: float = BUSY_SECONDS) -> None:
        self.path = writer.path
        self.writer = writer
        self._wait = wait
        self._reading = reading
        self._reading.row_factory = sqlite3.Row
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="octavo-records")
        self._said: OrderedDict[str, str] = OrderedDict()
        self._begun: OrderedDict[str, set[str]] = OrderedDict()
        """Slots that were answered, of runs that began here without a call: all others need not be looked up."""
        self._closed = False

    @classmethod
    async def open(cls, path: Path, *, wait: float = BUSY_SECONDS) -> Records:
        """Open the records, made or brought up to date first; the work happens in a thread.

        Args:
            path: the database file; its folder is made.
            wait: seconds to wait for another process's lock.

        Raises: RecordsError when the file is not SQLite, foreign, newer, read-only, locked, or does not fit the disk.
        """
        writer = await Writer.open(path, check=is_current, prepare=migrate, wait=wait)
        try:
            return cls(writer, await asyncio.to_thread(connect_read_only, path, wait=wait), wait)
        except RecordsError:
            await writer.close()
            raise

    async def close(self) -> None:
        """Commit what waits, then close the file; closing twice is closing once."""
        if not self._closed:
            self._closed = True
            await self._in_thread(self._reading.close)
            self._pool.shutdown(wait=False)
        await self.writer.close()

    async def start_run(
        self,
        request: Request,
        *,
        thread: str,
        source: str,
        parent: str | None = None,
        model: str,
        config: Mapping[str, str],
    ) -> None:
        """Open the row of a run; done again it keeps the time of the first start.

        Args:
            request: the accepted question.
            thread: LangGraph thread that holds the checkpoints.
            source: face the question came from, for example `cli`.
            parent: the run that this one replays.
            model: served name of the model.
            config: decoding configuration by digest; its key `engine` gets a column of its own.
        """
        now = time.time()
        await self._write(
            rows.run_rows(request, thread=thread, source=source, parent=parent, model=model, config=config, now=now)
        )
        if await self._in_thread(lambda: self._reading.execute(_CALLED, [request.run]).fetchone()) is None:
            self._begun[request.run] = set()
            if len(self._begun) > REMEMBERED:
                self._begun.popitem(last=False)

    async def save_route(self, run: str, route: Route) -> None:
        """Store the router's decision."""
        await self._write(rows.route_rows(run, route))

    async def save_finding(self, run: str, finding: Finding) -> None:
        """Store what one specialist says."""
        await self._write(rows.finding_rows(run, finding))

    async def save_call(self, exchange: Exchange) -> None:
        """Store one exchange with the model server, whatever became of it."""
        if exchange.run in self._begun:
            self._begun[exchange.run].add(exchange.slot)
        await self._write(rows.call_rows(exchange))
        self._remember(exchange.id, answer_text(exchange.response))

    async def save_candidate(self, run: str, candidate: Candidate, checks: Sequence[Check] | None = None) -> None:
        """Store one candidate with its checks (`candidate.checks` by default), instead of those stored before."""
        await self.save_candidates(
            run, [candidate if checks is None else candidate.model_copy(update={"checks": checks})]
        )

    async def save_candidates(self, run: str, candidates: Sequence[Candidate]) -> None:
        """Store candidates with their checks in one transaction."""
        known = [self._said.get(candidate.call) for candidate in candidates]
        pairs = zip(candidates, known, strict=True)
        await self._write([part for one, text in pairs for part in rows.candidate_rows(run, one, one.checks, text)])

    async def save_tally(self, run: str, wave: int, decision: Decision) -> None:
        """Store how the votes stood after a wave, and what the judge wanted next."""
        await self._write(rows.tally_rows(run, wave, decision))

    async def save_ballot(self, run: str, ballot: Ballot) -> None:
        """Store one comparison of the second round."""
        await self._write(rows.ballot_rows(run, ballot))

    async def finish_run(self, answer: Answer, verdict: Verdict) -> None:
        """Store the verdict and close the run."""
        self._begun.pop(answer.run, None)
        await self._write(rows.finish_rows(answer, verdict, time.time()))

    async def fail_run(self, run: str, code: str, message: str) -> None:
        """Close a run that an error ended; nothing happens to one that was never started or has its answer."""
        self._begun.pop(run, None)
        await self._write(rows.failure_rows(run, code, message, time.time()))

    async def recall(self, run: str, slot: str, key: str) -> Exchange | None:
        """The last committed reply to the request of this `Exchange.key` in this place of the run; only status ok."""
        if slot not in self._begun.get(run, (slot,)):
            return None
        return await self._in_thread(lambda: _recall(self._reading, run, slot, key))

    async def usage(self, run: str) -> Usage:
        """Tokens of all calls of a run, cancelled and failed ones included."""
        row = await self._in_thread(lambda: self._reading.execute(_USAGE, [run]).fetchone())
        prompt, completion, cached, reasoning, calls = (value or 0 for value in row)
        return Usage(prompt=prompt, completion=completion, cached=cached, reasoning=reasoning, calls=calls)

    def find_run(self, run: str) -> dict[str, Any]:
        """As `Reader.find_run`; it blocks for about a millisecond."""
        with Reader.open(self.path, wait=self._wait) as reader:
            return reader.find_run(run)

    async def _write(self, statements: Sequence[Statement]) -> None:
        try:
            await self.writer.write(*statements)
        except sqlite3.IntegrityError as error:
            if "FOREIGN KEY" in str(error):
                raise RecordsError(f"a row refers to a run that was never started in {str(self.path)!r}") from error
            raise

    async def _in_thread(self, work: Callable[[], Result]) -> Result:
        with explained(self.path, self._wait):
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    def _remember(self, call: str, text: str) -> None:
        self._said[call] = text
        self._said.move_to_end(call)
        if len(self._said) > REMEMBERED:
            self._said.popitem(last=False)


def _recall(connection: sqlite3.Connection, run: str, slot: str, key: str) -> Exchange | None:
    """A place of a run has a reply or two, so their requests are compared here; a column would hold the same again."""
    rows = connection.execute(_RECALL, [run, slot]).fetchall()
    return next((found for found in (_exchange(connection, row) for row in rows) if found.key == key), None)


def _exchange(connection: sqlite3.Connection, row: sqlite3.Row) -> Exchange:
    known = texts(connection, [row["request"], row["response"], row["logprobs"]])
    request, response = exact(dict(row), known)
    return Exchange(
        id=row["id"],
        run=row["run"],
        slot=row["slot"],
        prompt=row["prompt"],
        endpoint=row["endpoint"],
        model=row["model"],
        request=json.loads(request),
        response=json.loads(response) if response else None,
        status=row["status"],
        finish=row["finish"],
        error=row["error"],
        http_status=row["http_status"],
        attempts=row["attempts"],
        usage=Usage(
            prompt=row["prompt_tokens"],
            completion=row["completion_tokens"],
            cached=row["cached_tokens"],
            reasoning=row["reasoning_tokens"],
            calls=1,
        ),
        started=unix(row["started"]),
        seconds=row["seconds"],
        first_token=row["first_token"],
    )
