"""Contracts as rows: pure functions from a contract to the statements that store it.

Every write is an upsert by the key of what it describes, so that a step that runs again after a crash overwrites
itself. Columns are what people filter by; what only programs read is JSON text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from graph.exchange import Exchange
from graph.grams import grams
from graph.payloads import (
    Payload,
    canonical,
    compressed,
    in_parts,
    keyed,
    split_response,
    storable,
    whole,
)
from graph.writer import Statement
from nodes.contracts import Answer, Ballot, Candidate, Check, Decision, Finding, Request, Route, Verdict

Values = Mapping[str, Any]


def upsert(table: str, columns: Sequence[str], keys: Sequence[str], once: Sequence[str] = ()) -> str:
    """An INSERT that overwrites the row of the same key, except its columns `once`."""
    changed = [name for name in columns if name not in keys and name not in once]
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        f" ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in changed)}"
    )


_KEYS = {
    "runs": ("id",),
    "routes": ("run",),
    "findings": ("run", "specialist"),
    "calls": ("id",),
    "candidates": ("run", "source"),
    "tallies": ("run", "wave", "next"),
    "ballots": ("run", "first", "second"),
    "verdicts": ("run",),
}
_UPSERTS: dict[str, str] = {}
_PAYLOAD = "INSERT OR IGNORE INTO payloads (digest, kind, body, encoding) VALUES (?, ?, ?, ?)"
_CHECK = (
    "INSERT INTO checks (run, source, number, specialist, kind, outcome, claim, found, span_start, span_end)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_FORGET_CHECKS = "DELETE FROM checks WHERE run = ? AND source = ?"
_KNOWN_CALL = "UPDATE candidates SET call = (SELECT id FROM calls WHERE id = ?) WHERE run = ? AND source = ?"
_FINISH = (
    "UPDATE runs SET status = ?, finished = ?, seconds = ?, answer = ?, answer_grams = ?, cause = ?, partial = ?,"
    " route = ?, budget = ?, branches = ?, agreement = ?, confidence = ?, tokens = ?, notices = ?, error_code = NULL,"
    " error = NULL WHERE id = ?"
)
_FAIL = (
    "UPDATE runs SET status = 'failed', finished = ?, error_code = ?, error = ?"
    " WHERE id = ? AND status IN ('running', 'failed')"
)


def stamp(unix: float) -> str:
    """A Unix time as ISO 8601 in UTC with milliseconds, which sorts as text."""
    return datetime.fromtimestamp(unix, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def put(table: str, values: Values) -> Statement:
    """The upsert of one row; its columns are the keys of `values`."""
    if table not in _UPSERTS:
        _UPSERTS[table] = upsert(table, list(values), _KEYS[table], once=("created",) if table == "runs" else ())
    return Statement(_UPSERTS[table], [tuple(values.values())])


def payloads(rows: Sequence[Payload]) -> Statement:
    """Store payloads that are not there yet."""
    return Statement(_PAYLOAD, rows)


def run_rows(
    request: Request, *, thread: str, source: str, parent: str | None, model: str, config: Mapping[str, str], now: float
) -> list[Statement]:
    """The run, begun (again). `engine` of `config` has a column of its own, the rest is one payload."""
    decoding = {name: value for name, value in config.items() if name not in ("model", "engine")}
    kept = whole("config", canonical(decoding))
    values = {
        "id": request.run,
        "thread": thread,
        "source": source,
        "parent": parent,
        "status": "running",
        "created": stamp(now),
        "finished": None,
        "question": storable(request.question),
        "mode": request.mode,
        "language": request.language,
        "deadline": request.deadline,
        "model": model,
        "engine": config.get("engine"),
        "config": kept.digest,
        "error_code": None,
        "error": None,
        "question_grams": grams(request.question),
    }
    return [payloads([kept]), put("runs", values)]


def route_rows(run: str, route: Route) -> list[Statement]:
    """The router's decision."""
    values = {
        "run": run,
        "top": route.top,
        "specialists": canonical(route.specialists),
        "scores": canonical(route.scores),
        "reason": storable(route.reason),
        "difficulty": route.difficulty,
        "budget": route.budget,
        "staged": route.staged,
        "verify": route.verify,
        "stand_in": route.stand_in,
        "form": route.form,
        "block": canonical(route.block.model_dump(mode="json")) if route.block else None,
    }
    return [put("routes", values)]


def finding_rows(run: str, finding: Finding) -> list[Statement]:
    """What one specialist says."""
    values = {
        "run": run,
        "specialist": finding.specialist,
        "status": finding.status,
        "answer": None if finding.answer is None else storable(finding.answer),
        "working": storable(finding.working),
        "facts": canonical(finding.facts),
        "error": storable(finding.error),
        "repaired": finding.repaired,
        "calls": canonical(finding.calls),
        "confidence": canonical(finding.confidence.model_dump()) if finding.confidence else None,
        "prompt_tokens": finding.usage.prompt,
        "completion_tokens": finding.usage.completion,
        "seconds": finding.seconds,
    }
    return [put("findings", values)]


