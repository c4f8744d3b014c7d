"""Asks the model for one JSON object of a contract, with one repair.

A reply that is not JSON, was cut, or breaks the contract goes back once, with the fault named
(`prompts/repair.md`). What still does not fit is no object: the caller makes a `failed` Finding of it, and free text
never reaches another step.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

import prompts
from nodes.contracts import Contract, Model, ModelCall, Reply, Request, Usage
from nodes.errors import ContextExceeded, EngineError, ParseError
from nodes.messages import digest, fit, messages

Wanted = TypeVar("Wanted", bound=Contract)


@dataclass(frozen=True)
class Structured(Generic[Wanted]):
    """What came of it; `value` is None when both attempts failed, `error` then says why."""

    value: Wanted | None
    error: str
    repaired: bool
    replies: tuple[Reply, ...]

    @property
    def usage(self) -> Usage:
        """Tokens of all attempts."""
        return sum((reply.usage for reply in self.replies), Usage())

    @property
    def calls(self) -> tuple[str, ...]:
        """Ids of all attempts."""
        return tuple(reply.call for reply in self.replies)

    @property
    def seconds(self) -> float:
        """Time of all attempts."""
        return sum(reply.seconds for reply in self.replies)


async def ask(
    request: Request, name: str, wanted: type[Wanted], schema: dict[str, Any], model: Model
) -> Structured[Wanted]:
    """Ask with the prompt `specialists/<name>`. Errors of the engine end it; they are told in `error`."""
    replies: list[Reply] = []
    call = _first(request, name, schema)
    error = ""
    for attempt in range(2):
        try:
            reply = await model.complete(await fit(call, model))
            replies.append(reply)
            return Structured(parse(reply, wanted), "", attempt == 1, tuple(replies))
        except ParseError as fault:
            error = f"{fault.code}: {fault}"
            call = _repair(request, name, schema, fault)
        except (EngineError, ContextExceeded) as fault:
            error = f"{fault.code}: {fault}"
            break
    return Structured(None, error, False, tuple(replies))


def parse(reply: Reply, wanted: type[Wanted]) -> Wanted:
    """The object in a reply. Raises ParseError that keeps the raw text."""
    if reply.finish != "stop":
        raise ParseError(f"the reply did not come to its end (finish_reason {reply.finish!r})", reply.text)
    try:
        return wanted.model_validate(json.loads(reply.text))
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, one['loc'])) or 'object'}: {one['msg']}" for one in error.errors()[:4])
        raise ParseError(f"the object breaks the contract: {faults}", reply.text) from error
    except (ValueError, RecursionError) as error:
        raise ParseError(f"the reply is not JSON: {error}", reply.text) from error


def _first(request: Request, name: str, schema: dict[str, Any]) -> ModelCall:
    prompt = prompts.load(f"specialists/{name}")
    return ModelCall(
        run=request.run,
        slot=f"specialist:{name}",
        messages=messages(request, prompt),
        sampling=prompt.sampling,
        prompt=digest(prompt),
        model=prompt.model,
        json_schema=schema,
    )


def _repair(request: Request, name: str, schema: dict[str, Any], fault: ParseError) -> ModelCall:
    prompt = prompts.load("repair")
    slots = {"fault": str(fault), "reply": fault.raw[:2_000], "schema": json.dumps(schema, ensure_ascii=False)}
    return ModelCall(
        run=request.run,
        slot=f"specialist:{name}:repair",
        messages=messages(request, prompt, **slots),
        sampling=prompt.sampling,
        prompt=digest(prompt),
        model=prompts.load(f"specialists/{name}").model,
        json_schema=schema,
    )
