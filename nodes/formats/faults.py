"""Why a text could not be read, validated or repaired: data, not a crash."""

from __future__ import annotations

from typing import Literal

Kind = Literal["syntax", "depth", "size", "dialect", "schema", "reference", "pattern", "work", "number", "columns"]


class FormatFault(ValueError):
    """A named failure. `kind` is one of:

    syntax      the text is not of the format, and no repair makes it so
    depth       nested deeper than is read
    size        longer than is repaired
    number      a number with more digits than is read
    dialect     `$schema` names a draft that is not known
    schema      the schema itself is malformed
    reference   a reference that leads outside the schema; nothing is fetched
    pattern     a regular expression that could run without end, or that Python cannot read
    work        the validation took more steps than allowed
    columns     a conversion whose rows do not fit together
    """

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(message)
        self.kind: Kind = kind
