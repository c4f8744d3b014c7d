"""Every error Octavo raises on purpose, sorted by who must act.

    OctavoError
      SetupError            the user: installation, settings, a database file       exit code 2
        RecordsError        a database is unreadable, read-only, locked, full or newer
      InputError            the user: the question itself                            exit code 2
        ContextExceeded     the question does not fit the model's context window
      EngineError           the model server                                         exit code 3
        EngineUnreachable   nobody answers at the address, or the connection broke
        EngineDenied        401 / 403: the key is wrong
        ModelNotServed      404: the server has no model of that name
        EngineTimeout       no complete reply within the time allowed
        EngineFault         5xx, 429 after the last retry, a stream that was cut, unreadable JSON
      ParseError            the model's text: it cannot be read as what was asked    never leaves a step
      ModelCallOff          nobody: a specialist would ask the model, and is not to  never leaves a step

A message says what happened, to what (`!r`), and the way out. `code` is a stable word for programs.
"""

from __future__ import annotations


class OctavoError(RuntimeError):
    """Base of all deliberate errors. `code` is stable, `str(error)` is for people.

    A RuntimeError, because the LangGraph server shows users the message of Python's own errors only.
    """

    code = "octavo_error"
    exit_code = 2


class SetupError(OctavoError):
    """Installation, settings or files are not as they must be; raised before any model call."""

    code = "setup_error"


class RecordsError(SetupError):
    """A database file cannot be used: not SQLite, read-only, locked, on a full disk, or from a newer version."""

    code = "records_error"


class InputError(OctavoError):
    """The request is refused at intake; raised before any model call.

    `code` is one of: empty_question, question_too_long, nul_byte, lone_surrogate, unknown_mode, bad_deadline, not_utf8,
    bad_line; and for what is looked up: unknown_run, ambiguous_run, unknown_call, unknown_status, bad_limit.
    """

    def __init__(self, message: str, code: str = "input_error") -> None:
        super().__init__(message)
        self.code = code


class ContextExceeded(InputError):
    """The question needs more tokens than the model's context window leaves for it."""

    def __init__(self, message: str, tokens_over: int | None = None) -> None:
        super().__init__(message, "context_length_exceeded")
        self.tokens_over = tokens_over


class EngineError(OctavoError):
    """The model server failed; the question may be fine."""

    code = "engine_error"
    exit_code = 3


class EngineUnreachable(EngineError):
    """No connection to the server, or it broke before the first byte of a reply."""

    code = "engine_unreachable"


class EngineDenied(EngineError):
    """The server refused the key (401 or 403)."""

    code = "engine_denied"


class ModelNotServed(EngineError):
    """The server does not serve the model that was asked for (404)."""

    code = "model_not_served"


class EngineTimeout(EngineError):
    """The reply was not complete within the time allowed; its stream was closed."""

    code = "engine_timeout"


class EngineFault(EngineError):
    """The server answered with 5xx, 429 after the last retry, a cut stream or unreadable JSON."""

    code = "engine_fault"

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class ParseError(OctavoError):
    """Model text that cannot be read as what was asked. `raw` keeps the text."""

    code = "parse_error"

    def __init__(self, message: str, raw: str) -> None:
        super().__init__(message)
        self.raw = raw


class ModelCallOff(OctavoError):
    """A specialist whose model call is off would have made one: it abstains."""

    code = "model_call_off"
