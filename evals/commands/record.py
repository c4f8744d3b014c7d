"""`octavo eval record`: ask the engine and keep every reply, one line each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graph.cli import json_option

if TYPE_CHECKING:
    from evals.recording import Plan
    from evals.session import Outcome


def names(text: str | None) -> tuple[str, ...]:
    """Words between commas."""
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


@click.command("record")
@click.option(
    "--data", multiple=True, required=True, type=click.Path(exists=True, path_type=Path), help="JSONL file or folder."
)
@click.option("--family", metavar="A,B", help="Only these families, recorded in turn.")
@click.option("--per-family", type=click.IntRange(1), help="At most so many cases of each family.")
@click.option("--limit", type=click.IntRange(1), help="At most so many cases in all.")
@click.option("--seed", default=0, show_default=True, help="Decides which cases; a larger sample holds the smaller.")
@click.option(
    "--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="Pool: .jsonl, or .jsonl.gz."
)
@click.option("--branches", default=8, show_default=True, type=click.IntRange(0, 64))
@click.option("--greedy", is_flag=True, help="Also the plain prompt at temperature 0, as branch -1.")
@click.option("--stances", default="stances", show_default=True, type=click.Choice(["stances", "same"]))
@click.option("--form", default="closed", show_default=True, type=click.Choice(["closed", "open"]))
@click.option("--temperature", type=click.FloatRange(0, 2), help="Of the branches; as the prompt says by default.")
@click.option("--max-tokens", type=click.IntRange(1), help="Of a reply; as the prompt says by default.")
@click.option(
    "--timeout", default=900.0, show_default=True, type=click.FloatRange(1, 86_400), help="Seconds for one call."
)
@click.option("--concurrency", default=16, show_default=True, type=click.IntRange(1, 1024))
@click.option("--retry-errors/--keep-errors", default=True, show_default=True, help="Ask again what failed before.")
@json_option
def command(
    data: tuple[Path, ...],
    family: str | None,
    per_family: int | None,
    limit: int | None,
    seed: int,
    out: Path,
    concurrency: int,
    retry_errors: bool,
    as_json: bool,
    **plan: Any,
) -> None:
    """Record replies of the engine to cases, as the committee would ask them.

    May be killed at any moment: the same command continues, and nothing that was finished is paid for again. A pool
    NAME.jsonl.gz grows as NAME.jsonl.part and is packed when it is complete. Exit codes: 0 complete, 1 complete
    with errors, 2 input, 3 engine (the rest is missing), 130 interrupted.

    \b
    Examples:
      octavo eval record --data cases.jsonl --per-family 60 --greedy --out pool.jsonl.gz
      octavo eval record --data cases.jsonl --family gsm8k,cmath --limit 20 --branches 16 --out wide.jsonl
    """
    import asyncio

    from evals import cases, session
    from evals.recording import Plan

    chosen = cases.select(cases.load(data), seed=seed, families=names(family), per_family=per_family)[:limit]
    if plan["temperature"] != plan["temperature"]:
        raise click.UsageError("--temperature nan is no temperature")
    wish = Plan(**plan)
    if not wish.numbers:
        raise click.UsageError("nothing to record: give --branches of 1 or more, or --greedy")
    outcome = asyncio.run(session.run(chosen, wish, out, concurrency, retry_errors))
    tell(outcome, wish, as_json)
    raise click.exceptions.Exit(1 if outcome.errors else 0)


def tell(outcome: Outcome, plan: Plan, as_json: bool) -> None:
    """Print what there is now."""
    from dataclasses import asdict

    from graph.terminal import to_json

    if as_json:
        click.echo(to_json({**asdict(outcome), "plan": asdict(plan)}))
        return
    click.echo(
        f"{outcome.path}: {outcome.wanted} samples of {outcome.cases} cases, {outcome.recorded} of them new,"
        f" {outcome.errors} errors; {outcome.tokens} tokens paid in {outcome.seconds:.0f} s"
    )
