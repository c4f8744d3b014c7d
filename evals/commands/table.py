"""`octavo eval table`: the README's table of claims."""

from __future__ import annotations

from pathlib import Path

import click

from evals import modes

ROOT = Path(__file__).resolve().parents[2]


@click.command()
@click.argument("pools", nargs=-1, metavar="[POOL]...", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--claim", "names", multiple=True, metavar="ID", help="Measure this claim on each POOL; again for more.")
@click.option("--model", help="The model that wrote the pool, where it does not say so itself.")
@click.option("--family", "families", multiple=True, metavar="NAME", help="Only these families of the pool.")
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 when a page differs from the results.")
def command(
    pools: tuple[Path, ...], names: tuple[str, ...], model: str | None, families: tuple[str, ...], check: bool
) -> None:
    """Write the table in README.md and README.zh.md from evals/results/*.json.

    With --claim, the claim is measured on every POOL first and its result is kept.

    \b
    Examples:
      octavo eval table
      octavo eval table --check
      octavo eval table --claim A5 --claim C2 pool.jsonl.gz
    """
    from evals import claims, table
    from evals.loading import load

    if bool(names) != bool(pools) or (check and names):
        raise click.UsageError("give --claim and POOL together, or neither; --check measures nothing")
    for path in pools:
        recorded = load([path], families)
        for name in names:
            row = claims.measure(name, recorded, claims.models(recorded[0], model), families, modes.ORDERS)
            click.echo(f"{table.save(row).name}: {row.contrast.label}", err=True)
    if check:
        if wrong := table.differing(ROOT):
            click.echo(f"not what the results say: {', '.join(wrong)}; write them with `octavo eval table`")
            raise click.exceptions.Exit(1)
        return
    for name in table.write(ROOT):
        click.echo(f"written: {name}")
