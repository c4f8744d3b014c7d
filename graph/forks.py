"""Running on from a checkpoint of a finished run, as Studio does: a run of its own, so that the records of the first
one stay what they were.

The new run names the old one as its parent and begins with what the checkpoint holds: route, findings, candidates. It
pays for what runs again. An unfinished run is no fork: whoever runs it on resumes it, as itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from graph.record import Records
from graph.state import branches_of, findings_of, route_of
from nodes.contracts import Request
from nodes.errors import InputError


async def fork(
    state: Mapping[str, Any],
    request: Request,
    run: str,
    records: Records,
    thread: str,
    face: str,
    facts: Mapping[str, str],
) -> Request:
    """The request as run `run`, begun in the records; unchanged where the run of `request` is to be resumed.

    Done again for the same `run` it changes nothing: every step of a fork may be the first.
    """
    try:
        origin = await asyncio.to_thread(records.find_run, request.run)
    except InputError:  # the state was edited, or comes from another home
        origin = {"id": None, "status": "unknown"}
    if origin["status"] in ("running", "failed"):
        return request
    forked = request.model_copy(update={"run": run})
    model = facts.get("model", "")
    await records.start_run(forked, thread=thread, source=face, parent=origin["id"], model=model, config=facts)
    if state.get("decided"):
        await records.save_route(run, route_of(state))
    for finding in findings_of(state):
        await records.save_finding(run, finding)
    await records.save_candidates(run, branches_of(state))
    return forked
