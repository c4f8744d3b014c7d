"""The gold of the logic requests, proved with z3 from formalisations that are kept beside it and read by z3 itself."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import z3

CASES = [json.loads(line) for line in Path("evals/requests/logic.jsonl").read_text(encoding="utf-8").splitlines()]
YES = {"yes", "true", "valid", "能", "是", "正确", "会", "一定"}
NO = {"no", "false", "invalid", "不能", "否", "错误", "不会", "不一定"}


def declarations(form: dict[str, Any]) -> str:
    """SMT-LIB declarations: propositions, predicates over one sort, or the places 1..n of an order."""
    lines = ["(declare-sort T 0)"]
    lines += [f"(declare-const {name} Bool)" for name in form.get("bools", "").split()]
    lines += [f"(declare-fun {name} (T) Bool)" for name in form.get("preds", "").split()]
    lines += [f"(declare-const {name} T)" for name in form.get("consts", "").split()]
    places = form.get("order", "").split()
    lines += [f"(declare-const {name} Int)(assert (<= 1 {name} {len(places)}))" for name in places]
    return "\n".join(lines + ([f"(assert (distinct {' '.join(places)}))"] if places else []))


def satisfiable(form: dict[str, Any], *claims: str) -> bool:
    source = declarations(form) + "".join(f"(assert {one})" for one in (*form["given"], *claims))
    solver = z3.Solver()
    solver.from_string(re.sub(r"[^\x00-\x7f]+", r"|\g<0>|", source))
    result = solver.check()
    assert result != z3.unknown
    return bool(result == z3.sat)


def follows(form: dict[str, Any], claim: str) -> bool:
    return not satisfiable(form, f"(not {claim})")


def proved(form: dict[str, Any], gold: str) -> bool:
    """Whether the formalisation gives this gold and no other."""
    if "completes" in form:
        whole = {name: {**form, "given": [*form["given"], claim]} for name, claim in form["answers"].items()}
        return [name for name, one in whole.items() if follows(one, form["completes"])] == [gold]
    if "answers" in form:
        return [name for name, claim in form["answers"].items() if follows(form, claim)] == [gold]
    entailed, contradicted = follows(form, form["claim"]), follows(form, f"(not {form['claim']})")
    if gold in YES:
        return entailed
    if gold in NO:
        return not entailed if form.get("follows") else contradicted
    return not entailed and not contradicted


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_gold_is_proved(case: dict[str, Any]) -> None:
    assert satisfiable(case["form"]), "the premises contradict each other"
    assert proved(case["form"], case["gold"])


def test_a_wrong_gold_is_not_proved() -> None:
    form = {"bools": "a b", "given": ["(or a b)"], "claim": "a"}
    assert [gold for gold in ("yes", "no", "unknown") if proved(form, gold)] == ["unknown"]


def test_halves_and_languages() -> None:
    assert len({case["id"] for case in CASES}) == len({case["text"] for case in CASES}) == 48
    counts = Counter((case["lang"], case["half"]) for case in CASES)
    assert counts == dict.fromkeys([(lang, half) for lang in ("en", "zh") for half in ("dev", "closing")], 12)
