"""The vote: candidates with equal answers form camps; the largest camp leads.

Only `answered` candidates vote, one vote per source, and the order in which candidates arrive never matters: they are
sorted by branch index, specialists after branches, before anything else. Equality is closed transitively within the
definite answers; a *vague* answer (a bare `10` beside `10 kg` and `10 g`) joins the largest camp it is equal to and
never merges two. Candidates are filed by normal form, so that only answers that may be equal are compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from math import ceil

from nodes.answers import Context, Value, equal, own_keys, parse, probe_keys
from nodes.contracts import Camp, Candidate

Order = tuple[int, int, str]


def order(source: str) -> Order:
    """Sort key of a source: branches by index, then specialists by name."""
    kind, _, name = source.partition(":")
    if kind == "branch" and name.isascii() and name.isdigit() and len(name) < 10:
        return 0, int(name), ""
    return 1, 0, source


def voters(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The candidates that vote: `answered`, one per source (the latest wave), in the order of their sources."""
    chosen: dict[str, Candidate] = {}
    for candidate in candidates:
        if candidate.status != "answered":
            continue
        held = chosen.get(candidate.source)
        if held is None or (held.wave, held.answer) < (candidate.wave, candidate.answer):
            chosen[candidate.source] = candidate
    return tuple(sorted(chosen.values(), key=lambda candidate: order(candidate.source)))


def tally(
    candidates: Iterable[Candidate], question: str | Context = "", failed: Collection[str] = frozenset()
) -> tuple[Camp, ...]:
    """Group equal answers into camps, largest first; ties go to the camp seen first.

    Args:
        candidates: in any order; those that did not answer are skipped.
        question: text of the question, or its `Context`; its offered choices and units help to compare answers.
        failed: sources with at least one failed check, counted in `Camp.failed_checks`.
    """
    context = question if isinstance(question, Context) else Context.of(question)
    seated = voters(candidates)
    parsed: dict[str, Value] = {}
    for candidate in seated:
        if candidate.answer not in parsed:
            parsed[candidate.answer] = parse(candidate.answer, context)
    groups = group([parsed[candidate.answer] for candidate in seated])
    camps = [_camp([seated[index] for index in members], len(seated), failed) for members in groups]
    return tuple(sorted(camps, key=lambda camp: (-camp.votes, order(camp.sources[0]))))


def _camp(members: Sequence[Candidate], total: int, failed: Collection[str]) -> Camp:
    sure = [member.confidence.mean for member in members if member.confidence is not None]
    return Camp(
        answer=members[0].answer,
        sources=tuple(member.source for member in members),
        votes=len(members),
        share=len(members) / total,
        confidence=sum(sure) / len(sure) if sure else 0.0,
        failed_checks=sum(member.source in failed for member in members),
        passed_checks=round(sum(_passed(member) for member in members) / len(members), 3),
    )


def _passed(member: Candidate) -> int:
    return sum(check.outcome == "pass" for check in member.checks)


def group(values: Sequence[Value]) -> list[list[int]]:
    """Indices of equal values, each group ascending, groups by their first index."""
    classes: dict[tuple[Hashable, ...], list[int]] = {}
    for index, value in enumerate(values):
        classes.setdefault((value.kind, value.key, value.vague, value.text if value.kind == "text" else ""), []).append(
            index
        )
    members = list(classes.values())
    heads = [values[indices[0]] for indices in members]
    definite = [at for at, head in enumerate(heads) if not head.vague]
    vague = [at for at, head in enumerate(heads) if head.vague]
    parent = list(range(len(heads)))
    for some in (definite, vague):
        _close(heads, some, parent)
    _seat(heads, members, definite, vague, parent)
    joined: dict[int, list[int]] = {}
    for at, indices in enumerate(members):
        joined.setdefault(_find(parent, at), []).extend(indices)
    return sorted((sorted(indices) for indices in joined.values()), key=lambda indices: indices[0])


def _find(parent: list[int], at: int) -> int:
    while parent[at] != at:
        parent[at] = parent[parent[at]]
        at = parent[at]
    return at


