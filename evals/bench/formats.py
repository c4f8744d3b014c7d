"""How well formats are read, repaired and named: `python -m evals.bench.formats FORMAT.jsonl [NEGATIVE.jsonl ...]`.

The first file holds JSON-Schema suite items, broken JSON, Markdown with known defects and requests with known demands
(fields `text`, `gold`, `lang`, `meta.set`); what it does not hold is not printed. The other files hold questions that
demand nothing of the form: every demand or rewriting read out of one is an error. Nothing is written.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import jsonschema

from nodes.formats import asked, headings, lint, markdown, objects, schema, tables, tasks
from nodes.formats.faults import FormatFault
from nodes.wording import asked as rewriting

Item = dict[str, Any]
DRAFTS: dict[str, Any] = {
    "draft7": jsonschema.Draft7Validator,
    "draft2019-09": jsonschema.Draft201909Validator,
    "draft2020-12": jsonschema.Draft202012Validator,
}
KINDS = {
    "number_highlighted_sections": "highlights", "title": "title", "number_bullet_lists": "bullets",
    "json_format": "json", "number_words": "words", "forbidden_words": "excluded", "number_sentences": "sentences",
    "no_comma": "no_comma", "multiple_sections": "sections", "quotation": "quoted", "constrained_response": "choices",
    "letter_frequency": "letter", "two_responses": "responses", "frequency": "keyword", "existence": "keyword",
    "postscript": "postscript", "number_placeholders": "placeholders", "number_paragraphs": "paragraphs",
    "english_lowercase": "lower", "capital_word_frequency": "capitals", "english_capital": "upper",
    "end_checker": "ends", "repeat_prompt": "repeat",
}  # fmt: skip
"""Names of IFEval's instructions (behind the colon) and ours."""


def read(path: Path) -> list[Item]:
    """The items of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


def share(name: str, right: int, of: int) -> None:
    """One line of the report."""
    if of:
        print(f"{name:58} {right:5} of {of:5}  {100 * right / of:5.1f} %")


def report(name: str, items: Iterable[Item], right: Callable[[Item], bool]) -> None:
    """Print how many items are right."""
    found = [right(item) for item in items]
    share(name, sum(found), len(found))


def valid(item: Item) -> bool:
    """The suite's verdict on one instance."""
    pair = json.loads(item["text"])
    draft = DRAFTS.get(item["meta"].get("draft", ""), jsonschema.Draft202012Validator)
    try:
        return bool((not schema.violations(pair["instance"], pair["schema"], draft)) == item["gold"]["valid"])
    except FormatFault:
        return False


def repaired(item: Item) -> bool:
    """The value equals the gold value, kinds of numbers and booleans included."""
    try:
        value = objects.repair(item["text"]).value
    except FormatFault:
        return False
    return json.dumps(value, sort_keys=True) == json.dumps(item["gold"]["repaired"], sort_keys=True)


def accepted(item: Item) -> bool:
    """The strict reader accepts or rejects as the suite says."""
    try:
        objects.strict(item["text"])
    except FormatFault:
        return bool(item["gold"] == "reject")
    return bool(item["gold"] == "accept")


def unaltered(item: Item) -> bool:
    """A valid text comes back as it was."""
    return objects.repair(item["text"]).text == item["text"] and not objects.repair(item["text"]).repairs


def named(item: Item, inspect: Callable[[str], tuple[str, list[tables.Defect]]]) -> bool:
    """Just the one defect is named; none for a sound text."""
    kinds = {defect.kind for defect in inspect(item["text"])[1]}
    return kinds == ({item["gold"]["defect"]} if item["gold"]["defect"] else set())


def same_html(item: Item) -> bool:
    """The same HTML but for white space between tags."""
    pair = (markdown.html(item["text"]), item["gold"]["html"])
    left, right = (re.sub(r">\s+<", "><", one).strip() for one in pair)
    return left == right


