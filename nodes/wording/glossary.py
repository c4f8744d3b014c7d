"""Fixed terms: the caller's dictionary, put into a text by code and never by the model.

A glossary is a plain mapping of a term to what it must be called, for example `{"login": "sign in"}`; a TOML file of
one table `[terms]` or of bare keys holds the same. The longest term goes first; what a replacement put in is not
replaced again; code, addresses and words that merely contain a term are left alone.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from nodes.errors import SetupError

MOST = 2_000
"""Terms of a glossary."""
_HELD = r"```.*?(?:```|\Z)|`[^`\n]+`|https?://\S+"


def load(path: Path) -> dict[str, str]:
    """Read a TOML glossary. Raises SetupError for a file that is none."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SetupError(f"the glossary {str(path)!r} cannot be read: {error}") from error
    terms = data.get("terms", data)
    if not isinstance(terms, dict) or not all(isinstance(one, str) and key.strip() for key, one in terms.items()):
        raise SetupError(f"the glossary {str(path)!r} is not one table of terms and their wordings")
    if len(terms) > MOST:
        raise SetupError(f"the glossary {str(path)!r} has {len(terms)} terms, at most {MOST} are taken")
    return terms


def apply(text: str, terms: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The text with its terms replaced, and those that were. Latin terms are matched as whole words of any case."""
    folded = text.casefold()
    there = {key: one for key, one in terms.items() if key.strip() and key != one and key.casefold() in folded}
    usable = {key.casefold(): (key, one) for key, one in there.items()}
    if not usable:
        return text, {}
    longest = sorted((key for key, _ in usable.values()), key=len, reverse=True)
    finder = re.compile(f"(?P<held>{_HELD})|{'|'.join(map(_whole, longest))}", re.IGNORECASE | re.DOTALL)
    used: dict[str, str] = {}

    def put(match: re.Match[str]) -> str:
        found = usable.get(match[0].casefold())
        if match["held"] or found is None:
            return match[0]
        key, one = found
        used[key] = one
        return one[:1].upper() + one[1:] if match[0][:1].isupper() and one[:1].islower() else one

    return finder.sub(put, text), used


def _whole(term: str) -> str:
    before = r"(?<![A-Za-z0-9_])" if re.match(r"[A-Za-z0-9_]", term) else ""
    behind = r"(?![A-Za-z0-9_])" if re.search(r"[A-Za-z0-9_]\Z", term) else ""
    return f"{before}{re.escape(term)}{behind}"
