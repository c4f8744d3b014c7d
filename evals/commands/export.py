"""`octavo eval export`: a pool, or a part of it, into another file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graph.cli import json_option

if TYPE_CHECKING:
    from evals.contracts import Sample


@click.command("export")
@click.argument("pool", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--family", metavar="A,B", help="Only these families.")
@click.option("--branches", type=click.IntRange(0), help="Only branches below this number (greedy stays).")
@click.option("--complete", is_flag=True, help="Only questions whose every kept branch is there and no error.")
@click.option("--force", is_flag=True, help="Overwrite OUT.")
@json_option
def command(
    pool: Path, out: Path, family: str | None, branches: int | None, complete: bool, force: bool, as_json: bool
) -> None:
    """Write POOL to OUT, packed when its name ends in .gz: same samples, same bytes. A growing pool can be exported.

    \b
    Examples:
      octavo eval export pool.jsonl pool.jsonl.gz
      octavo eval export pool.jsonl.gz - --family cmath | head -1
      octavo eval export wide.jsonl.gz narrow.jsonl --branches 8 --complete
    """
    from evals import pools
    from evals.commands.record import names

    found = keep(pools.read(pool), names(family), branches, complete)
    if str(out) == "-":
        click.echo(b"".join(map(pools.encode, pools.ordered(found))), nl=False)
        return
    if out.exists() and not force:
        raise click.UsageError(f"{str(out)!r} is there already: give another name or --force")
    click.echo(told(out, pools.write(out, found), as_json))


def keep(
    samples: Sequence[Sample], families: Sequence[str], branches: int | None = None, complete: bool = False
) -> list[Sample]:
    """The part of a pool that is asked for. Raises InputError for a family that is not there."""
    from nodes.errors import InputError

    there = {sample.family for sample in samples}
    if unknown := sorted(set(families) - there):
        raise InputError(f"no sample is of family {unknown}; there are {sorted(there)}", "unknown_family")
    kept = [
        sample
        for sample in samples
        if (not families or sample.family in families) and (branches is None or sample.branch < branches)
    ]
    if complete:
        numbers = {sample.branch for sample in kept}
        good: dict[str, set[int]] = {}
        for sample in kept:
            good.setdefault(sample.id, set()).update({sample.branch} if not sample.error else ())
        kept = [sample for sample in kept if good[sample.id] == numbers]
    return kept


def told(out: Path, number: int, as_json: bool) -> str:
    """What was written, in words or as JSON."""
    from graph.terminal import to_json

    return to_json({"path": str(out), "samples": number}) if as_json else f"{out}: {number} samples"
