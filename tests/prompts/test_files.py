"""The prompt files: exact messages, shared beginning, one file a stance, both languages."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

import prompts
from nodes.branch import FORMS, STANCES, branch_messages
from nodes.contracts import Language
from nodes.messages import messages
from tests.prompts import snapshots

LANGUAGES: tuple[Language, ...] = ("en", "zh")


def test_messages_are_exactly_those_of_the_snapshots() -> None:
    kept = {path.stem: path.read_text(encoding="utf-8") for path in snapshots.FOLDER.glob("*.txt")}
    assert dict(snapshots.rendered()) == kept


def test_every_file_loads_and_the_stances_are_those_of_the_tuple() -> None:
    names = [name for folder in ("", "stances", "specialists") for name in prompts.names(folder)]
    assert {"system", "branch", "open", "verify", "repair"} <= {prompts.load(name).name for name in names}
    assert sorted(prompts.names("stances")) == sorted(f"stances/{stance}" for stance in STANCES)
    assert len(set(STANCES)) == 8


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_calls_of_a_request_begin_with_the_same_bytes(language: Language) -> None:
    request = snapshots.request(language)
    calls = [branch_messages(request, form, stance) for form in FORMS for stance in STANCES]
    calls += [snapshots.specialist_messages(request, name) for name in prompts.names("specialists")]
    slots = {"verify": {"a": "1", "b": "2"}, "repair": {"fault": "f", "reply": "r", "schema": "s"}}
    calls += [messages(request, prompts.load(name), **filled) for name, filled in slots.items()]
    assert len({call[0] for call in calls}) == 1
    shared = {call[1].content[: call[1].content.index(request.question) + len(request.question)] for call in calls}
    assert len(shared) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_eight_branches_differ_from_the_stance_on(language: Language) -> None:
    said = [branch_messages(snapshots.request(language), "closed", stance)[1].content for stance in STANCES]
    assert len(set(said)) == 8
    for one, other in pairwise(said):
        common = next(i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
        assert common >= said[0].index(prompts.load("stances/direct").render(language))


def test_sampling_is_what_was_measured() -> None:
    branch = prompts.load("branch").sampling
    assert (branch.temperature, branch.top_p) == (0.7, 0.9)
    exact = [f"specialists/{name}" for name in ("numeric", "logic", "code", "entity", "relation")]
    assert all(prompts.load(name).sampling.temperature == 0 for name in ("verify", "repair", *exact))


@pytest.mark.parametrize("name", ["branch", "open", "repair", *prompts.names("specialists")])
def test_the_timeout_of_a_prompt_outlasts_its_cap_at_the_slowest_rate(name: str) -> None:
    sampling = prompts.load(name).sampling
    assert sampling.timeout >= sampling.max_tokens / 2.5


def test_the_chinese_sections_are_chinese_and_the_english_ones_english() -> None:
    for folder in ("", "stances", "specialists"):
        for name in prompts.names(folder):
            sections = prompts.load(name).sections
            assert re.search(r"[\u4e00-\u9fff]", sections["zh"])
            assert not re.search(r"[\u4e00-\u9fff]", sections["en"])
