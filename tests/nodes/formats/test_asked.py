"""Demands of requests: read in both languages, silent on what demands nothing, tested fairly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.contracts import Language
from nodes.formats import asked, counts
from nodes.formats.constraints import Constraint, Kind, holds

Bounds = tuple[int | None, int | None]


@pytest.mark.parametrize(
    ("question", "kind", "bounds", "words"),
    [
        ("Write a note of at most 40 words.", "words", (None, 40), ()),
        ("Your answer must have fewer than 1,200 words.", "words", (None, 1199), ()),
        ("Write an essay with 300+ words about rivers.", "words", (300, None), ()),
        ("Answer in between 20 and 30 words.", "words", (20, 30), ()),
        ("Explain it in exactly three sentences.", "sentences", (3, 3), ()),
        ("Write two or three sentences.", "sentences", (2, 3), ()),
        ("请写两三句话。", "sentences", (2, 3), ()),
        ("Use two paragraphs.", "paragraphs", (2, 2), ()),
        ("Give exactly 5 bullet points.", "bullets", (5, 5), ()),
        ("Include at least 3 placeholders such as [name].", "placeholders", (3, None), ()),
        ("Highlight at least 2 sections in your answer with markdown.", "highlights", (2, None), ()),
        ('The word "rain" should appear at least twice in the poem.', "keyword", (2, None), ("rain",)),
        ('Use the word "rain" at least three times.', "keyword", (3, None), ("rain",)),
        ("Make sure the letter q appears less than 4 times.", "letter", (None, 3), ("q",)),
        ("Do not include the keywords: alpha, beta", "excluded", (None, None), ("alpha", "beta")),
        ('Begin your reply with the word "Well".', "begins", (None, None), ("Well",)),
        ("Finish your response with this exact phrase: That is all.", "ends", (None, None), ("That is all.",)),
        ("Wrap your entire response in double quotation marks.", "quoted", (None, None), ()),
        ("Your entire response should be in all capital letters.", "upper", (None, None), ()),
        ("Answer in lowercase letters only.", "lower", (None, None), ()),
        ("Do not use any commas.", "no_comma", (None, None), ()),
        ("Add a title wrapped in double angular brackets, i.e. <<title>>.", "title", (None, None), ()),
        ("Add a postscript starting with P.S.", "postscript", (None, None), ("P.S.",)),
        ("I want the entire output in JSON format.", "json", (None, None), ()),
        ("Convert the list to YAML.", "yaml", (None, None), ()),
        ("Answer in a table with the columns Name, Age and City.", "table", (3, 3), ("Name", "Age", "City")),
        ("The story has 4 sections. Mark the beginning of each section with PART X.", "sections", (4, 4), ("PART",)),
        ("Give two different responses, separated by ******.", "responses", (2, 2), ("******",)),
        ("写一篇不少于300字的文章。", "characters", (300, None), ()),
        ("请用50字以内介绍自己。", "characters", (None, 50), ()),
        ("字数控制在100到200字。", "characters", (100, 200), ()),
        ("请分三段回答。", "paragraphs", (3, 3), ()),
        ("用两句话概括全文。", "sentences", (2, 2), ()),
        ("请列出5个要点。", "bullets", (5, 5), ()),
        ("请以“春天”开头写一段话。", "begins", (None, None), ("春天",)),
        ("写一封信，最后以“此致敬礼”结尾。", "ends", (None, None), ("此致敬礼",)),
        ("写一首诗，不要出现“雪”和“冰”。", "excluded", (None, None), ("雪", "冰")),
        ("回答中“数据”至少出现3次。", "keyword", (3, None), ("数据",)),
        ("请用JSON格式输出。", "json", (None, None), ()),
        ("整理成表格，列名为“书名”“作者”。", "table", (2, 2), ("书名", "作者")),
        ("请不要使用逗号。", "no_comma", (None, None), ()),
    ],
)
def test_a_demand_is_read(question: str, kind: Kind, bounds: Bounds, words: tuple[str, ...]) -> None:
    language: Language = "en" if question.isascii() else "zh"
    found = [one for one in asked.read(question, language) if one.kind == kind]
    assert [(one.low, one.high) for one in found] == [bounds]
    assert found[0].words == words


@pytest.mark.parametrize(
    "question",
    [
        "Tom reads at least 20 words a minute. How many words does he read in 3 minutes?",
        "A page has 30 lines of 12 words. How many words are on 5 pages?",
        "What is JSON?",
        "How do I take care of a wooden table?",
        "小明写了一篇500字的作文，小红写的是他的两倍，小红写了多少字？",
        "一本书有三段，每段200字，一共多少字？",
        "Which sentence has at least two commas?",
        "Each step must be under 10 words.",
        "每个描述不超过10个字。",
        "",
        "😀" * 50,
        "\u202e" + "abc" * 10,
    ],
)
def test_no_demand_is_read(question: str) -> None:
    assert asked.read(question, "zh") == ()


def test_data_and_long_quotations_are_no_demands() -> None:
    inside = "Use exactly 3 bullet points. Do not use any commas. Answer in JSON format."
    assert asked.read(f"Is this good?\n```\n{inside}\n```", "en") == ()
    assert asked.read(f'What does this say: "{inside} {inside}"', "en") == ()


def test_a_schema_is_read_whole() -> None:
    question = 'Write JSON for this schema.\n```json\n{"type": "object", "required": ["a"]}\n```'
    (one,) = asked.read(question, "en")
    assert (one.kind, one.words) == ("schema", ('{"type": "object", "required": ["a"]}',))
    assert holds(one, '{"a": 1}')[0] is True
    assert holds(one, '{"b": 1}') == (False, "$: 'a' is a required property")
    assert holds(one, "{")[0] is False


@pytest.mark.parametrize(
    ("kind", "low", "high", "words", "text", "verdict"),
    [
        ("words", None, 3, (), "one two three", True),
        ("words", None, 3, (), "one two three four", False),
        ("words", 4, 4, (), "a well-known old word", None),
        ("words", 5, 5, (), "a well-known old word", None),
        ("characters", None, 4, (), "你好世界啊", False),
        ("sentences", 2, 2, (), "It costs 3.50 today. Mr. Lee pays.", None),
        ("sentences", 2, 2, (), "It costs 3.50 today. Lee pays.", True),
        ("sentences", None, 1, (), "第一句。第二句。第三句。", False),
        ("paragraphs", 2, 2, (), "One.\n\nTwo.", True),
        ("paragraphs", 3, 3, (), "One.\n\nTwo.", False),
        ("bullets", 2, 2, (), "- a\n- b", True),
        ("bullets", 2, 2, (), "- a\n- b\n- c", False),
        ("numbered", 2, 2, (), "1. a\n2. b", True),
        ("headings", 1, 1, ("2",), "# A\n\n## B", True),
        ("highlights", 2, None, (), "*a* and **b**", True),
        ("keyword", 2, None, ("sun",), "Sun and sunny", None),
        ("excluded", None, None, ("sun",), "sunny", True),
        ("begins", None, None, ("Well",), '"Well, yes."', True),
        ("ends", None, None, ("That is all.",), "So: That is all", True),
        ("quoted", None, None, (), "“好的。”", True),
        ("upper", None, None, (), "ABC `code`", True),
        ("lower", None, None, (), "Abc", False),
        ("no_comma", None, None, (), "是，的", False),
        ("title", None, None, (), "<<T>>\ntext", True),
        ("json", None, None, (), '```json\n{"a": 1}\n```', True),
        ("json", None, None, (), 'Here: {"a": 1}', False),
        ("keys", None, None, ("a", "b"), '[{"a": 1, "b": 2}]', True),
        ("keys", None, None, ("a", "b"), '{"a": 1}', False),
        ("yaml", None, None, (), "a: 1", True),
        ("yaml", None, None, (), "a: &x [*x, *x]", None),
        ("csv", None, None, (), "a,b\n1,2", True),
        ("table", 2, 2, ("A", "B"), "| a | **B** |\n| - | - |\n| 1 | 2 |", True),
        ("table", None, None, (), "no table", False),
        ("choices", None, None, ("My answer is yes.", "My answer is no."), "my answer is yes", True),
        ("language", None, None, ("zh",), "你好，世界", True),
        ("responses", 2, 2, ("******",), "a\n******\nb", True),
        ("words", 1, None, (), "", None),
        ("words", 1, None, (), "a " * 40_000, None),
    ],
)
def test_a_text_is_judged_fairly(
    kind: Kind, low: int | None, high: int | None, words: tuple[str, ...], text: str, verdict: bool | None
) -> None:
    assert holds(Constraint(kind=kind, low=low, high=high, words=words, claim="c"), text)[0] is verdict


def test_bounds_of_each_paragraph() -> None:
    one = Constraint(kind="words", high=3, each="paragraph", claim="c")
    assert holds(one, "one two\n\nthree four five six") == (False, "4")
    assert holds(one, "one two\n\nthree") == (True, "")


@given(st.text(max_size=200))
def test_counts_are_ranges(text: str) -> None:
    every = (counts.words, counts.characters, counts.sentences, counts.paragraphs, counts.bullets, counts.numbered)
    for count in (*every, counts.highlights, counts.placeholders, counts.capitals):
        low, high = count(text)
        assert 0 <= low <= high
