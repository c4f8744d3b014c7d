"""`octavo eval ablate`: what stances, temperature or a tie-break by length are worth."""

from __future__ import annotations

from pathlib import Path

import click

from evals import ablation

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("first", metavar="POOL", type=FILE)
@click.argument("second", metavar="[OTHER]", required=False, type=FILE)
@click.option("--mode", "names", multiple=True, metavar="MODE", help=f"Default: {', '.join(ablation.MODES)}.")
@click.option("--family", "families", multiple=True, metavar="NAME", help="Only these families.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(first: Path, second: Path | None, names: tuple[str, ...], families: tuple[str, ...], as_json: bool) -> None:
    """Compare the recording POOL with OTHER, paired by question: stances against one prompt, two temperatures.

    With one pool: length as a tie-break against the first seen. No model call.

    \b
    Examples:
      octavo eval ablate stances.jsonl.gz same.jsonl.gz
      octavo eval ablate warm.jsonl.gz hot.jsonl.gz --mode vote@8
      octavo eval ablate pool.jsonl.gz
    """
    from evals import rendering
    from evals.loading import load
    from graph.terminal import to_json, visible

    pools = [load([path], families) for path in (first, second) if path]
    found = (
        ablation.settings((pools[0][0].name, pools[0][1]), (pools[1][0].name, pools[1][1]), names or ablation.MODES)
        if second
        else ablation.ties(pools[0][1])
    )
    if as_json:
        click.echo(to_json(found.model_dump(mode="json")))
        return
    for pool, _ in pools:
        click.echo(visible(rendering.setting(pool)))
    click.echo("\n" + visible(rendering.ablation(found)))
