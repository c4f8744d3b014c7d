"""English wordings of demands on the form of a reply."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from nodes.formats.constraints import Constraint, Kind, Scope

_NUMBERS = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
} | {"single": 1, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "a": 1, "an": 1}
_N = r"(?P<n>\d{1,3}(?:,\d{3})+|\d{1,5}|" + "|".join(word for word in _NUMBERS if len(word) > 2) + r")"
_OP = (
    r"(?P<op>at least|at most|no (?:more|longer|less|fewer) than|not (?:more|less|fewer) than|more than|less than|"
    r"fewer than|under|below|over|within|up to|a (?:maximum|minimum) of|(?:maximum|minimum) of|"
    r"exactly|precisely|only|"
    r"not exceed(?:ing)?|exceed(?:ing)?|limited to|limit of)"
)
_UNITS: tuple[tuple[str, Kind], ...] = (
    (r"words?", "words"),
    (r"characters?", "characters"),
    (r"sentences?", "sentences"),
    (r"paragraphs?", "paragraphs"),
    (r"bullet(?:[ -]?points?|s|ed points?| list items?)?", "bullets"),
    (r"(?:numbered|enumerated) (?:steps?|points?|items?)", "numbered"),
    (r"placeholders?", "placeholders"),
)
_DIRECTED = re.compile(
    r"\b(?:your|the|entire|whole|this) (?:\w+ ){0,2}?(?:answer|response|reply|output|essay|poem|story|letter|article|"
    r"summary|text|report|post|email|speech|paragraph|song|rap|blog|biography|proposal|description|pitch|song|haiku)"
    r"|\b(?:your (?:\w+ )?(?:answer|response|reply))\b"
    r"|(?:^|[,;:.]|\b(?:please|and|then|also|but|you|to|should|must|can|could you|would you|"
    r"kindly|additionally|moreover)\b)"
    r"\s*,?\s*(?:write|answer|respond|reply|use|using|give|list|keep|make|summari[sz]e|"
    r"describe|explain|generate|create|"
    r"limit|highlight|italici[sz]e|bold|include|compose|draft|provide|produce|contain|"
    r"mention|mark|put|wrap|end|finish|"
    r"begin|start|present|format|structure|organi[sz]e|rewrite|name|tell|say|expand|elaborate|convert|turn|frame|"
    r"construct|restrict|repeat|refrain|avoid|ensure|separate|output|return|express|do not|"
    r"don't|suggest|add|mend|fix|repair|advertise|reply)\b"
    r"|\b(?:your|the|it|this|they) (?:\w+ )?(?:should|must|has to|have to|needs? to|can only|cannot)\b",
    re.IGNORECASE,
)
_EACH = re.compile(r"\b(?:each|every|per|no|any)\s+(?:\w+\s+){0,2}?(?P<what>\w+?)s?\b(?!-)", re.IGNORECASE)
_WHOLE = re.compile(
    r"\b(?:entire|whole) (?:answer|response|reply|output|text|essay|story|poem|letter)\b", re.IGNORECASE
)
_SCOPES: dict[str, Scope] = {"paragraph": "paragraph", "sentence": "sentence"}
_SAFE_AFTER_EACH = frozenset({"more", "less", "fewer", "longer", "comma", "word", "other"})
_BETWEEN = re.compile(
    r"\b(?:between\s+)?(?P<low>\d{1,5})\s*(?:-|–|to|and)\s*(?P<high>\d{1,5})[\s-]+words?\b", re.IGNORECASE
)
_TOTAL = re.compile(
    rf"\bwords?\s+(?:in|of)\b[^.;]{{0,40}}?\b(?:should|must) be\s+{_N}(?P<tail>\s*\+|\s+or\s+(?:more|less|fewer))",
    re.IGNORECASE,
)
_AS_BULLETS = re.compile(
    rf"\b{_OP}\s+{_N}\s+[^.;,\d]{{1,60}}?\b(?:using|as|in|into|with)\s+(?:\w+\s+)?bullet points\b", re.IGNORECASE
)
_IN_QUOTES = re.compile(r"[\"“”']([^\"“”\n]{1,60}?)[\"”“](?!\w)|(?<!\w)'([^'\n]{1,60})'(?!\w)|(?<!\w)‘([^’\n]{1,60})’")
_TIMES = (
    r"(?:(?P<op>at least|at most|less than|more than|fewer than|no more than|exactly)\s+)?(?:(?P<n>\d{1,"
    r"3}|one|two|three|four|five|six|seven|eight|nine|ten)\s+times?|(?P<few>once|twice))"
)
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


def number(word: str) -> int:
    """Value of digits or of a number word."""
    return _NUMBERS[word.lower()] if word.lower() in _NUMBERS else int(word.replace(",", ""))


def bounds(op: str, value: int, tail: str = "") -> dict[str, int]:
    """Bounds of an operator; without one, exactly."""
    op, tail = op.lower(), tail.lower()
    if "or more" in tail or "+" in tail:
        return {"low": value}
    if re.search(r"or (?:less|fewer)", tail):
        return {"high": value}
    if re.search(r"at least|no (?:less|fewer)|not (?:less|fewer)|minimum", op):
        return {"low": value}
    if re.search(r"more than|over", op) and "no" not in op:
        return {"low": value + 1}
    if re.search(r"less than|fewer than|under|below", op):
        return {"high": max(value - 1, 0)}
    if op in ("", "exactly", "precisely", "only"):
        return {"low": value, "high": value}
    return {"high": value}


def _demand(
    kind: Kind, claim: str, words: tuple[str, ...] = (), each: Scope = "", found: Mapping[str, int] | None = None
) -> Constraint:
    low, high = (found or {}).get("low"), (found or {}).get("high")
    return Constraint(kind=kind, words=words, each=each, claim=claim.strip()[:200], low=low, high=high)


def demands(sentence: str) -> Iterator[Constraint]:
    """The demands of one sentence."""
    if not re.search(r"[A-Za-z]{3}", sentence):
        return
    if _DIRECTED.search(sentence):
        yield from _counted(sentence)
        yield from _wordings(sentence)
    yield from _whole(sentence)


_COUNTED = [
    (
        re.compile(
            rf"(?:\b{_OP}\s+(?:of\s+)?)?\b(?:{_N.replace('n>', 'from>')}\s*(?:or|to|-|–)\s*)?"
            rf"{_N}(?P<tail>\s*\+|\s+or\s+(?:more|less|fewer))?[\s-]+(?:(?!of\b|"
            rf"times\b|the\b|in\b|above\b|to\b|and\b)[a-z'-]+\s+){{0,2}}?(?:{unit})\b(?P<after>\s+or\s+(?:more|"
            rf"less|fewer))?",
            re.IGNORECASE,
        ),
        kind,
    )
    for unit, kind in _UNITS
]


def _counted(sentence: str) -> Iterator[Constraint]:
    if (span := _BETWEEN.search(sentence)) and (each := _scope(sentence, span)) is not None:
        yield _demand("words", span[0], each=each, found={"low": int(span["low"]), "high": int(span["high"])})
        return
    if match := _TOTAL.search(sentence):
        yield _demand("words", match[0], found=bounds("", number(match["n"]), match["tail"]))
    if match := _AS_BULLETS.search(sentence):
        yield _demand("bullets", match[0], found=bounds(match["op"] or "", number(match["n"])))
    for pattern, kind in _COUNTED:
        for match in pattern.finditer(sentence):
            each = _scope(sentence, match)
            if each is not None and _meant(kind, match, each, sentence):
                tail = (match["tail"] or "") + (match["after"] or "")
                found = bounds(match["op"] or "", number(match["n"]), tail)
                if match["from"]:
                    found = {"low": number(match["from"]), "high": number(match["n"])}
                yield _demand(kind, match[0], each=each, found=found)


_ABOUT_WORDS = re.compile(r"\bwords?\s*[\"'“(:]|letter|syllable|capital|each of|from the")
_SOME = re.compile(r"\bfollow(?:ed|ing)|\b(?:first|last|second|next|regular)\b")


def _meant(kind: Kind, match: re.Match[str], each: Scope, sentence: str) -> bool:
    """True when the number limits the reply: "in one sentence", "200 words" or "the second paragraph" do not."""
    bare = not (match["op"] or match["tail"] or match["after"])
    if kind in ("words", "characters"):
        return not bare and not (kind == "words" and _ABOUT_WORDS.search(sentence[match.start() :]))
    if (kind in ("sentences", "paragraphs") and _SOME.search(match[0])) or number(match["n"]) > 200:
        return False
    if bare and kind != "bullets" and match["n"].lower() in ("one", "single"):
        return False
    return not (each and each.startswith(kind[:-1]))


def _scope(sentence: str, at: re.Match[str]) -> Scope | None:
    """What the bounds at a place are for: "" = the whole reply; None = parts that cannot be told apart."""
    before = sentence[: at.start()]
    before = before[max((one.end() for one in _WHOLE.finditer(before)), default=0) :]
    behind = re.match(r"\s*(?:for |in |of )?(?:each|every|per)\s+(?:\w+\s+)??(?P<what>\w+?)s?\b", sentence[at.end() :])
    for match in (*([behind] if behind else []), *reversed(list(_EACH.finditer(before)))):
        what = match["what"].lower()
        bare = re.match(r"\s*(?:no|any)\b", match[0], re.IGNORECASE) and what not in _SCOPES
        if what not in _SAFE_AFTER_EACH and not bare:
            return _SCOPES.get(what)
    return None if re.search(r"\b(?:followed by|consist(?:s|ing)? of|(?:two|three|the) regular)\b", before) else ""


def _quoted(text: str) -> tuple[str, ...]:
    """What stands in quotation marks, ends of sentences taken off."""
    return tuple(next(filter(None, groups)).strip(" ,.") for groups in _IN_QUOTES.findall(text) if any(groups))


_HIGHLIGHTED = re.compile(
    rf"\b(?:highlight|italici[sz]e|bold)\w*\b[^.;]*?\b(?:{_OP}\s+)?{_N}\b[^.;,]*\b(?:sections?|"
    rf"parts?|phrases?|words?|names?|text|passages?)"
    rf"|\b(?:{_OP.replace('op>', 'op3>')}\s+)?{_N.replace('n>', 'n3>')}\s+italic\w*\s+(?:\w+\s+)?(?:secti"
    rf"ons?|parts?|phrases?)"
    rf"|\b(?:{_OP.replace('op>', 'op2>')}\s+)?{_N.replace('n>', 'n2>')}\s+(?:[a-z]+\s+)*?(?:sections?|"
    rf"parts?|phrases?)\b[^.;]*\b(?:highlighted|italici[sz]ed)",
    re.IGNORECASE,
)
_SECTIONED = re.compile(
    r"\b(?:each|every|the)\s+(?:beginning\s+)?(?:of\s+)?(?:each\s+|the\s+)?\w+\s+(?:starting\s+|"
    r"begin\w*\s+|marked\s+)?(?:with|by|as)\s+[\"“']?(?P<mark>[A-Za-z]+)\s+X\b",
    re.IGNORECASE,
)
_LETTER = re.compile(rf"\bletter\s+[\"“'‘]?(?P<letter>[A-Za-z])\b[\"”'’]?[^.;]*?{_TIMES}", re.IGNORECASE)
_KEYWORD = re.compile(
    rf"\b(?:the\s+)?(?:key)?(?:word|term|keyword|phrase)s?\s+[\"“'‘]?(?P<word>[\w-]+(?:\s[\w-]+)?)[\"”'’]?"
    rf"\s+(?:should|must|has to|needs? to)?\s*(?:appears?|occurs?|be used|be included)\b[^.;]*?(?:{_TIMES}"
    rf"|$)",
    re.IGNORECASE,
)
_USED = re.compile(
    rf"\b(?:use|include|mention|contain|write)s?\s+the\s+(?:key)?(?:word|term|keyword)\s+[\"“'‘](?P<word>"
    rf"[^\"”'’]{{1,40}})[\"”'’](?:[^.;]*?{_TIMES})?",
    re.IGNORECASE,
)
_INCLUDED = re.compile(
    r"\b(?:include|mention|use|contain)\s+(?:the\s+)?(?:following\s+)?(?:key)?(?:words?|"
    r"terms?|keywords?|names?)?\s*:?\s*(?=[\"“'‘])(?P<list>[^.;:]+)",
    re.IGNORECASE,
)
_BAN = re.compile(
    r"(?:\b(?:do(?:es)? not|don'?t|doesn'?t|must not|should not|shouldn'?t|cannot|can'?t|"
    r"never|without|avoid|not allowed to)\s+(?:\w+\s+){0,2}?"
    r"(?:use|using|include|including|contain|containing|mention|mentioning|say|saying|"
    r"writing|write)?\s*(?:\w+\s+){0,2}?(?:words?|keywords?|phrases?|terms?)\b)(?P<list>[^;\n]*)",
    re.IGNORECASE,
)


def _wordings(sentence: str) -> Iterator[Constraint]:
    """Demands that are told by their wording."""
    if match := _HIGHLIGHTED.search(sentence):
        op, value = match["op"] or match["op2"] or match["op3"] or "", match["n"] or match["n2"] or match["n3"]
        yield _demand("highlights", match[0], found=(bounds(op, number(value)) if op else {"low": number(value)}))
    if match := _LETTER.search(sentence):
        yield _demand("letter", match[0], (match["letter"],), found=_times(match))
    for pattern in (_KEYWORD, _USED):
        match = pattern.search(sentence)
        usual = match and match["word"].lower() not in ("limit", "count", "should", "must", "that", "with", "in")
        if match and usual and not _banned(sentence[max(0, match.start() - 30) : match.start()]):
            yield _demand("keyword", match[0], (match["word"].strip(" ,."),), found=_times(match))
            break
    else:
        match = _INCLUDED.search(sentence)
        other = re.search(r"json|column|section|\bkeys?\b|bullet|title", sentence, re.IGNORECASE)
        if match and not other and not _banned(sentence[max(0, match.start() - 30) : match.start()]):
            for word in [one for one in _quoted(match["list"])[:6] if re.search(r"\w", one)]:
                yield _demand("keyword", match[0], (word,), found={"low": 1})
    affix = re.search(r"\b(?:suffix|prefix|syllable)", sentence, re.IGNORECASE)
    if not affix and (ban := _BAN.search(sentence)) and (words := _listed(ban["list"])):
        yield _demand("excluded", ban[0], words)
    if match := re.search(
        r"\b(?:the )?word\s+[\"“'‘](?P<word>[^\"”'’]{1,40})[\"”'’]\s+(?:should|must) not (?:appear|occur|be used)",
        sentence,
        re.IGNORECASE,
    ):
        yield _demand("excluded", match[0], (match["word"],))
    if match := re.search(
        rf"words?\s+(?:with|in|of)\s+all\s+capital\s+letters[^.;]*?{_TIMES}", sentence, re.IGNORECASE
    ):
        yield _demand("capitals", match[0], found=_times(match))
    for match in re.finditer(rf"\b(?:{_OP}\s+)?{_N}\s+level[- ](?P<level>[1-6])\s+headings?", sentence, re.IGNORECASE):
        yield _demand("headings", match[0], (match["level"],), found=bounds(match["op"] or "", number(match["n"])))


def _banned(sentence: str) -> bool:
    return bool(re.search(r"(?:\b(?:not|without|avoid|never|refrain)|n't)\b", sentence, re.IGNORECASE))


def _times(match: re.Match[str]) -> dict[str, int]:
    few = (match["few"] or "").lower()
    value = {"once": 1, "twice": 2}.get(few) or (number(match["n"]) if match["n"] else 1)
    return bounds(match["op"], value) if match["op"] else {"low": value}


def _listed(text: str) -> tuple[str, ...]:
    """Words of a list: quoted, in brackets, or behind a colon."""
    if quoted := _quoted(text.split(" in the ")[0]):
        return quoted[:20]
    if match := re.match(r"\s*:\s*(?P<words>[\w ,'-]{2,200})", text):
        return tuple(word.strip() for word in re.split(r",|\band\b", match["words"]) if word.strip())[:20]
    return ()


def _whole(sentence: str) -> Iterator[Constraint]:
    """Demands on the reply as a whole, whose wording needs no other sign of a command."""
    asked = bool(_DIRECTED.search(sentence))
    if re.search(
        r"\b(?:no|without(?: using)?(?: any)?|(?:not|cannot|can't|n't) (?:use|contain|include|"
        r"have|using)(?: any)?|avoid(?: using)?(?: any)?|refrain from (?:the use of |using )?(?:any )?)\s*co"
        r"mmas?\b",
        sentence,
        re.IGNORECASE,
    ):
        yield _demand("no_comma", sentence)
    if re.search(r"double (?:angular|angle) brackets|<<[^<>\n]*>>", sentence) and re.search(
        r"\btitle", sentence, re.IGNORECASE
    ):
        yield _demand("title", sentence)
    if (
        re.search(r"double quot(?:es|ation)", sentence, re.IGNORECASE)
        and re.search(r"\b(?:entire|whole|your|full)\b", sentence, re.IGNORECASE)
        and re.search(r"\bwrap|\bput\b|enclose|inside|surround|placed?\b|\bin\b", sentence, re.IGNORECASE)
    ):
        yield _demand("quoted", sentence)
    if match := re.search(
        r"postscript[^.;]*?(?:starting|beginning|start|begin)\w*\s+with\s+(?P<mark>P\.(?:P\.)?S\.?|PS)",
        sentence,
        re.IGNORECASE,
    ):
        yield _demand("postscript", match[0], (match["mark"],))
    yield from _case(sentence, asked)
    yield from _edges(sentence)
    yield from _form(sentence, asked)


def _case(sentence: str, asked: bool) -> Iterator[Constraint]:
    whole = re.search(r"\b(?:entire|whole|your|all letters|reply|answer|respond|write)\b", sentence, re.IGNORECASE)
    if not (asked or whole) or re.search(
        r"words? (?:in|with|of) all capital|first letter|(?:each|every|the) (?:title|heading|name|column)",
        sentence,
        re.IGNORECASE,
    ):
        return
    if re.search(
        r"\b(?:in|using|only|entirely)\s+(?:\w+\s+)?(?:all[- ]caps|all[- ]capitals?|all uppercase|"
        r"uppercase|capital letters|upper case)\b|\ball caps\b|all letters[^.;]*capitali[sz]ed",
        sentence,
        re.IGNORECASE,
    ):
        yield _demand("upper", sentence)
    elif re.search(
        r"\b(?:in|using|only)\s+(?:all\s+)?(?:lowercase|lower case|small letters)\b", sentence, re.IGNORECASE
    ):
        yield _demand("lower", sentence)


_START = re.compile(
    r"\b(?:begin|start)\s+(?:your|the|each|with)?\s*(?:whole |entire )?(?:answer|response|"
    r"reply|output)?\s*with\s+(?:the\s+)?(?:exact\s+)?(?:words?|phrase|sentence)?\s*:?\s*[\"“](?P<phrase"
    r">[^\"”\n]{1,120})[\"”]",
    re.IGNORECASE,
)
_STOP = re.compile(
    r"\b(?:end|finish|conclude|close)\s+(?:your|the|it|with)?\s*(?:whole |entire )?(?:answer|"
    r"response|reply|output|post|email|letter|text)?\s*(?:with|by saying|by writing)\s+(?:the\s+|"
    r"this\s+)?(?:exact\s+|following\s+)?(?:words?|phrase|sentence)?\s*(?::\s*|(?=[\"“]))(?P<phrase>[^\n]{"
    r"1,160})",
    re.IGNORECASE,
)
_SAY = re.compile(r"\bsay\s+[\"“'‘](?P<phrase>[^\"”'’\n]{1,100})[\"”'’]\s+at the end", re.IGNORECASE)


def _edges(sentence: str) -> Iterator[Constraint]:
    match = _START.search(sentence)
    if match and _single(sentence, match) and re.search(r"\w", match["phrase"]):
        yield _demand("begins", match[0], (match["phrase"],))
    for pattern in (_STOP, _SAY):
        match = pattern.search(sentence)
        if match and _single(sentence, match) and re.search(r"\w", match["phrase"]):
            quoted = _quoted(match["phrase"]) if match["phrase"][0] in '"“' else ()
            yield _demand("ends", match[0], (quoted[0] if quoted else match["phrase"].strip(' "“”'),))
            return


def _single(sentence: str, match: re.Match[str]) -> bool:
    """True when the beginning or end is that of the reply, not of each of its parts."""
    return not re.search(
        r"\b(?:each|every|all|lines?|bullets?|points?|sentences|paragraphs|that|which)\b",
        sentence[: match.start()][-60:],
        re.IGNORECASE,
    )


def _form(sentence: str, asked: bool) -> Iterator[Constraint]:
    """JSON, YAML, CSV, tables."""
    target = _TO.search(sentence)
    json_asked = _JSON.search(sentence) and not re.search(r"\b(?:not|without)\b[^.;]*\bjson", sentence, re.IGNORECASE)
    if json_asked and not (target and target["what"].lower() != "json") and not _questioned(sentence):
        repair = re.search(r"\b(?:fix|repair|mend|correct|only|just|valid)\b", sentence, re.IGNORECASE)
        if repair or not _FROM.search(sentence) or (target and target["what"].lower() == "json"):
            keys = re.search(r"\bkeys?\s*:?\s*(?P<list>[\"“'`].*)", sentence)
            yield _demand("json", sentence)
            if keys and (names := _quoted(keys["list"].replace("`", '"'))):
                yield _demand("keys", keys[0], names[:20])
    if target and asked and target["what"].lower() in ("yaml", "csv"):
        yield _demand("yaml" if target["what"].lower() == "yaml" else "csv", target[0])
    if asked and _TABLE.search(sentence) and not re.search(r"\b(?:html|latex|csv|sql)\b", sentence, re.IGNORECASE):
        columns = _columns(sentence)
        width = re.search(rf"\b{_N}[- ]columns?\b", sentence, re.IGNORECASE)
        count = len(columns) or (number(width["n"]) if width else 0)
        yield _demand("table", sentence, columns, found=({"low": count, "high": count} if count else {}))


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
    if quoted := _quoted(match["list"]):
        return quoted[:12] if len(quoted) > 1 else ()
    plain = re.match(
        r":?\s*((?:[A-Z][\w ]{0,20}, )+[A-Z][\w ]{0,20}?,? and [A-Z]\w{0,20}|[A-Z]\w{0,20} and [A-Z]\w{0,20})",
        match["list"],
    )
    return tuple(one.strip() for one in re.split(r",? and |, ", plain[1])) if plain else ()


_STEPS = re.compile(
    rf"numbered list (?:with|of)\s+(?:{_OP}\s+)?{_N}\b"
    rf"|(?:{_OP.replace('op>', 'op2>')}\s+){_N.replace('n>', 'n2>')}\s+(?:steps|items|points)",
    re.IGNORECASE,
)
_TWO = re.compile(r"\b(?P<mark>[A-Z][A-Za-z]+) 1\b[\s,\"”]+(?:and|,)[\s\"“]+(?P=mark) 2\b")
_PHRASES = re.compile(
    r"\b(?:answer|reply|respond|say|choose|choos\w+|contain|pick)\b[^\n]{0,80}?(?P<list>(?:\(?[\"“”'‘][^\"“”\n]{"
    r"2,60}?[\"”'’]\)?[\s,]*(?:or|and)?\s*){2,})",
    re.IGNORECASE,
)


def spread(text: str) -> Iterator[Constraint]:
    """Demands that run over several sentences."""
    if re.search(
        r"\bone of the following|\bexact phrase|\bexactly with one|\bjust say|\bAnswer [\"“”]|"
        r"following options|following phrases",
        text,
    ):
        for match in _PHRASES.finditer(text[:4_000]):
            options = tuple(dict.fromkeys(_quoted(match["list"])))
            if len(options) > 1:
                yield _demand("choices", match[0], options[:8])
                break
    if re.search(r"\b(?:two|2) (?:different |versions|\w+ versions)", text, re.IGNORECASE) and (
        stars := re.search(r"separat\w+[^.\n]{0,60}?(?P<mark>\*{3,})", text, re.IGNORECASE)
    ):
        yield _demand("responses", stars[0], (stars["mark"],), found={"low": 2, "high": 2})
    section = re.search(rf"\b(?:{_OP}\s+)?{_N}\s+sections?\b", text, re.IGNORECASE)
    if section and (mark := _SECTIONED.search(text)):
        yield _demand("sections", mark[0], (mark["mark"],), found=bounds(section["op"] or "", number(section["n"])))
    elif (two := _TWO.search(text)) and re.search(r"\b(?:beginning|sections?)\b", text, re.IGNORECASE):
        yield _demand("sections", two[0], (two["mark"],), found={"low": 2, "high": 2})
    divided = re.search(rf"\b(?:{_OP}\s+)?{_N}\s+(?:paragraphs?|sections?)\b", text, re.IGNORECASE)
    if divided and re.search(r"(?:separat\w+|divid\w+)[^\n]{0,60}?(?<!\*)\*\*\*(?!\*)", text, re.IGNORECASE):
        yield _demand("paragraphs", divided[0], ("***",), found=bounds(divided["op"] or "", number(divided["n"])))
    if re.search(r"\bnumbered list\b|\benumerated list\b", text, re.IGNORECASE):
        steps = _STEPS.search(text)
        found = bounds(steps["op"] or steps["op2"] or "", number(steps["n"] or steps["n2"])) if steps else {"low": 2}
        yield _demand("numbered", steps[0] if steps else "numbered list", found=found)
