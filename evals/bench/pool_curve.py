"""What a committee would have said, and cost, on recorded branches: python -m evals.bench.pool_curve POOL.jsonl.gz ...

A pool holds eight branches a question (`id, family, question, gold, branch, text, finish_reason, prompt_tokens,
completion_tokens` a line; branch -1 is greedy and left out). Nothing is asked of a model here: branches are drawn in
many random orders, opened in waves, and the round ends where `nodes.stopping` ends it. Figures carry n and a 95 %
interval by bootstrap over questions, because the branches of one question are not independent (cluster bootstrap, Field
and Welsh 2007).
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nodes import answers, stopping, voting

WIDTH = 8
WAVES: tuple[tuple[int, ...], ...] = ((8,), (2, 2, 2, 2), (3, 5), (2, 2, 4), (4, 4), (3, 2, 3))
THRESHOLDS = (0.7, 0.8, 0.9, 0.95)
RATES = {1: 12.0, 2: 20.0, 3: 28.5, 4: 37.0, 5: 43.5, 6: 50.0, 7: 56.5, 8: 63.0}
"""Tokens a second of all streams together, by streams; measured at 1, 2, 4 and 8, straight lines between."""
CLOSED_MARKS = ("answer_line", "boxed")
_PLAIN = re.compile(r"-?\d[\d,]*(?:\.\d+)?|\b[A-Z]\b|\b(?:yes|no)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Branch:
    """One recorded reply: its camp (None = it did not vote), whether that camp is right, and its tokens."""

    camp: int | None
    right: bool
    kind: str
    prompt: int
    completion: int


@dataclass(frozen=True)
class Question:
    """The eight branches of one question."""

    family: str
    branches: tuple[Branch, ...]


@dataclass(frozen=True)
class Round:
    """What one order of the branches gave."""

    right: float
    tokens: float
    seconds: float
    opened: float


Row = dict[str, str | int]
Reader = Callable[[Sequence[Row]], list[Branch]]


def load(path: Path) -> list[list[Row]]:
    """The rows of each question that has all its branches, in order of branch."""
    groups: dict[str, list[Row]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row["branch"] >= 0:
                groups.setdefault(row["id"], []).append(row)
    return [sorted(rows, key=lambda row: int(row["branch"])) for rows in groups.values() if len(rows) == WIDTH]


def ours(rows: Sequence[Row]) -> list[Branch]:
    """Branches as the committee reads them."""
    context = answers.Context.of(str(rows[0]["question"]))
    gold = answers.parse(str(rows[0]["gold"]), context)
    readings = [answers.read(str(row["text"]), "closed", context.offered) for row in rows]
    kinds = ["none" if reading is None else str(reading.kind) for reading in readings]
    kinds = [
        "cut" if row["finish_reason"] == "length" and kind not in CLOSED_MARKS else kind
        for row, kind in zip(rows, kinds, strict=True)
    ]
    voting_at = [at for at, kind in enumerate(kinds) if kind not in ("none", "cut")]
    values = [answers.parse(reading.answer, context) for at in voting_at if (reading := readings[at]) is not None]
    camps: dict[int, tuple[int, bool]] = {}
    for number, members in enumerate(voting.group(values)):
        right = answers.equal(values[members[0]], gold)
        camps.update({voting_at[member]: (number, right) for member in members})
    return [_branch(row, camps.get(at), kinds[at]) for at, row in enumerate(rows)]


def plain(rows: Sequence[Row]) -> list[Branch]:
    """Branches as the pools' own README reads them: last answer line, else last box; first number, letter or yes/no."""
    gold = _plain_token(str(rows[0]["gold"]))
    said = [_plain_answer(str(row["text"])) for row in rows]
    names = {token: number for number, token in enumerate(dict.fromkeys(token for token in said if token))}
    return [
        _branch(row, (names[token], token == gold) if token else None, "plain" if token else "none")
        for row, token in zip(rows, said, strict=True)
    ]


def _plain_answer(text: str) -> str:
    lines = re.findall(r"ANSWER:[^\S\n]*(.*)", text)
    boxes = re.findall(r"\\boxed\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}", text)
    return _plain_token(lines[-1] if lines else boxes[-1] if boxes else "")


def _plain_token(text: str) -> str:
    found = _PLAIN.search(text)
    if found is None:
        return ""
    token = found[0].replace(",", "").casefold()
    return f"{float(token):g}" if token[-1].isdigit() else token


def _branch(row: Row, camp: tuple[int, bool] | None, kind: str) -> Branch:
    number, right = camp if camp else (None, False)
    return Branch(number, right, kind, int(row["prompt_tokens"]), int(row["completion_tokens"]))


def run(branches: Sequence[Branch], waves: Sequence[int], threshold: float) -> Round:
    """Open the waves one after the other until the rule ends the round; ties go to the camp seen first."""
    opened, seconds = 0, 0.0
    for size in waves:
        seconds += wave_seconds([branch.completion for branch in branches[opened : opened + size]])
        opened += size
        votes = _votes(branches[:opened])
        if opened == WIDTH or stopping.stop(list(votes.values()), WIDTH - opened, threshold):
            break
    seen = branches[:opened]
    leader = max(votes, key=lambda camp: votes[camp], default=None)
    right = any(branch.right for branch in seen if branch.camp == leader and leader is not None)
    return Round(float(right), sum(branch.prompt + branch.completion for branch in seen), seconds, opened)


