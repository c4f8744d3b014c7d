"""What the records cost: CPU time and bytes a question, many questions at once.

    python -m evals.bench.records --questions 512 --concurrency 64 --logprobs 0

One question here is what a deep question writes: a run, a route, 8 calls, 8 candidates with checks, a tally, a verdict.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any

from graph.exchange import Exchange
from graph.record import Records
from nodes.contracts import (
    Answer,
    Camp,
    Candidate,
    Check,
    Confidence,
    Decision,
    Request,
    Route,
    Usage,
    Verdict,
)

LABELS = ("entity", "relation", "numeric", "logic", "code", "style", "format", "safety", "other")
TEXT = "the total number of apples is twice what he had on Monday so we add seven and divide by two which gives"
WORDS = TEXT.split()
BRANCHES = 8


def words(rng: random.Random, count: int) -> str:
    """Text of `count` words with the look of reasoning."""
    return " ".join(rng.choice(WORDS) for _ in range(count))


def exchange(run: str, branch: int, question: str, rng: random.Random, tokens: int, logprobs: int) -> Exchange:
    """One branch's call: a shared beginning, a stance of its own, a reply of `tokens` tokens."""
    messages = [
        {"role": "system", "content": words(random.Random(1), 70)},
        {"role": "user", "content": f"Question:\n{question}\n\nInstructions:\n{words(rng, 60)}"},
    ]
    text = words(rng, tokens - 3) + "\nANSWER: \\boxed{42}"
    choice: dict[str, Any] = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    if logprobs:
        content = [
            {
                "token": word,
                "logprob": -rng.random(),
                "bytes": list(word.encode()),
                "top_logprobs": [
                    {"token": other, "logprob": -rng.random() * 9} for other in rng.sample(WORDS, logprobs)
                ],
            }
            for word in text.split()
        ]
        choice["logprobs"] = {"content": content}
    usage = {"prompt_tokens": 210, "completion_tokens": tokens, "prompt_tokens_details": {"cached_tokens": 192}}
    return Exchange(
        id=str(uuid.uuid4()),
        run=run,
        slot=f"branch:{branch}",
        prompt="0123456789abcdef",
        endpoint="http://127.0.0.1:8101/v1",
        model="default",
        request={
            "model": "default",
            "messages": messages,
            "temperature": 0.7,
            "top_p": 0.9,
            "max_tokens": 640,
            "stream": True,
        },
        response={
            "id": f"chatcmpl-{uuid.uuid4().hex}",
            "object": "chat.completion",
            "choices": [choice],
            "usage": usage,
        },
        status="ok",
        finish="stop",
        http_status=200,
        usage=Usage(prompt=210, completion=tokens, cached=192, calls=1),
        started=time.time(),
        seconds=4.2,
        first_token=0.3,
    )


def candidate(made: Exchange) -> Candidate:
    """What the branch read from the reply."""
    assert made.response is not None
    return Candidate(
        source=made.slot,
        stance="conditions",
        status="answered",
        answer="42",
        reading="boxed",
        text=made.response["choices"][0]["message"]["content"],
        call=made.id,
        confidence=Confidence(mean=0.9, low=0.5, margin=2.0, tokens=1),
        finish="stop",
        usage=made.usage,
        seconds=4.2,
        checks=(Check(specialist="numeric", kind="arithmetic", outcome="pass", claim="7 + 3 = 10", span=(10, 20)),),
    )


async def one_question(records: Records, made: list[Exchange], request: Request) -> None:
    """All writes of one question, in the order in which the graph makes them."""
    run = request.run
    await records.start_run(
        request, thread=run, source="bench", model="default", config={"engine": "0", "prompts": "f"}
    )
    scores = dict.fromkeys(LABELS, 0.1)
    await records.save_route(
        run, Route(top="numeric", specialists=("numeric",), scores=scores, reason="digits", difficulty=4, budget=8)
    )

    async def branch(done: Exchange) -> None:
        await records.recall(run, done.slot, done.key)
        await records.save_call(done)
        await records.save_candidate(run, candidate(done))

    await asyncio.gather(*map(branch, made))
    camp = Camp(answer="42", sources=tuple(e.slot for e in made), votes=8, share=1, confidence=0.9, failed_checks=0)
    verdict = Verdict(
        status="answered", answer="42", decided_by="unanimous", agreement=1, confidence=0.9, camps=(camp,)
    )
    await records.save_tally(run, 0, Decision(next="finish", reason="unanimous", camps=(camp,), verdict=verdict))
    usage = await records.usage(run)
    answer = Answer(
        run=run, answer="42", status="answered", route="rte-c", budget=8, branches=8, agreement=1, confidence=0.9,
        tokens=usage.total, seconds=9.0,
    )  # fmt: skip
    await records.finish_run(answer, verdict)


async def measure(questions: int, concurrency: int, tokens: int, logprobs: int, folder: Path) -> dict[str, float]:
    """CPU milliseconds, wall milliseconds, commits and bytes a question."""
    rng = random.Random(7)
    jobs = []
    for _ in range(questions):
        run, question = str(uuid.uuid4()), words(rng, 60)
        made = [exchange(run, branch, question, rng, tokens, logprobs) for branch in range(BRANCHES)]
        jobs.append((made, Request(run=run, question=question, mode="deep")))
    path = folder / "records.db"
    records = await Records.open(path)
    commits, gate = records.writer.commits, asyncio.Semaphore(concurrency)

    async def held(made: list[Exchange], request: Request) -> None:
        async with gate:
            await one_question(records, made, request)

    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(held(*job) for job in jobs))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    commits = records.writer.commits - commits
    await records.close()
    size = path.stat().st_size
    return {
        "cpu_ms": 1e3 * cpu / questions,
        "wall_ms": 1e3 * wall / questions,
        "commits": commits / questions,
        "bytes": size / questions,
    }


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=512)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--tokens", type=int, default=200, help="tokens of each reply")
    parser.add_argument("--logprobs", type=int, default=0, help="alternatives per token; 0 = no log-probabilities")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = measure(chosen.questions, chosen.concurrency, chosen.tokens, chosen.logprobs, Path(folder))
        for name, value in asyncio.run(work).items():
            print(f"{name:<8} {value:12.2f} a question")


if __name__ == "__main__":
    main()
