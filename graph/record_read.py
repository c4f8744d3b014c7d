"""Reading the records: a read-only connection of its own, so that `octavo show` never waits for a question that runs.

Everything here is synchronous, quick and free of contracts; it gives plain dicts whose keys are the columns, with JSON
columns decoded and the exact requests and responses of calls put together again.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, NoReturn

from graph.database import BUSY_SECONDS, connect, connect_read_only, explained
from graph.grams import match
from graph.migrations import is_current, migrate
from graph.payloads import Split, content_of, join_response, part_digests, storable, text_of
from nodes.errors import InputError
from nodes.thinking import separate

RunStatus = Literal["running", "answered", "no_verdict", "failed"]
STATUSES: tuple[RunStatus, ...] = ("running", "answered", "no_verdict", "failed")
_JSON = {
    "notices", "specialists", "scores", "block", "facts", "calls", "confidence", "flags", "camps", "choices", "counts",
    "risks", "rungs",
}  # fmt: skip
_RUN = (
    "number, id, thread, source, parent, status, created, finished, seconds, question, mode, language, deadline, model,"
    " weights, engine, config, answer, cause, partial, route, budget, branches, agreement, confidence, tokens, notices,"
    " error_code, error"
)
_OF_A_RUN = {
    "findings": "specialist",
    "candidates": "wave, source",
    "tallies": "wave, rowid",
    "ballots": "rowid",
    "checks": "source, number",
}
_PAYLOADS = "SELECT digest, body, encoding FROM payloads WHERE digest IN (SELECT value FROM json_each(?))"


def texts(connection: sqlite3.Connection, digests: Iterable[str | None]) -> dict[str, str]:
    """Texts of payloads, by digest, byte for byte."""
    wanted = _payloads(connection, digests)
    parts = _payloads(connection, part_digests(wanted.values()))
    bodies = {digest: text_of(body, encoding, {}) for digest, (body, encoding) in parts.items()}
    return {digest: text_of(body, encoding, bodies) for digest, (body, encoding) in wanted.items()}


def _payloads(connection: sqlite3.Connection, digests: Iterable[str | None]) -> dict[str, tuple[str | bytes, str]]:
    wanted = sorted({digest for digest in digests if digest})
    if not wanted:
        return {}
    return {digest: (body, encoding) for digest, body, encoding in connection.execute(_PAYLOADS, [json.dumps(wanted)])}


def exact(call: Mapping[str, Any], known: Mapping[str, str]) -> tuple[str, str | None]:
    """Request and response of a row of `calls` as canonical JSON; `known` are the texts of its payloads."""
    response = None
    if call["response"]:
        logprobs = json.loads(known[call["logprobs"]]) if call["logprobs"] else None
        response = join_response(Split(known[call["response"]], logprobs, call["logprobs_at"]))
    return known[call["request"]], response


def unix(stamp: str) -> float:
    """Unix seconds of a time in the records."""
    return datetime.fromisoformat(stamp).timestamp()


def answer_text(response: Mapping[str, Any] | None) -> str:
    """What the model said, without a thinking block; empty where nothing came."""
    return separate(content_of(response)).answer


class Reader:
    """The records, for reading. A context manager; it belongs to one thread."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.path = path
        self._connection = connection
        self._connection.row_factory = sqlite3.Row

    @classmethod
    def open(cls, path: Path, *, wait: float = BUSY_SECONDS) -> Reader:
        """Open the records, brought up to date first where an older version wrote them.

        Raises RecordsError when there are none yet or the file cannot be used.
        """
        connection = connect_read_only(path, wait=wait)
        try:
            with explained(path, wait):
                if not is_current(connection):
                    connect(path, check=is_current, prepare=migrate, wait=wait).close()
        except BaseException:
            connection.close()
            raise
        return cls(connection, path)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def __enter__(self) -> Reader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def runs(self, limit: int = 20, search: str | None = None, status: str | None = None) -> list[dict[str, Any]]:
        """The newest runs first.

        Args:
            limit: how many at the most.
            search: words that question or answer must contain, Chinese ones of any length.
            status: running, answered, no_verdict or failed.

        Raises: InputError for another status or a limit below 1, RecordsError.
        """
        if status is not None and status not in STATUSES:
            raise InputError(f"status {status!r} is none of {', '.join(STATUSES)}", "unknown_status")
        if limit < 1:
            raise InputError(f"limit {limit!r} is below 1", "bad_limit")
        wheres, values = _condition(search)
        if status is not None:
            wheres, values = [*wheres, "status = ?"], [*values, status]
        where = f"WHERE {' AND '.join(wheres)}" if wheres else ""
        return self._rows(f"SELECT {_RUN} FROM runs {where} ORDER BY number DESC LIMIT ?", [*values, limit])

    def find_run(self, run: str) -> dict[str, Any]:
        """The run of this id, or of the only id that begins so. Raises InputError that names the closest ids."""
        begin = storable(run.strip())
        query = f"SELECT {_RUN} FROM runs WHERE id >= ? AND id < ? ORDER BY id LIMIT 6"
        found = self._rows(query, [begin, begin + "\U0010ffff"]) if begin else []
        exactly = [row for row in found if row["id"] == begin]
        if len(found) == 1 or exactly:
            return (exactly or found)[0]
        self._refuse(begin, [row["id"] for row in found])

    def show(self, run: str) -> dict[str, Any]:
        """Everything recorded of a run, found by its id or the beginning of it.

        Keys: run, config, route, findings, calls, candidates (each with its checks and its text), tallies, ballots,
        verdict. A call has its request and response as they were sent, and `started` in Unix seconds.

        Raises: InputError that names the closest ids, RecordsError.
        """
        head = self.find_run(run)
        with explained(self.path):
            kept = texts(self._connection, [head["config"]])
        parts = {table: self._of(head["id"], table, order) for table, order in _OF_A_RUN.items()}
        checks, calls = parts.pop("checks"), self.calls(head["id"])
        said = {call["id"]: answer_text(call["response"]) for call in calls}
        for candidate in parts["candidates"]:
            candidate["checks"] = [check for check in checks if check["source"] == candidate["source"]]
            candidate["text"] = said.get(candidate["call"], "") if candidate["text"] is None else candidate["text"]
        route, verdict = self._of(head["id"], "routes", "run"), self._of(head["id"], "verdicts", "run")
        return {
            "run": head,
            "config": json.loads(kept[head["config"]]) if head["config"] else {},
            "route": route[0] if route else None,
            "calls": calls,
            **parts,
            "verdict": verdict[0] if verdict else None,
        }

    def calls(self, run: str) -> list[dict[str, Any]]:
        """The calls of a run in the order in which they began; keys as in `show`."""
        found = self._rows("SELECT * FROM calls WHERE run = ? ORDER BY started, slot", [run])
        with explained(self.path):
            known = texts(
                self._connection, [row[name] for row in found for name in ("request", "response", "logprobs")]
            )
        for row in found:
            request, response = exact(row, known)
            row["request_digest"] = row["request"]
            row["request"], row["response"] = json.loads(request), json.loads(response) if response else None
            row["started"] = unix(row["started"])
            del row["logprobs"], row["logprobs_at"]
        return found

    def exchange_texts(self, call: str) -> tuple[str, str | None]:
        """Request and response of one call, byte for byte as canonical JSON. Raises InputError for an unknown id."""
        rows = self._rows("SELECT request, response, logprobs, logprobs_at FROM calls WHERE id = ?", [storable(call)])
        if not rows:
            raise InputError(f"there is no call {call!r} in {str(self.path)!r}", "unknown_call")
        with explained(self.path):
            return exact(
                rows[0], texts(self._connection, [rows[0][name] for name in ("request", "response", "logprobs")])
            )

    def _of(self, run: str, table: str, order: str) -> list[dict[str, Any]]:
        return self._rows(f"SELECT * FROM {table} WHERE run = ? ORDER BY {order}", [run])

    def _rows(self, query: str, values: list[Any]) -> list[dict[str, Any]]:
        with explained(self.path):
            found = self._connection.execute(query, values).fetchall()
        return [{name: _decoded(name, row[name]) for name in row.keys()} for row in found]  # noqa: SIM118 - not a dict

    def _refuse(self, begin: str, matches: list[str]) -> NoReturn:
        if matches:
            more = ", ..." if len(matches) > 5 else ""
            raise InputError(f"run {begin!r} is ambiguous: {', '.join(matches[:5])}{more}", "ambiguous_run")
        known = [row["id"] for row in self._rows("SELECT id FROM runs ORDER BY number DESC LIMIT 1000", [])]
        near = get_close_matches(begin, known, n=3, cutoff=0.3) or known[:3]
        hint = f"the closest are {', '.join(near)}" if near else "there are no runs yet"
        raise InputError(f"there is no run {begin!r}: {hint}", "unknown_run")


def _condition(search: str | None) -> tuple[list[str], list[Any]]:
    if search is None or not search.strip():
        return [], []
    if words := match(search):
        return ["number IN (SELECT rowid FROM runs_fts WHERE runs_fts MATCH ?)"], [words]
    literal = storable(search.strip())
    return ["(instr(question, ?) OR instr(answer, ?))"], [literal, literal]


def _decoded(name: str, value: Any) -> Any:
    return json.loads(value) if name in _JSON and isinstance(value, str) else value