def _votes(branches: Sequence[Branch]) -> Counter[int]:
    """Votes by camp, camps in the order they were seen."""
    return Counter(branch.camp for branch in branches if branch.camp is not None)


def wave_seconds(lengths: Sequence[int]) -> float:
    """Generation time of streams that start together: each second is shared among those still running."""
    seconds, done = 0.0, 0
    left = sorted(lengths)
    for index, length in enumerate(left):
        streams = len(left) - index
        seconds += (length - done) * streams / RATES[streams]
        done = length
    return seconds


def averaged(
    questions: Sequence[Question], waves: Sequence[int], threshold: float, orders: int, seed: int
) -> list[Round]:
    """For each question the mean round over random orders of its branches."""
    means = []
    for number, question in enumerate(questions):
        rng = random.Random(f"{seed}:{number}")
        rounds = [run(rng.sample(question.branches, WIDTH), waves, threshold) for _ in range(orders)]
        columns = zip(*((one.right, one.tokens, one.seconds, one.opened) for one in rounds), strict=True)
        means.append(Round(*(sum(column) / orders for column in columns)))
    return means


def interval(values: Sequence[float], seed: int, resamples: int = 2000) -> tuple[float, float]:
    """95 % bootstrap interval of the mean; each value is one question."""
    rng = random.Random(seed)
    means = sorted(sum(rng.choices(values, k=len(values))) / len(values) for _ in range(resamples))
    return means[int(0.025 * resamples)], means[int(0.975 * resamples)]


def share(values: Sequence[float], seed: int) -> str:
    """`57 % [45, 69]`."""
    low, high = interval(values, seed)
    return f"{100 * sum(values) / len(values):3.0f} % [{100 * low:.0f}, {100 * high:.0f}]"


def accuracies(questions: Sequence[Question], seed: int) -> str:
    """One branch, the vote of all in recorded order, and the best that any selection could do."""
    single = [sum(branch.right for branch in question.branches) / WIDTH for question in questions]
    vote = [run(question.branches, (WIDTH,), 1.0).right for question in questions]
    oracle = [float(any(branch.right for branch in question.branches)) for question in questions]
    return f"one branch {share(single, seed)}   vote@8 {share(vote, seed)}   any of eight {share(oracle, seed)}"


def report(path: Path, orders: int, seed: int) -> None:
    """Print every figure of one pool."""
    pool = load(path)
    families = sorted({str(rows[0]["family"]) for rows in pool})
    for name in [*families, "all"] if len(families) > 1 else families:
        chosen = [rows for rows in pool if name in ("all", rows[0]["family"])]
        read: dict[str, list[Question]] = {
            reader.__name__: [Question(name, tuple(reader(rows))) for rows in chosen] for reader in (plain, ours)
        }
        print(f"\n{path.name}  {name}  n = {len(chosen)} questions")
        for reader, questions in read.items():
            print(f"  {reader:5}  {accuracies(questions, seed)}")
        kinds = Counter(branch.kind for question in read["ours"] for branch in question.branches)
        print(
            "  read   " + "   ".join(f"{kind} {count / sum(kinds.values()):.1%}" for kind, count in kinds.most_common())
        )
        curve(read["ours"], orders, seed)


def curve(questions: Sequence[Question], orders: int, seed: int) -> None:
    """Print accuracy, tokens and time by waves and threshold, beside all eight at once."""
    full = averaged(questions, (WIDTH,), 1.0, orders, seed)
    tokens, seconds = (sum(getattr(one, name) for one in full) for name in ("tokens", "seconds"))
    print(f"  waves        stop   accuracy            gap to fixed-8      tokens   time   branches   ({orders} orders)")
    for waves in WAVES:
        for threshold in THRESHOLDS if len(waves) > 1 else (1.0,):
            means = averaged(questions, waves, threshold, orders, seed)
            gaps = [one.right - whole.right for one, whole in zip(means, full, strict=True)]
            low, high = interval(gaps, seed)
            gap = f"{100 * sum(gaps) / len(gaps):+5.1f} [{100 * low:+.1f}, {100 * high:+.1f}]"
            print(
                f"  {','.join(map(str, waves)):<12} {threshold:.2f}   {share([one.right for one in means], seed):<18}"
                f"  {gap:<20}  {sum(one.tokens for one in means) / tokens:5.0%}"
                f"  {sum(one.seconds for one in means) / seconds:5.0%}"
                f"   {sum(one.opened for one in means) / len(means):.1f}"
            )


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pools", nargs="+", type=Path, metavar="PATH", help="recorded branches, .jsonl.gz")
    parser.add_argument("--orders", type=int, default=200, help="random orders of the branches of each question")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    for path in arguments.pools:
        report(path, arguments.orders, arguments.seed)


if __name__ == "__main__":
    main()
