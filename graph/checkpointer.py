"""The checkpoint database: LangGraph's SQLite saver, with every write through the group-commit writer.

Schema, reads and serialisation are those of `langgraph-checkpoint-sqlite`; only how rows reach the file differs: many
runs share one transaction and `aput` returns after the COMMIT. Reads use the inherited connection, which write-ahead
logging keeps free of the writer. The state is plain JSON, so nothing but JSON is ever rebuilt from the file.

`langgraph.json` names `checkpointer` as `"checkpointer": {"path": "./graph/checkpointer.py:checkpointer"}`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_metadata,
)
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from graph.database import BUSY_SECONDS, explained
from graph.settings import settings
from graph.writer import Statement, Writer
from nodes.errors import RecordsError

log = logging.getLogger(__name__)
FORMAT = 0
"""`PRAGMA user_version` of our files: LangGraph's own. A layout of ours that it cannot read would raise it."""
_ELSEWHERE = "set OCTAVO_HOME to another folder"

_CHECKPOINT = "thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata"
_WRITE = "thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value"
_PUT = f"INSERT OR REPLACE INTO checkpoints ({_CHECKPOINT}) VALUES (?, ?, ?, ?, ?, ?, ?)"
_PUT_WRITES = "INSERT OR {} INTO writes (" + _WRITE + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_OF_RUN = "json_extract(CAST(metadata AS TEXT), '$.run_id') = ?"
_DELETE_RUN = (
    "DELETE FROM writes WHERE (thread_id, checkpoint_ns, checkpoint_id) IN"
    f" (SELECT thread_id, checkpoint_ns, checkpoint_id FROM checkpoints WHERE {_OF_RUN})",
    f"DELETE FROM checkpoints WHERE {_OF_RUN}",
)
_DELETE_THREAD = ("DELETE FROM writes WHERE thread_id = ?", "DELETE FROM checkpoints WHERE thread_id = ?")
_COPY_THREAD = (
    f"INSERT OR REPLACE INTO checkpoints ({_CHECKPOINT}) SELECT :target, checkpoint_ns, checkpoint_id,"
    " parent_checkpoint_id, type, checkpoint,"
    " CASE WHEN json_extract(CAST(metadata AS TEXT), '$.thread_id') = thread_id"
    " THEN CAST(json_set(CAST(metadata AS TEXT), '$.thread_id', :target) AS BLOB) ELSE metadata END"
    " FROM checkpoints WHERE thread_id = :source",
    f"INSERT OR REPLACE INTO writes ({_WRITE}) SELECT :target, checkpoint_ns, checkpoint_id, task_id, task_path, idx,"
    " channel, type, value FROM writes WHERE thread_id = :source",
)
_OLDER = (
    "DELETE FROM {table} WHERE thread_id = ? AND checkpoint_id < (SELECT max(checkpoint_id) FROM checkpoints AS newest"
    " WHERE newest.thread_id = {table}.thread_id AND newest.checkpoint_ns = {table}.checkpoint_ns)"
)
_PRUNE = (_OLDER.format(table="writes"), _OLDER.format(table="checkpoints"))


class PlainJson(JsonPlusSerializer):
    """Rebuilds nothing but JSON, whatever types a graph declares: the state has none.

    LangGraph would otherwise copy the saver with a longer list for every graph, and the server's adapter around this
    saver cannot be copied: in a subgraph it ends in a RecursionError (langgraph-api 0.16.7).
    """

    def __init__(self) -> None:
        super().__init__(allowed_msgpack_modules=None)

    def with_msgpack_allowlist(self, extra_allowlist: Iterable[tuple[str, ...] | type]) -> PlainJson:  # noqa: ARG002
        """This very serialiser."""
        return self


