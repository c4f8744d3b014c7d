"""A pool under a plain reader beside ours, then width and waves: python -m evals.bench.pool_curve POOL.jsonl.gz ...

The plain reader is the one that the given pools were first described with: last `ANSWER:` line, else last box, of that
the first number, letter or yes or no; a cut reply does not vote. It shows what our own reading changes, for better and
for worse: on `\\boxed{\\frac{32}{3}}` it reads 32. Everything else is `octavo eval rejudge --curve`.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from evals import loading, modes, rendering, reports
from evals.contracts import Sample
from evals.judging import Question
from evals.statistics import accuracy

WIDTH = 8
READERS = ("plain", "ours")
_TOKEN = re.compile(r"-?\d[\d,]*(?:\.\d+)?|\b[A-Z]\b|\b(?:yes|no)\b", re.IGNORECASE)
_LINE = re.compile(r"ANSWER:[^\S\n]*(.*)")
_BOX = re.compile(r"\\boxed\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")


def plain(sample: Sample) -> str:
    """What the plain reader takes from a reply; empty when it finds nothing."""
    lines, boxes = _LINE.findall(sample.text), _BOX.findall(sample.text)
    return token(lines[-1] if lines else boxes[-1] if boxes else "")


def token(text: str) -> str:
    """The first number, letter or yes or no, numbers in one form."""
    found = _TOKEN.search(text)
    if found is None:
        return ""
    bare = found[0].replace(",", "").casefold()
    return f"{float(bare):g}" if bare[-1].isdigit() else bare


def plain_figures(questions: Sequence[Question]) -> dict[str, list[float]]:
    """One branch, the vote (ties to the first seen) and any of eight, by question."""
    found: dict[str, list[float]] = {"single": [], "vote": [], "any": []}
    for question in questions:
        samples = [branch.sample for branch in question.branches[:WIDTH]]
        gold, said = token(samples[0].gold), [plain(sample) for sample in samples]
        votes = [one for one, sample in zip(said, samples, strict=True) if one and sample.finish_reason != "length"]
        found["single"].append(sum(one == gold for one in said) / WIDTH)
        found["vote"].append(float(bool(votes) and max(votes, key=votes.count) == gold))
        found["any"].append(float(gold in said))
    return found


def our_figures(questions: Sequence[Question]) -> dict[str, list[float]]:
    """The same by the committee's own reading."""
    names = {"single": f"single@{WIDTH}", "vote": f"vote@{WIDTH}", "any": f"oracle@{WIDTH}"}
    return {label: [one.right for one in modes.mode(name).run(questions)] for label, name in names.items()}


def report(path: Path, orders: int) -> None:
    """Print every figure of one pool."""
    pool, questions = loading.load([path])
    for family in sorted({question.family for question in questions}):
        whole = [one for one in questions if one.family == family and len(one.branches) >= WIDTH and one.gold]
        if not whole:
            continue
        clusters = [one.cluster for one in whole]
        print(f"\n{path.name}  {family}  n = {len(whole)} questions with {WIDTH} branches")
        for reader, figures in zip(READERS, (plain_figures(whole), our_figures(whole)), strict=True):
            shares = (f"{name} {rendering.share(accuracy(values, clusters))}" for name, values in figures.items())
            print(f"  {reader:5}  {'   '.join(shares)}")
    widest = max(len(question.branches) for question in questions)
    curve = [one for one in (modes.mode(name, orders) for name in modes.CURVE) if one.width <= widest]
    print("\n" + rendering.report(reports.report(pool, questions, curve)))


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pools", nargs="+", type=Path, metavar="PATH", help="recorded branches, .jsonl.gz")
    parser.add_argument("--orders", type=int, default=modes.ORDERS, help="random orders of a question's branches")
    arguments = parser.parse_args()
    for path in arguments.pools:
        report(path, arguments.orders)


if __name__ == "__main__":
    main()
