"""`octavo eval import`: recorded replies from elsewhere become a pool."""

from __future__ import annotations

from pathlib import Path

import click

from graph.cli import json_option

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
POOL = click.Path(dir_okay=False, path_type=Path)


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option("--out", required=True, type=POOL, help="Pool: .jsonl, or .jsonl.gz. An existing one is added to.")
@click.option("--family", metavar="A,B", help="Only these families.")
@json_option
def command(files: tuple[Path, ...], out: Path, family: str | None, as_json: bool) -> None:
    """Check FILES of samples (JSONL, also .gz) and put them into one pool, in stable order.

    A failed sample gives way to one that did not fail. Different replies of one branch to one case are refused: they
    come from two recordings.

    \b
    Examples:
      octavo eval import part1.jsonl part2.jsonl.gz --out pool.jsonl.gz
      octavo eval import other.jsonl.gz --family gsm8k --out gsm8k.jsonl
    """
    from evals import pools
    from evals.commands.export import keep, told
    from evals.commands.record import names

    sources = ([out] if out.exists() else []) + list(files)
    found = pools.union((str(path), pools.iterate(path)) for path in sources)
    click.echo(told(out, pools.write(out, keep(found, names(family))), as_json))