class GroupCommitSaver(AsyncSqliteSaver):
    """AsyncSqliteSaver whose writes share commits. Make it with `open_saver`; it belongs to one event loop."""

    def __init__(self, connection: aiosqlite.Connection, writer: Writer) -> None:
        super().__init__(connection, serde=PlainJson())
        self.writer = writer
        self._deletions: set[asyncio.Future[None]] = set()

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,  # noqa: ARG002 - LangGraph's signature
    ) -> RunnableConfig:
        """Store a checkpoint; returns its config after the COMMIT. Raises RecordsError when the file is at fault."""
        place = config["configurable"]
        about = json.dumps(get_checkpoint_metadata(config, metadata), ensure_ascii=False).encode("utf-8", "ignore")
        key = (str(place["thread_id"]), str(place["checkpoint_ns"]), checkpoint["id"])
        row = (*key, place.get("checkpoint_id"), *self.serde.dumps_typed(checkpoint), about)
        await self.writer.write(Statement(_PUT, [row]))
        thread, namespace, identity = place["thread_id"], place["checkpoint_ns"], checkpoint["id"]
        return {"configurable": {"thread_id": thread, "checkpoint_ns": namespace, "checkpoint_id": identity}}

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Store what one task wrote; returns after the COMMIT. Raises RecordsError when the file is at fault."""
        place = config["configurable"]
        key = (str(place["thread_id"]), str(place["checkpoint_ns"]), str(place["checkpoint_id"]), task_id, task_path)
        rows = [
            (*key, WRITES_IDX_MAP.get(channel, number), channel, *self.serde.dumps_typed(value))
            for number, (channel, value) in enumerate(writes)
        ]
        special = all(channel in WRITES_IDX_MAP for channel, _ in writes)
        await self.writer.write(Statement(_PUT_WRITES.format("REPLACE" if special else "IGNORE"), rows))

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint that `config` names, else the newest of its thread."""
        await self._deleted()
        with explained(self.writer.path):
            return await super().aget_tuple(config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Checkpoints, newest first. All are read before the first is given out, so the caller may use the saver."""
        await self._deleted()
        with explained(self.writer.path):
            found = [item async for item in super().alist(config, filter=filter, before=before, limit=limit)]
        for item in found:
            yield item

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete a thread. It never suspends: the server's in-memory thread list breaks when it does."""
        deletion = self._submit(_DELETE_THREAD, [(str(thread_id),)])
        self._deletions.add(deletion)
        deletion.add_done_callback(self._deletions.discard)
        deletion.add_done_callback(_log_failure)

    async def adelete_for_runs(self, run_ids: Iterable[str]) -> None:
        """Delete checkpoints and writes of runs, by the `run_id` in their metadata."""
        await self._submit(_DELETE_RUN, [(str(run),) for run in run_ids])

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy every checkpoint and write of a thread to another thread."""
        await self._submit(_COPY_THREAD, [{"source": str(source_thread_id), "target": str(target_thread_id)}])

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Keep the newest checkpoint of each namespace (`keep_latest`) or none (`delete`, `delete_all`).

        Channels that are stored as differences would need older checkpoints as well; the state has none.
        """
        if strategy not in ("keep_latest", "delete", "delete_all"):
            raise ValueError(f"strategy {strategy!r} is none of keep_latest, delete, delete_all")
        statements = _PRUNE if strategy == "keep_latest" else _DELETE_THREAD
        await self._submit(statements, [(str(thread),) for thread in thread_ids])

    async def _deleted(self) -> None:
        """Wait for deletions that nobody awaits: who reads after them must not see the rows."""
        if self._deletions:
            await asyncio.wait(list(self._deletions))

    def _submit(self, statements: Sequence[str], rows: Sequence[Any]) -> asyncio.Future[None]:
        return self.writer.submit([Statement(sql, rows) for sql in statements])


def check_file(connection: sqlite3.Connection) -> None:
    """Raises RecordsError for a file that another program or another version wrote; nothing has been written yet."""
    path = connection.execute("PRAGMA database_list").fetchone()[2]
    if connection.execute("PRAGMA user_version").fetchone()[0] > FORMAT:
        raise RecordsError(f"database {path!r} was written by a newer Octavo: upgrade Octavo, or {_ELSEWHERE}")
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    ours = {"checkpoints": _CHECKPOINT, "writes": _WRITE}
    if tables and not tables & set(ours):  # one of them is enough: another process may be making the other just now
        raise RecordsError(f"database {path!r} belongs to another program: move it away, or {_ELSEWHERE}")
    for table in tables & set(ours):
        columns = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
        if missing := set(ours[table].split(", ")) - columns:
            raise RecordsError(
                f"database {path!r} was written by another version of LangGraph ({table!r} lacks {sorted(missing)}):"
                f" move it away, or {_ELSEWHERE}"
            )


def _log_failure(done: asyncio.Future[None]) -> None:
    if not done.cancelled() and (error := done.exception()):
        log.error("a thread was not deleted: %s", error)


@asynccontextmanager
async def open_saver(path: Path, *, wait: float = BUSY_SECONDS) -> AsyncIterator[GroupCommitSaver]:
    """Open the checkpoint database, made if it is missing; opening happens in threads. Raises RecordsError.

    `wait`: seconds to wait for another process's lock.
    """
    writer = await Writer.open(path, check=check_file, wait=wait)
    try:
        async with aiosqlite.connect(path, timeout=wait) as connection:
            saver = GroupCommitSaver(connection, writer)
            with explained(path, wait):
                await saver.setup()
            yield saver
    finally:
        await writer.close()


@asynccontextmanager
async def checkpointer() -> AsyncIterator[GroupCommitSaver]:
    """The saver of this home, for `langgraph.json`; the server enters it once for each event loop."""
    home = await asyncio.to_thread(settings)
    async with open_saver(home.checkpoints) as saver:
        yield saver
