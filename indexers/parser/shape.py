"""Tell column names from body rows in an expanded table."""

from collections.abc import Sequence

from heliograph.types import Cell
from indexers.parser.grid import Group, expand
from indexers.parser.limits import Budget

EMPTY = Cell("")

Row = Sequence[Cell]
Shaped = tuple[str, tuple[str, ...], tuple[tuple[Cell, ...], ...]]
"""Caption, column names, body rows."""


def shape_table(groups: Sequence[Group[Cell]], caption: str, bold_names: bool, budget: Budget) -> Shaped:
    """Split a table into column names and body rows.

    The leading rows of header cells, stacked, name the columns; where a table has no header cells a first row in
    bold does (`bold_names`). A title across the whole width above them becomes the caption if there is none.
    Column names repeated further down and rows without words are dropped; a header cell across the whole width
    further down stays, as a row that says the same in every column.
    """
    grid = [row for row in expand(groups, EMPTY, budget) if any(cell.text for cell in row)]
    names = _names(grid, bold_names)
    if len(names) > 1 and not caption and _is_heading(names[0]):
        caption, names, grid = names[0][0].text, names[1:], grid[1:]
    header = _join(names, len(grid[0]) if grid else 0)
    below, repeated = grid[len(names) :], {_texts(row) for row in names}
    body = [row for row in below if not (_all_headers(row) and _texts(row) in repeated)] or below
    spend_text(header, body, budget)
    return caption, header, tuple(map(tuple, body))


def is_across(row: Row) -> bool:
    """Tell a row that one cell fills."""
    first, copies = row[0], row[1:]
    return not first.spanned and all(copy is copies[0] and copy.spanned and copy.text is first.text for copy in copies)


def _is_heading(row: Row) -> bool:
    return len(row) > 1 and is_across(row)


def spend_text(header: Sequence[str], rows: Sequence[Row], budget: Budget) -> None:
    """Count what the rows hold once spans repeat it and each row carries the column names.

    Raises:
        HostilePage: a page would grow past its cap of characters.
    """
    budget.spend_characters(sum(map(len, header)) * len(rows))
    budget.spend_characters(sum([len(cell.text) for row in rows for cell in row]))


def _names(grid: Sequence[Row], bold_names: bool) -> Sequence[Row]:
    """Find the leading rows that name columns; a table must keep a body."""
    ends = (at for at, row in enumerate(grid) if not _names_columns(row) or (at > 0 and _is_heading(row)))
    count = next(ends, len(grid))
    if count == len(grid) or (count == 0 and bold_names):
        count = min(1, len(grid) - 1)
    return grid[: max(count, 0)]


def _names_columns(row: Row) -> bool:
    """Tell a row of header cells; the corner above the row headers may be an empty common cell."""
    return _all_headers(row) or (len(row) > 2 and not row[0].text and _all_headers(row[1:]))


def _all_headers(row: Row) -> bool:
    return all(cell.header for cell in row)


def _texts(row: Row) -> tuple[str, ...]:
    return tuple(cell.text for cell in row)


def _join(names: Sequence[Row], width: int) -> tuple[str, ...]:
    """Join stacked names down each column, each text once: `Years` over `Begun` is `Years Begun`."""
    if not names:
        return ("",) * width
    columns = zip(*map(_texts, names), strict=True)
    return tuple(" ".join(dict.fromkeys(text for text in column if text)) for column in columns)
