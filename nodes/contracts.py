"""The frozen contracts that steps exchange, and the two protocols they are given.

Steps take and return these models, never dicts. `extra="forbid"`: an unknown field is an error, not a surprise.
The string under a field is its description in every JSON schema.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from prompts import Sampling

Mode = Literal["auto", "light", "deep", "1", "2", "4", "8"]
Budget = Literal[1, 2, 4, 8]
Language = Literal["en", "zh"]
Form = Literal["closed", "open"]
Status = Literal["answered", "unreadable", "truncated", "pruned", "failed"]
Cause = Literal["infra", "low_confidence", "timeout", "disagreement", "refused"]
Share = Annotated[float, Field(ge=0, le=1)]


class Contract(BaseModel):
    """Base of every contract: frozen, closed, self-describing."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Request(Contract):
    """One question, after intake."""

    run: str
    """Id of the run, a UUID; every record of this question carries it."""
    question: str
    """The user's text, unchanged."""
    mode: Mode = "auto"
    """`auto` = the router decides; `light` = one path; `deep` = up to 8 in waves; a number = exactly that many."""
    language: Language = "en"
    """Language that prompts are rendered in and that the answer is expected in."""
    deadline: float | None = None
    """Seconds allowed for the whole question, counted in the process that works on it; None = no limit."""


class Check(Contract):
    """One deterministic test of one candidate by one specialist; no model call behind it."""

    specialist: str
    """Name of the specialist, for example `numeric`."""
    kind: str
    """What was tested, for example `arithmetic`."""
    outcome: Literal["pass", "fail", "unsure"]
    """`unsure` never counts as evidence."""
    claim: str
    """The words that were tested, as they stand in the candidate's text."""
    found: str = ""
    """What the test says instead, for example the recomputed value."""
    span: tuple[int, int] | None = None
    """Start and end (characters) of the claim in the candidate's text."""


class Hit(Contract):
    """One rule of the safety policy that matched a text."""

    rule: str
    """Id of the rule in the rule file."""
    severity: Literal["notice", "redact", "block"]
    """`notice` adds words, `redact` masks the span, `block` stops the text."""
    span: tuple[int, int]
    """Start and end (characters) in the text that was screened."""
    notice: str = ""
    """Words for the user, in the language of the request."""


class Route(Contract):
    """The router's decision for one request."""

    top: str
    """The best-scoring label: the name of a specialist, or `other`."""
    specialists: tuple[str, ...] = ()
    """Names of the specialists that work on this request, in dependency order; may be empty."""
    scores: dict[str, float]
    """Score of each of the eight labels and `other`, 0 to 1."""
    reason: str
    """Why, in words: matched features and the rule that set the budget."""
    difficulty: int = Field(ge=0)
    """Score of the rule of REQUIREMENTS A1: reasoning words, plus one for length."""
    budget: Budget
    """How many branches at the most."""
    staged: bool = False
    """True = waves with early stopping; False = exactly `budget` branches."""
    verify: bool = False
    """True = a second round may decide between close camps."""
    stand_in: str | None = None
    """Name of the one specialist whose Finding replaces the only branch of a light route."""
    form: Form = "closed"
    """`closed` = a short answer that can be compared; `open` = the whole reply is the answer."""
    block: Hit | None = None
    """A policy rule that ends the run without a model call."""
    parts: dict[str, tuple[int, int]] = {}
    """The labels that fit, best first, each with start and end (characters) of the part of the request it is for."""


class Message(Contract):
    """One chat message."""

    role: Literal["system", "user", "assistant"]
    content: str


class ModelCall(Contract):
    """One request to a language model."""

    run: str
    """Run the call belongs to."""
    slot: str
    """Place of the call in the run, unique with the request body: `branch:3`, `specialist:numeric`, `verify:ab`."""
    messages: tuple[Message, ...]
    sampling: Sampling
    prompt: str
    """Digest of the prompt and its parameters."""
    model: str | None = None
    """Served model or LoRA adapter; None = the default one."""
    choices: tuple[str, ...] = ()
    """When given, the reply is one of these (structured output)."""
    json_schema: dict[str, Any] | None = None
    """When given, the reply is JSON of this schema (structured output)."""
    logprobs: int = Field(default=0, ge=0, le=20)
    """Alternatives per token to report; 0 = no log-probabilities."""


