"""What holds for every family: same seed same bytes, no question twice, no gold in the question, gold that reads."""

from __future__ import annotations

import hashlib
import pkgutil
import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals import cases, generators
from evals.contracts import Case
from evals.generators import DIFFICULTIES, FAMILIES, generate
from evals.generators.draft import Draft, decimal, shows
from nodes import answers
from nodes.contracts import Language
from nodes.errors import InputError
from nodes.language import detect

EVERY = [(family, language) for family in FAMILIES for language in ("en", "zh")]
every = pytest.mark.parametrize(("family", "language"), EVERY)
COPIED = {"booleans", "extraction", "classification"}
"""Families whose gold is chosen or copied from the question."""


def many(family: str, language: Language, n: int = 60) -> list[Case]:
    return [case for level in DIFFICULTIES for case in generate(family, n, language=language, difficulty=level)]


def test_families_are_the_modules_of_the_folder() -> None:
    found = {module.name for module in pkgutil.iter_modules(generators.__path__)}
    assert found == {*FAMILIES, "draft", "words"}


@every
def test_same_arguments_same_questions_and_a_longer_list_begins_with_the_shorter(
    family: str, language: Language
) -> None:
    for level in DIFFICULTIES:
        one = generate(family, 12, seed=5, language=language, difficulty=level)
        assert generate(family, 30, seed=5, language=language, difficulty=level)[:12] == one
        other = generate(family, 12, seed=6, language=language, difficulty=level)
        assert {case.text for case in other} != {case.text for case in one}


@pytest.mark.parametrize("family", FAMILIES)
def test_bytes_are_those_of_the_day_they_were_published(family: str) -> None:
    """A change of a family makes its recorded pools those of other questions: it shows here, on purpose."""
    lines = [generators.line(case) for language in ("en", "zh") for case in many(family, language, 4)]
    assert hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16] == PUBLISHED[family]


@every
def test_no_question_twice_and_ids_tell_where_they_come_from(family: str, language: Language) -> None:
    found = many(family, language, 200)
    assert len({case.text for case in found}) == len({case.id for case in found}) == len(found)
    assert all(case.id.startswith(f"gen-{family.replace('_', '-')}-{language}-d") for case in found)
    assert {case.lang for case in found} == {language}


@every
def test_every_question_is_in_its_language_without_a_slot_left(family: str, language: Language) -> None:
    for case in many(family, language):
        prose = re.sub(r"```.*?```", "", case.text, flags=re.DOTALL)
        assert not re.search(r"\{\w*\}", prose), case.text
        assert "  " not in prose, case.text
        if family != "translation":
            assert detect(case.text) == language, case.text


@every
def test_a_gold_that_is_worked_out_is_not_in_the_question(family: str, language: Language) -> None:
    for case in many(family, language):
        chosen = family in COPIED or case.meta.get("asks") == "line" or "most" in str(case.meta.get("query"))
        if not chosen:
            pattern = rf"(?<![\w.]){re.escape(case.gold)}(?![\w]|\.\d)"
            chinese = not case.gold[0].isascii() and case.gold in case.text
            assert not chinese, case
            assert not re.search(pattern, case.text, re.ASCII | re.IGNORECASE), case


@every
def test_the_judge_reads_the_gold_as_itself(family: str, language: Language) -> None:
    for case in many(family, language):
        context = answers.Context.of(case.text)
        for gold in (case.gold, *case.accepted):
            reply = f"...\nANSWER: {gold}" if language == "en" else f"……\n答案：{gold}"
            reading = answers.read(reply, "closed", answers.choices(case.text))
            assert reading is not None, (case, gold)
            assert answers.equal(answers.parse(reading.answer, context), answers.parse(gold, context)), (case, gold)


@every
def test_golds_are_spread(family: str, language: Language) -> None:
    """Nobody does well by always saying the same."""
    for level in DIFFICULTIES:
        golds = [case.gold for case in generate(family, 120, language=language, difficulty=level)]
        most = max(golds.count(gold) for gold in set(golds))
        assert most <= (84 if family == "booleans" else 60), (family, level, most)


@every
def test_a_line_is_read_back_as_the_same_case(family: str, language: Language, tmp_path: Path) -> None:
    found = many(family, language, 5)
    path = tmp_path / "a.jsonl"
    path.write_text("".join(f"{generators.line(case)}\n" for case in found), encoding="utf-8")
    assert cases.load([path]) == found


def test_harder_questions_are_longer() -> None:
    for family, language in EVERY:
        if family in ("dates", "units", "translation"):
            continue  # harder in another way
        lengths = [
            sum(len(case.text) for case in generate(family, 40, language=language, difficulty=level))  # type: ignore[arg-type]
            for level in DIFFICULTIES
        ]
        assert lengths == sorted(lengths), (family, language, lengths)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"family": "nope", "n": 1}, "unknown family 'nope'"),
        ({"family": "../dates", "n": 1}, "unknown family"),
        ({"family": "dates", "n": -1}, "bad number of questions"),
        ({"family": "dates", "n": 100_001}, "bad number of questions"),
        ({"family": "dates", "n": 1, "language": "fr"}, "unknown language 'fr'"),
        ({"family": "dates", "n": 1, "difficulty": 4}, "unknown difficulty 4"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        generate(**arguments)  # type: ignore[arg-type]


def test_a_family_that_runs_out_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from evals.generators import dates

    monkeypatch.setattr(dates, "make", lambda rng, difficulty, language: Draft(f"{rng.randint(1, 4)}?", "x"))
    assert len(generate("dates", 4)) == 4
    with pytest.raises(InputError, match="has no 5 different questions: the first 4 are all"):
        generate("dates", 5)


def test_no_questions_and_a_later_start() -> None:
    assert generate("dates", 0) == []
    assert generate("dates", 9, start=6) == generate("dates", 9)[6:]


@given(st.fractions(min_value=-10_000, max_value=10_000), st.integers(0, 6))
@settings(max_examples=200)
def test_decimals_are_exact_or_refused(value: Fraction, places: int) -> None:
    rounded = Fraction(round(value * 10**places), 10**places)
    text = decimal(rounded)
    assert Fraction(text) == rounded
    assert not (("." in text) and text.endswith("0"))
    assert not text.startswith(".")
    with pytest.raises(ValueError, match="no short decimal"):
        decimal(Fraction(1, 3))


@pytest.mark.parametrize(
    ("text", "answer", "seen"),
    [
        ("What is 12 + 5?", "12", True),
        ("What is 12 + 5?", "2", False),
        ("It costs 12.5 now.", "12", False),
        ("It costs 12.", "12", True),
        ("It costs 1,250.", "250", False),
        ("minus -7", "-7", True),
        ("The word LE is", "le", True),
        ("leave", "le", False),
        ("小明有书", "明", True),
        ("等于3吗", "3", True),
        ("anything", "", False),
        ("a+b", "a+b", True),
    ],
)
def test_what_shows_an_answer(text: str, answer: str, seen: bool) -> None:
    assert shows(text, answer) is seen


PUBLISHED = {
    "arithmetic": "eff41c89ca1f2f2d",
    "last_letters": "ebdacd09d4a2bd97",
    "booleans": "e156a896c509c848",
    "dates": "ebae22e608bc360d",
    "units": "1477002ea4fcbfec",
    "word_problems": "5e9136dd774e9e18",
    "tables": "0afbfc74396749ff",
    "bugs": "cfbad0909d4df5fd",
    "documents": "8f6e129b81b87637",
    "extraction": "d174a0c18a606735",
    "classification": "fa07fd47ac676ae4",
    "translation": "553ff6c0c7172ff7",
}
