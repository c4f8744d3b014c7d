"""Documents as code reads them: bytes of a known hash, text, and tables with coordinates. No model, no search.

    read(folder, pdf) -> tuple[Document, ...]        every file of a folder, or a named error
    find(text) -> tuple[Table, ...]                  tables inside any text: Markdown, comma, semicolon, tab
    resolve(coordinate, text, tables) -> str         the raw cell or span
    contradictions.contradictions(documents)         values of one subject and attribute that differ between documents

Everything is pure but `read`. May import nodes.contracts, nodes.coordinates and nodes.errors only.
"""

from nodes.documents.files import Document, read
from nodes.documents.tables import Table, find, resolve

__all__ = ["Document", "Table", "find", "read", "resolve"]
