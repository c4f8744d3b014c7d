"""`octavo eval pool`: what a pool holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from graph.cli import json_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evals.inventory import Holding


@click.command("pool")
@click.argument("pool", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--width", type=click.IntRange(1), help="Branches that make a question complete; else what most have.")
@json_option
def command(pool: Path, width: int | None, as_json: bool) -> None:
    """Show what a POOL holds: families, questions, branches, tokens, errors. A growing one can be shown, too.

    \b
    Examples:
      octavo eval pool pool.jsonl.gz
      octavo eval pool pool.jsonl --width 8 --json | jq .total
    """
    from evals import inventory, pools
    from graph.terminal import to_json

    holdings = inventory.take(pools.read(pool), width)
    if as_json:
        families = [holding.model_dump(mode="json") for holding in holdings]
        click.echo(to_json({"pool": str(pool), "total": inventory.total(holdings), "families": families}))
        return
    show(holdings, inventory.total(holdings))


def show(holdings: Sequence[Holding], total: dict[str, int]) -> None:
    """One line a family, a last one for all, then the errors by code."""
    from graph.terminal import one_line

    names = [one_line(holding.family) for holding in holdings]
    wide = max((len(name) for name in (*names, "all")), default=0)
    head = f"{'':{wide}}  questions  complete  greedy  samples  errors   cut  tokens in  (cached)  tokens out"
    click.echo(head)
    for name, one in zip((*names, "all"), (*(holding.model_dump() for holding in holdings), total), strict=True):
        mark = f" of {one['width']}" if "width" in one else ""
        click.echo(
            f"{name:{wide}}  {one['questions']:9}  {one['complete']:8}  {one['greedy']:6}  {one['samples']:7}"
            f"  {one['errors']:6}  {one['cut']:4}  {one['prompt_tokens']:9}  {one['cached_tokens']:8}"
            f"  {one['completion_tokens']:10}{mark}"
        )
    for name, holding in zip(names, holdings, strict=True):
        for code, number in sorted(holding.codes.items()):
            click.echo(f"{name}: {number} x {one_line(code)}")
    models = sorted({model for holding in holdings for model in holding.models})
    click.echo(f"model: {one_line(', '.join(models)) or 'not recorded'}")
