"""Text for a window: lines broken between words, each continued at its own indent."""

import textwrap

NARROWEST = 20
"""Columns below which the terminal breaks lines where it will."""


def fitted(text: str, columns: int) -> str:
    """Return a text whose lines fit a window; words that are longer than it, and lines with colours, stay whole."""
    if columns < NARROWEST:
        return text
    return "\n".join(folded for line in text.splitlines() for folded in _folded(line, columns))


def _folded(line: str, columns: int) -> list[str]:
    if len(line) <= columns or "\x1b" in line:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    return textwrap.wrap(line, columns, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
