"""JSON lines of {title, url, html} or {title, redirect}, plain or compressed by xz, read one line at a time."""

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from heliograph.errors import UsageError
from tools.zim.content import SourcePage, SourceRedirect

LINE_FILES = (".jsonl", ".ndjson", ".jsonl.xz", ".ndjson.xz")


def read_lines(path: Path) -> Iterator[SourcePage | SourceRedirect]:
    """Yield the pages and redirects of a file.

    Raises:
        UsageError: a line is neither, or the file cannot be read; file and line are named.
    """
    number = 0
    try:
        with _opened(path) as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _record(line, f"{path}, line {number}")
    except (OSError, EOFError, lzma.LZMAError, UnicodeDecodeError) as err:
        raise UsageError(f"{path} cannot be read after line {number}: {err}; make it again") from err


def _record(line: str, place: str) -> SourcePage | SourceRedirect:
    try:
        record = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as err:
        raise UsageError(f'{place}: no JSON ({err}); a line is {{"title", "url", "html"}}') from err
    fields = record if isinstance(record, dict) else {}
    match fields:
        case {"title": str(title), "redirect": str(target)} if target:
            return SourceRedirect(title, target)
        case {"title": str(title), "html": str(html)}:
            url = fields.get("url")
            return SourcePage(title, html, url if isinstance(url, str) else "")
    raise UsageError(f'{place}: no page; a line is {{"title", "url", "html"}} or {{"title", "redirect"}}, all texts')


def _opened(path: Path) -> IO[str]:
    if path.suffix == ".xz":
        return lzma.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")
