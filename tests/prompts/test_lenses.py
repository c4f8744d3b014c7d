"""The lenses for code: eight ways of reading, both languages, one file each."""

from __future__ import annotations

import re

import prompts

LENSES = ("boundaries", "complexity", "exceptions", "logic", "memory", "resources", "state", "types")


def test_there_are_eight_and_each_says_what_it_looks_for() -> None:
    assert prompts.names("lenses/code") == [f"lenses/code/{name}" for name in LENSES]
    for language in ("en", "zh"):
        told = {prompts.load(f"lenses/code/{name}").render(language) for name in LENSES}
        assert len(told) == 8
        assert all(bool(re.search(r"[\u4e00-\u9fff]", one)) == (language == "zh") for one in told)
        assert all(len(one) < 400 and "{{" not in one for one in told)
