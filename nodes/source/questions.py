"""What a question wants to know about its program, where that is one short thing that the program itself decides.

    "What does f(3) return?"  ->  Asked(kind="returns", expression="f(3)", ...)

Everything else (write, explain, mend, two things at once) is None: then nothing is decided here.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Literal

from nodes.source import names, snippets
from nodes.source.syntax import tree

Kind = Literal["prints", "lines", "returns", "value", "raises", "line", "valid", "invalid", "calls", "unbound"]
LONGEST = 420
"""Characters around the program and its calls; a longer question wants more than one thing."""
MOST_AROUND = 4_000
"""The same with the calls."""

_OPEN = re.compile(
    r"\b(?:write|implement|explain|why|describe|translate|rewrite|convert|refactor|optimi[sz]e|improve|extend|summari[sz]e"
    r"|comment|complete the (?:function|code|class|program|method|implementation|body)|generate|happens|also"
    r"|first\b.{1,40}\bthen|how (?:do|does|can|would|should|to))\b"
    r"|改写|改成|解释|为什么|为何|实现|编写|写一个|注释|转换|优化|功能|作用|说明|原理|翻译|如何|怎么|另外|此外|同时|对比|并且?说|会怎样",
    re.IGNORECASE,
)
_SICK = re.compile(
    r"\b(?:bugs?|wrong|fix(?:ed)?|mend|defects?|mistakes?|instead of|should|supposed|incorrect\w*|correct(?:ed)?"
    r"|chang(?:e|ed))\b"
    r"|错误|毛病|修改|修正|修复|应当|应该|本应|改正|不对|问题出",
    re.IGNORECASE,
)
_LINES = re.compile(
    r"\bhow many (?:times|lines)\b.{0,60}\b(?:print|output)|\bhow many (?:lines|times)\b"
    r"|(?:打印|输出)了?(?:多少|几)(?:行|次)|(?:多少|几)(?:行|次)",
    re.IGNORECASE | re.DOTALL,
)
_VALID = re.compile(
    r"\b(?:valid|legal|well-formed)\b.{0,30}\b(?:syntax|python)|\bsyntactically (?:valid|correct)\b"
    r"|\bdoes (?:this|it|the code) (?:parse|compile)\b|\b(?:valid|legal) python\b"
    r"|合法的.{0,16}(?:语法|代码|程序)|语法上?(?:是否)?(?:正确|合法|没有?问题)"
    r"|符合.{0,16}语法|能否?通过(?:语法|编译)",
    re.IGNORECASE,
)
_INVALID = re.compile(
    r"\b(?:contain|have|has|is there)\b.{0,20}\bsyntax errors?\b|(?:有|存在|包含).{0,4}语法错误", re.IGNORECASE
)
_WHETHER = re.compile(
    r"\b(?:yes|no)\b|^\W*(?:is|does|do|are|has)\b|吗|是否|是不是|能否|有没有", re.IGNORECASE | re.MULTILINE
)
_LINE = re.compile(r"\b(?:which|what) line\b|\bline number\b|第几行|哪一?行", re.IGNORECASE)
_THROWN = re.compile(
    r"\brais(?:e|es|ed|ing)\b|\bexception\b|\bthrow\w*|\bcrash\w*|\bfails?\b|\berror (?:occurs?|happens?|appears?)\b"
    r"|抛出|异常|报错|出错|崩溃",
    re.IGNORECASE,
)
_EXCEPTION = re.compile(
    r"\b(?:which|what|name|class)\b.{0,30}\b(?:exceptions?|errors?)\b|\bexception'?s?\b.{0,20}\b(?:class|name|type)\b"
    r"|\b(?:exception|error) class\b|(?:什么|哪种|哪个|何种|哪一种).{0,4}(?:异常|错误)|异常的?(?:类名|类型|名称)",
    re.IGNORECASE | re.DOTALL,
)
_CALLS = re.compile(
    r"\border\b.{0,60}\bcall(?:s|ed)?\b|\bcall(?:s|ed)?\b.{0,60}\border\b|\bcall (?:chain|sequence)\b"
    r"|顺序.{0,12}调用|调用.{0,8}(?:顺序|次序)",
    re.IGNORECASE | re.DOTALL,
)
_UNBOUND = re.compile(
    r"\b(?:never|not) (?:\w+ ){0,2}?(?:defined|assigned|bound|declared)\b|\bundefined (?:name|variable)\b"
    r"|没有(?:被)?定义|从未.{0,3}定义|从来没有.{0,2}定义|未(?:被)?定义",
    re.IGNORECASE,
)
_RETURNS = re.compile(
    r"\b(?:return(?:s|ed|ing)?|values?|results?|evaluat\w+|outputs?|outcome|produc\w+|giv(?:es?|en)|yields?|trac(?:e|ing)"
    r"|comput\w+|call(?:s|ed|ing)?|invok\w+|execut\w+|run(?:s|ning)?|assert(?:ion)?|what (?:is|does|will|would))\b"
    r"|=+ *[?？_]|返回|的值|结果|得到|等于|输出|调用|执行|运行|计算|求|给出|是什么|是多少|断言",
    re.IGNORECASE,
)
_PART = re.compile(
    r"\b(?:types?|length|size|elements?|items?|digits?|characters?|keys?|sum of|times"
    r"|how (?:many|long|much|often|deep))\b|complexity|类型|长度|元素|(?:几|多少)(?:个|次|位|步|层)|多久|复杂度",
    re.IGNORECASE,
)
"""One part or property of the result is asked for, not the result."""
_ASSERTED = re.compile(r"(?:^|\n)assert (?P<call>[^\n]+?) == ?(?:\?+|？+|_+|\.\.\.|<[^\n]*>|\[\?+\]|#[^\n]*)?\s*$")
_VALUE = re.compile(
    r"\bvalues?\b|\bholds?\b|\bcontains?\b|\bequals?\b|\bwhat (?:is|will be)\b|的值|是什么|是多少|等于|的结果|内容",
    re.IGNORECASE,
)
_PRINTS = re.compile(
    r"\bprint(?:s|ed|ing|out)?\b|\boutput(?:s|ted)?\b|\bdisplay(?:s|ed)?\b|\bshow(?:s|n)? on\b"
    r"|输出|打印|显示|运行结果|执行结果",
    re.IGNORECASE,
)
_CALL = re.compile(r"(?<![\w.])([^\W\d]\w*)\(")


@dataclass(frozen=True)
class Asked:
    """One question about one program."""

    kind: Kind
    source: str
    expression: str = ""
    """What is to be evaluated after the program, for `returns` and `value`."""
    around: str = ""
    """The words around the program."""


def read(question: str) -> Asked | None:
    """What is asked, or None where that is not certain."""
    found = snippets.asked(question)
    if found is None or len(found[1]) > MOST_AROUND:
        return None
    block, told = found
    source, asserted = _asserted(block.code)
    calls = expressions(told, source)
    for call in calls:
        # What stands in its arguments is no wish of the question's.
        told = told.replace(call, " it() ")
    around = re.sub(r"\s+", " ", told).strip()
    if len(around) > LONGEST:
        return None
    if kind := _about_errors(around, source):
        return None if calls or asserted else Asked(kind, source, around=around)
    if _OPEN.search(around) or _SICK.search(around) or tree(source) is None:
        return None
    return _about_values(around, source, [asserted] if asserted else calls)


def _asserted(source: str) -> tuple[str, str]:
    """A program that ends in `assert f(1) == ??`: what stands before, and the call whose value is to be filled in."""
    match = _ASSERTED.search(source)
    if match is None or not isinstance(_expression(match["call"]), ast.Call):
        return source, ""
    return source[: match.start()], match["call"]


def _expression(text: str) -> ast.expr | None:
    module = tree(text)
    only = module.body[0] if module and len(module.body) == 1 else None
    return only.value if isinstance(only, ast.Expr) else None


def _about_errors(around: str, source: str) -> Kind | None:
    """Kinds whose words speak of errors or that need no program that parses."""
    if _OPEN.search(around):
        return None
    if _WHETHER.search(around) and (_VALID.search(around) or _INVALID.search(around)):
        return "invalid" if _INVALID.search(around) else "valid"
    if tree(source) is None:
        return None
    if _LINE.search(around):
        sick = re.sub(r"(?:抛出|什么|哪种)[^，。？]{0,6}错误|出错", "", around)
        return "line" if _THROWN.search(around) and not _SICK.search(sick) else None
    if _EXCEPTION.search(around) and not re.search(r"\bfix|\bavoid|修|避免|改", around, re.IGNORECASE):
        return "raises"
    return None


def _about_values(around: str, source: str, calls: list[str]) -> Asked | None:
    """Kinds that ask for what the program does; `calls` are those that the question names."""
    if _LINES.search(around):
        printing = re.search(r"print|output|打印|输出", around, re.IGNORECASE)
        return Asked("lines", source, around=around) if printing and not calls else None
    if _CALLS.search(around):
        return Asked("calls", source, around=around) if not calls else None
    if _UNBOUND.search(around):
        return Asked("unbound", source, around=around)
    if _PART.search(around):
        return None
    if calls:
        return _about_call(around, source, calls)
    if name := _variable(around, source):
        return Asked("value", source, name, around)
    if _PRINTS.search(around) and "print" in source:
        return Asked("prints", source, around=around)
    return _about_last_line(around, source)


def _about_call(around: str, source: str, calls: list[str]) -> Asked | None:
    if len(set(calls)) > 1 or not (_RETURNS.search(around) or _PRINTS.search(around)):
        return None
    # "What does f(3) print?" wants what is printed on the way, not the value.
    kind: Kind = "prints" if re.search(r"\bprint|打印", around, re.IGNORECASE) else "returns"
    return Asked(kind, source, calls[0], around)


def _about_last_line(around: str, source: str) -> Asked | None:
    """The value of the call that stands alone in the last line."""
    module = tree(source)
    last = module.body[-1] if module and len(module.body) > 1 else None
    if not isinstance(last, ast.Expr) or not isinstance(last.value, ast.Call) or "print" in source:
        return None
    if not re.search(r"\breturn|\bvalue\b|\bresult\b|\bevaluat|返回|的值|结果", around, re.IGNORECASE):
        return None
    before = "\n".join(source.splitlines()[: last.lineno - 1])
    call = ast.get_source_segment(source, last)
    return Asked("returns", before, call, around) if call else None


def expressions(around: str, source: str) -> list[str]:
    """Calls of the program's own functions in the words around it, whole, outermost, with arguments that parse."""
    own = names.bound(source)
    found: list[str] = []
    place = 0
    for match in _CALL.finditer(around):
        if match.start() >= place and match[1] in own and (call := _balanced(around, match.start(), match.end())):
            found.append(call)
            place = match.start() + len(call)
    return found


def _balanced(text: str, start: int, inside: int) -> str:
    """The call that starts there, up to its closing bracket; empty if it does not close or does not parse."""
    depth, quote, place = 1, "", inside
    while place < len(text) and depth:
        sign = text[place]
        if quote:
            place += sign == "\\"
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        else:
            depth += (sign in "([{") - (sign in ")]}")
        place += 1
    call = text[start:place]
    return call if not depth and tree(call) is not None else ""


def _variable(around: str, source: str) -> str:
    """The one variable of the module that the words ask for."""
    if not _VALUE.search(around):
        return ""
    module = tree(source)
    functions = {getattr(one, "name", "") for one in module.body} if module else set()
    own = names.bound(source) - functions
    said = {word for word in re.findall(r"(?<![\w.])[A-Za-z_]\w*(?![\w(])", around) if word in own}
    # A one-letter name may be a word of the language: it counts only where it is marked.
    said = {
        word
        for word in said
        if len(word) > 1 or re.search(rf"[`'‘“\"]{word}[`'’”\"]|{word} ?(?:的|是|等于)|of {word}\b", around)
    }
    return said.pop() if len(said) == 1 else ""
