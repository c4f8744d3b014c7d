"""The router: which specialists fit a request, how hard it is, and how many branches it is worth.

Version 1 scores by a lexicon (`nodes.lexicon`); how hard a request is follows the rule of REQUIREMENTS A1. Pure, no
model call, about a millisecond for a short text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from nodes.contracts import Budget, Form, Hit, Request, Route, Specialist
from nodes.lexicon import Cues, compiled, distinct, sample, score
from nodes.specialists import NAMES, OTHER

FITS = 0.5
"""Score from which a specialist works on a request."""
SINGLE_PATH = frozenset({"entity", "relation", "style", "format"})
"""Labels that gain nothing from several minds (REQUIREMENTS A10)."""
GIVEN_TEXT = frozenset({"entity", "relation", "style"})
"""Labels whose request carries a text to work on: numbers and conditions in it say nothing about the task."""
REASONING = frozenset({"numeric", "logic", "code"})

REASONING_WORDS = re.compile(r"\b(?:prove|reason|explain|why|if|assume|verify|compare|compute)\b", re.IGNORECASE)
REASONING_WORDS_ZH = re.compile("证明|推理|解释|为什么|如果|假设|验证|比较|计算")
LONG_WORDS, LONG_CHARACTERS = 50, 80
"""A text is long over so many English words, or so many characters of Chinese."""
DEEP_ASKED = re.compile(
    r"深度(?:解答|思考|分析|回答|推理)|深入(?:思考|分析)|仔细(?:思考|推敲)"
    r"|\b(?:think (?:very )?(?:hard|deeply|carefully)|(?:deep|in[- ]depth) (?:answer|analysis|reasoning))\b",
    re.IGNORECASE,
)


def route(request: Request, specialists: Mapping[str, Specialist]) -> Route:
    """Decide for one request. `specialists` are those that exist, in dependency order."""
    text = sample(request.question)
    scores, found = score(text, beyond(specialists))
    top = max(scores, key=lambda label: scores[label])
    chosen = tuple(name for name in specialists if scores.get(name, 0.0) >= FITS)
    difficulty, words = difficulty_of(request)
    budget, why = budget_of(request, difficulty, scores, top)
    staged = budget > 1 and request.mode in ("auto", "deep")
    matched = ", ".join(found[top][:6]) or "no cue of any specialist"
    return Route(
        top=top,
        specialists=chosen,
        scores=scores,
        reason=f"{top} {scores[top]:.2f} ({matched}); difficulty {difficulty} ({words}); budget {budget}: {why}",
        difficulty=difficulty,
        budget=budget,
        staged=staged,
        verify=staged,
        stand_in=stand_in(request, budget, chosen, specialists),
        form=form_of(text, scores),
        block=blocked(request, specialists),
    )


def beyond(specialists: Mapping[str, Specialist]) -> dict[str, Cues]:
    """Cues of specialists beyond the eight, which bring them as `cues = (strong, weak)`, two tuples of expressions."""
    own = {name: getattr(one, "cues", ()) for name, one in specialists.items() if name not in NAMES}
    return {name: compiled(*cues) for name, cues in own.items() if cues}


def labels(found: Route) -> list[str]:
    """Every label that fits, best first: the scores from `FITS` on, else the top one; `[]` when that is `other`."""
    fitting = [label for label in found.scores if label != OTHER and found.scores[label] >= FITS]
    best = sorted(fitting, key=lambda label: -found.scores[label])
    return best or [label for label in (found.top,) if label != OTHER]


def difficulty_of(request: Request) -> tuple[int, str]:
    """The rule of REQUIREMENTS A1: different reasoning words, plus one for length; and what counted."""
    text = request.question
    words = distinct(REASONING_WORDS, text) + distinct(REASONING_WORDS_ZH, text)
    chinese = request.language == "zh"
    # Words are only counted where the answer is open, so that 100 kB cost no more than a split of their head.
    length = len(text.strip()) > LONG_CHARACTERS if chinese else len(text[: 40 * LONG_WORDS].split()) > LONG_WORDS
    return len(words) + length, ", ".join(words + ["length"] * length) or "no reasoning word, short"


def budget_of(request: Request, difficulty: int, scores: Mapping[str, float], top: str) -> tuple[Budget, str]:
    """How many branches, and the rule that says so."""
    fixed: dict[str, tuple[Budget, str]] = {
        "light": (1, "mode light"),
        "deep": (8, "mode deep"),
        "1": (1, "as asked"),
        "2": (2, "as asked"),
        "4": (4, "as asked"),
        "8": (8, "as asked"),
    }
    if request.mode in fixed:
        return fixed[request.mode]
    if deep := DEEP_ASKED.search(sample(request.question)):
        return 8, f"a deep answer is asked for ({deep[0]})"
    if top in GIVEN_TEXT or (top in SINGLE_PATH and max(scores[label] for label in REASONING) < FITS):
        return 1, f"{top} gains nothing from several paths"
    if difficulty <= 1:
        return 1, "at most one sign of difficulty"
    return (4, "two or three signs of difficulty") if difficulty <= 3 else (8, "four or more signs of difficulty")


def stand_in(
    request: Request, budget: int, chosen: tuple[str, ...], specialists: Mapping[str, Specialist]
) -> str | None:
    """The one specialist whose Finding replaces the only branch of a light route, if it is the only one that fits."""
    if budget > 1 or request.mode not in ("auto", "light"):
        return None
    able = [name for name in chosen if specialists[name].answers]
    return able[0] if len(able) == 1 else None


def blocked(request: Request, specialists: Mapping[str, Specialist]) -> Hit | None:
    """The first rule of any specialist that ends the run without a model call."""
    for specialist in specialists.values():
        for hit in specialist.screen(request.question, request.language):
            if hit.severity == "block":
                return hit
    return None


_OPTION = re.compile(
    r"(?:^|[\s（(])\(?[A-Ga-g][).．、]\s*\S|^- (?:yes|no|valid|invalid)\b", re.MULTILINE | re.IGNORECASE
)
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_MAKE = re.compile(
    r"\b(?:write|explain|translate|summari[sz]e|list(?! *:)|draft|describe|compose|create|generate|design|suggest"
    r"|discuss|outline|rewrite|rephrase|paraphrase|edit|implement|provide|give me|tell me about|make an?|advise"
    r"|recommend|prove|elaborate|extract|analy[sz]e|introduce|develop|plan|compare and contrast|act as|imagine|craft)\b"
    r"|写|解释|翻译|总结|概括|列出|列举|起草|描述|编写|生成|设计|建议|讨论|改写|润色|介绍|分析|说明|证明|提供|制定|实现|扮演|抽取|提取|谈谈|推荐|给我|请给出",
    re.IGNORECASE,
)
_OPEN_QUESTION = re.compile(
    r"\bhow (?:do|does|did|can|could|would|should|to)\b|\bwhy\b|what are (?:the|some)\b"
    r"|怎么|怎样|如何|为什么|为何|有哪些|哪些",
    re.IGNORECASE,
)
_SHORT_ANSWER = re.compile(
    r"\bhow (?:many|much|long|far|old|tall|fast|often)\b|\b(?:who|when|where|which|what is|what was|what will|whose)\b"
    r"|\b(?:true|false|valid|invalid|yes|no) or (?:true|false|valid|invalid|yes|no|not)\b|\b(?:options|choose|select)\b"
    r"|\b(?:find|compute|calculate|evaluate|solve|simplify|determine|if)\b"
    r"|\b(?:concatenate|reverse|sort|count|spell|convert|alphabeti[sz]e|round)\b"
    r"|\b(?:return value|what (?:does|will|would) .{0,80}(?:print|output|return)|complete the rest)\b|\bis\s*$"
    r"|^\s*(?:is|are|was|were|do|does|did|can|could|will|would|has|have)\b"
    r"|多少|几|谁|哪(?:个|一|位|年|天|里|国)|何时|是否|吗[？?]?|对(?:还是|或)错|正确|选项|计算|求|星期|拼接|连接起来|倒过来|反转|排序|换算|多[深高长宽重远快久]|(?:为|是|等于)\s*[：:]?\s*$|（\s*）|\(\s*\)|[=＝]\s*[？?]?\s*$",
    re.IGNORECASE | re.MULTILINE,
)


def form_of(text: str, scores: Mapping[str, float]) -> Form:
    """`closed` for a question with a short answer that can be compared, `open` for anything that is to be written."""
    if len(_OPTION.findall(text)) >= 2 and not _MAKE.match(text.strip()):
        return "closed"
    prose = _FENCED.sub(" ", text)  # words inside code ask for nothing
    make, ask = bool(_MAKE.search(prose)), bool(_SHORT_ANSWER.search(prose))
    if make or _OPEN_QUESTION.search(prose):
        reasoning = max(scores["numeric"], scores["logic"])
        return "closed" if ask and reasoning > max(scores[label] for label in SINGLE_PATH | {"code"}) else "open"
    return "closed" if ask or max(scores["numeric"], scores["logic"]) >= FITS else "open"
