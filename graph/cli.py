"""The command line `octavo`.

Heavy modules are imported inside the commands, so that `octavo --help` answers at once. Other packages add commands
through the entry-point group `octavo.commands`. Results go to stdout, progress and errors to stderr.

Exit codes: 0 answered, 1 no verdict, 2 input or set-up, 3 engine, 130 interrupted twice, 70 a fault of Octavo.
"""

from __future__ import annotations

import asyncio
import io
import os
import re
import sys
import traceback
from collections.abc import Coroutine, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, cast

import click

from graph.terminal import DOCTOR, to_json, visible
from nodes.errors import EngineError, InputError, OctavoError

MODES = ("auto", "light", "deep", "1", "2", "4", "8")
FAULT, INTERRUPTED, PIPE_CLOSED = 70, 130, 141
"""Exit codes beside those of DESIGN: EX_SOFTWARE of sysexits.h, and what a shell reports after SIGINT and SIGPIPE."""
MOST_RUNS = 1_000_000
"""Rows that `octavo runs` lists at the most; SQLite takes no number from 2**63 on."""
_MINUS = re.compile(r"-[^-A-Za-z]|-.*\s")
"""An argument that is no option but a question: `-5 + 3 = ?`, `-x is negative`."""
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")


class Octavo(click.Group):
    """Built-in commands, the engine's group, and whatever other packages register."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, built-in ones first."""
        return [*super().list_commands(ctx), "engine", *sorted(point.name for point in plugins())]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a group only when it is asked for."""
        if cmd_name == "engine":
            from graph.engine.commands import engine

            return engine
        point = next((point for point in plugins() if point.name == cmd_name), None)
        return super().get_command(ctx, cmd_name) or (cast(click.Command, point.load()) if point else None)


def plugins() -> list[Any]:
    """Entry points of the group `octavo.commands`."""
    return list(entry_points(group="octavo.commands"))


@click.group(cls=Octavo, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="octavo")
def cli() -> None:
    """One small local model answers like a committee, and every step is in SQLite.

    \b
    Examples:
      octavo ask "A train leaves at 9:40 and arrives at 11:05. How long is the ride?"
      octavo ask --mode deep --stream "只有张三或李四去开会，王五才会去。如果王五去了，那么谁一定在？"
      octavo runs
      octavo show RUN

    \b
    Exit codes: 0 answered or done, 1 no verdict, 2 input or set-up, 3 engine, 130 interrupted, 70 a fault of Octavo.
    With --json an error is an object {"error": {"code", "message"}} on stdout.
    """


@cli.command()
@click.argument("question")
@click.option("--mode", default="auto", show_default=True, metavar="|".join(MODES), help="How many lines of reasoning.")
@click.option("--deadline", type=float, metavar="SECONDS", help="Give the best answer so far after this time.")
@click.option("--thread", help="Continue a thread; a new one by default.")
@click.option("--stream", is_flag=True, help="Show every branch's text as it arrives, on stderr.")
@json_option
def ask(question: str, mode: str, deadline: float | None, thread: str | None, stream: bool, as_json: bool) -> None:
    """Ask the committee a QUESTION; `-` reads it from stdin.

    Sets up and starts the engine when it is not running. Ctrl-C gives the best answer so far. Exit code 1: no verdict.

    \b
    Examples:
      octavo ask "What is 17 * 23?"
      octavo ask --mode 8 --json "..." | jq .answer
      octavo ask --deadline 60 - < question.txt
    """
    from graph.asking import ask_once

    finish(ask_once(read_question(question), mode, deadline, thread, stream, as_json))


@cli.command()
@click.argument("run")
@click.option("--stream", is_flag=True, help="Show every branch's text as it arrives, on stderr.")
@json_option
def resume(run: str, stream: bool, as_json: bool) -> None:
    """Finish an unfinished RUN (id or its beginning) with only the missing calls. Exit code 1: no verdict.

    \b
    Examples:
      octavo runs --status running
      octavo resume 3f2a
    """
    from graph.asking import resume_once

    finish(resume_once(run, stream, as_json))


@cli.command()
@click.argument("question", required=False)
@click.option("--file", "file", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="JSONL: {id, text}.")
@click.option("--mode", default="auto", show_default=True, metavar="|".join(MODES))
@json_option
def route(question: str | None, file: Path | None, mode: str, as_json: bool) -> None:
    """Show where a QUESTION would go, without any model call.

    \b
    Examples:
      octavo route "Translate to French: good morning"
      octavo route --file questions.jsonl --json > routes.jsonl
    """
    from graph import asking, render

    if (question is None) == (file is None):
        raise click.UsageError("give a QUESTION or --file, one of them")
    if file is not None:
        lines = asking.read_lines(file)
        if not lines:
            click.echo(f"no lines in {file}", err=True)
        for found in asking.route_lines(lines, mode):
            click.echo(to_json(found))
        return
    found = asking.route_one("question", read_question(question or ""), mode)
    click.echo(to_json(found)) if as_json else render.route(found)


@cli.command()
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, MOST_RUNS))
@click.option(
    "--search", metavar="WORDS", help="Only runs whose question or answer has these words (English, Chinese)."
)
@click.option("--status", metavar="STATUS", help="Only runs of this status: running, answered, no_verdict, failed.")
@json_option
def runs(limit: int, search: str | None, status: str | None, as_json: bool) -> None:
    """List recorded runs, newest first.

    \b
    Examples:
      octavo runs --limit 5
      octavo runs --search 会议 --json
    """
    from graph import asking, render

    with asking.reader() as records:
        found = records.runs(limit, search=search, status=status)
    click.echo(to_json(found)) if as_json else render.runs(found)


@cli.command()
@click.argument("run")
@click.option("--text", is_flag=True, help="Unfold every branch's whole text.")
@json_option
def show(run: str, text: bool, as_json: bool) -> None:
    """Show everything recorded of a RUN (id or its beginning).

    \b
    Examples:
      octavo show 3f2a
      octavo show 3f2a --json | jq '.calls[0].request'
    """
    from graph import asking, render

    with asking.reader() as records:
        found = records.show(run)
    click.echo(to_json(found)) if as_json else render.run(found, text)


@cli.command()
@json_option
def doctor(as_json: bool) -> None:
    """Diagnose the installation in order; each finding names the command that mends it. Exit code 2: there is one.

    \b
    Examples:
      octavo doctor
      octavo doctor --json | jq '.[] | select(.ok == false)'
    """
    from graph import asking, render

    found = asking.diagnose()
    click.echo(to_json(found)) if as_json else render.diagnosis(found)
    if not all(finding["ok"] for finding in found):
        raise click.exceptions.Exit(2)


def read_question(argument: str) -> str:
    """The question, or all of stdin for `-`; one final newline is not part of it."""
    if argument != "-":
        return argument
    if sys.stdin is None:  # `octavo ask - <&-`
        raise InputError("there is no question: stdin is closed", "empty_question")
    try:
        return sys.stdin.buffer.read().decode("utf-8").removesuffix("\n")
    except UnicodeDecodeError as error:
        raise InputError(
            f"stdin is not UTF-8 text: byte {error.start} is {error.object[error.start]:#04x}", "not_utf8"
        ) from error


def finish(work: Coroutine[Any, Any, int]) -> None:
    """Run a command's coroutine and leave with its exit code."""
    raise click.exceptions.Exit(asyncio.run(work))


