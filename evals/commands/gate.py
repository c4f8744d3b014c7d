"""`octavo eval gate`: does the fixed set hold after a change?"""

from __future__ import annotations

from pathlib import Path

import click

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("pools", nargs=-1, required=True, metavar="POOL...", type=FILE)
@click.option("--baseline", "path", required=True, type=click.Path(dir_okay=False, path_type=Path),
              help="JSON file of an earlier measurement.")  # fmt: skip
@click.option("--mode", "name", default="judge@8", show_default=True, metavar="MODE")
@click.option("--update", is_flag=True, help="Make this measurement the baseline, after showing the comparison.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(pools: tuple[Path, ...], path: Path, name: str, update: bool, as_json: bool) -> None:
    """Compare a fresh POOL of the fixed set with the baseline; exit code 1 when a figure moved beyond its interval.

    Accuracy, agreement and confidence must not fall, mean length must not move. What changed since (model, prompt,
    parameter, artefact, code) is named beside it.

    \b
    Examples:
      octavo eval record --data fixed.jsonl --out fixed.jsonl.gz
      octavo eval gate fixed.jsonl.gz --baseline baseline.json --update
      octavo eval gate changed.jsonl.gz --baseline baseline.json
    """
    from evals import gate, modes, rendering
    from evals import pools as files
    from evals.loading import load
    from graph.settings import settings
    from graph.terminal import to_json, visible

    mode = modes.mode(name)
    pool, questions = load(pools, checks=mode.checks)
    now = gate.baseline(mode.name, pool, mode.run(questions), gate.digests(pool, settings()))
    if update and not path.exists():
        gate.write(path, now)
        click.echo(
            to_json(now.model_dump(mode="json", exclude={"rows", "clusters"}))
            if as_json
            else f"baseline written to {path}"
        )
        return
    old = sum(gate.stale(files.iterate(pool_path)) for pool_path in pools)
    found = gate.compare(gate.read(path), now, old)
    click.echo(to_json(found.model_dump(mode="json")) if as_json else visible(rendering.gate(found)))
    if update:
        gate.write(path, now)
        click.echo(f"baseline written to {path}", err=True)
    elif not found.green:
        raise click.exceptions.Exit(1)
