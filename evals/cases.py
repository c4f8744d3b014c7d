"""Cases from disk: JSONL files (also .gz), single .json files, or a folder of both.

A line has the fields of public data sets as this project normalises them: `id, text, gold`, and where known `lang`
(`en`, `zh`, else undecided), `labels`, `accepted`, `meta` with `set` (the family) and `group`. Which cases are taken
is decided by a hash of seed and id, so a larger sample holds every smaller one.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from evals.contracts import Case
from evals.lines import read_lines
from nodes.errors import InputError


def load(paths: Sequence[Path]) -> list[Case]:
    """All cases of files and folders, in order; a repeated identical line counts once.

    Raises InputError with file and line for what is no case, and for two different cases of one id.
    """
    found: dict[str, tuple[Case, str]] = {}
    for path in paths:
        for place, item in _items(path):
            case = case_of(item, place)
            known, first = found.setdefault(case.id, (case, place))
            if known != case:
                raise InputError(f"{place}: id {case.id!r} is also that of another case, {first}", "bad_line")
    return [case for case, _ in found.values()]


def _items(path: Path) -> Iterator[tuple[str, Any]]:
    """Place and parsed JSON of every case below `path`."""
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.name.endswith((".jsonl", ".jsonl.gz", ".json")))
        if not files:
            raise InputError(f"the folder {str(path)!r} holds no .jsonl, .jsonl.gz or .json", "no_cases")
        for file in files:
            yield from _items(file)
    elif path.suffix == ".json":
        yield str(path), _parse(b"".join(line for _, line in read_lines(path)), str(path))
    else:
        for number, line in read_lines(path):
            place = f"{path}, line {number}"
            yield place, _parse(line, place)


def _parse(line: bytes, place: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place}: not JSON: {error or 'nested too deeply'}", "bad_line") from error


def case_of(item: Any, place: str) -> Case:
    """A case from one parsed line. Raises InputError that begins with `place`."""
    if not isinstance(item, dict):
        raise InputError(f"{place}: not an object but {type(item).__name__}", "bad_line")
    meta = item.get("meta") or {}
    if not isinstance(meta, dict):
        raise InputError(f"{place}: meta is not an object", "bad_line")
    try:
        case = Case(
            id=_text(item, "id"),
            text=_text(item, "text"),
            gold=_gold(item.get("gold")),
            family=str(item.get("family") or meta.get("set") or "other"),
            lang=item.get("lang") if item.get("lang") in ("en", "zh") else None,
            group=str(item.get("group") or meta.get("group") or ""),
            labels=item.get("labels") or (),
            accepted=item.get("accepted") or (),
            meta={key: value for key, value in meta.items() if key not in ("set", "group")},
        )
        _check_unicode(case)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise InputError(f"{place}: {faults}", "bad_line") from error
    except (InputError, ValueError) as error:
        raise InputError(f"{place}: {error}", "bad_line") from error
    return case


def _text(item: dict[str, Any], name: str) -> str:
    value = item.get(name)
    if name == "id" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name} is missing or no text: {value!r}"[:200])
    return value


def _gold(value: Any) -> str:
    """Gold as text: null (an open question without gold) is nothing, a structure is its JSON."""
    if isinstance(value, str | None):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def _check_unicode(case: Case) -> None:
    """Raises ValueError (UnicodeEncodeError) for a lone surrogate in what a pool has to hold.

    What else makes a question that nobody can ask, a NUL byte say, is found when it is asked.
    """
    "".join((case.id, case.text, case.gold, case.family, case.group, *case.accepted)).encode("utf-8")


def rank(case: Case, seed: int) -> str:
    """The case's place in the draw: a hash of seed and id, uniform, the same everywhere."""
    return hashlib.sha256(f"{seed}\0{case.id}".encode()).hexdigest()


def select(
    cases: Iterable[Case], *, seed: int, families: Sequence[str] = (), per_family: int | None = None
) -> list[Case]:
    """The first `per_family` of each family in the order of `rank`, families in turn: every prefix is balanced.

    Raises InputError for a family that no case has.
    """
    by_family: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_family[case.family].append(case)
    if unknown := sorted(set(families) - set(by_family)):
        raise InputError(f"no case is of family {unknown}; there are {sorted(by_family)}", "unknown_family")
    chosen: list[tuple[int, str, Case]] = []
    for family in dict.fromkeys(families) or by_family:
        ordered = sorted(by_family[family], key=lambda case: rank(case, seed))
        chosen += [(place, rank(case, seed), case) for place, case in enumerate(ordered[:per_family])]
    return [case for _, _, case in sorted(chosen, key=lambda found: found[:2])]