class Usage(Contract):
    """Tokens of one call, or a sum of several."""

    prompt: int = 0
    completion: int = 0
    cached: int = 0
    """Prompt tokens that the engine took from its prefix cache."""
    reasoning: int = 0
    """Completion tokens spent inside a thinking block."""
    calls: int = 0

    @property
    def total(self) -> int:
        """Prompt plus completion tokens."""
        return self.prompt + self.completion

    def __add__(self, other: Usage) -> Usage:
        """Field-wise sum."""
        return Usage(**{k: getattr(self, k) + getattr(other, k) for k in type(self).model_fields})


class Reply(Contract):
    """What the model said to one call."""

    call: str
    """Id of the row in `calls`."""
    text: str
    """The answer text, without any thinking block."""
    reasoning: str = ""
    """Thinking text, when the model separates it."""
    finish: str
    """The server's finish_reason, unchanged: stop, length, repetition, abort ..."""
    usage: Usage
    tokens: tuple[str, ...] = ()
    """Generated tokens in order; joined they are the generated text. Empty when no log-probabilities were asked for."""
    logprobs: tuple[float, ...] = ()
    """Natural log-probability of each token, <= 0."""
    margins: tuple[float, ...] = ()
    """Log-probability of each token minus that of the best other one; negative when a less likely one was sampled."""
    first: dict[str, float] = {}
    """Log-probabilities of the alternatives at the first token."""
    model: str = ""
    seconds: float = 0.0
    first_token: float | None = None
    """Seconds until the first token."""
    replayed: bool = False
    """True when the reply came from the records and nothing was paid."""


class Window(Contract):
    """How a prompt fits the model's context."""

    tokens: int
    limit: int
    exact: bool
    """False = estimated without the model's tokenizer."""


class Model(Protocol):
    """A language model. Bodies: the engine, a recording one, a replaying one, a scripted one for tests."""

    async def complete(self, call: ModelCall, on_text: Callable[[str], None] | None = None) -> Reply:
        """Answer one call. `on_text` receives pieces of text as they arrive. Raises EngineError or ContextExceeded."""
        ...

    async def measure(self, messages: tuple[Message, ...], model: str | None = None) -> Window:
        """Count the prompt's tokens against the context window, without a model call."""
        ...


class Confidence(Contract):
    """Probability of the answer's own tokens (CISC 2502.06233 uses a sum; we report three views)."""

    mean: Share
    """Mean token probability over the answer span."""
    low: Share
    """Lowest token probability in the span."""
    margin: float
    """Mean of (log-probability minus best alternative) over the span."""
    tokens: int
    """Tokens in the span."""


class Candidate(Contract):
    """One line of reasoning that ended, well or not."""

    source: str
    """`branch:0` ... or `specialist:numeric`."""
    wave: int = 0
    stance: str = ""
    """Name of the stance prompt; empty for a specialist."""
    status: Status
    """Only `answered` votes."""
    answer: str = ""
    """The answer as read, before normalisation."""
    reading: str = ""
    """Where the answer was found: answer_line, boxed, phrase, structured, whole; empty when unreadable."""
    text: str = ""
    """The whole reply. Not kept in the graph's state: `call` finds it in the records."""
    call: str = ""
    """Id of the row in `calls`."""
    confidence: Confidence | None = None
    flags: tuple[str, ...] = ()
    """truncated, repeating, mixed_language, no_steps, unclosed_thinking; computed = no model call stands behind it."""
    finish: str = ""
    usage: Usage = Usage()
    seconds: float = 0.0
    error: str = ""
    """`code: message` of the error that ended it."""
    checks: tuple[Check, ...] = ()
    """What the specialists' deterministic tests say about it."""


class Finding(Contract):
    """What one specialist says about one request."""

    specialist: str
    status: Literal["ok", "abstained", "failed"]
    facts: dict[str, Any] = {}
    """The specialist's own `Facts` contract, dumped; validated before it gets here."""
    answer: str | None = None
    """Set when the finding answers the request; it then competes as a Candidate."""
    working: str = ""
    """How the answer came about, in words that checks can read."""
    error: str = ""
    """Why it failed or abstained."""
    repaired: bool = False
    """True when the first reply broke the schema and a second call mended it."""
    calls: tuple[str, ...] = ()
    usage: Usage = Usage()
    seconds: float = 0.0
    confidence: Confidence | None = None


