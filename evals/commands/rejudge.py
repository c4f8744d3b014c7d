"""`octavo eval rejudge`: judge a pool again, in as many modes as one likes, without a model call."""

from __future__ import annotations

from pathlib import Path

import click

from evals import folds, modes

POOLS = click.argument(
    "pools", nargs=-1, required=True, metavar="POOL...", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)


@click.command()
@POOLS
@click.option("--mode", "names", multiple=True, metavar="MODE", help=f"{modes.MENU}; again for more.")
@click.option("--family", "families", multiple=True, metavar="NAME", help="Only these families.")
@click.option("--folds", "count", type=click.IntRange(2, 100), is_flag=False, flag_value=folds.FOLDS, default=None,
              help="Accuracy by fold too.")  # fmt: skip
@click.option("--orders", default=modes.ORDERS, show_default=True, type=click.IntRange(1), help="Random orders of `~`.")
@click.option("--curve", is_flag=True, help="Width and waves: accuracy, tokens and time of each setting.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, every outcome in it.")
def command(
    pools: tuple[Path, ...],
    names: tuple[str, ...],
    families: tuple[str, ...],
    count: int | None,
    orders: int,
    curve: bool,
    as_json: bool,
) -> None:
    """Judge the recorded branches of POOL in one or more modes; no model call, the same bytes twice.

    Accuracy counts errors as wrong; "of completed" leaves them out. `~` after vote, waves or oracle is the mean over
    random orders of the branches.

    \b
    Examples:
      octavo eval rejudge pool.jsonl.gz
      octavo eval rejudge pool.jsonl.gz --mode vote@8 --mode judge@8 --family gsm8k --folds 5
      octavo eval rejudge pool.jsonl.gz --mode waves:2,2,4:0.9~ --json > waves.json
      octavo eval rejudge pool.jsonl.gz --curve
    """
    from evals import rendering, reports
    from evals.loading import load
    from graph.terminal import to_json, visible

    wanted = list(names or modes.PLAIN) if not curve else [*names, *modes.CURVE]
    chosen = [modes.mode(name, orders) for name in dict.fromkeys(wanted)]
    pool, questions = load(pools, families, checks=any(one.checks for one in chosen))
    if curve:
        widest = max(len(question.branches) for question in questions)
        chosen = [one for one in chosen if one.width <= widest or one.name in names]
    found = reports.report(pool, questions, chosen, count or 0)
    click.echo(to_json(found.model_dump(mode="json")) if as_json else visible(rendering.report(found)))
