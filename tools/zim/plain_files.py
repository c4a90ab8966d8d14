"""Plain text and tables in CSV to HTML; what cannot be read says why."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import islice

from indexers.parser.limits import DEFAULT_LIMITS

DELIMITERS = (",", ";", "\t", "|")
SAMPLE_ROWS = 50
"""Rows by which the delimiter of a file is chosen."""

_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")


def render_text(content: bytes) -> str:
    """Return the paragraphs of a text, which blank lines part.

    Raises:
        ValueError: it is no UTF-8, or longer than a page may be.
    """
    paragraphs = (" ".join(part.split()) for part in _BLANK_LINES.split(_lines(content)))
    return "\n".join(f"<p>{escape(part)}</p>" for part in paragraphs if part)


def render_table(content: bytes) -> str:
    """Return a table whose first row names the columns; the delimiter is the one that parts the rows alike.

    Raises:
        ValueError: it is no UTF-8, no CSV, larger than a page may be, or has no row below the names.
    """
    text = _lines(content)
    try:
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=_delimiter(text)) if any(map(str.strip, row))]
    except csv.Error as err:
        raise ValueError(f"no CSV: {err}") from err
    columns = max(map(len, rows), default=0)
    if len(rows) < 2:
        raise ValueError("no row below the names of its columns")
    if len(rows) * columns > DEFAULT_LIMITS.cells:
        raise ValueError(f"{len(rows) * columns:,} cells, and a page may have {DEFAULT_LIMITS.cells:,}; split it")
    head, *body = ([*row, *[""] * (columns - len(row))] for row in rows)
    return "\n".join(("<table>", f"<thead>{_row(head, 'th')}</thead>", "<tbody>", *_body(body), "</tbody>", "</table>"))


def _lines(content: bytes) -> str:
    """Return the text of a file; programs that write UTF-16 mark it so."""
    if len(content) > DEFAULT_LIMITS.bytes:
        raise ValueError(f"{len(content):,} bytes, and a page may have {DEFAULT_LIMITS.bytes:,}; split it")
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as err:
        place = f"byte {content[err.start]:#04x} at {err.start}" if err.start < len(content) else "it ends too early"
        raise ValueError(f"no {encoding.removesuffix('-sig').upper()}: {place}; save it as UTF-8") from err
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _delimiter(text: str) -> str:
    """Return the delimiter by which most rows are as long as the first, and of several the one with most columns."""
    return max(DELIMITERS, key=lambda delimiter: _fit(text, delimiter))


def _fit(text: str, delimiter: str) -> tuple[float, int]:
    lengths = [len(row) for row in islice(csv.reader(io.StringIO(text), delimiter=delimiter), SAMPLE_ROWS) if row]
    if not lengths or lengths[0] < 2:
        return 0.0, 0
    return lengths.count(lengths[0]) / len(lengths), lengths[0]


def _body(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    return (_row(row, "td") for row in rows)


def _row(cells: Sequence[str], tag: str) -> str:
    written = (f"<{tag}>{escape(' '.join(cell.split()))}</{tag}>" for cell in cells)
    return f"<tr>{''.join(written)}</tr>"
