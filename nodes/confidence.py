"""Probability of the tokens that spell the answer. Pure.

The answer is a span of characters in a reply's text, log-probabilities belong to tokens. Both meet in the generated
text, which is the tokens joined: it holds the reply's text, but also a thinking block before it, and the end-of-turn
or stop tokens after it. A tokenizer may cut one character into several tokens; servers then print replacement
characters (U+FFFD) or nothing for the parts. So the text is not looked up byte for byte: both sides are walked
together, and what one side cannot spell is stretched over what the other has there.

The three views follow the literature: mean (DeepConf, 2508.15260, averages over a window), lowest, and the margin
between the chosen token and the next best (Wang & Zhou, 2402.10200, on the answer span).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

from nodes.contracts import Confidence, Reply

_BROKEN = "\ufffd"


def answer_span(reply: Reply, start: int, end: int) -> Confidence | None:
    """Confidence over the tokens that overlap characters `start` to `end` of `reply.text`.

    None when the reply has no log-probabilities, the span is empty, or the tokens do not spell the text.
    """
    if len(reply.logprobs) != len(reply.tokens) or not 0 <= start < end <= len(reply.text):
        return None
    places = align(reply.tokens, reply.text)
    if places is None:
        return None
    chosen = [i for i, (first, last) in enumerate(places) if first < end and last > start and first < last]
    return over(reply.logprobs, reply.margins, chosen)


def over(logprobs: Sequence[float], margins: Sequence[float], chosen: Sequence[int]) -> Confidence | None:
    """Confidence over the chosen positions; None without any."""
    if not chosen:
        return None
    likely = [math.exp(min(0.0, logprobs[i])) for i in chosen]
    distance = [margins[i] for i in chosen if i < len(margins)]
    return Confidence(
        mean=min(1.0, math.fsum(likely) / len(likely)),
        low=min(likely),
        margin=math.fsum(distance) / len(distance) if distance else 0.0,
        tokens=len(chosen),
    )


def align(tokens: Sequence[str], text: str) -> list[tuple[int, int]] | None:
    """Characters of `text` that each token spells, as (start, end), empty for tokens outside the text.

    Where the text occurs more than once it is the last one. None when the tokens joined do not contain the text.
    """
    joined = "".join(tokens)
    at = joined.rfind(text)
    if at < 0:
        return _stretch(tokens, text)
    ends = [min(max(end - at, 0), len(text)) for end in accumulate(map(len, tokens))]
    places = list(zip([0, *ends[:-1]], ends, strict=True)) if ends else []
    return _share(tokens, places)


def _share(tokens: Sequence[str], places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Give a token without text the characters of the next one: vLLM prints the parts of a character that way."""
    for index in range(len(tokens) - 2, -1, -1):
        follower = tokens[index + 1]
        if not tokens[index] and (not follower or not follower[0].isascii()):
            places[index] = places[index + 1]
    return places


def _stretch(tokens: Sequence[str], text: str) -> list[tuple[int, int]] | None:
    """Align tokens with broken characters: a run of them spells whatever the text has in their place.

    Walks all tokens with the set of positions that the text may have reached (it may begin at any token), then goes
    back from the last token that can end it.
    """
    steps: list[dict[int, int]] = []
    for token in tokens:
        before = [0, *(position for position in steps[-1] if position)] if steps else [0]
        after: dict[int, int] = {}
        for position in before:
            for reached in _reach(token, text, position):
                after.setdefault(reached, position)
        steps.append(after)
    last = max((index for index, after in enumerate(steps) if len(text) in after), default=None)
    if last is None or not text:
        return None
    places = [(0, 0)] * len(tokens)
    position, index = len(text), last
    while index >= 0 and position > 0:
        places[index] = (steps[index][position], position)
        position, index = steps[index][position], index - 1
    places[last + 1 :] = [(len(text), len(text))] * (len(tokens) - last - 1)
    return _merge(tokens, places)


def _reach(token: str, text: str, position: int) -> range:
    """Positions after a token that begins at `position`: one when it is whole, several or none when it is not."""
    if _broken(token):
        return range(position, min(len(text), position + len(token)) + 1)
    end = position + len(token)
    return range(end, end + 1) if text.startswith(token, position) else range(0)


def _broken(token: str) -> bool:
    return not token or _BROKEN in token


def _merge(tokens: Sequence[str], places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """All tokens of a broken run share the characters of the run: which of them spells which cannot be told."""
    start = 0
    while start < len(tokens):
        end = start + 1
        while _broken(tokens[start]) and end < len(tokens) and _broken(tokens[end]):
            end += 1
        if _broken(tokens[start]):
            run = [place for place in places[start:end] if place[0] < place[1]]
            whole = (min(run)[0], max(place[1] for place in run)) if run else places[start]
            places[start:end] = [whole] * (end - start)
        start = end
    return places
