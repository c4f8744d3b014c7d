"""Tables and headings: each defect by its name, sound text untouched, mending done once is done."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.formats import headings, lint, markdown, tables
from nodes.formats.cells import delimiter, row
from nodes.formats.lines import open_fence

SOUND = "| Name | Qty |\n| --- | --- |\n| Apple | 3 |\n| Pear | 12 |"
RULE = "| --- | --- |"
CELL = st.text("abc 12好", min_size=1, max_size=5).filter(str.strip)


@pytest.mark.parametrize(
    ("kind", "text", "mended"),
    [
        ("no_delimiter_row", SOUND.replace(RULE + "\n", ""), SOUND),
        ("delimiter_too_long", SOUND.replace(RULE, RULE + " --- |"), SOUND),
        ("delimiter_too_short", SOUND.replace(RULE, "| --- |"), SOUND),
        ("delimiter_underscores", SOUND.replace(RULE, "| ___ | ___ |"), SOUND),
        ("delimiter_underscores", SOUND.replace(RULE, "| —— | —— |"), SOUND),
        ("double_delimiter", SOUND.replace(RULE, RULE + "\n" + RULE), SOUND),
        ("blank_line_inside", SOUND.replace(RULE, RULE + "\n"), SOUND),
        ("fullwidth_pipes", SOUND.replace("|", "｜"), SOUND),
        ("tabs_not_pipes", "Name\tQty\nApple\t3\nPear\t12", SOUND),
        ("one_line", SOUND.replace("|\n|", "| |"), SOUND),
        ("text_glued_above", "Stock:\n" + SOUND, "Stock:\n\n" + SOUND),
        ("row_missing_cell", SOUND.replace("| Apple | 3 |", "| Apple |"), SOUND.replace("| 3 |", "|  |")),
        ("row_extra_cell", SOUND.replace("| 3 |", "| 3 | x |"), None),
        ("unescaped_pipe_in_cell", SOUND.replace("| Apple |", "| Ap | ple |"), SOUND.replace("Apple", "Ap\\|ple")),
        (
            "unescaped_pipe_in_cell",
            "| First | Last | Town |\n| - | - | - |\n| Ann | or | Bo | Lee |\n| Dan | Frost | Oslo |",
            "| First | Last | Town |\n| - | - | - |\n| Ann\\|or | Bo | Lee |\n| Dan | Frost | Oslo |",
        ),
        ("truncated", SOUND[:-5], None),
    ],
)
def test_a_defect_of_a_table_is_named(kind: str, text: str, mended: str | None) -> None:
    found, defects = tables.inspect(text)
    assert [one.kind for one in defects] == [kind]
    assert found == (mended if mended is not None else text)


@pytest.mark.parametrize(
    "text",
    [
        SOUND,
        "Name | Qty\n--- | ---\nApple | 3",
        "| a |\n| :-: |\n| x \\| y |",
        f"```\n{SOUND.replace(RULE, '| --- |')}\n```",
        "a | b is true when a or b is",
        "|x| + |y|",
        "no table",
        "",
        "a\tb",
        f"{SOUND}\n\nText behind.\n\n{SOUND}",
    ],
)
def test_sound_text_is_left_alone(text: str) -> None:
    assert tables.inspect(text) == (text, [])


@given(
    st.integers(1, 4).flatmap(
        lambda width: st.lists(st.lists(CELL, min_size=width, max_size=width), min_size=2, max_size=5)
    )
)
def test_a_table_that_is_written_renders(rows: list[list[str]]) -> None:
    text = "\n".join([row(rows[0]), delimiter(len(rows[0])), *map(row, rows[1:])])
    assert tables.defects(text) == []
    (table,) = markdown.tables(text)
    assert [table.columns, *table.rows] == [tuple(cell.strip() for cell in one) for one in rows]


@given(st.text("|-ab \n\t｜_:", max_size=80))
def test_mending_tables_twice_is_mending_once(text: str) -> None:
    once, _ = tables.mend(text)
    assert tables.mend(once)[0] == once


DOCUMENT = "# Top\n\nText.\n\n## One\n\nText.\n\n### Two\n\nText.\n\n## Three\n\nText.\n"


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("no_space", "## One", "##One"),
        ("fullwidth_hash", "## One", "＃＃ One"),
        ("no_blank_after", "## One\n\n", "## One\n"),
        ("skip_level", "### Two", "#### Two"),
        ("starts_at_h2", "# Top", "## Top"),
        ("two_h1", "## Three", "# Three"),
        ("bold_as_heading", "## Three", "**Three**"),
        ("numbered_without_hash", "## Three", "2. Three"),
    ],
)
def test_a_defect_of_the_headings_is_named_and_mended(kind: str, old: str, new: str) -> None:
    text = DOCUMENT.replace(old, new, 1)
    assert text != DOCUMENT
    mended, defects = headings.inspect(text)
    assert {one.kind for one in defects} == {kind}
    assert mended == DOCUMENT
    sure, done = headings.mend(text)
    assert (sure == DOCUMENT) == (kind in headings.SURE) == bool(done)


@pytest.mark.parametrize(
    "text",
    [DOCUMENT, "", "plain", "#tag and #other", "```\n##x\n```", "# 一\n\n#话题#\n", "1. a\n2. b\n", "# A\n\n* **b**\n"],
)
def test_sound_headings_are_left_alone(text: str) -> None:
    assert headings.inspect(text) == (text, [])


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("# A\n\n### B\n", {"MD001"}),
        ("# A\n\n##B\n", {"MD018"}),
        ("# A\n\n##  B\n", {"MD019"}),
        ("# A\n\n##B ##\n", {"MD020"}),
        ("# A\n\n##  B ##\n", {"MD021"}),
        ("# A\ntext\n", {"MD022"}),
        ("# A\n\n  ## B\n", {"MD023"}),
        ("# A\n\n## A\n", {"MD024"}),
        ("# A\n\n# B\n", {"MD025"}),
        ("| a | b |\n| - | - |\nx | y\n", {"MD055"}),
        ("| a | b |\n| - | - |\n| x |\n", {"MD056"}),
        ("text\n\n| a |\n| - |\n| x |\n# H\n", {"MD058", "MD022"}),
        ("<!-- markdownlint-disable MD022 -->\n# A\ntext\n", set()),
        ("# A <!-- markdownlint-disable-line blanks-around-headings -->\ntext\n", set()),
        ('# A\ntext\n\n<!-- markdownlint-configure-file {"MD022": false} -->\n', set()),
        ("", set()),
    ],
)
def test_rules(text: str, rules: set[str]) -> None:
    assert {one.rule for one in lint.violations(text)} == rules


def test_html_is_github_s() -> None:
    assert '<th align="right">b</th>' in markdown.html("| a | b |\n| --- | --: |\n| ~~1~~ | 2 |")
    assert "<s>1</s>" in markdown.html("~~1~~")


@pytest.mark.parametrize(
    ("text", "fence"), [("```py\nx", "```"), ("```\nx\n```", None), ("~~~~\n~~~\n", "~~~~"), ("", None)]
)
def test_open_fence(text: str, fence: str | None) -> None:
    assert open_fence(text) == fence


@pytest.mark.parametrize(
    "text", ["|" * 100_000, "# " * 50_000, "> " * 40_000, "* " * 40_000, "| - " * 25_000, "#\n" * 20_000]
)
def test_huge_text_ends(text: str) -> None:
    tables.inspect(text)
    headings.inspect(text)
    assert isinstance(lint.violations(text), list)
