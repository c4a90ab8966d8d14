"""A report for a terminal, and as Markdown; what is not printable in names and questions becomes a blank."""

import re
from collections.abc import Iterable, Sequence

from eval.omgqa.reporting.figures import Figure
from eval.omgqa.reporting.report import Report
from eval.omgqa.reporting.tables import Cell, Row, Table

_MARKED = re.compile(r"([\\`*_{}\[\]<>|#~&])")
"""What Markdown would read as markup in the midst of a line."""


def report_text(report: Report) -> str:
    """Return the tables one under the other, aligned."""
    return "\n\n".join([printable(report.headline), *map(table_text, report.tables)]) + "\n"


def report_markdown(report: Report) -> str:
    """Return the tables as Markdown, each under a heading."""
    return "\n\n".join([escaped(report.headline), *map(table_markdown, report.tables)]) + "\n"


def table_text(table: Table) -> str:
    """Return a table under its caption; the deviations of seeds are a line of their own."""
    if not table.rows:
        return f"{table.caption}: {table.empty}"
    lines = [[*map(printable, table.columns)], *_lines(table)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    right = [isinstance(cell, Figure) for cell in table.rows[0].cells]
    aligned = (
        "  ".join(f"{cell:>{width}}" if far else f"{cell:<{width}}" for cell, width, far in zip(*parts, strict=True))
        for parts in ((line, widths, right) for line in lines)
    )
    return "\n".join([table.caption, *(line.rstrip() for line in aligned), *([table.note] if table.note else [])])


def table_markdown(table: Table) -> str:
    """Return a table under a heading; a deviation stands behind its figure."""
    if not table.rows:
        return f"## {table.caption}\n\n{escaped(table.empty)}"
    rules = ["---:" if isinstance(cell, Figure) else "---" for cell in table.rows[0].cells]
    rows = ([_with_spread(cell) for cell in row.cells] for row in table.rows)
    lines = [_piped(map(escaped, table.columns)), _piped(rules), *map(_piped, rows)]
    return "\n".join([f"## {table.caption}", "", *lines, *(["", escaped(table.note)] if table.note else [])])


def printable(text: str) -> str:
    """Return text on one line, without what would move a terminal's cursor or change its colours."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def escaped(text: str) -> str:
    """Return text as Markdown that reads as it stands."""
    return _MARKED.sub(r"\\\1", printable(text))


def _lines(table: Table) -> Iterable[list[str]]:
    above: Sequence[Cell] = ()
    for row in table.rows:
        cells = [printable(str(cell)) for cell in row.cells]
        for column in range(table.grouped):
            if above[: column + 1] == row.cells[: column + 1]:
                cells[column] = ""
        yield cells
        above = row.cells
        yield from _spreads(row)


def _spreads(row: Row) -> Iterable[list[str]]:
    spreads = [cell.spread if isinstance(cell, Figure) else "" for cell in row.cells]
    if any(spreads):
        yield spreads


def _with_spread(cell: Cell) -> str:
    return " ".join(filter(None, [str(cell), cell.spread])) if isinstance(cell, Figure) else escaped(cell)


def _piped(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
