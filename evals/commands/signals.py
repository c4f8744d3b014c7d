"""`octavo eval signals`: which evidence tells right from wrong within a question, and what it is worth to the vote."""

from __future__ import annotations

from pathlib import Path

import click

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("pools", nargs=-1, required=True, metavar="POOL...", type=FILE)
@click.option("--apart", is_flag=True, help="The pools are recordings of the same questions: count each, one cluster.")
@click.option("--family", "families", multiple=True, metavar="NAME", help="Only these families.")
@click.option("--width", default=8, show_default=True, type=click.IntRange(2), help="Branches of a question.")
@click.option("--tie", "ties", multiple=True, metavar="A,B", help="Also this tie-break, in this order.")
@click.option("--weigh", "weights", multiple=True, metavar="A,B", help="Also these weights together.")
def command(
    pools: tuple[Path, ...],
    apart: bool,
    families: tuple[str, ...],
    width: int,
    ties: tuple[str, ...],
    weights: tuple[str, ...],
) -> None:
    """Measure every signal of a branch: AUC over pairs of right and wrong branches of one question, and what the vote
    gains when the signal breaks ties or weighs votes (fitted on four folds, reported on the fifth).

    \b
    Examples:
      octavo eval signals pool.jsonl.gz
      octavo eval signals pool.jsonl.gz --tie steps_unfailed,steps_passed --weigh steps_passed,sure_mean
    """
    from dataclasses import replace

    from evals import rendering, scoring
    from evals.loading import load

    loaded = [load([path], families)[1] for path in pools] if apart else [load(pools, families)[1]]
    found = [
        scoring.scored(replace(one, branches=one.branches[:width]))
        for questions in loaded
        for one in questions
        if one.gold and len(one.branches) >= width
    ]
    click.echo(rendering.signals(found, [_names(one) for one in ties], [_names(one) for one in weights]))


def _names(text: str) -> list[str]:
    """Signals of a comma-separated list."""
    from evals.signals import SIGNALS
    from nodes.errors import InputError

    names = [name.strip() for name in text.split(",")]
    if unknown := [name for name in names if name not in SIGNALS]:
        raise InputError(f"there is no signal {unknown[0]!r}; there are {', '.join(SIGNALS)}", "unknown_signal")
    return names
