"""The state that travels the graph: plain JSON, small, keyed by source.

Contracts are dumped to plain dicts here, so that Studio can edit any value and a strict deserialiser needs no
allow-list. Replies' texts are not in the state: `call` ids find them in records.db.
`typing_extensions.TypedDict`: pydantic cannot read that of `typing` on Python 3.11, and Studio would lose its form.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from langgraph.errors import InvalidUpdateError
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from typing_extensions import TypedDict

from nodes import judge
from nodes.contracts import Candidate, Contract, Finding, Mode, Request, Route
from nodes.errors import InputError

Read = TypeVar("Read", bound=Contract)


class BadState(InputError, InvalidUpdateError):
    """The state was edited into something that no step can read. The LangGraph server answers 400, not 500."""

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(f"the state's {key!r} cannot be used: {problem}", "bad_state")


def by_source(left: dict[str, Any] | None, right: dict[str, Any] | None) -> dict[str, Any]:
    """Reducer: later entries replace earlier ones of the same source, so a resumed task overwrites itself."""
    if not isinstance(right or {}, Mapping):
        raise BadState("candidates or findings", f"it is an object, source by source, not {type(right).__name__}")
    return {**(left or {}), **(right or {})}


def read(contract: type[Read], value: Any, key: str) -> Read:
    """A contract out of the state. Raises BadState that names the key and the first fault."""
    try:
        return contract.model_validate(value)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = ".".join(map(str, fault["loc"]))
        raise BadState(key, f"{place}: {fault['msg']}" if place else fault["msg"]) from error


class Wave(Contract):
    """The open wave."""

    number: int = Field(ge=0)
    branches: tuple[int, ...]
    """Indices of its branches."""
    opened: int = Field(ge=0)
    """Branches opened so far, this wave included."""


class Context(BaseModel):
    """What a caller may set for one run; Studio shows it as a form."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    mode: Mode = Field(default="auto", title="Mode")
    """auto = the router decides; light = one path; deep = up to 8 branches and a second round; a number = so many."""
    deadline: float | None = Field(default=None, gt=0, title="Deadline in seconds")
    """Seconds for the whole question; the best answer so far is given when they are over."""
    face: str = Field(default="studio", title="Face")
    """Where the question came from: cli, python, studio ..."""


class Input(TypedDict):
    """What a caller gives."""

    question: Annotated[str, Field(title="Question", description="Your question, in English or Chinese.")]


class Output(TypedDict, total=False):
    """What a caller gets: the fields of `nodes.contracts.Answer`."""

    run: str
    answer: str
    status: str
    cause: str | None
    partial: str | None
    route: str
    budget: int
    branches: int
    agreement: float
    confidence: float
    tokens: int
    seconds: float
    notices: list[str]


class State(Input, Output, total=False):
    """Everything between input and output."""

    started: float
    """Unix time at which intake accepted the question."""
    request: dict[str, Any]
    """`Request`."""
    decided: dict[str, Any]
    """`Route`, the router's decision."""
    wave: dict[str, Any]
    """`Wave`, the open one; empty before the first."""
    findings: Annotated[dict[str, Any], by_source]
    """`Finding` by specialist."""
    candidates: Annotated[dict[str, Any], by_source]
    """`Candidate` without its text, by source."""
    ballots: list[dict[str, Any]]
    """`Ballot`s of the second round."""
    decision: dict[str, Any]
    """`Decision`, the judge's latest."""


class Findings(TypedDict, total=False):
    """The only key that the specialists' subgraph writes back; with more, reducers would count branches twice."""

    findings: Annotated[dict[str, Any], by_source]


class BranchTask(TypedDict):
    """Payload of one `Send` to `branch`; stored with every task, so it is small."""

    request: dict[str, Any]
    decided: dict[str, Any]
    index: int
    wave: int


def dump(contract: Any) -> dict[str, Any]:
    """A contract as the plain JSON that the state holds."""
    return contract.model_dump(mode="json")  # type: ignore[no-any-return]


def request_of(state: Mapping[str, Any]) -> Request:
    """The request in a state or a branch task."""
    return read(Request, state.get("request"), "request")


def route_of(state: Mapping[str, Any]) -> Route:
    """The route in a state or a branch task."""
    return read(Route, state.get("decided"), "decided")


def candidates_of(state: Mapping[str, Any]) -> list[Candidate]:
    """Branches that ended and findings that answer, in a stable order."""
    return branches_of(state) + [found for found in map(judge.from_finding, findings_of(state)) if found]


def branches_of(state: Mapping[str, Any]) -> list[Candidate]:
    """Branches that ended, in a stable order."""
    return [read(Candidate, value, "candidates") for _, value in sorted(state.get("candidates", {}).items())]


def findings_of(state: Mapping[str, Any]) -> list[Finding]:
    """What the specialists said, in a stable order."""
    return [read(Finding, value, "findings") for _, value in sorted(state.get("findings", {}).items())]