def linted(items: list[Item]) -> None:
    """Precision and recall of the rules; files in which nothing is annotated apart."""
    for name, chosen in (
        ("annotated files", [one for one in items if one["gold"]["violations"]]),
        ("all files", items),
    ):
        met, gold, told = Counter[str](), Counter[str](), Counter[str]()
        for item in chosen:
            want = {(rule, line) for rule, line in item["gold"]["violations"] if rule in lint.RULES}
            have = {(one.rule, one.line) for one in lint.violations(item["text"])}
            met.update(rule for rule, _ in want & have)
            gold.update(rule for rule, _ in want)
            told.update(rule for rule, _ in have)
        share(f"markdownlint, {name}: precision", met.total(), told.total())
        share(f"markdownlint, {name}: recall", met.total(), gold.total())
        if name == "annotated files":
            print("  " + "  ".join(f"{rule} {met[rule]}/{told[rule]}/{gold[rule]}" for rule in lint.RULES))


def demanded(items: list[Item]) -> None:
    """Kinds of demands read out of IFEval's prompts, against its own list."""
    met = told = gold = 0
    for item in items:
        want = {KINDS.get(one.rpartition(":")[2], one) for one in item["gold"]["instruction_id_list"]}
        have = {one.kind for one in asked.read(item["text"], item["lang"])}
        met, told, gold = met + len(want & have), told + len(have), gold + len(want)
    share("demands of requests: precision", met, told)
    share("demands of requests: recall", met, gold)


def silent(path: Path) -> None:
    """Questions that demand nothing of the form."""
    items = read(path)
    started = time.perf_counter()
    report(f"{path.name}: no demand read", items, lambda item: not asked.read(item["text"], item.get("lang", "en")[:2]))
    report(f"{path.name}: no rewriting read", items, lambda item: rewriting.read(item["text"]) is None)
    report(f"{path.name}: nothing done without a model", items, lambda item: tasks.solve(item["text"], "en") is None)
    print(f"  {1000 * (time.perf_counter() - started) / max(len(items), 1):.2f} ms a question")


def main(paths: list[str]) -> None:
    """Print the whole report."""
    if not paths:
        sys.exit(__doc__)
    by = defaultdict(list)
    for item in read(Path(paths[0])):
        by[item["meta"]["set"]].append(item)
    for name in [one for one in by if one.startswith("jsts")]:
        report(f"{name} (ecma_regex apart)", [one for one in by[name] if not one["meta"].get("ecma_regex")], valid)
        report(f"{name}: marked ecma_regex", [one for one in by[name] if one["meta"].get("ecma_regex")], valid)
    broken = [one for name in ("json-repair", "jsonrepair-js") for one in by[name]]
    whole = [one for one in broken if isinstance(one["gold"]["repaired"], dict | list)]
    report("broken JSON: objects and arrays equal to gold", whole, repaired)
    report("broken JSON: scalars", [one for one in broken if one not in whole], repaired)
    suite = [one for one in by["jsontestsuite"] if one["gold"] in ("accept", "reject")]
    report("jsontestsuite: accepted and rejected alike", suite, accepted)
    report("jsontestsuite: valid JSON unaltered", [one for one in suite if one["gold"] == "accept"], unaltered)
    report("table-derived: defect named", by["table-derived"], lambda item: named(item, tables.inspect))
    report("heading-derived: defect named", by["heading-derived"], lambda item: named(item, headings.inspect))
    gfm = [one for name in ("gfm-spec", "gfm-extensions") for one in by[name]]
    for label in ("table", "heading", "other"):
        report(f"gfm {label}: same HTML", [one for one in gfm if label in one["labels"]], same_html)
    linted(by["markdownlint"])
    demanded(by["ifeval"])
    for language in ("en", "zh"):
        follow = [one for one in by["followbench-format"] if one["lang"] == language]
        report(
            f"followbench-format {language}: a demand read",
            follow,
            lambda item: bool(asked.read(item["text"], item["lang"])),
        )
    for path in paths[1:]:
        silent(Path(path))


if __name__ == "__main__":
    main(sys.argv[1:])
