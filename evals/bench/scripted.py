"""What the scripted server does with a request: its options, its script of faults, its counts.

Every completion is counted by the digest of its body, the same digest that the records use as replay key.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from evals.bench import replies
from evals.bench.faults import FAULTS, refuse, spoil
from evals.bench.wire import Connection, Work
from prompts import digest

Answer = Callable[[dict[str, Any]], str]


@dataclass(frozen=True)
class Options:
    """What the server does; JSON on the command line and in `POST /options`."""

    chunks: int | None = None
    """Pieces of each reply; None = one for each word."""
    latency: float = 0.0
    """Seconds before each piece; 0 = the whole reply at once."""
    first: float = 0.0
    """Seconds before the first piece (prefill)."""
    at_once: bool = False
    """Send a reply without latency in one write instead of one for each piece."""
    answers: tuple[str, ...] = ("17",)
    """Answers; requests get them in turn, a repeated request always the same one."""
    rules: dict[str, str] = field(default_factory=dict)
    """Whole replies by a part of the last message."""
    function: str = ""
    """`module:function` that makes the whole reply from the request body; wins over `answers`."""
    finish: str = "stop"
    faults: dict[str, float] = field(default_factory=dict)
    """Probability of each fault of FAULTS for a completion."""
    script: tuple[str, ...] = ()
    """Faults of the first completions in order of arrival; "" = none."""
    retry_after: str = "0"
    """Header of 429."""
    key: str = ""
    """API key that `/v1` asks for; empty = none."""
    context: int = replies.CONTEXT
    models: tuple[str, ...] = (replies.MODEL,)
    seed: int = 0


class Server:
    """State of the scripted server, and its replies."""

    def __init__(self, options: Options) -> None:
        self.reset(options)

    def reset(self, options: Options) -> None:
        """Forget counts and positions."""
        unknown = {*options.faults, *filter(None, options.script)} - set(FAULTS)
        if unknown:
            raise ValueError(f"unknown faults {sorted(unknown)}, known are {list(FAULTS)}")
        self.options = options
        self.counts: dict[str, Counter[str]] = defaultdict(Counter)
        self.running = 0
        self.arrived = 0
        self._answers: dict[str, str] = {}
        self._random = random.Random(options.seed)
        self._function = _load(options.function) if options.function else None

    def __call__(self, wire: Connection, method: str, path: str, headers: dict[str, str], body: bytes) -> Work | None:
        """Answer one HTTP request."""
        key = self.options.key
        if key and path.startswith("/v1") and headers.get("authorization") != f"Bearer {key}":
            wire.reply(401, {"error": "Unauthorized"})
        elif path == "/v1/chat/completions":
            return self._complete(wire, json.loads(body))
        elif path == "/metrics":
            wire.reply(200, self._metrics().encode(), kind="text/plain")
        else:
            wire.reply(*self._plain(method, path, body))
        return None

    def _plain(self, method: str, path: str, body: bytes) -> tuple[int, Any]:
        """Status and body of everything but completions and metrics."""
        options = self.options
        match method, path:
            case "GET", "/health":
                return 200, b""
            case "GET", "/v1/models":
                data = [{"id": name, "object": "model", "max_model_len": options.context} for name in options.models]
                return 200, {"object": "list", "data": data}
            case "POST", "/tokenize":
                tokens = replies.count(json.loads(body)["messages"])
                return 200, {"count": tokens, "max_model_len": options.context, "tokens": []}
            case "GET", "/counts":
                return 200, {"requests": self.counts, "total": sum(self.counts.values(), Counter())}
            case "POST", "/options":
                self.options = replace(options, **json.loads(body))
                return 200, asdict(self.options)
            case "POST", "/reset":
                self.reset(replace(options, **json.loads(body or b"{}")))
                return 200, asdict(self.options)
        return 404, {"detail": "Not Found"}

    def _metrics(self) -> str:
        return (
            f'vllm:num_requests_running{{model_name="default"}} {self.running}\n'
            'vllm:num_requests_waiting{model_name="default"} 0\n'
            'vllm:kv_cache_usage_perc{model_name="default"} 0.0\n'
        )

    def _complete(self, wire: Connection, body: dict[str, Any]) -> Work | None:
        """Count the request, draw its fault, then reply at once or in a task."""
        request = digest(body)
        counts = self.counts[request]
        counts["started"] += 1
        fault = self._fault() if body.get("model") in self.options.models else "404"
        if fault.isdigit() or fault in ("context", "error_200"):
            counts["failed"] += 1
            refuse(wire, fault, body, self.options.context, self.options.retry_after)
            return None
        events = self._render(request, body)
        if isinstance(events, bytes):
            counts["finished"] += 1
            wire.reply(200, events)
            return None
        if self.options.at_once and not (fault or self.options.latency or self.options.first):
            counts["finished"] += 1
            wire.open_stream()
            wire.send_all(events)
            return None
        return self._stream(wire, events, fault, counts)

    def _render(self, request: str, body: dict[str, Any]) -> bytes | tuple[bytes, ...]:
        """A whole reply, or the events of a stream."""
        options = self.options
        text = self._text(request, body)
        alternatives = int(body.get("top_logprobs", 0)) if body.get("logprobs") else None
        prompt, model = replies.count(body["messages"]), body["model"]
        if not body.get("stream"):
            return replies.whole(text, alternatives, prompt, model, options.finish)
        usage = bool((body.get("stream_options") or {}).get("continuous_usage_stats"))
        return replies.stream(text, options.chunks, alternatives, prompt, model, options.finish, usage)

    def _fault(self) -> str:
        """Fault of the next completion, from the script or drawn."""
        number, self.arrived = self.arrived, self.arrived + 1
        if number < len(self.options.script):
            return self.options.script[number]
        for name, rate in self.options.faults.items():
            if self._random.random() < rate:
                return name
        return ""

    def _text(self, request: str, body: dict[str, Any]) -> str:
        """The whole reply text for one request body; the same body always gets the same text."""
        if self._function is not None:
            return self._function(body)
        last = str(body["messages"][-1].get("content", ""))
        for part, text in self.options.rules.items():
            if part in last:
                return text
        if request not in self._answers:
            self._answers[request] = self.options.answers[len(self._answers) % len(self.options.answers)]
        answer = self._answers[request]
        return replies.obey(body, f"Let us work it out step by step, then check it once more.\n\nANSWER: {answer}")

    async def _stream(self, wire: Connection, events: tuple[bytes, ...], fault: str, counts: Counter[str]) -> None:
        """Send a reply piece by piece; a client that hangs up is counted as aborted."""
        self.running += 1
        outcome = "aborted"
        try:
            wire.open_stream()
            whole = await self._pieces(wire, events, fault)
            outcome = "finished" if whole else "failed"
        finally:
            self.running -= 1
            counts[outcome] += 1

    async def _pieces(self, wire: Connection, events: tuple[bytes, ...], fault: str) -> bool:
        """Write the events with their latency, or spoil them half way. True when the reply was whole."""
        options = self.options
        half = len(events) // 2
        await _wait(options.first)
        for number, data in enumerate(events):
            if number == half and fault:
                spoiled = await spoil(wire, fault, data)
                if spoiled:
                    return False
            if fault == "no_done" and data == b"data: [DONE]\n\n":
                break
            await _wait(max(options.latency, 0.05) if fault == "slow" else options.latency)
            wire.send(data)
            await wire.drain()
        wire.close_stream()
        return True


async def _wait(seconds: float) -> None:
    if seconds:
        await asyncio.sleep(seconds)


def _load(name: str) -> Answer:
    """The function that `module:function` names."""
    module, _, function = name.partition(":")
    found: Answer = getattr(importlib.import_module(module), function)
    return found
