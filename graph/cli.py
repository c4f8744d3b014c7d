"""The command line `octavo`.

Heavy modules are imported inside the commands, so that `octavo --help` answers at once. Other packages add commands
through the entry-point group `octavo.commands`. Results go to stdout, progress and errors to stderr.

Exit codes: 0 answered, 1 no verdict, 2 input or set-up, 3 engine, 130 interrupted twice.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, cast

import click

from nodes.errors import InputError, OctavoError

MODES = ("auto", "light", "deep", "1", "2", "4", "8")
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

    Sets up and starts the engine when it is not running. Ctrl-C gives the best answer so far.

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
    """Finish an unfinished RUN (id or its beginning) with only the missing calls.

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
        for line in asking.route_lines(file, mode):
            click.echo(json.dumps(line, ensure_ascii=False))
        return
    found = asking.route_one("question", read_question(question or ""), mode)
    click.echo(json.dumps(found, ensure_ascii=False)) if as_json else render.route(found)


@cli.command()
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1))
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

    found = asking.reader().runs(limit, search=search, status=status)
    click.echo(json.dumps(found, ensure_ascii=False)) if as_json else render.runs(found)


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

    found = asking.reader().show(run)
    click.echo(json.dumps(found, ensure_ascii=False)) if as_json else render.run(found, text)


@cli.command()
@json_option
def doctor(as_json: bool) -> None:
    """Diagnose the installation in order; each finding names the command that mends it.

    \b
    Examples:
      octavo doctor
      octavo doctor --json | jq '.[] | select(.ok == false)'
    """
    from graph import asking, render

    found = asking.diagnose()
    click.echo(json.dumps(found, ensure_ascii=False)) if as_json else render.diagnosis(found)
    if not all(finding["ok"] for finding in found):
        sys.exit(2)


def read_question(argument: str) -> str:
    """The question, or all of stdin for `-`; one final newline is not part of it."""
    if argument != "-":
        return argument
    try:
        return sys.stdin.buffer.read().decode("utf-8").removesuffix("\n")
    except UnicodeDecodeError as error:
        raise InputError(
            f"stdin is not UTF-8 text: byte {error.start} is {error.object[error.start]:#04x}", "not_utf8"
        ) from error


def finish(work: Coroutine[Any, Any, int]) -> None:
    """Run a command's coroutine and leave with its exit code."""
    sys.exit(asyncio.run(work))


def guarded(command: Callable[[], Any], as_json: bool) -> int:
    """Run a command; a named error becomes one line on stderr (with --json an object on stdout) and its exit code."""
    try:
        command()
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return 130
    except OctavoError as error:
        if as_json:
            click.echo(json.dumps({"error": {"code": error.code, "message": str(error)}}, ensure_ascii=False))
        else:
            click.echo(f"error ({error.code}): {error}", err=True)
        return error.exit_code
    return 0


def main() -> None:
    """Entry point of the console script."""
    sys.exit(guarded(lambda: cli(standalone_mode=False), "--json" in sys.argv))


if __name__ == "__main__":
    main()
