"""The prompt format: front matter, two sections, strict slots, a digest of everything that changes behaviour."""

from __future__ import annotations

import pytest

import prompts
from prompts import PromptFormatError, parse

GOOD = "---\nversion: 1\nsampling: {temperature: 0.5}\n---\n# en\nAsk {{question}}.\n# zh\n问 {{question}}。\n"


def test_a_file_is_read_and_rendered() -> None:
    prompt = parse("x", GOOD)
    assert prompt.sampling.temperature == 0.5
    assert prompt.render("zh", question="几点") == "问 几点。"


def test_braces_dollars_and_slots_in_a_value_are_ordinary_text() -> None:
    text = '{"a": {{question}}} costs $1 \\1 {{stance}}'
    assert parse("x", GOOD).render("en", question=text) == f"Ask {text}."


@pytest.mark.parametrize("slots", [{}, {"question": "a", "more": "b"}, {"wrong": "a"}])
def test_missing_and_unexpected_slots_are_refused(slots: dict[str, str]) -> None:
    with pytest.raises(PromptFormatError, match="slots"):
        parse("x", GOOD).render("en", **slots)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# en\na\n# zh\nb", "front matter"),
        ("---\nversion: 1\n---\n# en\na\n", "section"),
        ("---\nversion: 1\n---\n# en\na\n# zh\n\n", "section"),
        ("---\nversion: 1\n---\nlost\n# en\na\n# zh\nb\n", "before its first section"),
        ("---\nversion: 1\n---\n# en\n{{a}}\n# zh\nb\n", "other slots"),
        ("---\nversion: 1\nsampling: {temprature: 1}\n---\n# en\na\n# zh\nb\n", "temprature"),
        ("---\nversion: 1\nsampling: {max_tokens: 0}\n---\n# en\na\n# zh\nb\n", "max_tokens"),
        ("---\nversion: [\n---\n# en\na\n# zh\nb\n", "bad front matter"),
        ("---\n\n---\n# en\na\n# zh\nb\n", "version"),
    ],
)
def test_a_malformed_file_is_named(text: str, words: str) -> None:
    with pytest.raises(PromptFormatError, match=words):
        parse("broken", text)


def test_a_missing_prompt_is_named() -> None:
    with pytest.raises(PromptFormatError, match="no_such_prompt"):
        prompts.load("no_such_prompt")


def test_the_digest_follows_text_and_parameters() -> None:
    digests = {
        parse("x", GOOD).digest,
        parse("x", GOOD.replace("Ask", "Tell")).digest,
        parse("x", GOOD.replace("0.5", "0.6")).digest,
        parse("x", GOOD.replace("version: 1", "version: 2")).digest,
    }
    assert len(digests) == 4
    assert parse("x", GOOD).digest == parse("x", GOOD).digest


def test_empty_front_matter_is_a_format_error() -> None:
    with pytest.raises(PromptFormatError, match="front matter"):
        parse("x", "---\n---\n# en\na\n# zh\nb\n")
