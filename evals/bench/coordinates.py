"""Look-ups by coordinate over generated documents: does each one give the raw cell that was written?

    python -m evals.bench.coordinates [--lookups 200] [--seed 1] [--json]

Twenty documents are written to a folder of their own: 10,000 rows, quoted commas, line breaks and quotes in cells,
merged and nested cells, Chinese headings, empty cells, byte order marks, GB18030, UTF-16, json, text, pdf. The writer
keeps the grid it wrote; nothing of the reader is used to know what is right. Of ten look-ups one asks for what is not
there: the catalogue says so, and which error it expects. Exit code 1 when any look-up gives anything else.
"""

from __future__ import annotations

import argparse
import csv
import html
import io
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nodes.errors import InputError
from nodes.knowledge import Knowledge

Grid = list[list[str]]
ROWS = 10_000
WORDS = (
    "Oslo", "Smith, John", 'the "old" mill', "", "  padded ", "1,234.50", "a|b", "x;y", "<b> & co", "3%", "两行\n文字",
    "北京", "上海，浦东", "王小明", "“引号”", "2023年5月1日", "￥1,200", "", "é", "=SUM(A1)", "-0.0", "NULL", "007",
    "100,00",
)  # fmt: skip
HEADS = ("name", "city, state", "姓名", "部门（新）", "amount", "备注", "2023年", "unit|price")


@dataclass
class Written:
    """One document and what stands where in it."""

    name: str
    feature: str
    data: bytes
    grids: list[Grid] = field(default_factory=list)
    """Its tables in order; empty = the document has a text."""
    text: str = ""


@dataclass(frozen=True)
class Lookup:
    """One line of the catalogue."""

    document: str
    feature: str
    coordinate: str
    expected: str
    error: str = ""
    """Code of the error that is expected; empty = the raw cell or span is."""


def grid(rng: random.Random, rows: int, cols: int, leave: Callable[[str], str] = str) -> Grid:
    """A heading and random cells; `leave` brings a cell to what the format can hold."""
    heads = [leave(f"{rng.choice(HEADS)} {col}") for col in range(cols)]
    return [heads, *([leave(rng.choice(WORDS)) for _ in range(cols)] for _ in range(rows))]


def as_csv(rows: Grid, delimiter: str = ",") -> str:
    """RFC 4180."""
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(rows)
    return out.getvalue()


def as_markdown(rows: Grid) -> str:
    """A GFM table."""
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def one_line(cell: str) -> str:
    """What a Markdown or HTML cell can hold as it stands: one line, no blanks at its ends."""
    return " ".join(cell.split())


def merged(rng: random.Random, rows: int, cols: int, cell: Callable[[int], str]) -> tuple[Grid, str]:
    """A grid with merged cells and its HTML; each cell is written once, at its upper left corner."""
    found: list[list[str | None]] = [[None] * cols for _ in range(rows)]
    lines, number = [], 0
    for row in range(rows):
        line = ""
        for col in range(cols):
            if found[row][col] is None:
                wide = 1
                while wide < 3 and col + wide < cols and found[row][col + wide] is None and rng.random() < 0.3:
                    wide += 1
                high = min(rows - row, rng.choice((1, 1, 1, 2, 3)))
                number += 1
                for down in range(high):
                    for right in range(wide):
                        found[row + down][col + right] = cell(number)
                spans = f' rowspan="{high}"' * (high > 1) + f" colspan={wide}" * (wide > 1)
                line += f"<td{spans}>{html.escape(cell(number))}"
        lines.append(f"<tr>{line}")
    return [[cell or "" for cell in row] for row in found], "<table>\n" + "\n".join(lines) + "\n</table>"


