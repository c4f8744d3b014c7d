"""English demands of a notation: JSON and its keys, YAML, CSV, a table and its columns."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nodes.formats.constraints import Constraint
from nodes.formats.english import COUNT, demand, in_quotes, number

_JSON = re.compile(
    r"\b(?:in|into|as|to|using|with|inside|output|return|write|reply with|respond with|"
    r"generate|only|give back)\s+(?:\w+\s+){0,4}?(?:\w+\s+)?json\b"
    r"|\bjson\s+(?:only|format|block|output|object|array)\b|\b(?:output|return)\s+json\b",
    re.IGNORECASE,
)
_FROM = re.compile(
    r"\b(?:from|this|the following|following|below|given|my|broken|above) (?:\w+ ){0,2}?json\b|"
    r"json (?:below|above|file)",
    re.IGNORECASE,
)
_TO = re.compile(
    r"\b(?:to|into|as|in|for) (?:\w+ ){0,3}?(?P<what>json|yaml|csv|xml|html|toml|latex|"
    r"sql|typescript)\b",
    re.IGNORECASE,
)
_TABLE = re.compile(
    r"\b(?:in|into|as|to|using|with|of|create|make|build|draw|present|format\w*|output|"
    r"produce|mend|fix|repair|render)\b(?:\s+\w+){0,5}?\s+"
    r"(?:(?:markdown|md|well-structured|two-column|three-column|comparison|github|gfm)\s+)*(?<!wooden )(?"
    r"<!the )(?<!times )table\b(?!\s*(?:tennis|spoon|cloth|top|lamp))",
    re.IGNORECASE,
)


def shaped(sentence: str, asked: bool) -> Iterator[Constraint]:
    """JSON, YAML, CSV, tables."""
    target = _TO.search(sentence)
    json_asked = _JSON.search(sentence) and not re.search(r"\b(?:not|without)\b[^.;]*\bjson", sentence, re.IGNORECASE)
    if json_asked and not (target and target["what"].lower() != "json") and not _questioned(sentence):
        repair = re.search(r"\b(?:fix|repair|mend|correct|only|just|valid)\b", sentence, re.IGNORECASE)
        if repair or not _FROM.search(sentence) or (target and target["what"].lower() == "json"):
            keys = re.search(r"\bkeys?\s*:?\s*(?P<list>[\"“'`].*)", sentence)
            yield demand("json", sentence)
            if keys and (names := in_quotes(keys["list"].replace("`", '"'))):
                yield demand("keys", keys[0], names[:20])
    if target and asked and target["what"].lower() in ("yaml", "csv"):
        yield demand("yaml" if target["what"].lower() == "yaml" else "csv", target[0])
    if asked and _TABLE.search(sentence) and not re.search(r"\b(?:html|latex|csv|sql)\b", sentence, re.IGNORECASE):
        columns = _columns(sentence)
        width = re.search(rf"\b{COUNT}[- ]columns?\b", sentence, re.IGNORECASE)
        count = len(columns) or (number(width["n"]) if width else 0)
        yield demand("table", sentence, columns, found=({"low": count, "high": count} if count else {}))


def _questioned(sentence: str) -> bool:
    return bool(
        re.match(r"\s*(?:what|why|when|who|where|which|is|are|does|do|how)\b", sentence, re.IGNORECASE)
    ) and sentence.rstrip().endswith("?")


def _columns(sentence: str) -> tuple[str, ...]:
    """Names of columns, in quotation marks or capitalised."""
    match = re.search(
        r"\bcolumns?\b\s*(?:titled|named|labell?ed|called|headed|are|:|,)?\s*(?P<list>.*)",
        sentence,
        re.IGNORECASE | re.DOTALL,
    )
    if not match:
        return ()
    if quoted := in_quotes(match["list"]):
        return quoted[:12] if len(quoted) > 1 else ()
    plain = re.match(
        r":?\s*((?:[A-Z][\w ]{0,20}, )+[A-Z][\w ]{0,20}?,? and [A-Z]\w{0,20}|[A-Z]\w{0,20} and [A-Z]\w{0,20})",
        match["list"],
    )
    return tuple(one.strip() for one in re.split(r",? and |, ", plain[1])) if plain else ()