class Camp(Contract):
    """Candidates whose answers are equal."""

    answer: str
    """The representative: an existing answer of the first source."""
    sources: tuple[str, ...]
    votes: int
    share: Share
    """votes / all votes."""
    confidence: float
    """Mean answer-span probability of its members that have one; 0 when none has."""
    failed_checks: int
    """Members with at least one failed check."""
    passed_checks: float = 0.0
    """Passed checks of a member, on the average: steps that were recomputed to the same."""


class Ballot(Contract):
    """A second-round comparison of the two leading camps, asked in both orders."""

    first: str
    """Answer of the camp that led the vote."""
    second: str
    choices: tuple[str, ...]
    """What each order chose: `first`, `second` or `none`, order one before order two."""
    outcome: Literal["first", "second", "keep"]
    """`keep` = the orders disagree or chose none, so the vote stands."""
    usage: Usage = Usage()
    calls: tuple[str, ...] = ()
    error: str = ""


class Verdict(Contract):
    """The judge's last word."""

    status: Literal["answered", "no_verdict"]
    answer: str = ""
    cause: Cause | None = None
    """Why there is no verdict, or why a verdict is weak."""
    decided_by: str
    """single, unanimous, majority, computed, checks, steps, confidence, first_seen, verification, policy, nothing."""
    agreement: Share = 0.0
    """Votes of the winning camp / candidates that voted."""
    confidence: Share = 0.0
    """Mean answer-span probability of the winning camp."""
    camps: tuple[Camp, ...] = ()
    counts: dict[str, int] = {}
    """Candidates by status."""
    quorum: int = 1
    """Votes that a verdict needed."""
    partial: Literal["deadline", "interrupted"] | None = None
    """Set when the run was cut short and this is the best answer so far."""
    risks: tuple[str, ...] = ()
    """`wrong_consensus`: the winning camp's members fail their checks; `vote_disagrees`: another camp is larger."""
    rungs: tuple[str, ...] = ()
    """Steps of the degradation ladder that were taken."""


class Decision(Contract):
    """What the judge wants next."""

    next: Literal["wave", "verify", "finish"]
    reason: str
    camps: tuple[Camp, ...] = ()
    verdict: Verdict | None = None
    """Set when `next` is `finish`."""


class Answer(Contract):
    """What leaves Octavo."""

    run: str
    answer: str
    status: Literal["answered", "no_verdict"]
    cause: Cause | None = None
    partial: Literal["deadline", "interrupted"] | None = None
    route: str
    """Ids of the specialists joined by `+`, or `other`."""
    budget: int
    branches: int
    """Branches that were opened."""
    agreement: Share
    confidence: Share
    tokens: int
    """Prompt and completion tokens of every call of the run, cancelled ones included."""
    seconds: float
    notices: tuple[str, ...] = ()


class Specialist(Protocol):
    """One of the eight. A module in `nodes/specialists/` defines one object of this shape, named `specialist`.

    It may bring more: `cues` (router), `reads(request) -> bool` (it can compute the answer without a model),
    `blocks(text, language)` (a cheaper `screen` for blocking rules), `mend(request, text) -> (text, repairs)` (finish).
    """

    id: str
    """`rte-a` ... `rte-h`."""
    name: str
    """Equals the module's name and the prompt's name."""
    after: tuple[str, ...]
    """Names of specialists that must have run before."""
    answers: bool
    """True when its Finding can answer a request and so may stand in for a branch."""
    asks: bool
    """True when it asks the model unless told otherwise. A model call that lost to one branch in measurements is off by
    default; what the specialist computes without a model, and its checks, stay on."""
    facts: type[Contract]
    """The typed part of its Finding."""

    async def answer(self, request: Request, earlier: Mapping[str, Finding], model: Model) -> Finding:
        """Ask the model and the tools; never raises for bad model text (that is a `failed` Finding)."""
        ...

    def check(self, request: Request, candidate: Candidate) -> list[Check]:
        """Test a candidate without a model call. Pure; silent where unsure."""
        ...

    def screen(self, text: str, language: Language) -> list[Hit]:
        """Rules on a text that comes in or leaves; empty for specialists without a policy."""
        ...