def as_pdf(pages: Sequence[Sequence[str]]) -> bytes:
    """A pdf of ASCII lines, written by hand."""
    parts = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for lines in pages:
        shown = " T* ".join(f"({line}) Tj" for line in lines)
        stream = f"BT /F1 12 Tf 14 TL 50 750 Td {shown} ET".encode("ascii")
        kids.append(f"{len(parts) + 1} 0 R")
        parts.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>"
            b" /Contents %d 0 R >>" % (len(parts) + 2)
        )
        parts.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    parts[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    data, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    tail = f"trailer\n<< /Size {len(parts) + 1} /Root 1 0 R >>\nstartxref\n{len(data)}\n%%EOF\n".encode()
    return data + f"xref\n0 {len(parts) + 1}\n0000000000 65535 f \n".encode() + table + tail


def documents(rng: random.Random, rows: int = ROWS) -> list[Written]:
    """The twenty documents; the first one has `rows` rows."""
    return [*_separated(rng, rows), *_marked_up(rng), *_objects(rng), *_texts(rng)]


def _separated(rng: random.Random, rows: int) -> list[Written]:
    def made(name: str, feature: str, encoding: str, delimiter: str = ",", size: int = 30) -> Written:
        cells = grid(rng, size, 6, lambda cell: cell.replace("é", "e") if encoding == "gb18030" else cell)
        return Written(name, feature, as_csv(cells, delimiter).encode(encoding), [cells])

    holes = grid(rng, 40, 8, lambda cell: cell if cell in HEADS or rng.random() < 0.3 else "")
    holes[0] = [f"h{col}" for col in range(8)]
    return [
        made("orders.csv", f"{rows} rows", "utf-8", size=rows),
        made("名册.csv", "GB18030, Chinese headings", "gb18030"),
        made("mark.csv", "byte order mark", "utf-8-sig"),
        made("wide.csv", "UTF-16", "utf-16"),
        made("semi, colon.csv", "semicolons, comma in the name", "utf-8", ";"),
        made("tabs.tsv", "tabs", "utf-8", "\t"),
        made("folder/100%.csv", "quoted commas, in a folder", "utf-8"),
        Written("holes.csv", "empty cells", as_csv(holes).encode(), [holes]),
    ]


def _marked_up(rng: random.Random) -> list[Written]:
    two = [grid(rng, 12, 4, one_line) for _ in range(2)]
    chinese = grid(rng, 15, 5, one_line)
    pages = []
    for cell in (lambda n: f"cell {n}", lambda n: f"单元{n}，合并", lambda n: WORDS[n % 10].strip() or f"= {n}"):
        cells, page = merged(rng, 14, 6, lambda n, cell=cell: one_line(cell(n)))  # type: ignore[misc]
        pages.append((cells, f"<html><body><p>before</p>{page}<p>after</p></body></html>"))
    inner, nested = merged(rng, 3, 3, lambda n: f"inner {n}")
    outer = [["a", "b"], ["", "d"]]
    nest = f"<table><tr><th>a</th><th>b</th></tr><tr><td>{nested}</td><td>d</td></tr></table>"
    return [
        Written("two.md", "Markdown, escaped bars", f"# Two\n\nfirst:\n\n{as_markdown(two[0])}\n\nthen\n\n"
                f"{as_markdown(two[1])}\n".encode(), two),
        Written("表.md", "Markdown, Chinese headings", f"说明\n\n{as_markdown(chinese)}".encode(), [chinese]),
        Written("merged.html", "merged cells", pages[0][1].encode(), [pages[0][0]]),
        Written("合并.html", "merged cells, GB18030", pages[1][1].encode("gb18030"), [pages[1][0]]),
        Written("entities.htm", "merged cells, entities", pages[2][1].encode(), [pages[2][0]]),
        Written("nested.html", "nested tables", nest.encode(), [outer, inner]),
    ]  # fmt: skip


def _objects(rng: random.Random) -> list[Written]:
    def listed(heads: Sequence[str]) -> Grid:
        return [list(heads), *([rng.choice(WORDS) for _ in heads] for _ in range(25))]

    english, chinese, matrix = listed(("id", "name", "note")), listed(("编号", "姓名", "备注")), listed(("1", "2"))
    records = [{"rows": [dict(zip(cells[0], row, strict=True)) for row in cells[1:]]} for cells in (english, chinese)]
    return [
        Written("records.json", "json objects", json.dumps(records[0]).encode(), [english]),
        Written("记录.json", "json, Chinese keys", json.dumps(records[1], ensure_ascii=False).encode(), [chinese]),
        Written("matrix.json", "json arrays", json.dumps(matrix).encode(), [matrix]),
    ]


def _texts(rng: random.Random) -> list[Written]:
    plain = "\r\n".join(f"Line {n}: {rng.choice(WORDS)} and {rng.choice(WORDS)}." for n in range(60))
    chinese = "\n\n".join(f"第{n}段：{rng.choice(WORDS).replace('é', 'e')}，完。" for n in range(60))
    pages = [[f"Page {page} line {line} holds {rng.randrange(10**6)}" for line in range(20)] for page in range(3)]
    printed = "\n\f\n".join("\n".join(lines) for lines in pages)
    return [
        Written("notes.txt", "spans, CR LF", plain.encode(), text=plain),
        Written("笔记.txt", "spans, GB18030", chinese.encode("gb18030"), text=chinese),
        Written("report.pdf", "spans, pdf pages", as_pdf(pages), text=printed),
    ]


def catalogue(rng: random.Random, written: Sequence[Written], lookups: int) -> list[Lookup]:
    """`lookups` look-ups over the documents in turn; every tenth one of a document asks for what is not there."""
    found = []
    for number in range(lookups):
        document = written[number % len(written)]
        wanted = _absent if number // len(written) % 10 == 9 else _present
        coordinate, expected, error = wanted(rng, document)
        name = document.name.replace("%", "%25").replace(",", "%2C")
        found.append(Lookup(document.name, document.feature, f"doc:{name},{coordinate}", expected, error))
    return found


def _present(rng: random.Random, document: Written) -> tuple[str, str, str]:
    if not document.grids:
        start = rng.randrange(len(document.text) - 40)
        end = start + rng.randrange(1, 40)
        return f"chars:{start}-{end}", document.text[start:end], ""
    table = rng.randrange(len(document.grids))
    row = rng.randrange(len(document.grids[table]))
    col = rng.randrange(len(document.grids[table][row]))
    return f"table:{table + 1},row:{row + 1},col:{col + 1}", document.grids[table][row][col], ""


def _absent(rng: random.Random, document: Written) -> tuple[str, str, str]:
    if not document.grids:
        return f"chars:{len(document.text)}-{len(document.text) + 1}", "", "unknown_coordinate"
    first = document.grids[0]
    return rng.choice(
        (
            (f"table:1,row:{len(first) + 1},col:1", "", "unknown_coordinate"),
            (f"table:1,row:1,col:{len(first[0]) + 1}", "", "unknown_coordinate"),
            (f"table:{len(document.grids) + 1},row:1,col:1", "", "unknown_coordinate"),
            ("table:1,row:0,col:1", "", "bad_coordinate"),
        )
    )


def looked_up(knowledge: Knowledge, lookup: Lookup) -> str:
    """What is wrong with one look-up; empty when it is right."""
    try:
        got, error = knowledge.resolve(lookup.coordinate), ""
    except InputError as fault:
        got, error = "", fault.code
    if (got, error) == (lookup.expected, lookup.error):
        return ""
    return f"{lookup.coordinate}: wanted {lookup.error or repr(lookup.expected)}, got {error or repr(got)}"


def write(folder: Path, written: Sequence[Written]) -> None:
    """The documents as files."""
    for one in written:
        path = folder / one.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(one.data)


def measure(lookups: int, seed: int, rows: int = ROWS) -> dict[str, object]:
    """Write, open, look everything up: counts, faults, seconds."""
    rng = random.Random(seed)
    written = documents(rng, rows)
    asked = catalogue(rng, written, lookups)
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), written)
        begun = time.perf_counter()
        knowledge = Knowledge.open(Path(folder))
        opened = time.perf_counter()
        faults = {lookup: fault for lookup in asked if (fault := looked_up(knowledge, lookup))}
        done = time.perf_counter()
    by_feature = Counter(f"{one.document}: {one.feature}" for one in asked if one not in faults)
    return {
        "documents": len(written),
        "lookups": len(asked),
        "errors_expected": sum(bool(one.error) for one in asked),
        "right": len(asked) - sum(one in faults for one in asked),
        "right_by_document": dict(by_feature),
        "faults": list(faults.values()),
        "open_seconds": round(opened - begun, 3),
        "lookup_milliseconds": round((done - opened) * 1_000 / max(1, len(asked)), 3),
    }


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--lookups", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = measure(options.lookups, options.seed, options.rows)
    if options.json:
        print(json.dumps(found, ensure_ascii=False, indent=1))
    else:
        for name, value in found.items():
            lines = value if isinstance(value, list) else value.items() if isinstance(value, dict) else None
            print(f"{name:22} {'' if lines is not None else value}")
            for line in lines or ():
                print(f"    {line if isinstance(line, str) else f'{line[0]:48} {line[1]}'}")
    return 1 if found["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
