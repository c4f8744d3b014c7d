"""English demands told by their wording: words to use or not, how the reply begins, ends and is written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nodes.formats.constraints import Constraint
from nodes.formats.counted_en import DIRECTED
from nodes.formats.english import COUNT, OPERATOR, TIMES, bounds, demand, in_quotes, listed, number, times
from nodes.formats.shaped_en import shaped

_HEADED = re.compile(rf"\b(?:{OPERATOR}\s+)?{COUNT}\s+level[- ](?P<level>[1-6])\s+headings?", re.IGNORECASE)
_HIGHLIGHTED = re.compile(
    rf"\b(?:highlight|italici[sz]e|bold)\w*\b[^.;]*?\b(?:{OPERATOR}\s+)?{COUNT}\b[^.;,]*\b(?:sections?|"
    rf"parts?|phrases?|words?|names?|text|passages?)"
    rf"|\b(?:{OPERATOR.replace('op>', 'op3>')}\s+)?{COUNT.replace('n>', 'n3>')}\s+italic\w*\s+(?:\w+\s+)?(?:secti"
    rf"ons?|parts?|phrases?)"
    rf"|\b(?:{OPERATOR.replace('op>', 'op2>')}\s+)?{COUNT.replace('n>', 'n2>')}\s+(?:[a-z]+\s+)*?(?:sections?|"
    rf"parts?|phrases?)\b[^.;]*\b(?:highlighted|italici[sz]ed)",
    re.IGNORECASE,
)


_LETTER = re.compile(rf"\bletter\s+[\"“'‘]?(?P<letter>[A-Za-z])\b[\"”'’]?[^.;]*?{TIMES}", re.IGNORECASE)
_KEYWORD = re.compile(
    rf"\b(?:the\s+)?(?:key)?(?:word|term|keyword|phrase)s?\s+[\"“'‘]?(?P<word>[\w-]+(?:\s[\w-]+)?)[\"”'’]?"
    rf"\s+(?:should|must|has to|needs? to)?\s*(?:appears?|occurs?|be used|be included)\b[^.;]*?(?:{TIMES}"
    rf"|$)",
    re.IGNORECASE,
)
_USED = re.compile(
    rf"\b(?:use|include|mention|contain|write)s?\s+the\s+(?:key)?(?:word|term|keyword)\s+[\"“'‘](?P<word>"
    rf"[^\"”'’]{{1,40}})[\"”'’](?:[^.;]*?{TIMES})?",
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


def worded(sentence: str) -> Iterator[Constraint]:
    """Demands that are told by their wording."""
    if match := _HIGHLIGHTED.search(sentence):
        op, value = match["op"] or match["op2"] or match["op3"] or "", match["n"] or match["n2"] or match["n3"]
        yield demand("highlights", match[0], found=(bounds(op, number(value)) if op else {"low": number(value)}))
    if match := _LETTER.search(sentence):
        yield demand("letter", match[0], (match["letter"],), found=times(match))
    for pattern in (_KEYWORD, _USED):
        match = pattern.search(sentence)
        usual = match and match["word"].lower() not in ("limit", "count", "should", "must", "that", "with", "in")
        if match and usual and not _banned(sentence[max(0, match.start() - 30) : match.start()]):
            yield demand("keyword", match[0], (match["word"].strip(" ,."),), found=times(match))
            break
    else:
        match = _INCLUDED.search(sentence)
        other = re.search(r"json|column|section|\bkeys?\b|bullet|title", sentence, re.IGNORECASE)
        if match and not other and not _banned(sentence[max(0, match.start() - 30) : match.start()]):
            for word in [one for one in in_quotes(match["list"])[:6] if re.search(r"\w", one)]:
                yield demand("keyword", match[0], (word,), found={"low": 1})
    affix = re.search(r"\b(?:suffix|prefix|syllable)", sentence, re.IGNORECASE)
    if not affix and (ban := _BAN.search(sentence)) and (words := listed(ban["list"])):
        yield demand("excluded", ban[0], words)
    if match := re.search(
        r"\b(?:the )?word\s+[\"“'‘](?P<word>[^\"”'’]{1,40})[\"”'’]\s+(?:should|must) not (?:appear|occur|be used)",
        sentence,
        re.IGNORECASE,
    ):
        yield demand("excluded", match[0], (match["word"],))
    if match := re.search(rf"words?\s+(?:with|in|of)\s+all\s+capital\s+letters[^.;]*?{TIMES}", sentence, re.IGNORECASE):
        yield demand("capitals", match[0], found=times(match))
    for match in re.finditer(
        rf"\b(?:{OPERATOR}\s+)?{COUNT}\s+level[- ](?P<level>[1-6])\s+headings?", sentence, re.IGNORECASE
    ):
        yield demand("headings", match[0], (match["level"],), found=bounds(match["op"] or "", number(match["n"])))


def _banned(sentence: str) -> bool:
    return bool(re.search(r"(?:\b(?:not|without|avoid|never|refrain)|n't)\b", sentence, re.IGNORECASE))


def whole(sentence: str) -> Iterator[Constraint]:
    """Demands on the reply as a whole, whose wording needs no other sign of a command."""
    asked = bool(DIRECTED.search(sentence))
    if re.search(
        r"\b(?:no|without(?: using)?(?: any)?|(?:not|cannot|can't|n't) (?:use|contain|include|"
        r"have|using)(?: any)?|avoid(?: using)?(?: any)?|refrain from (?:the use of |using )?(?:any )?)\s*co"
        r"mmas?\b",
        sentence,
        re.IGNORECASE,
    ):
        yield demand("no_comma", sentence)
    if re.search(r"double (?:angular|angle) brackets|<<[^<>\n]*>>", sentence) and re.search(
        r"\btitle", sentence, re.IGNORECASE
    ):
        yield demand("title", sentence)
    if (
        re.search(r"double quot(?:es|ation)", sentence, re.IGNORECASE)
        and re.search(r"\b(?:entire|whole|your|full)\b", sentence, re.IGNORECASE)
        and re.search(r"\bwrap|\bput\b|enclose|inside|surround|placed?\b|\bin\b", sentence, re.IGNORECASE)
    ):
        yield demand("quoted", sentence)
    if match := re.search(
        r"postscript[^.;]*?(?:starting|beginning|start|begin)\w*\s+with\s+(?P<mark>P\.(?:P\.)?S\.?|PS)",
        sentence,
        re.IGNORECASE,
    ):
        yield demand("postscript", match[0], (match["mark"],))
    yield from _case(sentence, asked)
    yield from _edges(sentence)
    yield from shaped(sentence, asked)


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
        yield demand("upper", sentence)
    elif re.search(
        r"\b(?:in|using|only)\s+(?:all\s+)?(?:lowercase|lower case|small letters)\b", sentence, re.IGNORECASE
    ):
        yield demand("lower", sentence)


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
        yield demand("begins", match[0], (match["phrase"],))
    for pattern in (_STOP, _SAY):
        match = pattern.search(sentence)
        if match and _single(sentence, match) and re.search(r"\w", match["phrase"]):
            quoted = in_quotes(match["phrase"]) if match["phrase"][0] in '"“' else ()
            yield demand("ends", match[0], (quoted[0] if quoted else match["phrase"].strip(' "“”'),))
            return


def _single(sentence: str, match: re.Match[str]) -> bool:
    """True when the beginning or end is that of the reply, not of each of its parts."""
    return not re.search(
        r"\b(?:each|every|all|lines?|bullets?|points?|sentences|paragraphs|that|which)\b",
        sentence[: match.start()][-60:],
        re.IGNORECASE,
    )
