"""The schema of records.db, as numbered migrations that are only ever added to.

A migration and its record in `_sqlite_migrations` are one transaction (`sqlite_utils.Migrations`); a whole upgrade is
one more around them, so that two processes that open the same file at once do the work once. A file that carries a
migration unknown here was written by a newer Octavo and is refused. `sqlite-utils` is imported only when there is
something to do: opening an up-to-date file costs one query.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING

from nodes.errors import RecordsError

if TYPE_CHECKING:
    from sqlite_utils import Database

SET = "octavo"
APPLICATION_ID = 0x4F637461
"""`Octa`: lets `file` and other tools tell whose database this is."""

_Migration = Callable[["Database"], None]
_MIGRATIONS: dict[str, _Migration] = {}


def migration(function: _Migration) -> _Migration:
    """Register a migration under the function's name without its leading `m`: number first, then what it does."""
    _MIGRATIONS[function.__name__.removeprefix("m")] = function
    return function


def names() -> list[str]:
    """Names of all migrations, in order."""
    return list(_MIGRATIONS)


def applied(connection: sqlite3.Connection) -> list[str]:
    """Names of the migrations that a file carries, in order; empty for a new file."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = '_sqlite_migrations'").fetchone():
        return []
    query = "SELECT name FROM _sqlite_migrations WHERE migration_set = ? ORDER BY rowid"
    return [name for (name,) in connection.execute(query, [SET])]


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a file up to date, all or nothing. Raises RecordsError for a newer or a foreign database."""
    if is_current(connection):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not is_current(connection):  # another process may have been faster
            _apply(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def is_current(connection: sqlite3.Connection) -> bool:
    """Whether nothing is left to do. Raises RecordsError for a file of a newer version or of another program."""
    found = applied(connection)
    unknown = [name for name in found if name not in _MIGRATIONS]
    if unknown:
        raise RecordsError(
            f"database {_file(connection)!r} was written by a newer Octavo (it has {', '.join(unknown)}):"
            " upgrade Octavo, or set OCTAVO_HOME to another folder"
        )
    if not found and connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table'").fetchone():
        raise RecordsError(
            f"database {_file(connection)!r} belongs to another program:"
            " move it away, or set OCTAVO_HOME to another folder"
        )
    return len(found) == len(_MIGRATIONS)


def _apply(connection: sqlite3.Connection) -> None:
    from sqlite_utils import Database, Migrations

    migrations = Migrations(SET)
    for name, function in _MIGRATIONS.items():
        migrations(name=name)(function)
    migrations.apply(Database(connection, recursive_triggers=False, execute_plugins=False))


def _file(connection: sqlite3.Connection) -> str:
    return str(connection.execute("PRAGMA database_list").fetchone()[2])


@migration
def m0001_journey_of_one_question(db: Database) -> None:
    """Everything from the question to the verdict. Column comments stand in the schema, where every tool shows them."""
    for statement in _FIRST.split("\n\n"):
        db.execute(statement)


_FIRST = f"""\
PRAGMA application_id = {APPLICATION_ID}

CREATE TABLE payloads (
    digest   TEXT PRIMARY KEY,  -- SHA-256 of the text, first 16 hex digits
    kind     TEXT NOT NULL,     -- request, response, logprobs, config, part
    body     NOT NULL,          -- read it through the view `texts`
    encoding TEXT NOT NULL      -- text; parts = JSON list of digests, joined they are the text; zlib = compressed UTF-8
)

CREATE TABLE runs (
    number          INTEGER PRIMARY KEY,
    id              TEXT NOT NULL UNIQUE,
    thread          TEXT NOT NULL,  -- thread in checkpoints.db
    source          TEXT NOT NULL,  -- face it came from: cli, python, studio ...
    parent          TEXT REFERENCES runs (id),  -- the run that this one replays
    status          TEXT NOT NULL,  -- running, answered, no_verdict, failed
    created         TEXT NOT NULL,  -- UTC, milliseconds
    finished        TEXT,
    seconds         REAL,
    question        TEXT NOT NULL,
    mode            TEXT NOT NULL,
    language        TEXT NOT NULL,
    deadline        REAL,           -- seconds
    model           TEXT NOT NULL,
    weights         TEXT,           -- not used
    engine          TEXT,           -- version of the model server
    config          TEXT REFERENCES payloads (digest),  -- decoding configuration: prompts and settings, by digest
    answer          TEXT,
    cause           TEXT,           -- why there is no verdict: infra, low_confidence, timeout, disagreement, refused
    partial         TEXT,           -- deadline or interrupted
    route           TEXT,           -- ids of the specialists joined by +
    budget          INTEGER,
    branches        INTEGER,
    agreement       REAL,
    confidence      REAL,
    tokens          INTEGER,
    notices         TEXT,           -- JSON
    error_code      TEXT,
    error           TEXT,
    question_grams  TEXT NOT NULL DEFAULT '',  -- Chinese words for full text search, as pairs of characters
    answer_grams    TEXT NOT NULL DEFAULT ''
)

CREATE INDEX runs_thread ON runs (thread)

CREATE INDEX runs_status ON runs (status)

CREATE INDEX runs_parent ON runs (parent)

CREATE VIRTUAL TABLE runs_fts USING fts5 (
    question, answer, question_grams, answer_grams, content = 'runs', content_rowid = 'number'
)

CREATE TRIGGER runs_fts_insert AFTER INSERT ON runs BEGIN
    INSERT INTO runs_fts (rowid, question, answer, question_grams, answer_grams)
    VALUES (new.number, new.question, new.answer, new.question_grams, new.answer_grams);
END

CREATE TRIGGER runs_fts_delete AFTER DELETE ON runs BEGIN
    INSERT INTO runs_fts (runs_fts, rowid, question, answer, question_grams, answer_grams)
    VALUES ('delete', old.number, old.question, old.answer, old.question_grams, old.answer_grams);
END

CREATE TRIGGER runs_fts_update AFTER UPDATE OF question, answer, question_grams, answer_grams ON runs BEGIN
    INSERT INTO runs_fts (runs_fts, rowid, question, answer, question_grams, answer_grams)
    VALUES ('delete', old.number, old.question, old.answer, old.question_grams, old.answer_grams);
    INSERT INTO runs_fts (rowid, question, answer, question_grams, answer_grams)
    VALUES (new.number, new.question, new.answer, new.question_grams, new.answer_grams);
END

CREATE TABLE routes (
    run         TEXT PRIMARY KEY REFERENCES runs (id),
    top         TEXT NOT NULL,     -- best label
    specialists TEXT NOT NULL,     -- JSON
    scores      TEXT NOT NULL,     -- JSON: label to score
    reason      TEXT NOT NULL,
    difficulty  INTEGER NOT NULL,
    budget      INTEGER NOT NULL,
    staged      INTEGER NOT NULL,  -- 0 or 1
    verify      INTEGER NOT NULL,  -- 0 or 1
    stand_in    TEXT,
    form        TEXT NOT NULL,
    block       TEXT               -- JSON: the rule that ended the run
)

CREATE INDEX routes_top ON routes (top)

CREATE TABLE findings (
    run               TEXT NOT NULL REFERENCES runs (id),
    specialist        TEXT NOT NULL,
    status            TEXT NOT NULL,
    answer            TEXT,
    working           TEXT NOT NULL,
    facts             TEXT NOT NULL,     -- JSON
    error             TEXT NOT NULL,
    repaired          INTEGER NOT NULL,  -- 0 or 1
    calls             TEXT NOT NULL,     -- JSON
    confidence        TEXT,              -- JSON
    prompt_tokens     INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    seconds           REAL NOT NULL,
    PRIMARY KEY (run, specialist)
)

CREATE TABLE calls (
    id                TEXT PRIMARY KEY,
    run               TEXT NOT NULL REFERENCES runs (id),
    slot              TEXT NOT NULL,     -- place in the run: branch:3, specialist:numeric ...
    status            TEXT NOT NULL,     -- ok, cancelled, failed
    started           TEXT NOT NULL,     -- UTC, milliseconds
    seconds           REAL NOT NULL,
    first_token       REAL,              -- seconds
    endpoint          TEXT NOT NULL,
    model             TEXT NOT NULL,
    prompt            TEXT NOT NULL,     -- digest of the prompt and its parameters
    request           TEXT NOT NULL REFERENCES payloads (digest),
    response          TEXT REFERENCES payloads (digest),  -- without log-probabilities
    logprobs          TEXT REFERENCES payloads (digest),
    logprobs_at       INTEGER,           -- where they stand in the response: characters before the `null` they replace
    finish            TEXT NOT NULL,
    error             TEXT NOT NULL,
    http_status       INTEGER,
    attempts          INTEGER NOT NULL,
    prompt_tokens     INTEGER NOT NULL,
    cached_tokens     INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    reasoning_tokens  INTEGER NOT NULL
)

CREATE INDEX calls_run ON calls (run, slot)

CREATE INDEX calls_prompt ON calls (prompt)

CREATE TABLE candidates (
    run               TEXT NOT NULL REFERENCES runs (id),
    source            TEXT NOT NULL,     -- branch:0 ... or specialist:numeric
    wave              INTEGER NOT NULL,
    stance            TEXT NOT NULL,
    status            TEXT NOT NULL,     -- answered, unreadable, truncated, pruned, failed
    answer            TEXT NOT NULL,
    reading           TEXT NOT NULL,
    call              TEXT REFERENCES calls (id),
    text              TEXT,              -- only where it is not the text of the call
    mean_probability  REAL,              -- over the tokens of the answer
    low_probability   REAL,
    margin            REAL,
    answer_tokens     INTEGER,
    flags             TEXT NOT NULL,     -- JSON
    finish            TEXT NOT NULL,
    prompt_tokens     INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    cached_tokens     INTEGER NOT NULL,
    reasoning_tokens  INTEGER NOT NULL,
    seconds           REAL NOT NULL,
    error             TEXT NOT NULL,
    PRIMARY KEY (run, source)
)

CREATE TABLE checks (
    run        TEXT NOT NULL,
    source     TEXT NOT NULL,
    number     INTEGER NOT NULL,
    specialist TEXT NOT NULL,
    kind       TEXT NOT NULL,
    outcome    TEXT NOT NULL,  -- pass, fail, unsure
    claim      TEXT NOT NULL,
    found      TEXT NOT NULL,
    span_start INTEGER,        -- of the claim in the candidate's text, characters
    span_end   INTEGER,
    PRIMARY KEY (run, source, number),
    FOREIGN KEY (run, source) REFERENCES candidates (run, source)
)

CREATE TABLE tallies (
    run       TEXT NOT NULL REFERENCES runs (id),
    wave      INTEGER NOT NULL,
    next      TEXT NOT NULL,     -- what the judge wanted: wave, verify, finish
    reason    TEXT NOT NULL,
    leader    TEXT,              -- answer of the first camp
    votes     INTEGER NOT NULL,  -- its votes
    all_votes INTEGER NOT NULL,
    camps     TEXT NOT NULL,     -- JSON
    PRIMARY KEY (run, wave, next)
)

CREATE TABLE ballots (
    run               TEXT NOT NULL REFERENCES runs (id),
    first             TEXT NOT NULL,
    second            TEXT NOT NULL,
    outcome           TEXT NOT NULL,  -- first, second, keep
    choices           TEXT NOT NULL,  -- JSON
    calls             TEXT NOT NULL,  -- JSON
    prompt_tokens     INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    error             TEXT NOT NULL,
    PRIMARY KEY (run, first, second)
)

CREATE TABLE verdicts (
    run        TEXT PRIMARY KEY REFERENCES runs (id),
    status     TEXT NOT NULL,
    answer     TEXT NOT NULL,
    cause      TEXT,
    decided_by TEXT NOT NULL,
    agreement  REAL NOT NULL,
    confidence REAL NOT NULL,
    camps      TEXT NOT NULL,  -- JSON
    counts     TEXT NOT NULL,  -- JSON: candidates by status
    quorum     INTEGER NOT NULL,
    partial    TEXT,
    risks      TEXT NOT NULL,  -- JSON
    rungs      TEXT NOT NULL   -- JSON
)

CREATE INDEX verdicts_decided_by ON verdicts (decided_by)

CREATE VIEW texts AS
SELECT digest, kind, CASE encoding
    WHEN 'text' THEN body
    WHEN 'parts' THEN (
        SELECT group_concat(body, '') FROM (
            SELECT part.body AS body FROM json_each(payloads.body) AS list
            JOIN payloads AS part ON part.digest = list.value ORDER BY list.key
        )
    )
END AS text
FROM payloads

CREATE VIEW exchanges AS
SELECT calls.id, calls.run, calls.slot, calls.status, calls.started, calls.seconds, calls.prompt, calls.finish,
    calls.prompt_tokens, calls.cached_tokens, calls.completion_tokens,
    request.text AS request,
    CASE WHEN logprobs.text IS NULL THEN response.text  -- compressed ones show as null
        ELSE substr(response.text, 1, logprobs_at) || logprobs.text || substr(response.text, logprobs_at + 5)
    END AS response
FROM calls
JOIN texts AS request ON request.digest = calls.request
LEFT JOIN texts AS response ON response.digest = calls.response
LEFT JOIN texts AS logprobs ON logprobs.digest = calls.logprobs"""
