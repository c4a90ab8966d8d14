"""Expand row and column spans into a rectangle, as HTML's table model does."""

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from indexers.parser.limits import Budget

MOST_COLUMNS = 1_000
MOST_ROWS = 65_534
"""The longest spans that HTML allows; longer ones count as these."""

T = TypeVar("T")


class Span(NamedTuple, Generic[T]):
    """How far a cell reaches; `copy` stands wherever it is repeated.

    A rowspan of 0 reaches to the end of its row group.
    """

    rows: int
    columns: int
    copy: T


class GridRow(NamedTuple, Generic[T]):
    """A row as the page has it: its cells, and the spans of those that have one, by their place in the row."""

    cells: list[T]
    spans: dict[int, Span[T]]


Group = Sequence[GridRow[T]]
"""The rows of one thead, tbody or tfoot: row spans end with it."""


class _Placed(NamedTuple, Generic[T]):
    row: int
    column: int
    height: int
    width: int
    value: T
    copy: T


def expand(groups: Sequence[Group[T]], empty: T, budget: Budget) -> list[list[T]]:
    """Lay cells out in a rectangle, with `empty` where no cell reaches.

    Columns after the last one in which a cell begins are dropped: they hold nothing but copies.

    Raises:
        HostilePage: the page has more cells than its cap.
    """
    plain: dict[int, list[T]] = {}
    placed: list[_Placed[T]] = []
    height = 0
    for group in groups:
        _place(group, height, plain, placed, budget)
        height += len(group)
    width = max(max(map(len, plain.values()), default=0), max((cell.column + 1 for cell in placed), default=0))
    budget.spend_cells(width * height)
    return _fill(plain, placed, height, width, empty, budget)


def _place(group: Group[T], above: int, plain: dict[int, list[T]], placed: list[_Placed[T]], budget: Budget) -> None:
    """Give each cell of a group the next column that no cell above it reaches into.

    Rows in which nothing spans, most rows of most tables, go to `plain` as they are.
    """
    reaching: list[_Placed[T]] = []
    for number, row in enumerate(group, above):
        reaching = [cell for cell in reaching if cell.row + cell.height > number]
        if not reaching and not row.spans:
            plain[number] = row.cells
            continue
        budget.check_time()
        column = 0
        for at, value in enumerate(row.cells):
            span = row.spans.get(at, Span(1, 1, value))
            column = _next_free(reaching, column)
            height, width = _height(span, above + len(group) - number), max(1, min(span.columns, MOST_COLUMNS))
            placed.append(_Placed(number, column, height, width, value, span.copy))
            column += width
            if height > 1:
                reaching.append(placed[-1])
                reaching.sort(key=_column)


def _column(placed: _Placed[T]) -> int:
    return placed.column


def _next_free(reaching: Sequence[_Placed[T]], column: int) -> int:
    for placed in reaching:
        if placed.column <= column < placed.column + placed.width:
            column = placed.column + placed.width
    return column


def _height(span: Span[T], left: int) -> int:
    return left if span.rows == 0 else min(span.rows, MOST_ROWS, left)


def _fill(
    plain: dict[int, list[T]], placed: Sequence[_Placed[T]], height: int, width: int, empty: T, budget: Budget
) -> list[list[T]]:
    """Write cells and their copies; where two overlap the earlier stays."""
    spanned: dict[int, list[T | None]] = {row: [None] * width for row in range(height) if row not in plain}
    for cell in placed:
        budget.check_time()
        for row in range(cell.row, cell.row + cell.height):
            slots = spanned[row]
            for column in range(cell.column, min(cell.column + cell.width, width)):
                if slots[column] is None:
                    first = row == cell.row and column == cell.column
                    slots[column] = cell.value if first else cell.copy
    whole = {row: [empty if slot is None else slot for slot in slots] for row, slots in spanned.items()}
    return [whole[row] if row in whole else plain[row] + [empty] * (width - len(plain[row])) for row in range(height)]
