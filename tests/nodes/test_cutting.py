"""What is left of a text that was cut: whole passages, nothing added but the end of a code block."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.cutting import finished


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Rain falls. It is wet. And the", "Rain falls. It is wet."),
        ("Rain falls.\n\nIt is", "Rain falls."),
        ("A title\n\nRain fa", "A title"),
        ("下雨了。地面湿了。然后", "下雨了。地面湿了。"),
        ("他说：“下雨了。”然后他", "他说：“下雨了。”"),
        ('He said "Stop!" and we', 'He said "Stop!" and we'[:15]),
        ("It costs 3.", ""),
        ("It is fine. It costs 3.", "It is fine."),
        ("Ask Dr. Smith about it. Then Mr. Jo", "Ask Dr. Smith about it."),
        ("Use fruit, e.g. apples or", ""),
        ("One done.\n2. Two be", "One done."),
        ("- red\n- green\n- bl", "- red\n- green"),
        ("1. red\n2. green\n3. bl", "1. red\n2. green"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n| 3", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("Text here.\n\n## Next\n\nThe", "Text here."),
        ("Text here.\n\n## Next\n\n### More\n\n", "Text here."),
        ("A poem\nof two", "A poem"),
        ("one line only", ""),
        ("", ""),
        ("\n\n\n", ""),
        ("Look:\n```python\na = 1\nb = 2\nc =", "Look:\n```python\na = 1\nb = 2\n```"),
        ("Look:\n~~~~\na. b\nc", "Look:\n~~~~\na. b\n~~~~"),
        ("Look:\n```python\na =", "Look:"),
        ("```\na\n```\nDone. And", "```\na\n```\nDone."),
        ("```\na. b\n```\nand", "```\na. b\n```"),
        ("````\n```\nx\n```\ny", "````\n```\nx\n```\n````"),
    ],
)
def test_finished(text: str, left: str) -> None:
    assert finished(text) == left


@given(st.text(st.sampled_from('ab1. \n#-|`~。！"e”'), max_size=60))
def test_nothing_is_made_up_and_no_code_stays_open(text: str) -> None:
    left = finished(text)
    if text.startswith(left):
        return
    kept, _, mark = left.rpartition("\n")
    assert text.startswith(kept)
    assert set(mark) in ({"`"}, {"~"})


@pytest.mark.parametrize(
    "piece", [". ", "1. ", "e.g. ", "\n", "\n- ", "```\n", "` ", "。", "# x\n", "\n\n# ", "a", ".)"]
)
def test_long_texts_are_read_in_one_pass(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    assert len(finished(text)) <= len(text) + 4
