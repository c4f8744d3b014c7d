"""What can be seen wrong in a reply without knowing the answer: flags on a Candidate, never a reason to drop it."""

from __future__ import annotations

from nodes.contracts import Form, Reply, Request
from nodes.diversity import mixed_language, no_steps, repeating
from nodes.language import han_share
from nodes.thinking import unclosed


def flags(reply: Reply, request: Request, form: Form, truncated: bool) -> tuple[str, ...]:
    """Names of all that apply, in the order of the contract."""
    mixed = not 0 < han_share(request.question) < 0.7 and mixed_language(reply.text, request.language)
    found = {
        "truncated": truncated,
        "repeating": reply.finish == "repetition" or repeating(reply.text),
        "mixed_language": mixed,  # a question in both languages may be answered in both
        "no_steps": form == "closed" and not reply.reasoning and no_steps(reply.text),
        "unclosed_thinking": "<think>" in reply.text or unclosed(reply),
    }
    return tuple(name for name, applies in found.items() if applies)
