"""The features: named, as many as there are names, bounded in time by the text that is read."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.routing.excerpt import plain, spread
from nodes.routing.features import dense, names, signals


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=2_000))
def test_every_text_has_every_feature(text: str) -> None:
    found = dense(plain(spread(text)))
    assert len(found) == len(names()) == len(set(names()))
    assert all(0 <= value < 10 for value in found)


def test_signals_speak_both_languages() -> None:
    for english, chinese, signal in (
        ("Translate this into French", "把这句翻译成法语", "translate"),
        ("How many apples are left?", "还剩多少个苹果？", "count"),
        ("Does it follow from the premises?", "由前提能推出结论吗？", "infer"),
        ("Rewrite it in a formal tone", "改写得正式一点", "rewrite"),
        ("in a table with two columns", "做成两列的表格", "table"),
    ):
        assert signals()[signal].search(english), (signal, english)
        assert signals()[signal].search(chinese), (signal, chinese)


def test_place_counts() -> None:
    text = "Translate the letter. " + "x" * 200
    found = dict(zip(names(), dense(text), strict=True))
    assert (found["translate"] > 0, found["translate@head"], found["translate@tail"]) == (True, 1.0, 0.0)
    assert found["translate@start"] == 1.0
