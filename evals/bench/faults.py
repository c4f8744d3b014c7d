"""Ways in which the scripted server fails, in the words and shapes of vLLM."""

from __future__ import annotations

import asyncio
from typing import Any

from evals.bench.replies import event
from evals.bench.wire import Connection

FAULTS = (
    "400", "context", "401", "403", "404", "429", "500", "503", "error_200",  # whole error replies
    "cut", "break", "bad_json", "hang", "slow", "error_in_stream", "no_done",  # broken streams
)  # fmt: skip


async def spoil(wire: Connection, fault: str, data: bytes) -> bool:
    """End a stream in the way of `fault`; False when the stream goes on."""
    match fault:
        case "hang":
            await asyncio.Event().wait()
        case "cut":
            wire.close_stream()
        case "break":
            wire.break_off()
        case "bad_json":
            wire.send(data[: len(data) // 2] + b"\n\n")
            wire.close_stream()
        case "error_in_stream":
            error = {"message": "EngineCore encountered an issue.", "type": "InternalServerError", "code": 500}
            wire.send(event({"error": error}))
            wire.send(b"data: [DONE]\n\n")
            wire.close_stream()
        case _:
            return False
    return True


def refuse(wire: Connection, fault: str, body: dict[str, Any], context: int, retry_after: str) -> None:
    """Reply with an error object, in vLLM's words."""
    error = {"message": f"scripted {fault}", "type": "Scripted", "param": None, "code": 500}
    status, headers = 200, ""
    if fault == "context":
        status = 400
        error["message"] = (
            f"This model's maximum context length is {context} tokens. However, you requested {body['max_tokens']}"
            f" output tokens and your prompt contains at least {context + 1} input tokens, for a total of at least"
            f" {context + 1 + body['max_tokens']} tokens."
        )
        error["param"] = "input_tokens"
    elif fault.isdigit():
        status = int(fault)
    if fault == "404":
        error["message"] = f"The model `{body.get('model')}` does not exist."
    if fault == "429":
        headers = f"retry-after: {retry_after}\r\n"
    wire.reply(status, {"error": error | {"code": status if status != 200 else 500}}, headers)