def call_rows(exchange: Exchange) -> list[Statement]:
    """One exchange: its texts as payloads, everything else in columns."""
    request, text = keyed(exchange.request)
    kept = in_parts("request", text, request)
    response = logprobs = at = None
    if exchange.response is not None:
        split = split_response(exchange.response)
        kept.append(whole("response", split.body))
        response, at = kept[-1].digest, split.at
        if split.logprobs is not None:
            kept.append(compressed("logprobs", split.logprobs))
            logprobs = kept[-1].digest
    values = {
        "id": exchange.id,
        "run": exchange.run,
        "slot": exchange.slot,
        "status": exchange.status,
        "started": stamp(exchange.started),
        "seconds": exchange.seconds,
        "first_token": exchange.first_token,
        "endpoint": exchange.endpoint,
        "model": exchange.model,
        "prompt": exchange.prompt,
        "request": request,
        "response": response,
        "logprobs": logprobs,
        "logprobs_at": at,
        "finish": exchange.finish,
        "error": storable(exchange.error),
        "http_status": exchange.http_status,
        "attempts": exchange.attempts,
        "prompt_tokens": exchange.usage.prompt,
        "cached_tokens": exchange.usage.cached,
        "completion_tokens": exchange.usage.completion,
        "reasoning_tokens": exchange.usage.reasoning,
    }
    return [payloads(kept), put("calls", values)]


def candidate_rows(run: str, candidate: Candidate, checks: Sequence[Check], known_text: str | None) -> list[Statement]:
    """A candidate and its checks. Its text is stored only where it differs from `known_text`, that of its call."""
    sure = candidate.confidence
    values = {
        "run": run,
        "source": candidate.source,
        "wave": candidate.wave,
        "stance": candidate.stance,
        "status": candidate.status,
        "answer": storable(candidate.answer),
        "reading": candidate.reading,
        "text": None if candidate.text in ("", known_text) else storable(candidate.text),
        "mean_probability": sure and sure.mean,
        "low_probability": sure and sure.low,
        "margin": sure and sure.margin,
        "answer_tokens": sure and sure.tokens,
        "flags": canonical(candidate.flags),
        "finish": candidate.finish,
        "prompt_tokens": candidate.usage.prompt,
        "completion_tokens": candidate.usage.completion,
        "cached_tokens": candidate.usage.cached,
        "reasoning_tokens": candidate.usage.reasoning,
        "seconds": candidate.seconds,
        "error": storable(candidate.error),
    }
    place = (run, candidate.source)
    statements = [put("candidates", values), Statement(_FORGET_CHECKS, [place])]
    if candidate.call:  # a model that is not recorded, a scripted one, leaves no call to refer to
        statements.append(Statement(_KNOWN_CALL, [(candidate.call, *place)]))
    if checks:
        statements.append(Statement(_CHECK, [_check_row(place, *numbered) for numbered in enumerate(checks)]))
    return statements


def _check_row(place: tuple[str, str], number: int, check: Check) -> tuple[Any, ...]:
    said = (check.specialist, check.kind, check.outcome, storable(check.claim), storable(check.found))
    return (*place, number, *said, *(check.span or (None, None)))


def tally_rows(run: str, wave: int, decision: Decision) -> list[Statement]:
    """How the votes stood after a wave, and what the judge wanted next."""
    leader = decision.camps[0] if decision.camps else None
    values = {
        "run": run,
        "wave": wave,
        "next": decision.next,
        "reason": storable(decision.reason),
        "leader": storable(leader.answer) if leader else None,
        "votes": leader.votes if leader else 0,
        "all_votes": sum(camp.votes for camp in decision.camps),
        "camps": canonical([camp.model_dump() for camp in decision.camps]),
    }
    return [put("tallies", values)]


def ballot_rows(run: str, ballot: Ballot) -> list[Statement]:
    """One comparison of the second round."""
    values = {
        "run": run,
        "first": storable(ballot.first),
        "second": storable(ballot.second),
        "outcome": ballot.outcome,
        "choices": canonical(ballot.choices),
        "calls": canonical(ballot.calls),
        "prompt_tokens": ballot.usage.prompt,
        "completion_tokens": ballot.usage.completion,
        "error": storable(ballot.error),
    }
    return [put("ballots", values)]


def finish_rows(answer: Answer, verdict: Verdict, now: float) -> list[Statement]:
    """The verdict, and the run closed."""
    values = {
        "run": answer.run,
        "status": verdict.status,
        "answer": storable(verdict.answer),
        "cause": verdict.cause,
        "decided_by": verdict.decided_by,
        "agreement": verdict.agreement,
        "confidence": verdict.confidence,
        "camps": canonical([camp.model_dump() for camp in verdict.camps]),
        "counts": canonical(verdict.counts),
        "quorum": verdict.quorum,
        "partial": verdict.partial,
        "risks": canonical(verdict.risks),
        "rungs": canonical(verdict.rungs),
    }
    text = storable(answer.answer)
    closing = (answer.status, stamp(now), answer.seconds, text, grams(text), answer.cause, answer.partial, answer.route)
    figures = (answer.budget, answer.branches, answer.agreement, answer.confidence, answer.tokens)
    row = (*closing, *figures, canonical(answer.notices), answer.run)
    return [put("verdicts", values), Statement(_FINISH, [row])]


def failure_rows(run: str, code: str, message: str, now: float) -> list[Statement]:
    """The run ended by an error."""
    return [Statement(_FAIL, [(stamp(now), code, storable(message), run)])]
