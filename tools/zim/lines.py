"""JSON lines of {title, url, html} or {title, redirect}, plain or compressed by xz, read one line at a time."""

import codecs
import json
from collections.abc import Iterator
from pathlib import Path

from heliograph.errors import UsageError
from heliograph.storage import NOT_UNPACKED, open_unpacked
from heliograph.types import SourcePage, SourceRedirect

LINE_FILES = (".jsonl", ".ndjson", ".jsonl.xz", ".ndjson.xz")
SHAPE = 'a line is {"title", "url", "html"} or {"title", "redirect"}, all texts, in UTF-8'


def read_lines(path: Path) -> Iterator[SourcePage | SourceRedirect]:
    """Yield the pages and redirects of a file.

    Raises:
        UsageError: a line is neither, or the file cannot be read; file and line are named.
    """
    number = 0
    try:
        with open_unpacked(path) as lines:
            for number, line in enumerate(lines, start=1):
                text = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
                if text.strip():
                    yield _record(text, f"{path}:{number}")
    except (OSError, *NOT_UNPACKED) as err:
        raise UsageError(f"{path} cannot be read after line {number}: {err}; make it again") from err


def _record(line: bytes, place: str) -> SourcePage | SourceRedirect:
    try:
        record = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as err:  # no UTF-8, no JSON, a number of thousands of digits
        raise UsageError(f"{place}: no JSON ({err}); {SHAPE}") from err
    match record:
        case {"title": str(title), "redirect": str(target)} if target:
            return SourceRedirect(title, target)
        case {"title": str(title), "html": str(html), "url": str(url)}:
            return SourcePage(title, html, url)
        case {"title": str(title), "html": str(html)}:
            return SourcePage(title, html)
    raise UsageError(f"{place}: no page; {SHAPE}")
