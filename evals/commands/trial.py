"""`octavo eval trial`: each specialist beside the plain path, on requests of its own kind."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from graph.cli import json_option

if TYPE_CHECKING:
    from evals.trials import Asked, Row, Trial
    from nodes.contracts import Specialist


@click.command("trial")
@click.argument("names", nargs=-1)
@click.option("--half", default="all", show_default=True, type=click.Choice(["dev", "closing", "all"]))
@click.option(
    "--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="JSONL; continued if there."
)
@click.option("--concurrency", default=8, show_default=True, type=click.IntRange(1, 256))
@click.option("--limit", type=click.IntRange(1), help="At most so many requests of each.")
@click.option("--show", is_flag=True, help="Ask nothing: print the table of what is in the file.")
@json_option
def command(
    names: tuple[str, ...], half: str, out: Path, concurrency: int, limit: int | None, show: bool, as_json: bool
) -> None:
    """Ask the requests of `evals/requests/NAME.jsonl` both ways: one branch, and the specialist (or, where it has no
    answer, the branch after it). Every specialist that has requests, when no NAMES are given. May be killed at any
    moment: the same command continues.

    \b
    Examples:
      octavo eval trial --half closing --out trials.jsonl
      octavo eval trial logic code --out trials.jsonl --limit 10
    """
    import asyncio
    from dataclasses import asdict

    from evals import trials
    from evals.lines import read_lines
    from graph.terminal import to_json
    from nodes import specialists

    known = specialists.load()
    chosen = names or tuple(name for name in known if (trials.REQUESTS / f"{name}.jsonl").is_file())
    if strangers := sorted({*chosen} - {*known}):
        raise click.UsageError(f"no specialists named {strangers}; there are {list(known)}")
    done = [trials.Trial.model_validate_json(line) for _, line in read_lines(out)] if out.exists() else []
    wanted = [
        (known[name], asked)
        for name in chosen
        for asked in [one for one in trials.load(name) if half in ("all", one.half)][:limit]
    ]
    finished = {(one.specialist, one.id) for one in done}
    todo = [(one, asked) for one, asked in wanted if (one.name, asked.id) not in finished]
    if todo and not show:
        done += asyncio.run(_ask(todo, out, concurrency))
    keys = {(one.name, asked.id) for one, asked in wanted}
    table = trials.rows(one for one in done if (one.specialist, one.id) in keys)
    click.echo(to_json([asdict(row) for row in table]) if as_json else text(table))


async def _ask(todo: list[tuple[Specialist, Asked]], out: Path, concurrency: int) -> list[Trial]:
    from evals import trials
    from evals.progress import Meter
    from evals.session import model_of
    from graph.asking import start_engine
    from graph.settings import settings
    from nodes import specialists

    await start_engine()
    model, found = await model_of(settings(), concurrency), []
    try:
        with out.open("a", encoding="utf-8") as file, Meter("requests", len(todo)) as meter:

            def keep(trial: Trial) -> None:
                file.write(trial.model_dump_json() + "\n")
                file.flush()
                found.append(trial)
                meter.step()

            await trials.run_all(todo, model, specialists.load(), concurrency, keep)
    finally:
        await model.close()
    return found


def text(rows: list[Row]) -> str:
    """The table for people."""
    from evals.rendering import table

    head = ("specialist", "n", "plain", "with it", "gained", "lost", "p", "answered itself", "tokens", "seconds")
    cells = [
        (
            row.specialist, str(row.n), str(row.plain), str(row.helped), str(row.gained), str(row.lost), f"{row.p:.3f}",
            str(row.answered), f"{row.tokens:.2f}", f"{row.seconds:.2f}",
        )
        for row in rows
    ]  # fmt: skip
    return table([head, *cells])
