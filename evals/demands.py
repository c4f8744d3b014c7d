"""Does a reply hold what its request demands? The yardstick of `requests/format.jsonl` and `requests/style.jsonl`.

Each line of those files has `check`, a list of demands `{"kind": ..., ...}`; a reply is right when it meets all of
them. This is written apart from `nodes/formats` and `nodes/wording` on purpose: what is measured does not measure
itself.

| kind | fields | holds when |
|---|---|---|
| json_equals, yaml_equals, csv_equals | value or rows | the reply, without its code fence, parses to the value |
| json_set | items | it is a JSON array of just these items, in any order |
| json_schema | schema | it is JSON and valid |
| table | columns, rows, cells | a Markdown table with these columns, so many rows, these cells |
| headings, bullets, numbered | min, max, level | so many of them |
| words, sentences, paragraphs, lines, characters | min, max | so many, at least one |
| begins_with, ends_with | text | it does |
| contains, contains_any, excludes, keeps | word, words, items | the words stand there, or do not |
| upper, lower, quoted, no_comma, title | | of the whole reply |
| ratio, differs, language | source, min, max, lang | against the text that was to be rewritten |
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import jsonschema
import yaml

from nodes.language import detect

Demand = Mapping[str, Any]
_FENCE = re.compile(r"\A\s*```\w*\n(.*?)\n?```\s*\Z", re.DOTALL)
_RULE = re.compile(r"^\|?[ ]*:?-+:?[ ]*(\|[ ]*:?-+:?[ ]*)*\|?$")
_QUOTES = {'"': '"', "“": "”", "「": "」", "＂": "＂"}
_COUNTED: dict[str, str] = {
    "bullets": r"^[ \t]*[-*+•][ \t]+\S",
    "numbered": r"^[ \t]*\d+[.)、．][ \t]*\S",
    "lines": r"^.*\S",
    "words": r"[\u4e00-\u9fff]|[^\W_\u4e00-\u9fff]+(?:['’.,-][^\W_\u4e00-\u9fff]+)*",
    "sentences": r"[^.!?。！？\s][^.!?。！？]*[.!?。！？]+(?=[\s\"”’」)]|$|(?<=[。！？]))",
    "paragraphs": r"\S(?:.|\n(?![ \t]*\n))*",
    "characters": r"[^\s\W_]|[，。！？；：、“”（）《》「」…—]",
}
"""What is counted, as multi-line patterns; a character is a letter, a digit or a Chinese sign."""


def faults(text: str, demands: list[dict[str, Any]]) -> list[str]:
    """Kinds of the demands that the text does not meet; empty = right. Raises KeyError on an unknown kind."""
    return [demand["kind"] for demand in demands if not _MET[demand["kind"]](text.strip(), demand)]


def _bare(text: str) -> str:
    fenced = _FENCE.match(text)
    return fenced[1] if fenced else text


def _parses(text: str, read: Callable[[str], Any], fits: Callable[[Any], bool]) -> bool:
    try:
        return fits(read(_bare(text)))
    except (ValueError, yaml.YAMLError, csv.Error, RecursionError):
        return False


def _same(left: Any, right: Any) -> bool:
    """Equal values of equal kinds: True is not 1, 4.5 is 4.50."""
    return bool(left == right) and json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


def _rows(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text.strip())) if row]


def _valid(value: Any, schema: dict[str, Any]) -> bool:
    return jsonschema.Draft202012Validator(schema).is_valid(value)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def _table(text: str, demand: Demand) -> bool:
    """The first Markdown table of the text."""
    lines = text.splitlines()
    rule = next((at for at, line in enumerate(lines) if at and _RULE.match(line.strip()) and "|" in line), None)
    if rule is None:
        return False
    body: list[list[str]] = []
    for line in lines[rule + 1 :]:
        if "|" not in line:
            break
        body.append(_cells(line))
    head = _cells(lines[rule - 1])
    if head != demand["columns"] or any(len(row) != len(head) for row in (*body, _cells(lines[rule]))):
        return False
    return len(body) == demand["rows"] and bool(demand.get("cells", body) == body)


def _between(count: float, demand: Demand) -> bool:
    return bool(demand.get("min", 1) <= count <= demand.get("max", float("inf")))


def _headings(text: str, demand: Demand) -> bool:
    return _between(len(re.findall(rf"^#{{{demand['level']}}}[ \t]+\S", text, re.MULTILINE)), demand)


def _counted(text: str, demand: Demand) -> bool:
    found = re.findall(_COUNTED[demand["kind"]], text, re.MULTILINE)
    return _between(len(found), demand)


def _occurs(text: str, word: str) -> int:
    """Whole words where the word is Latin; anywhere where it is not. Case does not matter."""
    latin = word.isascii()
    pattern = rf"(?<![A-Za-z0-9]){re.escape(word)}(?![A-Za-z0-9])" if latin else re.escape(word)
    return len(re.findall(pattern, text, re.IGNORECASE))


def _kept(text: str, item: str) -> bool:
    return item.replace(" ", "").casefold() in text.replace(" ", "").casefold()


_MET: dict[str, Callable[[str, Demand], bool]] = {
    "json_equals": lambda text, demand: _parses(text, json.loads, lambda value: _same(value, demand["value"])),
    "json_set": lambda text, demand: _parses(
        text, json.loads, lambda value: isinstance(value, list) and sorted(map(str, value)) == sorted(demand["items"])
    ),
    "json_schema": lambda text, demand: _parses(text, json.loads, lambda value: _valid(value, demand["schema"])),
    "yaml_equals": lambda text, demand: _parses(text, yaml.safe_load, lambda value: _same(value, demand["value"])),
    "csv_equals": lambda text, demand: _parses(text, _rows, lambda rows: bool(rows == demand["rows"])),
    "table": _table,
    "headings": _headings,
    **dict.fromkeys(_COUNTED, _counted),
    "begins_with": lambda text, demand: text.lstrip('"“*# ').startswith(demand["text"]),
    "ends_with": lambda text, demand: text.rstrip('"”* 。').endswith(demand["text"].rstrip("。")),
    "contains": lambda text, demand: _occurs(text, demand["word"]) >= demand["min"],
    "contains_any": lambda text, demand: any(word.casefold() in text.casefold() for word in demand["words"]),
    "excludes": lambda text, demand: not any(_occurs(text, word) for word in demand["words"]),
    "keeps": lambda text, demand: all(_kept(text, item) for item in demand["items"]),
    "upper": lambda text, _: text == text.upper() and text != text.lower(),
    "lower": lambda text, _: text == text.lower() and text != text.upper(),
    "quoted": lambda text, _: len(text) > 1 and _QUOTES.get(text[0]) == text[-1],
    "no_comma": lambda text, _: not re.search("[,，]", text),
    "title": lambda text, _: bool(re.search(r"^(?:<<[^\n<>]*\S[^\n<>]*>>|《《[^\n《》]+》》)", text, re.MULTILINE)),
    "ratio": lambda text, demand: _between(len(text) / len(demand["source"]), demand),
    "differs": lambda text, demand: " ".join(text.split()) != " ".join(demand["source"].split()),
    "language": lambda text, demand: detect(text) == demand["lang"],
}
