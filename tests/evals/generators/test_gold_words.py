"""Gold of the families made of words, programs and documents, computed anew from the text of the question."""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
import traceback
from datetime import date
from itertools import combinations
from typing import Any

import pytest

from evals.contracts import Case
from evals.generators import DIFFICULTIES, bugs, classification, documents, generate, translation
from evals.generators.dates import MONTHS
from nodes.contracts import Language

both = pytest.mark.parametrize("language", ["en", "zh"])


def many(family: str, language: Language, n: int = 150) -> list[Case]:
    return [case for level in DIFFICULTIES for case in generate(family, n, seed=9, language=language, difficulty=level)]


@both
def test_last_letters(language: Language) -> None:
    for case in many("last_letters", language):
        quoted = re.search(r'"([^"]+)"' if language == "en" else r"[“：]([^”。]+)[”。]", case.text)
        assert quoted is not None
        letters = "".join(word[-1] for word in quoted[1].split())
        back = "going back" in case.text or "往前" in case.text
        assert case.gold == (letters[::-1] if back else letters)


@both
def test_booleans(language: Language) -> None:
    words = {"真": "True", "假": "False", "非": "not", "且": "and", "或": "or"}
    golds = []
    for case in many("booleans", language):
        expression = re.search(r"(?:(?:True|False|not|and|or|[()真假非且或]) ?){5,}", case.text)
        assert expression is not None
        source = " ".join(words.get(word, word) for word in expression[0].split())
        golds.append(eval(source))
        assert words.get(case.gold, case.gold) == str(golds[-1]), case
    assert 0.4 < sum(golds) / len(golds) < 0.6