def run(arguments: Sequence[str]) -> int:
    """Run a command; a named error becomes one line on stderr (with --json an object on stdout) and its exit code."""
    as_json = wants_json(arguments)
    try:
        code = cli.main(list(arguments), prog_name="octavo", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        return complain("usage", error.format_message(), error.exit_code, as_json, usage_of(error, arguments))
    except click.Abort as error:
        words = farewell(error.__cause__)
        if as_json:
            return complain("interrupted", words, INTERRUPTED, as_json)
        click.echo(words, err=True)
        return INTERRUPTED
    except OctavoError as error:
        hint = DOCTOR if isinstance(error, EngineError) and DOCTOR not in str(error) else ""
        return complain(error.code, str(error), error.exit_code, as_json, hint)
    except SystemExit as done:  # click ends so after `octavo runs | head -1`, with the code that means "no verdict"
        return PIPE_CLOSED if isinstance(done.__context__, BrokenPipeError) else int(done.code or 0)
    return code if isinstance(code, int) else 0


def farewell(cause: BaseException | None) -> str:
    """Last words of a command that Ctrl-C, the end of stdin or a "no" ended."""
    word = "interrupted" if isinstance(cause, KeyboardInterrupt) else "aborted"
    return "; ".join([word, *map(str, cause.args if cause else ())])


def complain(code: str, message: str, exit_code: int, as_json: bool, hint: str = "") -> int:
    """Tell an error to people on stderr, or to programs on stdout."""
    if as_json:
        click.echo(to_json({"error": {"code": code, "message": message} | ({"hint": hint} if hint else {})}))
    else:
        click.echo(visible(f"error ({code}): {message}"), err=True)
        if hint:
            click.echo(visible(hint), err=True)
    return exit_code


def usage_of(error: click.ClickException, arguments: Sequence[str] = ()) -> str:
    """Where to read how a command is used, and how to give a question that begins with a minus."""
    path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "octavo"
    if isinstance(error, click.NoSuchOption) and any(_MINUS.match(one) for one in arguments):
        return f'a text that begins with a minus comes behind --, or from stdin: {path} -- "-5 + 3"; see: {path} --help'
    return f"see: {path} --help"


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether `--json` is among the options; behind `--` it is text."""
    return "--json" in arguments[: arguments.index("--") if "--" in arguments else None]


def main() -> None:
    """Entry point of the console script."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that is not UTF-8 shows what it cannot print
    try:
        code = run(sys.argv[1:])
    except Exception as error:  # noqa: BLE001 - a fault of ours; Python's own exit code 1 would say "no verdict"
        traceback.print_exc()
        code = complain("internal", type(error).__name__, FAULT, True) if wants_json(sys.argv[1:]) else FAULT
    if code == INTERRUPTED:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)  # else threads that wait for a silent server hold the process back
    sys.exit(code)


if __name__ == "__main__":
    main()
