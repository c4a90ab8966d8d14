"""Expand row and column spans into a rectangle, as HTML's table model does."""

from collections.abc import Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from indexers.parser.limits import Budget

MOST_COLUMNS = 1_000
MOST_ROWS = 65_534
"""The longest spans that HTML allows; longer ones count as these."""

T = TypeVar("T")


class Spanning(NamedTuple, Generic[T]):
    """A cell as the page has it; `copy` stands wherever a span repeats it.

    A rowspan of 0 reaches to the end of its row group.
    """

    value: T
    copy: T
    rowspan: int = 1
    colspan: int = 1


Group = Sequence[Sequence[Spanning[T]]]
"""The rows of one thead, tbody or tfoot: row spans end with it."""


class _Placed(NamedTuple, Generic[T]):
    row: int
    column: int
    height: int
    width: int
    cell: Spanning[T]


def expand(groups: Sequence[Group[T]], empty: T, budget: Budget) -> list[list[T]]:
    """Lay cells out in a rectangle, with `empty` where no cell reaches.

    Columns after the last one in which a cell begins are dropped: they hold nothing but copies.

    Raises:
        HostilePage: the page has more cells than its cap.
    """
    if all(cell.rowspan == cell.colspan == 1 for group in groups for row in group for cell in row):
        return _pad(groups, empty, budget)
    placed = [cell for group, above in _stacked(groups) for cell in _place(group, above, budget)]
    width = max((cell.column + 1 for cell in placed), default=0)
    height = sum(map(len, groups))
    budget.spend_cells(width * height)
    slots: list[list[T | None]] = [[None] * width for _ in range(height)]
    for cell in placed:
        _fill(slots, cell, width)
        budget.check_time()
    return [[empty if slot is None else slot for slot in row] for row in slots]


def _pad(groups: Sequence[Group[T]], empty: T, budget: Budget) -> list[list[T]]:
    """Lay out cells that span nothing."""
    rows = [[cell.value for cell in row] for group in groups for row in group]
    width = max(map(len, rows), default=0)
    budget.spend_cells(width * len(rows))
    return [row + [empty] * (width - len(row)) for row in rows]


def _stacked(groups: Sequence[Group[T]]) -> Iterator[tuple[Group[T], int]]:
    above = 0
    for group in groups:
        yield group, above
        above += len(group)


def _place(group: Group[T], above: int, budget: Budget) -> Iterator[_Placed[T]]:
    """Give each cell of a group the next column that no cell above it reaches into."""
    reaching: list[_Placed[T]] = []
    for number, row in enumerate(group, above):
        budget.check_time()
        reaching = [placed for placed in reaching if placed.row + placed.height > number]
        column = 0
        for cell in row:
            column = _next_free(reaching, column)
            height, width = _height(cell, above + len(group) - number), max(1, min(cell.colspan, MOST_COLUMNS))
            placed = _Placed(number, column, height, width, cell)
            yield placed
            column += width
            if height > 1:
                reaching.append(placed)
                reaching.sort(key=_column)


def _column(placed: _Placed[T]) -> int:
    return placed.column


def _next_free(reaching: Sequence[_Placed[T]], column: int) -> int:
    for placed in reaching:
        if placed.column <= column < placed.column + placed.width:
            column = placed.column + placed.width
    return column


def _height(cell: Spanning[T], left: int) -> int:
    return left if cell.rowspan == 0 else min(cell.rowspan, MOST_ROWS, left)


def _fill(slots: list[list[T | None]], placed: _Placed[T], width: int) -> None:
    """Write a cell and its copies; where two cells overlap the earlier stays."""
    for row in range(placed.row, placed.row + placed.height):
        for column in range(placed.column, min(placed.column + placed.width, width)):
            if slots[row][column] is None:
                first = row == placed.row and column == placed.column
                slots[row][column] = placed.cell.value if first else placed.cell.copy
