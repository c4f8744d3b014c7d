"""One run of every kind of row, for tests of the records."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from graph.exchange import Exchange
from graph.record import Records
from nodes.contracts import (
    Answer,
    Ballot,
    Camp,
    Candidate,
    Check,
    Confidence,
    Decision,
    Finding,
    Hit,
    Request,
    Route,
    Usage,
    Verdict,
)

RUN = "0b5e9f0e-6a50-4a0e-9d5c-0123456789ab"
QUESTION = "如果张三去开会，王五一定去吗？ Weng earns 12 dollars."
SURE = Confidence(mean=0.75, low=0.5, margin=1.25, tokens=3)
CAMP = Camp(answer="10", sources=("branch:0", "branch:1"), votes=2, share=1.0, confidence=0.75, failed_checks=0)
VERDICT = Verdict(
    status="answered", answer="10", decided_by="unanimous", agreement=1.0, camps=(CAMP,), counts={"answered": 2}
)


async def begin(records: Records, run: str = RUN, question: str = QUESTION, **more: Any) -> None:
    config = {"model": "default", "engine": "vllm 0.32", "prompts": "p1", "settings": "s1"}
    await records.start_run(
        Request(run=run, question=question, mode="deep", language="zh"),
        **({"thread": "t1", "source": "cli", "parent": None, "model": "default", "config": config} | more),
    )


def made(number: int = 0, run: str = RUN, **more: Any) -> Exchange:
    choice = {"index": 0, "message": {"role": "assistant", "content": f"<think>hm</think>text {number}\nANSWER: 10"}}
    defaults: dict[str, Any] = {
        "id": f"call-{number}",
        "run": run,
        "slot": f"branch:{number}",
        "prompt": "abc",
        "endpoint": "http://127.0.0.1:8101/v1",
        "model": "default",
        "request": {"model": "default", "messages": [{"role": "user", "content": f"{QUESTION} stance {number}"}]},
        "response": {"id": f"c{number}", "choices": [choice], "usage": {"prompt_tokens": 20}},
        "status": "ok",
        "finish": "stop",
        "http_status": 200,
        "usage": Usage(prompt=20, completion=7, cached=16, reasoning=2, calls=1),
        "started": 1_796_000_000.125,
        "seconds": 1.5,
        "first_token": 0.25,
    }
    return Exchange(**(defaults | more))


def candidate(number: int = 0, **more: Any) -> Candidate:
    checks = (
        Check(specialist="numeric", kind="arithmetic", outcome="fail", claim="2 + 2 = 5", found="4", span=(3, 12)),
        Check(specialist="logic", kind="entailment", outcome="unsure", claim="王五去"),
    )
    defaults: dict[str, Any] = {
        "source": f"branch:{number}", "wave": 0, "stance": "direct", "status": "answered", "answer": "10",
        "reading": "answer_line", "text": f"text {number}\nANSWER: 10", "call": f"call-{number}", "confidence": SURE,
        "flags": ("no_steps",), "finish": "stop", "usage": Usage(prompt=20, completion=7, calls=1), "seconds": 1.5,
        "checks": checks,
    }  # fmt: skip
    return Candidate(**(defaults | more))


def answer(run: str = RUN, **more: Any) -> Answer:
    defaults: dict[str, Any] = {
        "run": run, "answer": "10 美元", "status": "answered", "route": "rte-c", "budget": 8, "branches": 2,
        "agreement": 1.0, "confidence": 0.75, "tokens": 54, "seconds": 3.5, "notices": ("mind the gap",),
    }  # fmt: skip
    return Answer(**(defaults | more))


async def journey(records: Records) -> None:
    """Every kind of row."""
    await begin(records)
    hit = Hit(rule="r1", severity="notice", span=(0, 2), notice="注意")
    scores = {"numeric": 0.9, "other": 0.1}
    route = Route(
        top="numeric", specialists=("numeric",), scores=scores, reason="数字", difficulty=4, budget=8, block=hit
    )
    await records.save_route(RUN, route)
    finding = Finding(
        specialist="numeric", status="ok", facts={"value": "10"}, answer="10", confidence=SURE, calls=("call-0",)
    )
    for number in range(2):
        await records.save_call(made(number))
    await records.save_finding(RUN, finding)
    await records.save_candidates(RUN, [candidate(0), candidate(1)])
    await records.save_tally(RUN, 0, Decision(next="verify", reason="close", camps=(CAMP,)))
    await records.save_ballot(RUN, Ballot(first="10", second="12", choices=("first", "second"), outcome="keep"))
    await records.save_tally(RUN, 0, Decision(next="finish", reason="kept", camps=(CAMP,), verdict=VERDICT))
    await records.finish_run(answer(), VERDICT)


def count(path: Path) -> dict[str, int]:
    """Rows by table."""
    connection = sqlite3.connect(path)
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    found = {
        name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables if "fts" not in name
    }
    connection.close()
    return found
