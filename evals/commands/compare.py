"""`octavo eval compare`: two runs or two modes, question by question."""

from __future__ import annotations

from pathlib import Path

import click

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("--pool", "pools", multiple=True, type=FILE, help="A and B are modes on this pool; again for more files.")
@click.option("--mode", "names", multiple=True, metavar="MODE", help="Which mode of the files; twice: of A and of B.")
@click.option("--family", "families", multiple=True, metavar="NAME", help="Only these families.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    first: str,
    second: str,
    pools: tuple[Path, ...],
    names: tuple[str, ...],
    families: tuple[str, ...],
    as_json: bool,
) -> None:
    """Compare A and B, paired by question: two files of `rejudge --json`, or with --pool two modes of one pool.

    The difference comes with a bootstrap interval over clusters and the exact McNemar test. A difference is claimed
    when both agree; a family is tested from 60 questions.

    \b
    Examples:
      octavo eval compare vote@8 judge@8 --pool pool.jsonl.gz
      octavo eval compare before.json after.json --mode judge@8
      octavo eval compare stances.json same.json --mode vote@8 --mode vote@8 --json
    """
    from evals import compare, modes, rendering
    from evals.compare import Named
    from evals.loading import load
    from evals.reports import read_mode
    from graph.terminal import to_json, visible

    sides: list[Named]
    if pools:
        chosen = [modes.mode(name) for name in (first, second)]
        _, questions = load(pools, families, checks=any(one.checks for one in chosen))
        sides = [(one.name, one.run(questions)) for one in chosen]
    else:
        wanted = (names[0], names[-1]) if names else (None, None)
        found = [read_mode(Path(path), name) for path, name in zip((first, second), wanted, strict=True)]
        titles = [f"{Path(path).name} {one.mode}" for path, one in zip((first, second), found, strict=True)]
        kept = [[o for o in one.outcomes if not families or o.family in families] for one in found]
        sides = list(zip(titles, kept, strict=True))
    result = compare.compare(sides[0], sides[1])
    click.echo(to_json(result.model_dump(mode="json")) if as_json else visible(rendering.comparison(result)))