def printed(program: str) -> str:
    """What a program of ours prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program, "program", "exec"), {})
    return out.getvalue().strip()


@both
def test_bugs_do_what_the_gold_says(language: Language) -> None:
    asked = {"output": 0, "line": 0}
    for case in many("bugs", language):
        block = re.search(r"```python\n(.*)\n```", case.text, re.DOTALL)
        assert block is not None
        asked[case.meta["asks"]] += 1
        if case.meta["asks"] == "output":
            assert printed(block[1]) == case.gold
            continue
        with pytest.raises(Exception) as caught:
            printed(block[1])
        frames = traceback.extract_tb(caught.value.__traceback__)
        assert [frame.lineno for frame in frames if frame.filename == "program"][-1] == int(case.gold), case.text
    assert min(asked.values()) > 50


def test_every_bug_is_made_and_matters() -> None:
    """A planted bug that changes nothing would be none: each program prints what the mended one would not."""
    mended = {
        "skips_an_end": (
            ("range(1, len(values))", "range(len(values))"),
            ("range(len(values) - 1)", "range(len(values))"),
        ),
        "returns_early": (("        return count\n", "    return count\n"),),
        "starts_at_zero": (("best = 0", "best = values[0]"),),
        "divides_whole": (("//", "/"),),
        "resets_inside": (("    for row in rows:\n        result = 0\n", "    result = 0\n    for row in rows:\n"),),
        "rebinds_the_argument": (("values = values + [item]", "values.append(item)"),),
        "wrong_slice": (("[-n:-1][::-1]", "[-n:]"),),
        "removes_while_iterating": (("in values:", "in list(values):"),),
        "shared_default": (("found=[]", "found=()"), ("found.append(item)", "found = [*found, item]")),
        "late_binding": (("lambda x:", "lambda x, factor=factor:"),),
        "shared_rows": (("[[0] * width] * height", "[[0] * width for _ in range(height)]"),),
        "overwrites": (("totals[value] = ", "totals[value] = totals.get(value, 0) + "),),
    }
    import random

    assert {bug.__name__ for group in bugs.BUGS.values() for bug in group} == set(mended)
    for bug in {bug for group in bugs.BUGS.values() for bug in group}:
        different = 0
        for seed in range(20):
            program, gold = bug(random.Random(seed))
            right = program
            for old, new in mended[bug.__name__]:
                right = right.replace(old, new)
            assert right != program, bug.__name__
            different += printed(right) != gold
        assert different >= 10, (bug.__name__, different)


def value_of(text: str) -> Any:
    """A value in one form, whatever its notation."""
    if found := re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)|(\d+)年(\d+)月(\d+)日", text):
        return date(*(int(part) for part in found.groups() if part))
    if found := re.fullmatch(r"(\w+) (\d+), (\d+)", text):
        return date(int(found[3]), MONTHS.index(found[1]) + 1, int(found[2]))
    if found := re.fullmatch(r"([\d.]+)万", text):
        return round(float(found[1]) * 10_000)
    plain = text.replace(",", "")
    return int(plain) if plain.isdigit() else text


@both
def test_documents_hold_one_contradiction(language: Language) -> None:
    for case in many("documents", language, 100):
        parts = re.split(r"\n\n(?:Document |文件)(\d)[:：] ?", case.text)[1:]
        told = {letter: facts_of(text, language) for letter, text in zip(parts[::2], parts[1::2], strict=True)}
        clash = [
            f"{one}, {two}"
            for one, two in combinations(sorted(told), 2)
            if any(told[two].get(about, said) != said for about, said in told[one].items())
        ]
        assert clash == [case.gold], case.text


VALUE = r"(?P<v>(?:[^.。]|\.(?=\d))+?)"


def facts_of(text: str, language: Language) -> dict[tuple[str, str], Any]:
    found: dict[tuple[str, str], Any] = {}
    rest = text
    for kind, wordings in documents.SAID[language].items():
        for wording in wordings:
            pattern = re.escape(wording).replace(r"\{p\}", r"(?P<p>\w+)").replace(r"\{v\}", VALUE)
            for match in re.finditer(rf"(?:^|(?<=[.。])) ?{pattern}", rest):
                about = (match["p"], kind)
                assert about not in found, "no document says a thing twice"
                found[about] = value_of(match["v"])
    assert len(found) == len(re.findall(r"[.。](?= |$)" if language == "en" else "。", text)), text
    return found


@both
def test_extraction_copies_what_is_there(language: Language) -> None:
    for case in many("extraction", language):
        text = case.text.split("\n\n")[0]
        days = re.findall(r"(\w+) (\d+), (\d{4})", text) if language == "en" else []
        iso = [f"{year}-{MONTHS.index(month) + 1:02}-{int(day):02}" for month, day, year in days]
        iso += [f"{y}-{int(m):02}-{int(d):02}" for y, m, d in re.findall(r"(\d+)年(\d+)月(\d+)日", text)]
        gold = json.loads(case.gold) if case.gold[0] in "[{" else {"": case.gold}
        if isinstance(gold, list):
            pattern = r"(\d+) ([a-z ]+?) at (\d+)" if language == "en" else r"(\d+)件(\w+?)（单价(\d+)元"
            rows = [
                {"item": item, "quantity": int(n), "price": int(price)} for n, item, price in re.findall(pattern, text)
            ]
            assert gold == rows
            continue
        assert all(entry in text or entry in iso for entry in gold.values()), case
        assert gold.get("ordered", iso[0]) == iso[0]
        assert gold.get("due", iso[1]) == iso[1]


@both
def test_classification_by_the_rule_of_the_question(language: Language) -> None:
    names = {name: intent for intent, name in classification.NAMES[language].items()}
    for case in many("classification", language):
        head, _, message = case.text.partition("\n\n")
        listed = re.search(r"labels are ([\w, ]+)\." if language == "en" else r"标签有：([\w、]+)。", head)
        assert listed is not None
        order = [names[name] for name in re.split(", |、", listed[1])]
        said = {i for i, lines in classification.SENTENCES[language].items() if any(line in message for line in lines)}
        fitting = [intent for intent in order if intent in said and intent != "none"]
        assert names[case.gold] == (fitting[0] if fitting else "none"), case


def test_labels_are_all_used_and_denials_appear() -> None:
    cases_ = many("classification", "en")
    assert {case.gold for case in cases_} == set(classification.NAMES["en"].values())
    assert any(line in case.text for case in cases_ for line in classification.DENIED["en"].values())


@both
def test_translations_name_the_same_things(language: Language) -> None:
    """Every accepted answer holds the number or person, the thing or place of the source."""
    pairs = [(en, zh) for en, zh, _ in translation.THINGS] + list(translation.PLACES)
    for case in many("translation", language):
        source = re.search(r'"([^"]+)"' if language == "en" else r"“([^”]+)”", case.text)
        assert source is not None
        named = [(en, zh) for en, zh in pairs if (en if language == "en" else zh) in source[1]]
        wanted = max(named, key=lambda pair: len(pair[language == "zh"]))[language == "en"]
        answers = (case.gold, *case.accepted)
        assert all(wanted in answer for answer in answers), case
        assert len(set(answers)) == len(answers)
        assert all(answer[0].isupper() or answer[0].isdigit() or not answer[0].isascii() or case.meta["difficulty"] < 3
                   for answer in answers)  # fmt: skip


def test_programs_run_under_this_python() -> None:
    assert sys.version_info >= (3, 11)
