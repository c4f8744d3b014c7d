"""`octavo eval generate`: questions of our own, with exact gold."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("generate")
@click.argument("family")
@click.option("--n", "-n", "n", default=50, show_default=True, type=click.IntRange(0), help="How many questions.")
@click.option("--seed", default=0, show_default=True, help="Other questions for every seed.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "zh", "both"]))
@click.option("--difficulty", default="1", show_default=True, type=click.Choice(["1", "2", "3", "all"]))
@click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path), help="File; stdout by default.")
@click.option("--force", is_flag=True, help="Overwrite the file.")
def command(family: str, n: int, seed: int, lang: str, difficulty: str, out: Path | None, force: bool) -> None:
    """Make N questions of a FAMILY (or of `all`) for each language and difficulty, as JSONL that `record` reads.

    Families: arithmetic, last_letters, booleans, dates, units, word_problems, tables, bugs, documents, extraction,
    classification, translation. The same arguments give the same bytes; a longer list begins with the shorter one.

    \b
    Examples:
      octavo eval generate arithmetic --n 50 --seed 1 --lang zh --difficulty 2 -o sums.jsonl
      octavo eval generate all --n 20 --lang both --difficulty all > generated.jsonl
    """
    from evals import generators, pools

    lines = [
        generators.line(case)
        for name in (generators.FAMILIES if family == "all" else (family,))
        for language in (("en", "zh") if lang == "both" else (lang,))
        for level in ((1, 2, 3) if difficulty == "all" else (int(difficulty),))
        for case in generators.generate(name, n, seed=seed, language=language, difficulty=level)
    ]
    text = "".join(f"{line}\n" for line in lines)
    if out is None:
        click.echo(text, nl=False)
        return
    if out.exists() and not force:
        raise click.UsageError(f"{str(out)!r} is there already: give another name or --force")
    pools.replace(out, text.encode())
    click.echo(f"{out}: {len(lines)} questions", err=True)
