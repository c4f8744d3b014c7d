"""Answers: read one from a reply, bring it to a normal form, tell whether two are equal.

    read(reply, form, offered) -> Reading | None     the last marked answer; None = unreadable
    Context.of(question)                             what the question says about its answer: menu, percent, order
    parse(answer, context) -> Value                  the normal form
    equal(a, b) -> bool                              the same answer in other words

Everything here is pure, bounded and safe for any text in any thread. May import nodes.contracts only.
"""

from nodes.answers.menu import choices
from nodes.answers.parsing import PLAIN, Context, parse
from nodes.answers.reading import Reading, read
from nodes.answers.values import Value, equal, own_keys, probe_keys

__all__ = ["PLAIN", "Context", "Reading", "Value", "choices", "equal", "own_keys", "parse", "probe_keys", "read"]