class _Shelf:
    """Values filed by their keys, so that only possibly equal ones are compared."""

    def __init__(self, heads: Sequence[Value], filed: Sequence[int]) -> None:
        self.heads = heads
        self.shelves: dict[Hashable, list[int]] = {}
        self.own = {at: own_keys(heads[at]) for at in filed}
        for at, keys in self.own.items():
            for key in keys:
                self.shelves.setdefault(key, []).append(at)

    def equals(self, at: int) -> Iterator[int]:
        """Indices of the filed values that equal value `at`."""
        keys = (*(self.own.get(at) or own_keys(self.heads[at])), *probe_keys(self.heads[at]))
        near = {other for key in keys for other in self.shelves.get(key, ())}
        return (other for other in near if other != at and equal(self.heads[at], self.heads[other]))


def _close(heads: Sequence[Value], some: Sequence[int], parent: list[int]) -> None:
    """Transitive closure of `equal` over these classes."""
    shelf = _Shelf(heads, some)
    for at in some:
        for other in shelf.equals(at):
            roots = _find(parent, at), _find(parent, other)
            parent[max(roots)] = min(roots)


def _seat(
    heads: Sequence[Value],
    members: Sequence[list[int]],
    definite: Sequence[int],
    vague: Sequence[int],
    parent: list[int],
) -> None:
    """Let each group of vague values join the largest definite group it is equal to, ties to the first seen."""
    size: Counter[int] = Counter()
    first: dict[int, int] = {}
    for at in definite:
        root = _find(parent, at)
        size[root] += len(members[at])
        first[root] = min(first.get(root, members[at][0]), members[at][0])
    definite_shelf, vague_shelf = _Shelf(heads, definite), _Shelf(heads, vague)
    choices: dict[int, set[int]] = {}
    for at in vague:
        roots = {_find(parent, other) for other in definite_shelf.equals(at)}
        choices.setdefault(_find(parent, at), set()).update(roots)
    for at in definite:
        for other in vague_shelf.equals(at):
            choices.setdefault(_find(parent, other), set()).add(_find(parent, at))
    for root, roots in choices.items():
        if roots:
            parent[root] = min(roots, key=lambda other: (-size[other], first[other]))


def majority(camps: Sequence[Camp]) -> Camp | None:
    """The camp with more votes than any other; None when the lead is shared or nobody voted."""
    leaders = tied(camps)
    return leaders[0] if len(leaders) == 1 else None


def tied(camps: Sequence[Camp]) -> tuple[Camp, ...]:
    """The camps that share the lead, in the order they were seen."""
    most = max((camp.votes for camp in camps), default=0)
    return tuple(sorted((camp for camp in camps if camp.votes == most), key=lambda camp: order(camp.sources[0])))


def by_checks(camps: Sequence[Camp]) -> tuple[Camp, ...]:
    """Those of the given camps with the fewest failed checks."""
    fewest = min((camp.failed_checks for camp in camps), default=0)
    return tuple(camp for camp in camps if camp.failed_checks == fewest)


def by_steps(camps: Sequence[Camp]) -> tuple[Camp, ...]:
    """Those of the given camps whose members have the most passed checks, on the average."""
    most = max((camp.passed_checks for camp in camps), default=0.0)
    return tuple(camp for camp in camps if camp.passed_checks == most)


def by_confidence(camps: Sequence[Camp]) -> tuple[Camp, ...]:
    """Those of the given camps whose answer spans were surest."""
    surest = max((camp.confidence for camp in camps), default=0.0)
    return tuple(camp for camp in camps if camp.confidence == surest)


def first_seen(camps: Sequence[Camp]) -> tuple[Camp, ...]:
    """The camp whose first source comes first: lowest branch index, branches before specialists."""
    return (min(camps, key=lambda camp: order(camp.sources[0])),) if camps else ()


def quorum(opened: int) -> int:
    """Votes that a verdict needs when `opened` lines of reasoning were started: a third of them, at least one."""
    return max(1, ceil(opened / 3))


def counts(candidates: Iterable[Candidate]) -> dict[str, int]:
    """Candidates by status, one per source, keys sorted: non-answers are counted, never hidden."""
    status = {candidate.source: candidate.status for candidate in sorted(candidates, key=lambda c: (c.source, c.wave))}
    return dict(sorted(Counter(status.values()).items()))
