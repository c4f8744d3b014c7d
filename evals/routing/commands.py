"""`octavo router train|eval` and `octavo label`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graph.cli import json_option

if TYPE_CHECKING:
    from evals.routing.crossval import Table

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def labels_file() -> Path:
    """Where `octavo label` keeps what it was told; training reads it."""
    from graph.settings import settings

    return settings().home / "labels.jsonl"


@click.group(name="router")
def group() -> None:
    """Train the router, and see how well it does on sources that it never saw.

    \b
    Examples:
      octavo router eval --data requests.jsonl --by set --failures
      octavo router train --data requests.jsonl
    """


def prepare(data: tuple[Path, ...], requests: tuple[Path, ...]) -> Table:
    """Items with their features, and our own without those that share a wording with an item under test."""
    from evals.routing import items, training, vectors
    from evals.routing.crossval import Table
    from graph.settings import settings

    given = [item for path in data for item in items.load(path)]
    ours = training.own([*(requests or (items.REQUESTS,)), labels_file()])
    rejected = items.leaks(ours, given)
    for one, other, wording in rejected:
        click.echo(f"rejected: training request {one!r} shares {wording!r} with {other!r} under test", err=True)
    names = {one for one, _, _ in rejected}
    kept = [item for item in ours if item.id not in names]

    def tick(done: int, of: int) -> None:
        if done % 100 == 0:
            click.echo(f"embedding: {done} of {of} ...", err=True)

    rows = vectors.rows([item.text for item in (*given, *kept)], settings().home / "router-embeddings.npz", tick)
    return Table(given, kept, rows)


requests_option = click.option(
    "--requests", multiple=True, type=FILE, help="Training requests; by default those of the project."
)


@group.command("eval")
@click.option("--data", multiple=True, required=True, type=FILE, help="Labelled requests, JSONL.")
@click.option("--by", default="set", show_default=True, type=click.Choice(["set", "group", "repository"]))
@click.option("--failures", is_flag=True, help="List every request that got the wrong label.")
@requests_option
@json_option
def evaluate(data: tuple[Path, ...], by: str, failures: bool, requests: tuple[Path, ...], as_json: bool) -> None:
    """Cross-validate: each request is judged by weights that never saw its source (set), group or repository.

    Beside the request's own source, training requests that share 12 Chinese characters or 6 words with an item are
    left out. Nothing is written.

    \b
    Examples:
      octavo router eval --data requests.jsonl
      octavo router eval --data requests.jsonl --by group --json
    """
    from evals.routing import figures
    from graph.terminal import to_json

    found = figures.figures(prepare(data, requests), by)
    shown = found if failures or as_json else {**found, "failures": []}
    click.echo(to_json(found) if as_json else figures.rendered(shown))


@group.command("train")
@click.option("--data", multiple=True, required=True, type=FILE, help="Labelled requests, JSONL.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Artefact; by default the one the router reads."
)
@requests_option
@json_option
def train(data: tuple[Path, ...], out: Path | None, requests: tuple[Path, ...], as_json: bool) -> None:
    """Train on the given requests, our own and what `octavo label` stored, and write the router's artefact.

    The same input gives the same file. The figures of the cross-validation by source are written into it.

    \b
    Examples:
      octavo router train --data requests.jsonl
      octavo router train --data requests.jsonl --out other.json
    """
    from evals.routing import figures, items, training
    from graph.terminal import to_json
    from nodes.routing import artefact

    table = prepare(data, requests)
    judged = figures.figures(table, "set")
    files = [*data, *(requests or (items.REQUESTS,)), labels_file()]
    about = {
        "data": [items.described(path, items.load(path)) for path in files if path.is_file() and path.stat().st_size],
        "trained_on": len(table.given) + len(table.own),
        "by_source": {key: judged[key] for key in ("natural", "requests", "other", "micro_f1", "languages")},
    }
    path = out or artefact.PATH
    artefact.save(training.train(table, judged["settings"], about), path)
    written: dict[str, Any] = {"path": str(path), "bytes": path.stat().st_size, **about}
    click.echo(
        to_json(written)
        if as_json
        else f"{path}: {written['bytes']:,} bytes, trained on {about['trained_on']} requests; by source"
        f" {judged['natural']:.1%} of {judged['requests']} right"
    )


@click.command("label")
@click.argument("run", required=False)
@click.option("--text", help="A request that no run recorded.")
@click.option("--route", "wanted", required=True, metavar="A,B", help="What it should have been; `other` for none.")
@json_option
def label(run: str | None, text: str | None, wanted: str, as_json: bool) -> None:
    """Say what a request should have been routed to; the next training uses it.

    \b
    Examples:
      octavo label 3f2a --route numeric,format
      octavo label --text "Put the sum into a table" --route numeric,format
    """
    from evals.routing import labels
    from graph.terminal import to_json

    if (run is None) == (text is None):
        raise click.UsageError("name a RUN, or give its words with --text")
    question = text if text is not None else labels.question_of(run or "")
    stored = labels.store(labels_file(), question, wanted)
    click.echo(
        to_json(stored)
        if as_json
        else f"{stored['id']}: {', '.join(stored['labels']) or 'other'}; next: octavo router train"
    )
